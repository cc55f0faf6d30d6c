/** The rail at the edge: where one can go, and what holds everywhere. */
import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../components/Icon";
import { IconButton } from "../components/IconButton";
import { ACTIONS, type ActionId, ariaKeys } from "../lib/actions";
import { toggleTheme } from "../lib/theme";
import { useAction } from "../lib/useAction";
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

const told = (name: string, action: ActionId) => ({ title: `${name}  (${ACTIONS[action].keys[0]})`, "aria-keyshortcuts": ariaKeys(action) });

export function Rail({ onHelp }: { onHelp: () => void }) {
  useAction("go.graphiql", () => window.location.assign(GRAPHIQL));
  return (
    <nav className={styles.rail} aria-label="Places">
      <h1 className="visually-hidden">Hermes Sessions</h1>
      {PLACES.map((place) => (
        <PlaceLink key={place.name} place={place} />
      ))}
      <a href={GRAPHIQL} className={styles.place} {...told("GraphiQL: explore the API", "go.graphiql")}>
        <Icon name="graphql" size={18} />
        <span className="visually-hidden">GraphiQL</span>
      </a>
      <span className={styles.space} />
      <IconButton icon="theme" label="Light or dark" action="theme.toggle" onClick={toggleTheme} />
      <IconButton icon="keyboard" label="All keys" action="help.open" onClick={onHelp} />
    </nav>
  );
}

/** Leads to a place and takes along what the list shows, so that one comes back to the same list. */
function PlaceLink({ place: { page, name, icon, action } }: { place: Place }) {
  const { view, go } = useView();
  const there = { page, open: null, panel: null };
  useAction(action, () => go(there));
  return (
    <Link
      {...toLocation(changeView(view, there))}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={view.page === page ? "page" : undefined}
      className={styles.place}
      {...told(name, action)}
    >
      <Icon name={icon} size={18} />
      <span className="visually-hidden">{name}</span>
    </Link>
  );
}
