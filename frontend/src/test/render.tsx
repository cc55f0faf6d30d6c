/** Shows the whole dashboard at an address, as `main` does. */
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { App } from "../app/App";

export function openDashboard(address: string) {
  window.history.replaceState(null, "", address);
  const user = userEvent.setup();
  return { user, ...render(<App />) };
}
