/** The rail at the edge: where one can go, and what holds everywhere. */
import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../components/Icon";
import { IconButton } from "../components/IconButton";
import type { ActionId } from "../lib/actions";
import { useAction, useActionRegistry, useKeys } from "../lib/useAction";
import { changeView, useView } from "../lib/useView";
import { type Page, toLocation } from "../lib/view";
import styles from "./Rail.module.css";

interface Place {
  page: Page | null;
  name: string;
  icon: IconName;
  action: ActionId;
}

const PLACES: readonly Place[] = [
  { page: null, name: "Conversations", icon: "chat", action: "go.conversations" },
  { page: "usage", name: "Usage", icon: "usage", action: "go.usage" },
  { page: "stores", name: "Stores", icon: "store", action: "go.stores" },
  { page: "bin", name: "Bin", icon: "trash", action: "go.bin" },
];
const GRAPHIQL = "/graphiql";

/** The name of a place with its keys, shown on hover and read out. */
function useTold(name: string, action: ActionId) {
  const { shown, aria } = useKeys(action);
  return { title: shown ? `${name}  (${shown})` : name, "aria-keyshortcuts": aria };
}

export function Rail() {
  const registry = useActionRegistry();
  const graphiql = useTold("GraphiQL: explore the API", "go.graphiql");
  useAction("go.graphiql", () => window.location.assign(GRAPHIQL));
  return (
    <nav className={styles.rail} aria-label="Places">
      <h1 className="visually-hidden">Hermes Sessions</h1>
      <IconButton className={styles.tool} icon="command" label="Search and run anything" action="palette.open" onClick={() => registry.run("palette.open")} />
      {PLACES.map((place) => (
        <PlaceLink key={place.name} place={place} />
      ))}
      <a href={GRAPHIQL} className={styles.place} {...graphiql}>
        <Icon name="graphql" size={18} />
        <span className="visually-hidden">GraphiQL</span>
      </a>
      <span className={styles.space} />
      <IconButton className={`${styles.tool} ${styles.spare}`} icon="keyboard" label="All keys" action="help.open" onClick={() => registry.run("help.open")} />
      <IconButton className={styles.tool} icon="settings" label="Settings" action="settings.open" onClick={() => registry.run("settings.open")} />
    </nav>
  );
}

/** Leads to a place and takes along what the list shows, so that one comes back to the same list. */
function PlaceLink({ place: { page, name, icon, action } }: { place: Place }) {
  const { view, go } = useView();
  const there = { page, open: null, panel: null };
  const told = useTold(name, action);
  useAction(action, () => go(there));
  return (
    <Link
      {...toLocation(changeView(view, there))}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={view.page === page ? "page" : undefined}
      className={styles.place}
      {...told}
    >
      <Icon name={icon} size={18} />
      <span className="visually-hidden">{name}</span>
    </Link>
  );
}
