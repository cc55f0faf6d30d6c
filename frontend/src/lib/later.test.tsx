import { render, screen } from "@testing-library/react";
import { Component, type ReactNode, useState } from "react";
import { expect, test, vi } from "vitest";
import { later } from "./later";

function Content({ name }: { name: string }) {
  const [first] = useState(name);
  return <p>{`${first}, ${name}`}</p>;
}

test("what was loaded ahead is there at once", async () => {
  const Region = later(async () => Content);
  await Region.load();
  render(<Region name="a" />);
  expect(screen.getByText("a, a")).toBeTruthy();
});

test("what was not is loaded when it is shown, and keeps its state", async () => {
  const fetch = vi.fn<() => Promise<typeof Content>>(async () => Content);
  const Region = later(fetch);
  expect(fetch).not.toHaveBeenCalled();
  const { rerender, container } = render(<Region name="a" />);
  expect(container.textContent).toBe("");
  expect(await screen.findByText("a, a")).toBeTruthy();
  rerender(<Region name="b" />);
  expect(screen.getByText("a, b")).toBeTruthy();
  expect(fetch).toHaveBeenCalledTimes(1);
});

class Boundary extends Component<{ children: ReactNode }> {
  override state = { said: "" };
  static readonly getDerivedStateFromError = (error: Error) => ({ said: error.message });
  override render() {
    return this.state.said || this.props.children;
  }
}

test("what cannot be loaded says so where errors are told", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const Region = later<{ name: string }>(() => Promise.reject(new Error("no connection")));
  render(
    <Boundary>
      <Region name="a" />
    </Boundary>,
  );
  expect(await screen.findByText("no connection")).toBeTruthy();
});
