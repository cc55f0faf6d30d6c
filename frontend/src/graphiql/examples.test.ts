import { readFileSync } from "node:fs";
import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { exampleTabs, findExampleId, LONGEST_CONVERSATION, PLACEHOLDER_ID } from "./examples";
import type { Tab } from "./link";

const schema = buildSchema(readFileSync("../schema.graphql", "utf8"));
const files = import.meta.glob<string>("./examples/*.graphql", { query: "?raw", import: "default", eager: true });
const tabs = exampleTabs("20260101_120000_abcdef");

function operationOf(query: string): OperationDefinitionNode {
  const found = parse(query).definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (!found) throw new Error("no operation");
  return found;
}

const named = tabs.map((tab): [string, Tab] => [operationOf(tab.query).name?.value ?? "", tab]);
const variablesOf = (name: string) => JSON.parse(named.find(([each]) => each === name)?.[1].variables ?? "{}");

describe("the examples", () => {
  it.each(Object.entries(files))("%s is valid", (_, query) => {
    expect(validate(schema, parse(query))).toEqual([]);
  });

  it("are all offered, each as one tab", () => {
    expect(tabs.map((tab) => tab.query).toSorted()).toEqual(Object.values(files).toSorted());
  });

  it.each(named)("%s comes with the variables it declares", (_, { query, variables }) => {
    const given = JSON.parse(variables || "{}");
    const declared = operationOf(query).variableDefinitions ?? [];
    const names = declared.map((definition) => definition.variable.name.value);
    expect(getVariableValues(schema, declared, given)).toHaveProperty("coerced");
    expect(names).toEqual(expect.arrayContaining(Object.keys(given)));
  });

  it("begin without variables: GraphiQL opens its first tab with none", () => {
    expect(tabs[0]?.variables).toBe("");
  });

  it("change nothing before somebody has chosen to", () => {
    expect(variablesOf("ArchiveConversation").id).toBe(PLACEHOLDER_ID);
    expect(variablesOf("PreviewDeletion").dryRun).toBe(true);
  });
});

describe("the id that the examples read", () => {
  it("is asked for with a valid query", () => {
    expect(validate(schema, parse(LONGEST_CONVERSATION))).toEqual([]);
  });

  it("is that of the longest conversation", async () => {
    const id = await findExampleId(() => Promise.resolve({ data: { conversations: { nodes: [{ id: "c7" }] } } }));
    expect(id).toBe("c7");
  });

  it.each([
    ["there is none", () => Promise.resolve({ data: { conversations: { nodes: [] } } })],
    ["the store cannot be read", () => Promise.resolve({ data: { conversations: null } })],
    ["the server does not answer", () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("is a placeholder when %s", async (_, fetcher) => {
    expect(await findExampleId(fetcher)).toBe(PLACEHOLDER_ID);
  });
});
