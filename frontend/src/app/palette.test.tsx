import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { rememberOpened } from "../lib/recent";
import { aConnection, aConversation, aProfile, noFacets, noneHidden } from "../test/builders";
import { openDashboard } from "../test/render";
import { type Root, serve } from "../test/server";
import { type Group, narrow } from "./paletteEntries";

// Compiled before the first test waits for it.
beforeAll(() => import("./Palette"), 60_000);

type Asked = { filter?: { text?: string } };

function serveAll(change: Root = {}) {
  const all = [aConversation("a"), aConversation("fox", { displayTitle: "A red fox" })];
  return serve({
    profiles: () => [aProfile(), aProfile("work")],
    conversation: () => null,
    conversations: ({ filter }: Asked) => {
      const found = filter?.text ? all.filter(({ displayTitle }) => displayTitle.includes(filter.text ?? "")) : all;
      return { ...aConnection(found), hidden: noneHidden, failures: [], facets: noFacets };
    },
    ...change,
  } as Root);
}

async function openPalette(address = "/") {
  const { user } = openDashboard(address);
  await screen.findByText("Title of a");
  await user.keyboard("{Control>}k{/Control}");
  return { user, field: await screen.findByRole("combobox", { name: "Search and run anything" }) };
}

const options = () => screen.getAllByRole("option").map((option) => option.textContent);

describe("the palette", () => {
  it("offers what somebody answers to, with its keys, and nothing else", async () => {
    serveAll();
    await openPalette();
    expect(screen.getByRole("option", { name: "Go to the usage g u" })).toBeTruthy();
    expect(screen.queryByRole("option", { name: /Next message/ })).toBeNull();
  });

  it("goes to a place by typing and Enter, and gives the focus back", async () => {
    serveAll();
    const { user } = await openPalette();
    await user.keyboard("stores{Enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/stores"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("moves round by arrows and tells the option that Enter runs", async () => {
    serveAll();
    const { user, field } = await openPalette();
    const active = () => document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent;
    const [first, second] = options();
    expect(active()).toBe(first);
    await user.keyboard("{ArrowDown}");
    expect(active()).toBe(second);
    await user.keyboard("{ArrowUp}{ArrowUp}");
    expect(active()).toBe(options().at(-1));
  });

  it("finds conversations of all profiles, and opens one", async () => {
    const sent = serveAll();
    const { user } = await openPalette("/?in=work");
    await user.keyboard("fox");
    const found = await screen.findByRole("option", { name: /A red fox/ });
    const asked = sent.findLast(({ operation }) => operation === "PaletteConversations");
    expect(asked?.query).toContain("profiles: []");
    await user.click(found);
    await waitFor(() => expect(window.location.pathname).toBe("/p/default/c/fox"));
  });

  it("names the run of a job by what the job was asked, as the list does", async () => {
    const run = aConversation("run", { job: "5d1f", title: null, displayTitle: "[SYSTEM: You run as a job.] Look at the tide" });
    serveAll({ conversations: () => ({ ...aConnection([aConversation("a"), run]), hidden: noneHidden, failures: [], facets: noFacets }) });
    const { user } = await openPalette();
    await user.keyboard("tide");
    const found = await screen.findByRole("option", { name: /^Look at the tide/ });
    expect(found.textContent).not.toContain("SYSTEM");
  });

  it("drops an answer to what is no longer typed", async () => {
    const answers: (() => void)[] = [];
    const late = new Promise<void>((resolve) => {
      answers.push(resolve);
    });
    serveAll({
      conversations: (async ({ filter }: Asked) => {
        if (filter?.text === "re") await late;
        const found = filter?.text === "re" ? [aConversation("late")] : filter?.text ? [aConversation("red")] : [aConversation("a")];
        return { ...aConnection(found), hidden: noneHidden, failures: [], facets: noFacets };
      }) as Root[string],
    });
    const { user } = await openPalette();
    await user.keyboard("re");
    await screen.findByText("Looking for conversations…");
    await new Promise((resolve) => setTimeout(resolve, 250));
    await user.keyboard("d");
    await screen.findByRole("option", { name: /Title of red/ });
    answers[0]?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByRole("option", { name: /Title of late/ })).toBeNull();
  });

  it("leads on to the search of all messages", async () => {
    serveAll({ search: () => null });
    const { user } = await openPalette();
    await user.keyboard("quokka");
    await user.click(await screen.findByRole("option", { name: "Search all messages for “quokka”" }));
    await waitFor(() => expect(window.location.search).toBe("?find=quokka"));
  });

  it("begins with what was read last", async () => {
    rememberOpened({ profile: "work", id: "x", title: "Read yesterday" });
    serveAll();
    await openPalette();
    expect(within(screen.getByRole("group", { name: "Recent" })).getByRole("option").textContent).toContain("Read yesterday");
    expect(options()[0]).toContain("Read yesterday");
  });

  it("switches the profile, and sets a setting", async () => {
    serveAll();
    const { user } = await openPalette();
    await user.keyboard("profile work{Enter}");
    await waitFor(() => expect(window.location.search).toBe("?in=work"));
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox", { name: "Search and run anything" });
    await user.keyboard("density compact{Enter}");
    await waitFor(() => expect(localStorage.getItem("hermes-sessions.density")).toBe("compact"));
  });

  it("closes by its own keys and by Escape", async () => {
    serveAll();
    const { user } = await openPalette();
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

const entry = (label: string) => ({ key: label, label, icon: "chat" as const, run: () => {} });

describe("groups that are narrowed", () => {
  const groups: Group[] = [
    { name: "Actions", entries: [entry("Import a theme"), entry("Undo")] },
    { name: "Theme", entries: [entry("Dark"), entry("Light")] },
    { name: "None", entries: [] },
  ];
  const shown = (typed: string) => narrow(groups, typed).map(({ name, entries }) => [name, entries.map(({ label }) => label)].flat());

  it("keep their order without a word, and leave out the empty ones", () => {
    expect(shown("")).toEqual([["Actions", "Import a theme", "Undo"], ["Theme", "Dark", "Light"]]);
  });

  it("put the best answer first, and answer to their own names", () => {
    expect(shown("theme")).toEqual([["Actions", "Import a theme"], ["Theme", "Dark", "Light"]]);
    expect(shown("theme dark")).toEqual([["Theme", "Dark"]]);
    expect(shown("nothing")).toEqual([]);
  });
});
