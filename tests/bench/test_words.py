"""The benchmark searches for words that its store has, and for none where it cannot know any."""

from __future__ import annotations

from pathlib import Path

from hermes_sessions.bench.words import SearchWords, words_to_search
from tests.builders import StoreBuilder


def test_words_of_every_kind_come_from_the_store(tmp_path: Path) -> None:
    with StoreBuilder(tmp_path / "state.db") as store:
        store.session("a")
        for number in range(300):
            store.message("a", "user", "deploy database" + " lighthouse" * (number < 30) + " seldom" * (number < 3))
        store.message("a", "user", "see backend/store.py: 记忆断裂问题")
    words = words_to_search(tmp_path / "state.db")
    assert set(words.common_pairs[0].split()) == {"deploy", "database"}
    assert words.rare == ("lighthouse",)
    assert words.cjk == ("记忆断裂",)
    assert words.paths == ("backend/store.py",)


def test_a_store_without_an_index_gives_none(tmp_path: Path) -> None:
    with StoreBuilder(tmp_path / "state.db") as store:
        store.session("a")
        store.message("a", "user", "deploy database")
        for table in ("messages_fts", "messages_fts_trigram"):
            store.sql(f"DROP TABLE {table}")
    assert words_to_search(tmp_path / "state.db") == SearchWords()
