/** What went wrong, as a person is told: a code to look up, a sentence, and the id of the request where there is one. */
import type { CombinedError } from "urql";

export interface Problem {
  code: string;
  message: string;
  hint: string | null;
  requestId: string | null;
}

const text = (value: unknown): string | null => (typeof value === "string" && value ? value : null);

export function toProblem(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  if (first) {
    const { code, hint, requestId } = first.extensions;
    return { code: text(code) ?? "INTERNAL", message: first.message, hint: text(hint), requestId: text(requestId) };
  }
  const status = (error.response as Response | undefined)?.status;
  if (status === 401) return problem("UNAUTHENTICATED", "The server asks for a token.");
  if (status) return problem(`HTTP_${status}`, `The server answered with status ${status}.`);
  return problem("DISCONNECTED", "The server does not answer.", "Check that it is still running, then try again.");
}

export function problem(code: string, message: string, hint: string | null = null): Problem {
  return { code, message, hint, requestId: null };
}

export const describeProblem = ({ code, message, hint, requestId }: Problem): string =>
  [`${code}: ${message}`, hint, requestId && `Request ${requestId}`].filter(Boolean).join("\n");
