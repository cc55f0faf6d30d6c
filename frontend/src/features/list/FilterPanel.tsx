/** The filters of the list: when, how costly, live, archived, and by source, model, workspace and end, each value with its count. */
import { type ReactNode, useState } from "react";
import { Icon } from "../../components/Icon";
import { Segments } from "../../components/Segments";
import { usd } from "../../lib/format";
import { sinceDay } from "../../lib/days";
import { DEFAULT_LIST, type ListView, SINCE } from "../../lib/view";
import styles from "./FilterPanel.module.css";
import { FilterValues } from "./FilterValues";
import type { Facets } from "./facets";
import { NO_FILTERS } from "./ledger";

const ARCHIVED_NAMES: Record<ListView["archived"], string> = { exclude: "Without", include: "With", only: "Only" };

const SINCE_NAMES: Record<(typeof SINCE)[number], string> = { today: "Today", "7d": "7 days", "30d": "30 days", month: "This month" };

/** Why Hermes ends a session; the API has no counts for them. */
const END_REASONS = [
  "agent_close", "cli_close", "compression", "cron_complete", "daily", "idle", "new_session",
  "session_reset", "session_switch", "suspended", "timeout", "tui_shutdown", "user_exit", "ws_orphan_reap",
];

interface FilterPanelProps {
  list: ListView;
  facets: Facets | null;
  hasFilters: boolean;
  onChange: (change: Partial<ListView>) => void;
}

export function FilterPanel({ list, facets, hasFilters, onChange }: FilterPanelProps) {
  return (
    <>
      <Part name="Show">
        <Check checked={list.live === "only"} onChange={(checked) => onChange({ live: checked ? "only" : "any" })}>
          Only live ones
        </Check>
        <Check checked={list.empty === "show"} onChange={(checked) => onChange({ empty: checked ? "show" : "hide" })}>
          With empty ones
        </Check>
        <div className={styles.line}>
          <span>Archived</span>
          <Segments label="Archived" names={ARCHIVED_NAMES} value={list.archived} onChange={(archived) => onChange({ archived })} />
        </div>
      </Part>
      <Days list={list} onChange={onChange} />
      <Part name="Cost">
        <Cost minCost={list.minCost} onChange={(minCost) => onChange({ minCost })} />
      </Part>
      <FilterValues name="Source" values={facets?.sources} chosen={list.sources} onToggle={(value) => onChange({ sources: toggle(list.sources, value) })} />
      <FilterValues name="Model" values={facets?.models} chosen={list.models} onToggle={(value) => onChange({ models: toggle(list.models, value) })} />
      <FilterValues
        name="Workspace"
        values={facets?.workspaces}
        chosen={list.workspace === null ? [] : [list.workspace]}
        onToggle={(value) => onChange({ workspace: value === list.workspace ? null : value })}
      />
      <FilterValues name="Ended by" values={END_REASONS} chosen={list.endReasons} isFolded onToggle={(value) => onChange({ endReasons: toggle(list.endReasons, value) })} />
      <div className={styles.footer}>
        <button type="button" className={styles.quiet} disabled={!hasFilters} onClick={() => onChange({ ...NO_FILTERS, archived: DEFAULT_LIST.archived })}>
          Drop all filters
        </button>
      </div>
    </>
  );
}

const toggle = (values: string[], value: string) => (values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend className={styles.name}>{name}</legend>
      {children}
    </fieldset>
  );
}

interface CheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label className={styles.value}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span className={styles.text}>{children}</span>
    </label>
  );
}

interface DaysProps {
  list: ListView;
  onChange: (change: Partial<ListView>) => void;
}

function Days({ list: { activeFrom, activeUntil }, onChange }: DaysProps) {
  const from = activeFrom && sinceDay(activeFrom);
  return (
    <Part name="Last active">
      <div className={styles.days}>
        <label className={styles.day}>
          From
          <input type="date" value={from ?? ""} max={activeUntil ?? undefined} onChange={(event) => onChange({ activeFrom: event.target.value || null })} />
        </label>
        <label className={styles.day}>
          Until
          <input type="date" value={activeUntil ?? ""} min={from ?? undefined} onChange={(event) => onChange({ activeUntil: event.target.value || null })} />
        </label>
      </div>
      <div className={styles.presets}>
        {SINCE.map((since) => {
          const isChosen = activeFrom === since && activeUntil === null;
          return (
            <button key={since} type="button" className={styles.preset} aria-pressed={isChosen} onClick={() => onChange({ activeFrom: isChosen ? null : since, activeUntil: null })}>
              {SINCE_NAMES[since]}
            </button>
          );
        })}
      </div>
    </Part>
  );
}

const AMOUNTS = [0.1, 1, 5, 10];

interface CostProps {
  minCost: number | null;
  onChange: (minCost: number | null) => void;
}

function Cost({ minCost, onChange }: CostProps) {
  const [known, setKnown] = useState(minCost);
  const [typed, setTyped] = useState(minCost === null ? "" : String(minCost));
  if (minCost !== known) {
    setKnown(minCost);
    if (minCost !== amountOf(typed)) setTyped(minCost === null ? "" : String(minCost));
  }
  const type = (text: string) => {
    setTyped(text);
    onChange(amountOf(text));
  };
  return (
    <div className={styles.presets}>
      <label className={styles.amount}>
        at least $
        <input type="number" inputMode="decimal" min="0" step="any" value={typed} onChange={(event) => type(event.target.value)} />
      </label>
      {AMOUNTS.map((amount) => (
        <button key={amount} type="button" className={styles.preset} aria-pressed={minCost === amount} onClick={() => onChange(minCost === amount ? null : amount)}>
          {usd(amount).replace(/\.00$/, "")}
        </button>
      ))}
      {minCost !== null && (
        <p className={styles.hint}>
          <Icon name="warning" size={12} /> Unknown costs do not pass.
        </p>
      )}
    </div>
  );
}

const amountOf = (text: string): number | null => (Number(text) > 0 && Number.isFinite(Number(text)) ? Number(text) : null);
