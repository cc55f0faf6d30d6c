"""The export to read in a browser: one file without script, and without anything that it would have to fetch."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape

from hermes_sessions.model.content import ImagePart
from hermes_sessions.model.export.outline import Entry, Outline
from hermes_sessions.model.export.rows import Row
from hermes_sessions.model.export.turns import call_name, call_text, facts_of, one_line, seam_of, turn_of, visible

_SHOWN_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")

STYLE = """
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f3f4f6; --faint: #59616b; }
@media (prefers-color-scheme: dark) { :root { --line: #3b424c; --soft: #1d2127; --faint: #a3acb8; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem; }
h1, h2, h3, p, dd, pre, div { overflow-wrap: anywhere; unicode-bidi: isolate; }
h3 { border-top: 1px solid var(--line); color: var(--faint); font-size: .875rem; margin: 1.5rem 0 .5rem; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: max-content 1fr; }
dt, .seam { color: var(--faint); }
dd { margin: 0; }
.text, pre { white-space: pre-wrap; }
pre { background: var(--soft); border-radius: .375rem; font-size: .8125rem; padding: .75rem; }
img { height: auto; max-width: 100%; }
.seam { border-block: 1px dashed var(--line); padding: .5rem 0; text-align: center; }
@media print { body { margin: 0; max-width: none; } h2, h3 { break-after: avoid; } pre { border: 1px solid #999; } }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'"


class HtmlWriter:
    def start(self, outline: Outline) -> str:
        title = escape(one_line(outline.title))
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
            '<meta name="referrer" content="no-referrer">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f'<h1 dir="auto">{title}</h1>\n<p>Profile {escape(outline.profile)}</p>\n'
        )

    def start_session(self, entry: Entry, row: Row, usage: Sequence[Row]) -> str:
        seam = seam_of(entry)
        facts = "".join(f'<dt>{name}</dt><dd dir="auto">{escape(value)}</dd>\n' for name, value in facts_of(entry))
        return (
            f'<p class="seam">{escape(seam)}</p>\n' if seam else ""
        ) + f"<section>\n<h2>Session {escape(one_line(entry.session.id))}</h2>\n<dl>\n{facts}</dl>\n"

    def message(self, row: Row) -> str:
        turn = turn_of(row)
        parts = [f"<article>\n<h3>{escape(turn.heading)}</h3>\n"]
        if turn.reasoning:
            parts.append(f"<p>Reasoning</p>\n{_block(turn.reasoning)}")
        if turn.text:
            parts.append(_block(turn.text) if turn.role == "tool" else _prose(turn.text))
        parts += [_image(image) for image in turn.images]
        parts += [_block(other) for other in turn.others]
        parts += [f"<p>Calls {escape(call_name(call))}</p>\n{_block(call_text(call))}" for call in turn.calls]
        return "".join([*parts, "</article>\n"])

    def end_session(self) -> str:
        return "</section>\n"

    def end(self, left_out: Sequence[str]) -> str:
        return "</body>\n</html>\n"


def _prose(words: str) -> str:
    return f'<div class="text" dir="auto">{escape(words)}</div>\n'


def _block(words: str) -> str:
    return f'<pre dir="auto">{escape(words)}</pre>\n'


def _image(image: ImagePart) -> str:
    """Only pictures that stand in the file itself; SVG may hold anything, so it is none."""
    if image.url is not None and _SHOWN_IMAGE.fullmatch(image.url):
        return f'<img alt="Image" src="{escape(image.url)}">\n'
    return f"<p>Image: {escape(visible(image.media_type or 'not stored here'))}</p>\n"
