/** Puts what the dashboard needs at once into two files, not twenty: what GraphiQL needs, too, and the rest. */
import { fileURLToPath } from "node:url";

interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

const entryOf = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const DASHBOARD = entryOf("main.tsx");
const GRAPHIQL = entryOf("graphiql/main.tsx");

/** A module with all that it imports otherwise than by `import()`. */
function neededBy(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  // A set is walked on over what is added meanwhile.
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** The file that a module goes to; null: the bundler decides. */
export function firstLoad(): (id: string, modules: Modules) => string | null {
  let ofDashboard: ReadonlySet<string> | undefined;
  let ofGraphiql: ReadonlySet<string> | undefined;
  return (id, modules) => {
    ofDashboard ??= neededBy(DASHBOARD, modules);
    ofGraphiql ??= neededBy(GRAPHIQL, modules);
    if (!ofDashboard.has(id)) return null;
    return ofGraphiql.has(id) ? "base" : "dashboard";
  };
}
