"""Every part of the schema says what it is, and nothing is said about parts that do not exist."""

from __future__ import annotations

import pytest
from graphql import build_schema as parsed_schema

from hermes_sessions.api import schema as api_schema
from hermes_sessions.api.descriptions import describe, parts, read_descriptions
from hermes_sessions.api.schema import core_schema, print_sdl


def test_every_type_field_argument_and_value_has_a_description() -> None:
    silent = [f"{name}.{names[0]}" for name, names, part in parts(parsed_schema(print_sdl())) if not part.description]
    assert silent == []


def test_every_text_belongs_to_a_part_that_has_no_words_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_schema, "describe", lambda schema, texts: None)
    texts = read_descriptions()
    used = describe(core_schema(api_schema.build_schema()), texts)
    assert {(kind, name) for kind in texts for name in texts[kind]} - used == set()


def test_what_code_says_of_a_part_is_kept() -> None:
    schema = parsed_schema('type Query { "Our words." server: String }')
    describe(schema, {"Query": {"server": "Other words.", "_": "Questions."}})
    assert schema.query_type is not None
    assert schema.query_type.fields["server"].description == "Our words."
    assert schema.query_type.description == "Questions."
