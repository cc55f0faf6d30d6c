import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aProfile, noFacets, noneHidden } from "../test/builders";
import { openDashboard } from "../test/render";
import { serve } from "../test/server";

function serveAll() {
  return serve({
    profiles: () => [aProfile()],
    bin: () => [],
    conversations: () => ({ ...aConnection([aConversation("a")]), hidden: noneHidden, failures: [], facets: noFacets }),
  });
}

const current = () =>
  within(screen.getByRole("navigation", { name: "Places" }))
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "page")
    .map((link) => link.textContent);

describe("the rail", () => {
  it("marks where one is, and comes back to the same list", async () => {
    serveAll();
    const { user } = openDashboard("/?q=fox&source=cli");
    await screen.findByText("Title of a");
    expect(current()).toEqual(["Conversations"]);
    await user.click(screen.getByRole("link", { name: "Bin" }));
    expect(await screen.findByRole("heading", { name: "Bin" })).toBeTruthy();
    expect(current()).toEqual(["Bin"]);
    expect(screen.queryByRole("region", { name: "Conversations" })).toBeNull();

    await user.click(screen.getByRole("link", { name: "Conversations" }));
    expect(await screen.findByText("Title of a")).toBeTruthy();
    expect(window.location.pathname + window.location.search).toBe("/?q=fox&source=cli");
  });

  it("marks the conversations where one of them is read", async () => {
    serve({ profiles: () => [aProfile()], conversations: () => null, conversation: () => null });
    openDashboard("/p/default/c/a");
    await screen.findByRole("navigation", { name: "Places" });
    expect(current()).toEqual(["Conversations"]);
  });

  it("is gone along by two keys after each other", async () => {
    serveAll();
    const { user } = openDashboard("/p/default/c/a?q=fox&panel=numbers");
    await screen.findByText("Title of a");
    await user.keyboard("gb");
    await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/bin?q=fox"));
    await user.keyboard("gs");
    await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/?q=fox"));
    expect(screen.getByRole("link", { name: "Usage" }).getAttribute("aria-keyshortcuts")).toBe("g u");
  });
});
