/** The region of the list while all messages are searched: the question, its hits, and what was not looked at. */
import { useRef, useState } from "react";
import styles from "../../components/ListRegion.module.css";
import { TakeQuery } from "../../components/TakeQuery";
import { useAction } from "../../lib/useAction";
import { useView } from "../../lib/useView";
import type { ListView } from "../../lib/view";
import { Results } from "./Results";
import { SearchHeader } from "./SearchHeader";
import { PAGE_SIZE, SearchMessages, searchVariables } from "./searchQuery";

export function Search() {
  const { view, go } = useView();
  const { list } = view;
  const region = useRef<HTMLElement>(null);
  const [wantsDays, setWantsDays] = useState(false);
  const variables = searchVariables(list);
  const change = (part: Partial<ListView>) => go({ list: part }, part.find !== undefined);
  const close = () => go({ list: { find: "" } });
  // With something open, the key closes that first.
  useAction("region.leave", close, view.open === null);

  return (
    <section ref={region} className={styles.region} data-region="list" aria-label="Search">
      <SearchHeader
        list={list}
        // Not from a reader that is open: its keys are in use.
        takesFocus={view.open === null || variables.text === ""}
        showsDays={wantsDays || list.findFrom !== null || list.findUntil !== null}
        takeQuery={variables.text && <TakeQuery label="Take the search's query" request={{ document: SearchMessages, variables: { ...variables, first: PAGE_SIZE } }} />}
        onChange={change}
        onDays={() => setWantsDays(true)}
        onClose={close}
        onDown={() => region.current?.querySelector<HTMLElement>("[role=grid]")?.focus()}
      />
      {variables.text ? <Results list={list} variables={variables} onChange={change} onDays={() => setWantsDays(true)} /> : <Invitation />}
    </section>
  );
}

function Invitation() {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>Find words in every message</p>
      <p>Also in titles and ids, in tool calls and in what tools answered. All words have to stand in one message.</p>
      <p>Every character counts as typed: C++, it’s and gateway/run.py are found as they are.</p>
    </div>
  );
}
