/** Pages that were found or fetched, as links that nothing loads by itself. */
import { SafeLink } from "../../components/Markdown";
import { Visible } from "../../components/Visible";
import { Cut, LongText } from "./LongText";
import { type Fields, isRecord, recordsIn, textIn } from "./toolAnswer";
import { Facts } from "./Facts";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

export function WebView({ call, args, answer, rest, isFailed }: ToolViewProps) {
  const fields = answer?.fields;
  const data = isRecord(fields?.data) ? fields.data : fields;
  const found = recordsIn(data?.web ?? data?.results ?? (Array.isArray(fields?.data) ? fields.data : undefined));
  const urls = Array.isArray(args.urls) ? args.urls : [args.url];
  return (
    <>
      {found.length > 0 && (
        <ol className={styles.found}>
          {found.map((page, index) => (
            <WebPage key={index} page={page} asked={urls[index]} />
          ))}
        </ol>
      )}
      {rest && <Cut rest={rest} />}
      {answer && !fields && <LongText text={answer.text} end={answer.end} rest={rest} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />}
      <Facts fields={fields} without={["data", "web", "results", "query"]} />
    </>
  );
}

function WebPage({ page, asked }: { page: Fields; asked: unknown }) {
  const url = textIn(page, "url", "link") || (typeof asked === "string" ? asked : "");
  const content = textIn(page, "content", "text");
  const error = textIn(page, "error");
  return (
    <li>
      <SafeLink href={url}>
        <Visible text={textIn(page, "title") || url || "Page"} />
      </SafeLink>
      <p className={styles.address}>
        <Visible text={url} where="code" />
      </p>
      <p className={styles.about}>
        <Visible text={textIn(page, "description", "snippet")} />
      </p>
      {content && <LongText text={content} label={`Text of ${url}`} />}
      {error && <LongText text={error} tone="bad" label="Error" />}
    </li>
  );
}
