import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type Toast, ToastProvider, useToast } from "./Toasts";

function Say({ toast }: { toast: Toast }) {
  const show = useToast();
  return <button onClick={() => show(toast)}>{`Say ${toast.text}`}</button>;
}

async function say(...toasts: Toast[]) {
  const user = userEvent.setup();
  render(<ToastProvider>{toasts.map((toast) => <Say key={toast.text} toast={toast} />)}</ToastProvider>);
  return (text: string) => user.click(screen.getByRole("button", { name: `Say ${text}` }));
}

const said = (text: string) => screen.queryAllByText(text, { exact: true });

describe("notes", () => {
  it("do not stand beside themselves when they are said again", async () => {
    const press = await say({ text: "Refused", tone: "bad" }, { text: "Copied" });
    await press("Refused");
    await press("Copied");
    await press("Refused");
    expect(said("Refused")).toHaveLength(1);
    expect(said("Copied")).toHaveLength(1);
  });

  it("stay, each with its own undo, however alike they are", async () => {
    const press = await say({ text: "Archived", undo: () => {} });
    await press("Archived");
    await press("Archived");
    expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(2);
  });
});
