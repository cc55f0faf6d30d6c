/** An address that leads nowhere. */
import { Link } from "@tanstack/react-router";
import styles from "./Shell.module.css";

export function NotFound() {
  return (
    <main className={styles.nothing}>
      <p>There is nothing at this address.</p>
      <Link to="/">To the conversations</Link>
    </main>
  );
}
