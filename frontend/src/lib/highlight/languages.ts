/** Which language a name or the end of a file's name stands for; what is not here is shown plain. */
const NAMES: Record<string, string> = {
  bash: "bash sh zsh shell console fish",
  c: "c h",
  cpp: "cpp c++ cc hpp cxx",
  css: "css scss less",
  diff: "diff patch",
  dockerfile: "dockerfile docker",
  go: "go golang",
  graphql: "graphql gql",
  ini: "ini toml cfg conf env properties",
  java: "java",
  javascript: "javascript js jsx mjs cjs",
  json: "json jsonc jsonl json5 ndjson ipynb",
  markdown: "markdown md mdx",
  python: "python py python3 pyi",
  ruby: "ruby rb",
  rust: "rust rs",
  sql: "sql sqlite postgresql psql mysql",
  typescript: "typescript ts tsx mts cts",
  xml: "xml html svg xhtml vue",
  yaml: "yaml yml",
};

const BY_NAME = new Map(Object.entries(NAMES).flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)));

/** The language that a fence or a tool names; null where it is none of ours. */
export const languageOf = (name: string): string | null => BY_NAME.get(name.trim().toLowerCase()) ?? null;

/** The language of a file by its name; empty where that does not tell. */
export function languageOfPath(path: string): string {
  const name = path.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  return languageOf(name.includes(".") ? (name.split(".").at(-1) ?? "") : name) ?? "";
}
