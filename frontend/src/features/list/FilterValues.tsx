/** The values of one filter to choose from: the most frequent first, the others by a click or by typing. */
import { useState } from "react";
import { count } from "../../lib/format";
import styles from "./FilterPanel.module.css";
import type { FacetValue } from "./facets";

const FEW = 6;
const MANY = 10;

interface FilterValuesProps {
  name: string;
  /** With their counts, or as mere names. */
  values: readonly (FacetValue | string)[] | undefined;
  chosen: string[];
  /** Whether only what is chosen is shown at first. */
  isFolded?: boolean;
  onToggle: (value: string) => void;
}

interface Value {
  value: string;
  count: number | null;
}

export function FilterValues({ name, values, chosen, isFolded = false, onToggle }: FilterValuesProps) {
  const [typed, setTyped] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const all = ordered(values ?? [], chosen);
  if (all.length === 0) return null;
  const wanted = typed.trim().toLowerCase();
  const few = isFolded ? 0 : FEW;
  const shown = wanted
    ? all.filter(({ value }) => value.toLowerCase().includes(wanted))
    : all.filter(({ value }, index) => showsAll || index < few || chosen.includes(value));
  const left = all.length - shown.length;
  return (
    <fieldset className={styles.part}>
      <legend className={styles.name}>{name}</legend>
      {all.length >= MANY && (
        <input className={styles.find} type="search" placeholder="Type to find" aria-label={`Find among ${all.length}: ${name}`} value={typed} onChange={(event) => setTyped(event.target.value)} />
      )}
      {shown.map(({ value, count: many }) => (
        <label key={value} className={styles.value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          <span className={styles.text} dir="auto" title={value}>
            {value}
          </span>
          {many !== null && <span className={styles.count}>{count(many)}</span>}
        </label>
      ))}
      {wanted && shown.length === 0 && <p className={styles.hint}>None has “{typed.trim()}” in it.</p>}
      {!wanted && left > 0 && (
        <button type="button" className={styles.quiet} onClick={() => setShowsAll(true)}>
          {shown.length === 0 ? `Choose out of ${left}` : `${left} more`}
        </button>
      )}
    </fieldset>
  );
}

function ordered(values: readonly (FacetValue | string)[], chosen: string[]): Value[] {
  const known = values.map((each): Value => (typeof each === "string" ? { value: each, count: null } : each)).toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  const missing = chosen.filter((value) => !known.some((each) => each.value === value));
  return [...known, ...missing.map((value) => ({ value, count: values.some((each) => typeof each !== "string") ? 0 : null }))];
}
