"""The export to read in an editor. Text of a store can neither bring markup of its own nor leave its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hermes_sessions.model.export.outline import Entry, Outline
from hermes_sessions.model.export.rows import Row
from hermes_sessions.model.export.turns import call_name, call_text, facts_of, one_line, seam_of, turn_of

_BLOCK = re.compile(r"^(`{3,})([\w+-]*)[ \t]*\n(.*?)^\1`*[ \t]*$", re.MULTILINE | re.DOTALL)
_RUN = re.compile(r"`+")
_TITLE_LINE = re.compile(r"^(\s*(?:>\s*)*)(#|[=-]+\s*$)", re.MULTILINE)
_ESCAPES = {"&": "&amp;", "<": "&lt;", "](": "]\\(", "]:": "]\\:", "][": "]\\[", "```": "\\`\\`\\`", "~~~": "\\~\\~\\~"}
_ESCAPED = re.compile("|".join(re.escape(each) for each in _ESCAPES))


def fenced(code: str, language: str = "") -> str:
    """A block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in _RUN.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.removesuffix(chr(10))}\n{fence}\n\n"


def prose(words: str) -> str:
    """Text with its own fenced blocks kept; everything else cannot be HTML, a link, an image, a title or a fence."""
    return "".join(_pieces(words))


def _pieces(words: str) -> Iterator[str]:
    at = 0
    for block in _BLOCK.finditer(words):
        yield _paragraphs(words[at : block.start()])
        yield fenced(block.group(3), block.group(2))
        at = block.end()
    yield _paragraphs(words[at:])


def _paragraphs(words: str) -> str:
    stripped = words.strip("\n")
    return f"{escaped(stripped)}\n\n" if stripped.strip() else ""


def escaped(words: str) -> str:
    safe = _ESCAPED.sub(lambda found: _ESCAPES[found.group()], words)
    return _TITLE_LINE.sub(r"\1\\\2", safe)


class MarkdownWriter:
    def start(self, outline: Outline) -> str:
        return f"# {escaped(one_line(outline.title))}\n\nProfile {escaped(outline.profile)}\n\n"

    def start_session(self, entry: Entry, row: Row, usage: Sequence[Row]) -> str:
        seam = seam_of(entry)
        facts = "\n".join(f"- {name}: {escaped(value)}" for name, value in facts_of(entry))
        return f"{f'*{seam}*{2 * chr(10)}' if seam else ''}## Session {escaped(entry.session.id)}\n\n{facts}\n\n"

    def message(self, row: Row) -> str:
        turn = turn_of(row)
        parts = [f"### {escaped(turn.heading)}\n\n"]
        if turn.reasoning:
            parts.append(f"Reasoning:\n\n{fenced(turn.reasoning)}")
        parts.append(fenced(turn.text) if turn.role == "tool" else prose(turn.text))
        parts += [f"Image: {escaped(one_line(image.media_type or 'not stored here'))}\n\n" for image in turn.images]
        parts += [fenced(other, "json") for other in turn.others]
        parts += [f"Calls {escaped(call_name(call))}:\n\n{fenced(call_text(call))}" for call in turn.calls]
        return "".join(parts)

    def end_session(self) -> str:
        return ""

    def end(self, left_out: Sequence[str]) -> str:
        return ""
