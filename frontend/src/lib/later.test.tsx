import { render, screen } from "@testing-library/react";
import { Suspense, useState } from "react";
import { expect, test, vi } from "vitest";
import { later } from "./later";

function Content({ name }: { name: string }) {
  const [first] = useState(name);
  return <p>{`${first}, ${name}`}</p>;
}

const shown = (Region: ReturnType<typeof later<{ name: string }>>, name: string) => (
  <Suspense fallback="Loading">
    <Region name={name} />
  </Suspense>
);

test("what was loaded ahead is there at once", async () => {
  const Region = later(async () => Content);
  await Region.load();
  render(shown(Region, "a"));
  expect(screen.getByText("a, a")).toBeTruthy();
});

test("what was not is loaded when it is shown, and keeps its state", async () => {
  const fetch = vi.fn<() => Promise<typeof Content>>(async () => Content);
  const Region = later(fetch);
  expect(fetch).not.toHaveBeenCalled();
  const { rerender } = render(shown(Region, "a"));
  expect(screen.getByText("Loading")).toBeTruthy();
  expect(await screen.findByText("a, a")).toBeTruthy();
  rerender(shown(Region, "b"));
  expect(screen.getByText("a, b")).toBeTruthy();
});
