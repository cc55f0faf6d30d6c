/** A small API for tests: real GraphQL execution of the real schema over plain objects, behind `fetch`. */
import { readFileSync } from "node:fs";
import { buildSchema, graphql } from "graphql";
import { vi } from "vitest";

const schema = buildSchema(readFileSync("../schema.graphql", "utf8"));

const server = () => ({ __typename: "Server", maxPageSize: 500 });

// The schema's own words for numbers and moments; in plain objects they are what they are.
type Resolver = (args: Record<string, never>) => unknown;
export type Root = Record<string, Resolver>;

export interface Sent {
  operation: string;
  query: string;
  variables: Record<string, unknown>;
  headers: Headers;
}

/** Answers every request out of `root`, whose fields are functions of their arguments. */
export function serve(root: Root): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const { query, variables, operationName } = JSON.parse(String(init.body));
    sent.push({ operation: operationName, query, variables, headers: new Headers(init.headers) });
    const result = await graphql({ schema, source: query, rootValue: { server, ...root }, variableValues: variables, operationName });
   return new Response(JSON.stringify(result), { headers: { "content-type": "application/json" } });
  });
  return sent;
}

/** Refuses every request, as the server does without a token. */
export function refuse(status: number, code: string, message: string): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  vi.stubGlobal("fetch", async () => new Response(body, { status, headers: { "content-type": "application/json" } }));
}
