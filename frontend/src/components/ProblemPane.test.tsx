import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { problem, toProblem } from "../graphql/problem";
import { ProblemPane } from "./ProblemPane";

const paragraphs = () => [...screen.getByRole("alert").querySelectorAll("p")].map((each) => each.textContent).slice(0, -1);

it("says what a heading says once", () => {
  render(<ProblemPane problem={toProblem({ networkError: new TypeError("Failed to fetch"), graphQLErrors: [] } as never)} />);
  expect(paragraphs()).toEqual(["The server does not answer", "Check that it is still running, then try again."]);
});

it("says what happened under its heading", () => {
  render(<ProblemPane problem={problem("NOT_FOUND", "There is no session x.", "It was deleted.")} />);
  expect(paragraphs()).toEqual(["Not there", "There is no session x.", "It was deleted."]);
});
