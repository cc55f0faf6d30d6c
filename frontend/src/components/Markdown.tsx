/** Markdown out of hostile text: marked's lexer to React elements, so that markup in it stays text. */
import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode, useMemo, useRef } from "react";
import { lexMarkdown } from "../lib/lexMarkdown";
import { isInlinePicture, safeHref } from "../lib/links";
import { CodeBlock } from "./CodeBlock";
import styles from "./Markdown.module.css";
import { PictureChip } from "./PictureChip";
import { useScrolls } from "./useScrolls";
import { Visible } from "./Visible";

const DEEPEST = 24;

export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexMarkdown(text), [text]);
  if (tokens === null) {
    return (
      <div className={styles.prose}>
        <p className={styles.plain}>
          <Visible text={text} />
        </p>
      </div>
    );
  }
  return <div className={styles.prose}>{renderAll(tokens, 0)}</div>;
}

function renderAll(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  if (!tokens) return null;
  if (depth > DEEPEST) return <Visible text={tokens.map((token) => token.raw).join("")} />;
  return tokens.map((token, index) => <Fragment key={index}>{render(token as MarkedToken, depth + 1)}</Fragment>);
}

function render(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // All of one rank below the page's own: the ranks in a message need not follow each other.
      return <h3 data-level={token.depth}>{renderAll(token.tokens, depth)}</h3>;
    case "paragraph":
      return <p>{renderAll(token.tokens, depth)}</p>;
    case "text":
      return token.tokens ? renderAll(token.tokens, depth) : <Visible text={token.text} />;
    case "escape":
      return <Visible text={token.text} />;
    case "strong":
      return <strong>{renderAll(token.tokens, depth)}</strong>;
    case "em":
      return <em>{renderAll(token.tokens, depth)}</em>;
    case "del":
      return <del>{renderAll(token.tokens, depth)}</del>;
    case "codespan":
      return (
        <code>
          <Visible text={token.text} where="code" />
        </code>
      );
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "code":
      return <CodeBlock text={token.text} language={token.lang?.split(/\s/, 1)[0] ?? ""} />;
    case "blockquote":
      return <blockquote>{renderAll(token.tokens, depth)}</blockquote>;
    case "list":
      return <List token={token} depth={depth} />;
    case "list_item":
      return renderAll(token.tokens, depth);
    case "checkbox":
      return <input type="checkbox" checked={token.checked} readOnly disabled aria-label={token.checked ? "done" : "open"} />;
    case "table":
      return <Table token={token} depth={depth} />;
    case "link":
      return <SafeLink href={token.href}>{renderAll(token.tokens, depth)}</SafeLink>;
    case "image":
      return <Picture token={token} />;
    case "html":
      return <Visible text={token.raw} />;
    default:
      return <Visible text={(token as Token).raw} />;
  }
}

export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeHref(href);
  if (safe === null) return <span title={href}>{children}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      {children}
    </a>
  );
}

/** Pictures with their own bytes come on a click; those from elsewhere are links, since nothing is loaded from elsewhere. */
function Picture({ token }: { token: Tokens.Image }) {
  if (isInlinePicture(token.href)) return <PictureChip label={token.text || "picture"} load={() => Promise.resolve(token.href)} />;
  return (
    <SafeLink href={token.href}>
      <Visible text={token.text || token.href} />
    </SafeLink>
  );
}

function List({ token, depth }: { token: Tokens.List; depth: number }) {
  const items = token.items.map((item, index) => <li key={index}>{renderAll(item.tokens, depth)}</li>);
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === "" ? undefined : token.start}>{items}</ol>;
}

function Table({ token, depth }: { token: Tokens.Table; depth: number }) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(box, "Table");
  return (
    <div ref={box} className={styles.table} {...scrolls}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} data-align={cell.align}>
                {renderAll(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} data-align={cell.align}>
                  {renderAll(cell.tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
