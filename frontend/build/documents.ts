/** Gives each call of `graphql` its own document, so that a feature's documents travel with the feature. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const GENERATED = fileURLToPath(new URL("../src/graphql/generated/graphql.ts", import.meta.url));
const CALL = /\bgraphql\(`\s*(query|mutation|subscription|fragment)\s+(\w+)[^`]*`\)/g;
const DECLARED = /^export const (\w+) = (\{.*\}) as unknown as /gm;
const PREFIX = "\0document:";

/** As the generator names things: "Money_cost" becomes "Money_Cost". */
const pascal = (name: string): string => name.replace(/(^|_)([a-z])/g, (_, start: string, letter: string) => start + letter.toUpperCase());

async function generatedDocuments(): Promise<Map<string, string>> {
  const source = await readFile(GENERATED, "utf8");
  return new Map([...source.matchAll(DECLARED)].map(([, name = "", text = ""]) => [name, text]));
}

/** A call that is written otherwise keeps to the generated map of all documents, which works and weighs more. */
export function documents(): Plugin {
  let texts: Promise<Map<string, string>> | null = null;
  return {
    name: "documents",
    apply: "build",
    enforce: "pre",
    resolveId: (id) => (id.startsWith("document:") ? `\0${id}` : null),
    load: async (id) => {
      if (!id.startsWith(PREFIX)) return null;
      texts ??= generatedDocuments();
      const name = id.slice(PREFIX.length);
      const text = (await texts).get(name);
      if (text === undefined) throw new Error(`${GENERATED} has no ${name}`);
      return `export default ${text};`;
    },
    transform: (code, id) => {
      if (!/\.tsx?$/.test(id) || id.includes("/generated/") || !code.includes("graphql(`")) return null;
      const names = new Set<string>();
      const replaced = code.replace(CALL, (_, kind: string, name: string) => {
        const document = pascal(name) + (kind === "fragment" ? "FragmentDoc" : "Document");
        names.add(document);
        return document;
      });
      const imports = [...names].map((name) => `import ${name} from "document:${name}";`).join("");
      return { code: imports + replaced, map: null };
    },
  };
}
