/** The rail at the edge: where one can go, and what holds everywhere. */
import { Link } from "@tanstack/react-router";
import { Icon } from "../components/Icon";
import { IconButton } from "../components/IconButton";
import { toggleTheme } from "../lib/theme";
import styles from "./Rail.module.css";

export function Rail({ onHelp }: { onHelp: () => void }) {
  return (
    <nav className={styles.rail} aria-label="Places">
      <h1 className="visually-hidden">Hermes Sessions</h1>
      <Link to="/" search={{}} className={styles.place} data-current title="Conversations">
        <Icon name="chat" size={18} />
        <span className="visually-hidden">Conversations</span>
      </Link>
      <a href="/graphiql" className={styles.place} title="GraphiQL: explore the API">
        <Icon name="graphql" size={18} />
        <span className="visually-hidden">GraphiQL</span>
      </a>
      <span className={styles.space} />
      <IconButton icon="theme" label="Light or dark" action="theme.toggle" onClick={toggleTheme} />
      <IconButton icon="keyboard" label="All keys" action="help.open" onClick={onHelp} />
    </nav>
  );
}
