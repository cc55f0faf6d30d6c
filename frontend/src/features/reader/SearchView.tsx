/** What a search found: hits by file, names of files, or sessions. */
import { Lines, type Row } from "../../components/Lines";
import { Visible } from "../../components/Visible";
import { plural } from "../../lib/format";
import type { Line } from "../../lib/spans";
import { Cut, LongText } from "./LongText";
import { SessionLink } from "./SessionLink";
import { numberIn, recordsIn, textIn } from "./toolAnswer";
import { Facts } from "./Facts";
import { type FileHits, placesOf, searchHits } from "./searchHits";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

const MOST_FILES = 60;

export function SearchView({ call, args, answer, rest, isFailed }: ToolViewProps) {
  const files = answer?.fields ? searchHits(answer.fields) : [];
  const pattern = textIn(args, "pattern", "query");
  const total = numberIn(answer?.fields, "total_count");
  return (
    <>
      <Facts fields={args} without={["pattern", "query", "target", "limit", "offset", "output_mode"]} />
      {files.length > 0 && (
        <div className={styles.frame}>
          <p className={styles.caption}>
            {total !== null && `${plural(total, "hit")} · `}
            {plural(files.length, "file")}
          </p>
          {files.slice(0, MOST_FILES).map((file) => (
            <FileOfHits key={file.path} file={file} pattern={pattern} />
          ))}
          {files.length > MOST_FILES && <Lines rows={files.slice(MOST_FILES).map(({ path }): Row => ({ line: [{ text: path }] }))} label="More files" head={0} tail={0} />}
        </div>
      )}
      {rest && <Cut rest={rest} />}
      {answer?.fields && files.length === 0 && !isFailed && <p className={styles.none}>Nothing was found.</p>}
      {answer && !answer.fields && <LongText text={answer.text} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />}
      <Facts fields={answer?.fields} without={["matches", "matches_text", "files", "counts", "total_count"]} />
    </>
  );
}

function FileOfHits({ file: { path, hits, count }, pattern }: { file: FileHits; pattern: string }) {
  const rows = hits.map(({ line, text }): Row => ({ line: withPlaces(text, pattern), numbers: [line] }));
  return (
    <section className={styles.file}>
      <h4 className={styles.path}>
        <Visible text={path} where="code" />
        {(hits.length > 1 || count !== null) && <span>{count ?? hits.length}</span>}
      </h4>
      {rows.length > 0 && <Lines rows={rows} label={`Hits in ${path}`} head={12} tail={0} />}
    </section>
  );
}

function withPlaces(text: string, pattern: string): Line {
  let at = 0;
  const spans = placesOf(pattern, text).flatMap(([from, to]) => {
    const part = [{ text: text.slice(at, from) }, { text: text.slice(from, to), look: "hit" }];
    at = to;
    return part;
  });
  return [...spans, { text: text.slice(at) }];
}

export function SessionsView({ call, answer, rest, isFailed, profile }: ToolViewProps & { profile: string }) {
  const results = recordsIn(answer?.fields?.results);
  return (
    <>
      {results.length > 0 && (
        <ol className={styles.found}>
          {results.map((result, index) => {
            const id = textIn(result, "session_id", "id");
            return (
              <li key={index}>
                {id ? <SessionLink id={id} profile={profile}>{textIn(result, "title") || id}</SessionLink> : textIn(result, "title")}
                <p className={styles.about}>
                  <Visible text={textIn(result, "summary", "snippet", "preview")} />
                </p>
              </li>
            );
          })}
        </ol>
      )}
      {rest && <Cut rest={rest} />}
      {answer && !answer.fields && <LongText text={answer.text} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />}
      <Facts fields={answer?.fields} without={["results", "query", "count", "mode"]} />
    </>
  );
}
