/** An address that leads nowhere. */
import { Link } from "@tanstack/react-router";
import { useTitle } from "../lib/useTitle";
import styles from "./Shell.module.css";

export function NotFound() {
  useTitle("Not found");
  return (
    <div className={styles.nothing}>
      <p>There is nothing at this address.</p>
      <Link to="/">To the conversations</Link>
    </div>
  );
}
