"""Runs of scheduled jobs: told, listed, counted and archived together. And what the server says of its bin."""

from __future__ import annotations

from pathlib import Path

from tests.api.serving import Server, serving
from tests.builders import StoreBuilder, T, home_with

LIST = """
    query ($filter: ConversationFilter) {
      conversations(filter: $filter, orderBy: {field: STARTED, direction: ASC}) {
        totalCount hidden { otherFilters } nodes { id job } facets { jobs { value count } sources { value count } }
      }
    }"""
PRUNE = """
    mutation { pruneSessions(input: {olderThanDays: 1, dryRun: true}) {
      sessionCount messageCount bytes detachedIds dryRun userErrors { code } } }"""


def runs(store: StoreBuilder) -> None:
    for number in range(3):
        store.session(f"cron_a_2026020{number + 1}_070000", "cron", start=T + number)
    store.session("cron_b_20260201_070000", "cron", start=T + 10, end=T + 20, end_reason="compression")
    store.session("after", "cron", parent="cron_b_20260201_070000", start=T + 20)
    store.session("cron_c_20260201_070000", "cli", start=T + 30)
    store.message(store.session("talk", start=T + 40), content="12345")
    store.session("branch", parent="talk", branched_from="talk", start=T + 50_000_000)


def test_runs_of_one_job_are_told_and_counted(server: Server) -> None:
    found = server.profile(runs).ask(LIST, filter={})["conversations"]
    assert [node["job"] for node in found["nodes"]] == ["a", "a", "a", "b", None, None, None]
    assert found["facets"]["jobs"] == [{"value": "a", "count": 3}, {"value": "b", "count": 1}]


def test_runs_of_one_job_are_listed_while_its_facet_still_offers_the_others(server: Server) -> None:
    api = server.profile(runs)
    found = api.ask(LIST, filter={"job": "a"})["conversations"]
    assert [node["id"] for node in found["nodes"]] == [f"cron_a_2026020{number}_070000" for number in (1, 2, 3)]
    assert found["hidden"] == {"otherFilters": 4}
    assert found["facets"]["jobs"] == [{"value": "a", "count": 3}, {"value": "b", "count": 1}]
    assert found["facets"]["sources"] == [{"value": "cron", "count": 3}]
    for job in ("", "A", "c", "_"):
        assert api.ask(LIST, filter={"job": job})["conversations"]["totalCount"] == 0


def test_runs_of_one_job_are_archived_together(server: Server) -> None:
    api = server.profile(runs)
    archived = api.ask('mutation { archiveSessions(input: {filter: {job: "b"}}) { changedIds userErrors { code } } }')[
        "archiveSessions"
    ]
    assert archived == {"changedIds": ["cron_b_20260201_070000", "after"], "userErrors": []}
    assert api.ask(LIST, filter={"job": "b"})["conversations"]["totalCount"] == 0
    assert api.ask(LIST, filter={"job": "b", "archived": "ONLY"})["conversations"]["totalCount"] == 1


def test_a_page_of_one_job_does_not_go_on_with_another(server: Server) -> None:
    api = server.profile(runs)
    page = """query ($job: String!, $after: String) { conversations(first: 1, after: $after, filter: {job: $job}) {
        pageInfo { endCursor } } }"""
    cursor = api.ask(page, job="a")["conversations"]["pageInfo"]["endCursor"]
    assert api.refusal(page, job="b", after=cursor).code == "INVALID_CURSOR"


def test_a_trial_tells_what_a_prune_would_free(server: Server) -> None:
    found = server.profile(runs).ask(PRUNE)["pruneSessions"]
    assert found == {
        "sessionCount": 7,
        "messageCount": 1,
        "bytes": 5,
        "detachedIds": ["branch"],
        "dryRun": True,
        "userErrors": [],
    }


def test_a_read_only_server_refuses_trials_too(tmp_path: Path) -> None:
    with serving(home_with(tmp_path / "home", default=runs), read_only=True) as server:
        refused = server.api().ask(PRUNE)["pruneSessions"]
    assert refused["userErrors"] == [{"code": "READ_ONLY"}]
    assert refused["sessionCount"] == 0


def test_the_server_says_how_long_deletions_can_be_undone(server: Server, tmp_path: Path) -> None:
    assert server.profile(runs).ask("{ server { binDays } }") == {"server": {"binDays": 30}}
    with serving(home_with(tmp_path / "home", default=runs), bin_days=0) as never:
        assert never.api().ask("{ server { binDays } }") == {"server": {"binDays": None}}
