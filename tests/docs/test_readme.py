"""What README promises is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphql import build_schema, parse, validate

from hermes_sessions.settings import settings_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
SCHEMA = build_schema((ROOT / "schema.graphql").read_text())
CODE_BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)


def between(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", README, flags=re.DOTALL)
    assert found, f"README has no part {name}"
    return found.group(1)


def documents() -> list[str]:
    graphql = [code for language, code in CODE_BLOCKS if language == "graphql"]
    python = [
        text
        for language, code in CODE_BLOCKS
        if language == "python"
        for text in re.findall(r'"""(.*?)"""', code, re.DOTALL)
    ]
    curl = [
        text for language, code in CODE_BLOCKS if language == "sh" for text in re.findall(r'"query": "(.*?)"}', code)
    ]
    return graphql + python + curl


def test_the_settings_table_is_that_of_the_code() -> None:
    assert between("settings") == settings_table().strip()


def test_readme_has_documents_in_every_recipe() -> None:
    assert len(documents()) >= 5


@pytest.mark.parametrize("document", documents())
def test_every_query_in_readme_is_valid(document: str) -> None:
    assert validate(SCHEMA, parse(document)) == []


def test_every_path_of_the_map_exists() -> None:
    paths = re.findall(r"^\| `([^`]+)`", between("map"), flags=re.MULTILINE)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_map_has_every_part_of_the_backend() -> None:
    package = ROOT / "backend" / "hermes_sessions"
    parts = {
        f"backend/hermes_sessions/{entry.name}{'/' if entry.is_dir() else ''}"
        for entry in package.iterdir()
        if not entry.name.startswith(("__", "."))
    }
    assert parts - set(re.findall(r"`([^`]+)`", between("map"))) == set()


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_module_that_the_architecture_names_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text() + (ROOT / "docs" / "stores.md").read_text()
    named = set(re.findall(r"`((?:model|stores|api|web)/\w+\.py)`", page))
    assert named
    assert [name for name in named if not (ROOT / "backend" / "hermes_sessions" / name).exists()] == []
