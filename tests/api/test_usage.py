"""The field `usage`: tokens and money of many sessions, grouped, through the whole server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.serving import Json, Server, serving
from tests.builders import SCHEMA_8, StoreBuilder, T, home_with, store_path

DAY = 86_400
REPORT = """query ($profiles: [String!], $from: DateTime, $to: DateTime, $timeZone: String! = "UTC",
                   $by: [UsageDimension!]!, $filter: ConversationFilter) {
  usage(profiles: $profiles, from: $from, to: $to, timeZone: $timeZone, by: $by, filter: $filter) {
    timeZone bookedBy { spent lastSeen start undated } failures { profile code message }
    rows { ...Row } total { ...Row } } }
  fragment Row on UsageRow { day month profile model source workspace task sessions messages
    usage { inputTokens cacheReadTokens totalTokens } cost { usd unknownSessions status }
    bookedBy { spent lastSeen start undated } }"""


def work(store: StoreBuilder) -> None:
    """A chat of 2025-06-15 with a subagent, an archived one, and a job that never ended."""
    store.session("chat", "telegram", input=1000, cost=0.5, model="opus", cwd="/srv/site")
    store.message("chat")
    store.usage("chat", "haiku", input_tokens=300, cost=0.2, cost_status="estimated", first_seen=T, last_seen=T + DAY)
    store.usage("chat", "haiku", task="compression", input_tokens=50, cost=0.01, first_seen=T, last_seen=T + 60)
    store.session("sub", "subagent", parent="chat", delegate_from="chat", start=T + 5, input=7, model="haiku")
    store.session("old", "telegram", start=T - 40 * DAY, input=3, cost=0.1, model="opus", archived=1)
    store.session("job", "cron", start=T + 9, input=2**31, cache_read_tokens=13_500_000, cost=4.0, model="opus")


def by(report: Json, *names: str) -> dict[object, Json]:
    """The rows by their value, or their values."""
    return {row[names[0]] if len(names) == 1 else tuple(row[name] for name in names): row for row in report["rows"]}


def test_every_dimension_has_its_values_and_the_others_are_null(server: Server) -> None:
    api = server.profile(work)
    wanted = {
        "DAY": ["2025-05-06", "2025-06-15", "2025-06-16"],
        "MONTH": ["2025-05", "2025-06"],
        "PROFILE": [api.profile],
        "MODEL": ["haiku", "opus"],
        "SOURCE": ["cron", "subagent", "telegram"],
        "WORKSPACE": ["/srv/site", None],
        "TASK": ["compression", None],
    }
    for dimension, values in wanted.items():
        rows = api.ask(REPORT, by=[dimension])["usage"]["rows"]
        assert [row[dimension.lower()] for row in rows] == values
        others = [name.lower() for name in wanted if name != dimension]
        assert {row[name] for row in rows for name in others} == {None}


def test_models_get_what_usage_rows_tell_and_auxiliary_calls_count_once(server: Server) -> None:
    report = server.profile(work).ask(REPORT, by=["MODEL", "TASK"])["usage"]
    rows = by(report, "model", "task")
    figures = {key: (row["usage"]["inputTokens"], row["cost"]["usd"]) for key, row in rows.items()}
    assert figures == {
        ("haiku", "compression"): (50, 0.01),
        ("haiku", None): (307, 0.2),
        ("opus", None): (700 + 3 + 2**31, 4.4),
    }
    assert rows["haiku", None]["cost"]["unknownSessions"] == 1
    total = report["total"]
    assert (total["cost"]["usd"], total["cost"]["unknownSessions"], total["sessions"]) == (4.61, 1, 4)
    assert total["usage"]["inputTokens"] == 2**31 + 1060


def test_the_total_agrees_with_the_sessions(server: Server) -> None:
    api = server.profile(work)
    sessions = api.ask("{ sessions { nodes { cost { usd unknownSessions } usage { totalTokens } messageCount } } }")
    nodes = sessions["sessions"]["nodes"]
    total = api.ask(REPORT, by=["DAY", "MODEL", "WORKSPACE"])["usage"]["total"]
    assert total["usage"]["totalTokens"] == sum(node["usage"]["totalTokens"] for node in nodes)
    assert total["cost"]["usd"] == round(sum(node["cost"]["usd"] or 0 for node in nodes), 9)
    assert total["cost"]["unknownSessions"] == sum(node["cost"]["unknownSessions"] for node in nodes)
    assert total["messages"] == sum(node["messageCount"] for node in nodes) == 1


def test_U1_the_five_costs_are_1_4_and_two_unknown(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("a", cost=0.5)
        store.session("b", cost=0.0, cost_status="unknown")
        store.session("c", cost=0.0, cost_status="included")
        store.session("d", cost=1.0, actual=0.9)
        store.session("e")

    report = server.profile(fill).ask(REPORT, by=[])["usage"]
    assert report["total"]["cost"] == {"usd": 1.4, "unknownSessions": 2, "status": "MIXED"}
    assert report["rows"] == [report["total"]]


def test_the_answer_says_how_days_were_found(server: Server) -> None:
    report = server.profile(work).ask(REPORT, by=["DAY"])["usage"]
    nothing = {"spent": 0, "lastSeen": 0, "start": 0, "undated": 0}
    assert {day: row["bookedBy"] for day, row in by(report, "day").items()} == {
        "2025-05-06": nothing | {"start": 1},
        "2025-06-15": nothing | {"spent": 1, "start": 3},
        "2025-06-16": nothing | {"lastSeen": 1},
    }
    assert report["bookedBy"] == report["total"]["bookedBy"] == {"spent": 1, "lastSeen": 1, "start": 4, "undated": 0}


def test_days_are_those_of_the_time_zone(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("last minute", start=1_743_371_940)  # 2025-03-30T21:59Z, Berlin +02:00
        store.session("first minute", start=1_743_289_260)  # 2025-03-29T23:01Z, Berlin +01:00

    api = server.profile(fill)
    berlin = api.ask(REPORT, by=["DAY"], timeZone="Europe/Berlin")["usage"]
    assert berlin["timeZone"] == "Europe/Berlin"
    assert {day: row["sessions"] for day, row in by(berlin, "day").items()} == {"2025-03-30": 2}
    assert set(by(api.ask(REPORT, by=["DAY"])["usage"], "day")) == {"2025-03-29", "2025-03-30"}


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "\x00", "+02:00"])
def test_what_is_no_time_zone_is_refused(server: Server, name: str) -> None:
    refusal = server.profile(work).refusal(REPORT, by=["DAY"], timeZone=name)
    assert refusal.code == "BAD_USER_INPUT"
    assert "timeZone" in refusal.message
    assert refusal.data == {"usage": None}


def test_from_is_inclusive_and_to_is_exclusive(server: Server) -> None:
    api = server.profile(work)
    start, later = "2025-06-15T15:06:40Z", "2025-06-15T15:06:45Z"  # of the chat, of its subagent
    rest = api.ask(REPORT, by=["SOURCE"], **{"from": start, "to": later})["usage"]
    assert {source: row["usage"]["inputTokens"] for source, row in by(rest, "source").items()} == {"telegram": 700}
    assert api.ask(REPORT, by=["SOURCE"], to=start)["usage"]["total"]["usage"]["inputTokens"] == 3
    nothing = api.ask(REPORT, by=["SOURCE"], **{"from": "2030-01-01T00:00:00Z"})["usage"]
    assert nothing["rows"] == []
    assert nothing["total"]["cost"] == {"usd": None, "unknownSessions": 0, "status": "UNKNOWN"}


def test_a_filter_is_about_conversations_and_subagents_count_with_theirs(server: Server) -> None:
    api = server.profile(work)

    def sources(**filter: object) -> dict[object, int]:
        report = api.ask(REPORT, by=["SOURCE"], filter=filter)["usage"]
        return {source: row["sessions"] for source, row in by(report, "source").items()}

    assert sources(sources=["telegram"]) == {"telegram": 1, "subagent": 1}
    assert sources(sources=["telegram"], archived="INCLUDE") == {"telegram": 2, "subagent": 1}
    assert sources(archived="ONLY") == {"telegram": 1}
    assert sources(audience="AUTOMATION") == {"cron": 1}
    assert sources(sources=["subagent"]) == {}
    assert sources(text="hello") == {"telegram": 1, "subagent": 1}


def test_all_profiles_answer_but_those_that_fail_and_they_are_listed(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", default=work, beta=work)
    (home / "profiles" / "empty").mkdir()
    broken = store_path(home, "broken")
    broken.parent.mkdir()
    broken.write_bytes(b"no database " * 1000)
    with serving(home) as server:
        report = server.api().ask(REPORT, by=["PROFILE"], profiles=[])["usage"]
        assert {name: row["sessions"] for name, row in by(report, "profile").items()} == {"beta": 4, "default": 4}
        assert (report["total"]["sessions"], report["total"]["cost"]["usd"]) == (8, 9.22)
        assert [failure["profile"] for failure in report["failures"]] == ["broken"]
        own = server.api("beta").ask(REPORT, by=["PROFILE"])["usage"]
        assert list(by(own, "profile")) == ["beta"]
        named = server.api().ask(REPORT, by=[], profiles=["beta", "nope", "beta"])["usage"]
        assert named["total"]["sessions"] == 4
        assert [(each["profile"], each["code"]) for each in named["failures"]] == [("nope", "PROFILE_NOT_FOUND")]
        assert server.api("broken").refusal(REPORT, by=[]).code == report["failures"][0]["code"]
        assert server.api("empty").ask(REPORT, by=["DAY"])["usage"]["rows"] == []


def test_a_store_without_the_table_of_usage_counts_its_sessions(server: Server) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s", input=5, cost=0.5, model="opus")
        store.sql("DROP TABLE session_model_usage")

    report = server.profile(fill).ask(REPORT, by=["MODEL"])["usage"]
    assert [(row["model"], row["usage"]["inputTokens"], row["cost"]["usd"]) for row in report["rows"]] == [
        ("opus", 5, 0.5)
    ]


@pytest.mark.parametrize("bad", ["CAST(x'ff41c328' AS TEXT)", "9223372036854775807", "-1", "9e999", "x'ff00'"])
def test_B2_a_bad_cell_of_a_usage_row_costs_no_other_row(server: Server, bad: str) -> None:
    def fill(store: StoreBuilder) -> None:
        store.session("s", cost=50.0, input=500)
        every = [row[1] for row in store.sql("PRAGMA table_info(session_model_usage)") if row[1] != "session_id"]
        for number, name in enumerate(every):
            store.usage("s", model=f"m{number}", cost=0.5, input_tokens=1)
            store.sql(f"UPDATE session_model_usage SET {name} = {bad} WHERE model = ?", (f"m{number}",))
        store.usage("s", model="clean", cost=0.5, input_tokens=1, first_seen=T, last_seen=T)

    api = server.profile(fill)
    report = api.ask(REPORT, by=["MODEL", "TASK", "DAY"])["usage"]
    [clean] = [row for row in report["rows"] if row["model"] == "clean"]
    assert (clean["cost"]["usd"], clean["day"]) == (0.5, "2025-06-15")
    session = api.ask('{ session(id: "s") { cost { usd } usage { totalTokens } } }')["session"]
    assert report["total"]["cost"]["usd"] == session["cost"]["usd"]
    assert report["total"]["usage"]["totalTokens"] == session["usage"]["totalTokens"]


def test_stores_of_other_versions_have_a_report_too(server: Server) -> None:
    early = server.profile(lambda store: store.session("s", start=T), columns=SCHEMA_8)
    report = early.ask(REPORT, by=["DAY"])["usage"]
    assert [(row["day"], row["cost"]["usd"], row["cost"]["unknownSessions"]) for row in report["rows"]] == [
        ("2025-06-15", None, 1)
    ]
    later = server.profile(work, schema30=True).ask(REPORT, by=[])["usage"]
    assert later["total"]["cost"]["usd"] == 4.61
