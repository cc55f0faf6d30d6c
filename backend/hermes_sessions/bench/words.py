"""Words to search for, taken from the store that is measured: some that stand everywhere, some that hardly do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

import apsw

_LETTERS = re.compile(r"[a-z]{4,}")
_CJK = re.compile(r"[\u3400-\u9fff]{4}")
_PATH = re.compile(r"\b[\w.-]+/[\w./-]+\b|\b[a-z]+_[a-z]+\b")
RARE = range(20, 61)
"""Messages that a rare word stands in."""
SAMPLE = 2_000
KINDS_OF_EACH = 16
"""Different texts of each kind: more than the server keeps answers, so that every one is searched anew."""


@dataclass(frozen=True)
class SearchWords:
    """Texts for `search`; none where the store has none of the kind."""

    common_pairs: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    cjk: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def words_to_search(store: Path) -> SearchWords:
    """Read from Hermes' own index of words and from the newest messages. Without an index there are none."""
    connection = apsw.Connection(
        f"{store.absolute().as_uri()}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, messages_fts, row)")
        counts = {
            term: messages
            for term, messages in connection.execute("SELECT term, doc FROM temp.vocabulary")
            if _LETTERS.fullmatch(term)
        }
        newest = connection.execute("SELECT content FROM messages ORDER BY id DESC LIMIT ?", (SAMPLE,)).fetchall()
    except apsw.Error:
        return SearchWords()
    finally:
        connection.close()
    texts = "\n".join(content for (content,) in newest if isinstance(content, str))
    common = sorted(counts, key=lambda term: (-counts[term], term))[:7]
    return SearchWords(
        common_pairs=_some(" ".join(pair) for pair in combinations(common, 2)),
        rare=_some(sorted(term for term, messages in counts.items() if messages in RARE)),
        cjk=_some(_CJK.findall(texts)),
        paths=_some(_PATH.findall(texts)),
    )


def _some(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(dict.fromkeys(texts), KINDS_OF_EACH))
