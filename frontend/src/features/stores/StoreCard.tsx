/** One profile's store: what it is, how large, whether it can be used, and what was found in it. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../../components/Icon";
import { TakeQuery } from "../../components/TakeQuery";
import { type FragmentType, readFragment } from "../../graphql/generated";
import type { Engine, ProfileStatus, StoreCard_ProfileFragment } from "../../graphql/generated/graphql";
import { bytes, count } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import { toLocation } from "../../lib/view";
import { Findings } from "./Findings";
import { Parts } from "./Parts";
import { StoreCardFragment, StoreFindings } from "./storesQueries";
import styles from "./StoresPage.module.css";

const ENGINES: Record<Engine, string> = { SQLITE: "SQLite", POSTGRES: "PostgreSQL" };
const STATUSES: Record<ProfileStatus, { word: string; sentence: string; tone: "good" | "warn" | "bad" | "plain" }> = {
  READY: { word: "Ready", sentence: "Can be read and written.", tone: "good" },
  EMPTY: { word: "Empty", sentence: "There is no store yet.", tone: "plain" },
  READ_ONLY: { word: "Read-only", sentence: "Can be read, not written.", tone: "warn" },
  BUSY: { word: "Busy", sentence: "Another program holds it at the moment.", tone: "warn" },
  DAMAGED: { word: "Damaged", sentence: "It is no sound database.", tone: "bad" },
  UNREACHABLE: { word: "Unreachable", sentence: "It cannot be opened.", tone: "bad" },
  UNSUPPORTED: { word: "Unsupported", sentence: "It is a database that this server does not know.", tone: "bad" },
};

export function StoreCard({ profile }: { profile: FragmentType<typeof StoreCardFragment> }) {
  const store = readFragment(StoreCardFragment, profile);
  const { view } = useView();
  const [isOpen, setOpen] = useState(false);
  const { name, status, statusReason } = store;
  const { word, sentence, tone } = STATUSES[status];
  const there = changeView(view, { page: null, open: null, list: { profile: name } });
  const isThere = status !== "EMPTY";
  return (
    <li className={styles.card}>
      <header className={styles.header}>
        <h3 className={styles.name}>{name}</h3>
        <span className={styles.status} data-tone={tone}>{word}</span>
        <span className={styles.space} />
        <Link {...toLocation(there)} className={styles.link} aria-label={`Conversations of ${name}`}>
          Conversations
        </Link>
        <TakeQuery label={`Take the query of ${name}'s health`} request={{ document: StoreFindings, variables: { profile: name } }} />
      </header>
      <p className={styles.sentence}>{statusReason ?? sentence}</p>
      <Facts store={store} />
      {isThere && <Findings profile={name} />}
      {isThere && (
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chevron" size={12} />
          Largest parts, and who has it open
        </button>
      )}
      {isOpen && <Parts profile={name} />}
    </li>
  );
}

const known = (value: number | null | undefined, write = count): string => (value === null || value === undefined ? "not known" : write(value));

function Facts({ store }: { store: StoreCard_ProfileFragment }) {
  const facts = [
    ["Engine", ENGINES[store.engine]],
    ["Size", known(store.sizeBytes, bytes)],
    ["Conversations", known(store.conversationCount)],
    ["Sessions", known(store.sessionCount)],
    ["Messages", known(store.messageCount)],
    ["Schema", known(store.schemaVersion)],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
