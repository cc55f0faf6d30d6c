"""Texts that try to run, to lead away, to hide or to command a terminal; `MARK` and `FLAG` betray one that did."""

from __future__ import annotations

ESC = "\x1b"
MARK = "intruder"
"""The id of every element in a payload: none of them may be in a page. Also a word to search for."""
FLAG = "document.title='intruded';window.intruded=1;alert(1)"
"""What every script in a payload does."""
AWAY = "https://evil.test"
SVG = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0iYWxlcnQoMSkiLz4="

PAYLOADS = {
    "script": f"<script id={MARK}>{FLAG}</script>",
    "handler": f'<img id={MARK} src=x onerror="{FLAG}"><body id={MARK} onload="{FLAG}">',
    "attribute": f'"><input id={MARK} autofocus onfocus="{FLAG}" x="\' onmouseover=\'{FLAG}',
    "template": f"{{{{constructor.constructor('{FLAG}')()}}}} ${{{FLAG}}} <%={FLAG}%>",
    "svg": f'<svg id={MARK} onload="{FLAG}"><a xlink:href="javascript:{FLAG}"><text>x</text></a></svg>',
    "math": f'<math id={MARK}><mtext><table><mglyph><style><img src=x onerror="{FLAG}"></style>',
    "iframe": f'<iframe id={MARK} src="{AWAY}" srcdoc="<script>{FLAG}</script>"></iframe><object data="{AWAY}">',
    "refresh": f'<meta id={MARK} http-equiv="refresh" content="0;url={AWAY}"><base id={MARK} href="{AWAY}/">',
    "form": f'<form id={MARK} action="{AWAY}"><button formaction="javascript:{FLAG}">{MARK}</button></form>',
    "style": f"<style id={MARK}>@import url({AWAY}/a.css);*{{background:url({AWAY}/b.png)}}</style>",
    "inline style": f'<p id={MARK} style="background:url({AWAY}/c.png);position:fixed;inset:0">{MARK}</p>',
    "markup links": f'<a id={MARK} href="{AWAY}" target=_top>{MARK}</a><a id={MARK} href="javascript:{FLAG}">x</a>',
    "javascript": f"[{MARK}](javascript:{FLAG}) [x](JaVaScRiPt:alert(1)) [x](&#106;avascript:alert(1)) <javascript:x>",
    "split scheme": f"[{MARK}](java\tscript:alert(1)) [x](\x01javascript:alert(1)) [x](java&Tab;script:alert(1))",
    "data": f"[{MARK}](data:text/html,<script>{FLAG}</script>) <data:text/html,x> ![x]({SVG})",
    "other schemes": f"[{MARK}](vbscript:x) [x](file:///etc/passwd) [x](ftp://evil.test) [x](//evil.test)",
    "remote image": f"![{MARK}]({AWAY}/pixel.png) ![x][ref]\n\n[ref]: {AWAY}/ref.png",
    "external link": f"[{MARK}]({AWAY}/page) <{AWAY}/auto> {AWAY}/bare www.evil.test evil@evil.test",
    "terminal": f"{ESC}]0;{MARK}\x07{ESC}]8;;{AWAY}{ESC}\\link{ESC}]8;;{ESC}\\{ESC}]52;c;aGk={ESC}\\{ESC}[2J\x9b31m",
    "bidi": f"{MARK} \u202egnp.exe\u202c \u2066hidden\u2069 \u200bzero\u200dwidth\ufeff\u2028line\u2029",
    "controls": f"{MARK} \x00nul \x07bell \x08\x08\x7f \r\nSet-Cookie: a=b\r\n\r\n \x0c\x85",
    "path": f"../../{MARK}/../../etc/passwd C:\\con.txt nul .. /",
    "formula": f'=HYPERLINK("{AWAY}","{MARK}")',
    "long": f"{MARK} {'x' * 20_000}",
}

EVERYTHING = "\n\n".join(text for name, text in PAYLOADS.items() if name != "long")
CONTROLS = "".join(map(chr, [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)]))
"""C0 but tab and newline, DEL, and C1."""
TURNING = "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
"""Those that turn the direction of the text around them."""


def commands_in(text: str) -> set[str]:
    """The characters of a text that a terminal would obey."""
    return set(text) & set(CONTROLS + TURNING)
