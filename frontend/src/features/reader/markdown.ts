/** A message written out as Markdown, to paste elsewhere. */
import { readAnswer, textIn } from "./toolAnswer";
import { argumentsOf } from "./toolSummary";
import { toolOf } from "./toolKinds";
import { terminalText } from "../../lib/terminal";
import { languageOfPath } from "../../lib/highlight/languages";
import { prettyJson } from "./prettyJson";
import type { Call, Message } from "./transcript";
import { voiceOf } from "./voices";

/** A fence longer than any that stands in the text. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

const quoted = (text: string) => text.replaceAll(/^/gm, "> ");

/** `calls` are the message's tool calls with their results; without them the calls alone are written. */
export function messageAsMarkdown(message: Message, calls: readonly Call[] = callsOf(message)): string {
  const when = message.timestamp === null ? "" : ` (${message.timestamp})`;
  return [
    `**${voiceOf(message)}**${when}`,
    message.reasoning && quoted(`*Reasoning*\n\n${message.reasoning}`),
    message.role === "tool" ? fenced(resultText(message.toolName ?? "", message.content ?? "")) : message.content,
    message.contentTruncated && "*(cut here)*",
    ...calls.map(callAsMarkdown),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const callsOf = (message: Message): Call[] =>
  message.toolCalls.map((call, index) => ({ key: String(index), name: call.name ?? "tool", argumentsText: call.argumentsText, result: null, resultId: null, answer: null }));

function callAsMarkdown(call: Call): string {
  const args = argumentsOf(call);
  const { kind } = toolOf(call.name);
  const command = textIn(args, "command");
  const asked = command
    ? fenced(command, "sh")
    : kind === "code"
      ? fenced(textIn(args, "code"), "python")
      : kind === "write"
        ? `\`${textIn(args, "path", "file_path")}\`\n\n${fenced(textIn(args, "content"), languageOfPath(textIn(args, "path", "file_path")))}`
        : call.argumentsText && fenced(prettyJson(call.argumentsText) ?? call.argumentsText, "json");
  const { result } = call;
  const answered = result?.content && `Result${result.isError ? " (failed)" : ""}:\n\n${fenced(resultText(call.name, result.content))}${result.contentTruncated ? "\n\n*(cut here)*" : ""}`;
  return [`**Tool: ${call.name.replaceAll(/[*\n]/g, " ")}**`, asked, answered].filter(Boolean).join("\n\n");
}

/** What a tool printed, not the JSON around it. */
function resultText(tool: string, content: string): string {
  const { fields, text } = readAnswer(content);
  const { kind } = toolOf(tool);
  const words = kind === "read" ? textIn(fields, "content") : textIn(fields, "output", "diff", "content", "error");
  if (fields && words) return terminalText(words);
  return prettyJson(text) ?? terminalText(text);
}
