/** The addresses of the dashboard: `/`, `/p/{profile}/c/{conversation}`, `/p/{profile}/s/{session}`, the comparison and the pages. */
import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { formatSearch, parseSearch, type Search } from "../lib/searchParameters";
import { Broken } from "./Broken";
import { Shell } from "./Shell";

const root = createRootRoute({
  component: Shell,
  validateSearch: (search: Search): Search => search,
});
const home = createRoute({ getParentRoute: () => root, path: "/" });
const conversation = createRoute({ getParentRoute: () => root, path: "/p/$profile/c/$conversation" });
const session = createRoute({ getParentRoute: () => root, path: "/p/$profile/s/$session" });
const compare = createRoute({ getParentRoute: () => root, path: "/p/$profile/compare/$left/$right" });
const usage = createRoute({ getParentRoute: () => root, path: "/usage" });
const stores = createRoute({ getParentRoute: () => root, path: "/stores" });
const bin = createRoute({ getParentRoute: () => root, path: "/bin" });
/** Any other address: the shell says so. */
const nowhere = createRoute({ getParentRoute: () => root, path: "$" });

export const createDashboardRouter = () =>
  createRouter({
    routeTree: root.addChildren([home, conversation, session, compare, usage, stores, bin, nowhere]),
    defaultErrorComponent: Broken,
    parseSearch,
    stringifySearch: (search) => formatSearch(search),
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
