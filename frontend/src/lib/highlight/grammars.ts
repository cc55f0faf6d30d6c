/** The grammars, and code to lines of tokens. Heavy: only the worker imports it. */
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { type Line, type Span, splitLines } from "../spans";

const lowlight = createLowlight({
  bash, c, cpp, css, diff, dockerfile, go, graphql, ini, java, javascript, json, markdown, python, ruby, rust, sql, typescript, xml, yaml,
});

type Root = ReturnType<typeof lowlight.highlight>;
type Child = Root["children"][number];

/** The grammars' many kinds of tokens as the few that have a colour. */
const LOOKS: Record<string, string> = {
  keyword: "keyword", built_in: "name", type: "name", class: "name", title: "title", section: "title", function: "title",
  string: "string", regexp: "string", symbol: "string", char: "string", "template-string": "string", addition: "added", deletion: "removed",
  number: "number", literal: "number", "selector-class": "title", "selector-id": "title", "selector-tag": "keyword",
  attr: "attribute", attribute: "attribute", property: "attribute", variable: "attribute", "template-variable": "attribute", params: "",
  comment: "comment", quote: "comment", meta: "comment", doctag: "comment", tag: "", name: "keyword", link: "string", bullet: "number", code: "string",
};

/** Throws where the language is not among `languages.ts`. */
export function highlight(language: string, text: string): Line[] {
  const spans: Span[] = [];
  collect(lowlight.highlight(language, text), "", spans);
  return splitLines(spans);
}

/** Trees of tokens are as deep as the grammars nest, not as the code does. */
function collect(node: Root | Child, look: string, spans: Span[]): void {
  if (node.type === "text") spans.push(look ? { text: node.value, look } : { text: node.value });
  if (!("children" in node)) return;
  const own = node.type === "element" ? lookOf(node.properties.className) : undefined;
  for (const child of node.children) collect(child, own ?? look, spans);
}

function lookOf(names: unknown): string | undefined {
  const name = Array.isArray(names) ? String(names[0]).replace(/^hljs-/, "") : "";
  return LOOKS[name];
}
