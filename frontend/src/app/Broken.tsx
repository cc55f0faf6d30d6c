/** A view that broke while it was drawn: says so, and lets one try again or copy what happened. */
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ProblemPane } from "../components/ProblemPane";
import { problem } from "../graphql/problem";

export const Broken = ({ error, reset }: ErrorComponentProps) => (
  <ProblemPane problem={problem("DASHBOARD_FAILED", error instanceof Error ? error.message : String(error))} onRetry={reset} />
);
