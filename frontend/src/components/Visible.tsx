/** Text in which no character hides: those that would turn it around or stand unseen are shown by their number. */
import { Fragment } from "react";
import { visiblePieces } from "../lib/visible";
import styles from "./Visible.module.css";

export function Visible({ text, where = "prose" }: { text: string; where?: "prose" | "code" }) {
  return visiblePieces(text, where).map((piece, index) =>
    piece.name === undefined ? (
      <Fragment key={index}>{piece.text}</Fragment>
    ) : (
      <span key={index} className={styles.mark} title={piece.name}>
        {piece.text}
      </span>
    ),
  );
}
