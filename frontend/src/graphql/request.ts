/** A GraphQL request written out as text, to take away: the document, a curl command, a Python program. */
import type { DocumentNode } from "graphql";
import { stringifyDocument } from "urql";
import { ENDPOINT } from "./endpoint";

export interface Request {
  document: DocumentNode;
  variables: Record<string, unknown>;
}

const withoutEmpty = (variables: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));

/** `stringifyDocument` heads a named document with a comment that holds its name. */
const queryText = ({ document }: Request) => stringifyDocument(document).replace(/^# .*\n/, "");
const variablesText = (request: Request) => JSON.stringify(withoutEmpty(request.variables), null, 2);
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function asGraphQL(request: Request): string {
  return `${queryText(request)}\n\n# Variables\n${variablesText(request).replaceAll(/^/gm, "# ")}\n`;
}

/** An address of GraphiQL with the document and its variables; they stand in the fragment, which no log sees. */
export function asGraphiQL(request: Request): string {
  return `/graphiql#${new URLSearchParams({ query: queryText(request), variables: variablesText(request) })}`;
}

export function asCurl(request: Request, origin: string): string {
  const body = JSON.stringify({ query: queryText(request), variables: withoutEmpty(request.variables) });
  return [
    `curl ${origin}${ENDPOINT}`,
    `-H 'content-type: application/json'`,
    `-H "authorization: Bearer $HERMES_SESSIONS_TOKEN"`,
    `--data ${quoted(body)}`,
  ].join(" \\\n  ");
}

export function asPython(request: Request, origin: string): string {
  return `import json
import os

from gql import Client, gql
from gql.transport.httpx import HTTPXTransport

transport = HTTPXTransport(
    url="${origin}${ENDPOINT}",
    headers={"Authorization": f"Bearer {os.environ['HERMES_SESSIONS_TOKEN']}"},
)
query = gql("""
${queryText(request).replaceAll("\\", "\\\\").replaceAll('"""', String.raw`\"\"\"`)}
""")
query.variable_values = json.loads(r'''
${variablesText(request).replaceAll("'", String.raw`\u0027`)}
''')
print(json.dumps(Client(transport=transport).execute(query), indent=2))
`;
}
