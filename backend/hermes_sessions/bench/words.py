"""Words to search for, taken from the store that is measured: some that stand everywhere, some that hardly do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

import apsw

_LETTERS = re.compile(r"\b[a-z]{4,}\b")
_CJK = re.compile(r"[\u3400-\u9fff]{4}")
_PATH = re.compile(r"\b[a-z0-9_.-]{2,20}(?:/[a-z0-9_.-]{2,20})+\b|\b[a-z]+_[a-z]+\b")
RARE = range(20, 201)
"""Messages that a rare word stands in."""
SAMPLE = 2_000
MOST_LOOKED_UP = 2_000
_NEWEST = """
    SELECT content FROM messages
    WHERE role IN ('user', 'assistant') AND instr(content, 'data:') = 0 ORDER BY id DESC LIMIT ?
"""
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
    """Read from Hermes' own index of words and from the newest messages. Without the index there are none."""
    connection = apsw.Connection(
        f"{store.absolute().as_uri()}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, messages_fts, row)")
        texts = [text for (text,) in connection.execute(_NEWEST, (SAMPLE,)) if isinstance(text, str)]
        counts = Counter(word for text in texts for word in set(_LETTERS.findall(text)))
        seldom = [word for word, count in counts.items() if count < RARE.stop][:MOST_LOOKED_UP]
        rare = [word for word in seldom if _messages_with(word, connection) in RARE]
    except apsw.Error:
        return SearchWords()
    finally:
        connection.close()
    common = [word for word, _ in counts.most_common(7)]
    joined = "\n".join(texts)
    return SearchWords(
        common_pairs=_some(" ".join(pair) for pair in combinations(common, 2)),
        rare=_some(rare),
        cjk=_some(_CJK.findall(joined)),
        paths=_some(_PATH.findall(joined)),
    )


def _messages_with(word: str, connection: apsw.Connection) -> int:
    for (messages,) in connection.execute("SELECT doc FROM temp.vocabulary WHERE term = ?", (word,)):
        return int(messages)
    return 0


def _some(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(dict.fromkeys(texts), KINDS_OF_EACH))
