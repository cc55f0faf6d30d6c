"""Nobody gets in under a foreign Host, from a foreign Origin, or without the token; on any address."""

from __future__ import annotations

import pytest
from starlette.routing import Route

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.settings import Settings
from hermes_sessions.web.guard import Allowed
from hermes_sessions.web.hosts import parse_authority
from hermes_sessions.web.metrics import Metrics
from hermes_sessions.web.routes import web_application
from tests.web.authorities import BROKEN_HOSTS, FOREIGN_HOSTS, FOREIGN_ORIGINS, GOOD_HOSTS, GOOD_ORIGINS
from tests.web.serving import BEARER, TOKEN, Answer, Served, serving
from tests.web.tiny_app import execute, export

AUTHORIZATION = ("Authorization", BEARER["authorization"])
QUERY = b'{"query": "{ hello }"}'

ADDRESSES = [
    ("GET", "/"),
    ("GET", "/conversations/abc"),
    ("GET", "/graphiql"),
    ("GET", "/assets/main-4f2a.js"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/readyz/default"),
    ("GET", "/metrics"),
    ("GET", "/export/default/abc.json"),
    ("POST", "/graphql"),
    ("WEBSOCKET", "/graphql"),
]


def ask(served: Served, address: tuple[str, str], headers: list[tuple[str, str]]) -> Answer:
    method, target = address
    filled = [(name, value.format(port=served.port)) for name, value in headers]
    if method == "WEBSOCKET":
        return served.upgrade(filled, target)
    if method == "POST":
        return served.raw(method, target, [*filled, ("Content-Type", "application/json")], QUERY)
    return served.raw(method, target, filled)


def is_let_in(address: tuple[str, str], answer: Answer) -> bool:
    return answer.status == (101 if address[0] == "WEBSOCKET" else 200)


@pytest.mark.parametrize("address", ADDRESSES, ids=" ".join)
@pytest.mark.parametrize("host", GOOD_HOSTS)
def test_our_own_hosts_are_let_in(served: Served, address: tuple[str, str], host: str) -> None:
    assert is_let_in(address, ask(served, address, [("Host", host), AUTHORIZATION]))


@pytest.mark.parametrize("address", ADDRESSES, ids=" ".join)
@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_foreign_hosts_are_forbidden_even_with_the_token(served: Served, address: tuple[str, str], host: str) -> None:
    answer = ask(served, address, [("Host", host), AUTHORIZATION])
    assert (answer.status, answer.code) == (403, "FORBIDDEN")


@pytest.mark.parametrize("address", ADDRESSES, ids=" ".join)
@pytest.mark.parametrize("host", BROKEN_HOSTS)
def test_broken_hosts_are_bad_requests(served: Served, address: tuple[str, str], host: str) -> None:
    assert ask(served, address, [("Host", host), AUTHORIZATION]).status == 400


@pytest.mark.parametrize("address", ADDRESSES, ids=" ".join)
@pytest.mark.parametrize(
    "hosts", [[], ["localhost", "localhost"], ["localhost", "evil.test"], ["evil.test", "localhost"]]
)
def test_one_host_is_needed(served: Served, address: tuple[str, str], hosts: list[str]) -> None:
    assert ask(served, address, [*(("Host", host) for host in hosts), AUTHORIZATION]).status == 400


@pytest.mark.parametrize("address", ADDRESSES, ids=" ".join)
@pytest.mark.parametrize("origin", GOOD_ORIGINS)
def test_pages_of_ours_are_let_in(served: Served, address: tuple[str, str], origin: str) -> None:
    headers = [("Host", "localhost:{port}"), ("Origin", origin), AUTHORIZATION]
    assert is_let_in(address, ask(served, address, headers))


@pytest.mark.parametrize("address", ADDRESSES, ids=" ".join)
@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_foreign_pages_are_forbidden_even_with_the_token(served: Served, address: tuple[str, str], origin: str) -> None:
    answer = ask(served, address, [("Host", "localhost:{port}"), ("Origin", origin), AUTHORIZATION])
    assert (answer.status, answer.code) == (403, "FORBIDDEN")


def test_two_origins_are_forbidden(served: Served) -> None:
    ours = ("Origin", "http://localhost:{port}")
    assert ask(served, ("POST", "/graphql"), [("Host", "localhost:{port}"), ours, ours, AUTHORIZATION]).status == 403


def test_behind_a_tls_proxy_the_public_origin_is_ours(served: Served) -> None:
    headers = [("Host", "sessions.example.com"), ("Origin", "https://sessions.example.com"), AUTHORIZATION]
    assert ask(served, ("POST", "/graphql"), headers).status == 200


@pytest.mark.parametrize("header", ["X-Forwarded-Host", "X-Original-Host", "Forwarded"])
def test_headers_of_proxies_do_not_change_the_host(served: Served, header: str) -> None:
    answer = ask(served, ("GET", "/healthz"), [("Host", "evil.test"), (header, "localhost")])
    assert answer.status == 403


def test_a_rebound_name_is_refused_although_origin_and_host_agree(served: Served) -> None:
    headers = [("Host", "evil.test:{port}"), ("Origin", "http://evil.test:{port}"), AUTHORIZATION]
    assert ask(served, ("POST", "/graphql"), headers).status == 403


@pytest.mark.parametrize("address", [("GET", "/readyz"), ("GET", "/export/default/abc.json"), ("POST", "/graphql")])
@pytest.mark.parametrize(
    "authorization",
    [
        [],
        [""],
        ["Bearer"],
        ["Bearer "],
        ["Bearer wrong"],
        [f"Bearer {TOKEN}x"],
        [f"Bearer {TOKEN[:-1]}"],
        [f"Bearer {TOKEN.upper()}"],
        [f"Basic {TOKEN}"],
        [TOKEN],
        [f"Bearer {TOKEN}", f"Bearer {TOKEN}"],
        ["Bearer \xe9"],
    ],
    ids=str,
)
def test_without_the_right_token_nothing_private_is_told(
    served: Served, address: tuple[str, str], authorization: list[str]
) -> None:
    answer = ask(served, address, [("Host", "localhost"), *(("Authorization", value) for value in authorization)])
    assert (answer.status, answer.code) == (401, "UNAUTHENTICATED")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Cookie", "X-Token", "Proxy-Authorization", "Sec-WebSocket-Protocol"])
@pytest.mark.parametrize("address", [("GET", "/readyz"), ("GET", "/export/default/abc.json"), ("POST", "/graphql")])
def test_a_token_in_another_header_is_none(served: Served, address: tuple[str, str], header: str) -> None:
    answer = ask(served, address, [("Host", "localhost"), (header, f"Bearer {TOKEN}")])
    assert (answer.status, answer.code) == (401, "UNAUTHENTICATED")


@pytest.mark.parametrize(
    "target", ["/graphql", "/graphql/", "//graphql", "/%67raphql", "/export", "/readyz/x", "/export/../x"]
)
def test_no_spelling_of_a_private_address_gets_round_the_token(served: Served, target: str) -> None:
    assert ask(served, ("GET", target), [("Host", "localhost")]).status == 401


@pytest.mark.parametrize("name", ["token", "access_token", "authorization", "Authorization", "auth"])
@pytest.mark.parametrize("address", [("GET", "/readyz"), ("GET", "/export/default/abc.json"), ("POST", "/graphql")])
def test_a_token_in_the_query_string_is_none(served: Served, address: tuple[str, str], name: str) -> None:
    method, target = address
    for text in (TOKEN, f"Bearer%20{TOKEN}"):
        assert ask(served, (method, f"{target}?{name}={text}"), [("Host", "localhost")]).status == 401


def test_the_scheme_may_be_written_in_small_letters(served: Served) -> None:
    headers = [("Host", "localhost"), ("Authorization", f"bearer {TOKEN}")]
    assert ask(served, ("POST", "/graphql"), headers).status == 200


@pytest.mark.parametrize("target", ["/", "/some/conversation", "/graphiql", "/assets/main-4f2a.js", "/healthz"])
def test_pages_files_and_health_need_no_token(served: Served, target: str) -> None:
    assert ask(served, ("GET", target), [("Host", "localhost")]).status == 200


def test_a_websocket_may_bring_its_token_later_but_not_a_wrong_one(served: Served) -> None:
    assert served.upgrade([("Host", "localhost")]).status == 101
    wrong = served.upgrade([("Host", "localhost"), ("Authorization", "Bearer wrong")])
    assert (wrong.status, wrong.code) == (401, "UNAUTHENTICATED")


def test_websockets_are_answered_at_one_address_only(served: Served) -> None:
    assert served.upgrade([("Host", "localhost")], "/elsewhere").status == 404


def test_a_preflight_gives_foreign_pages_nothing(served: Served) -> None:
    headers = [("Host", "localhost:{port}"), ("Origin", "http://evil.test"), ("Access-Control-Request-Method", "POST")]
    answer = ask(served, ("OPTIONS", "/graphql"), headers)
    assert answer.status == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_no_auth_lets_everybody_of_this_machine_in_but_no_foreign_page() -> None:
    with serving(Settings(no_auth=True)) as served:
        assert ask(served, ("POST", "/graphql"), [("Host", "localhost")]).status == 200
        assert ask(served, ("POST", "/graphql"), [("Host", "evil.test")]).status == 403
        foreign = [("Host", "localhost:{port}"), ("Origin", "http://evil.test")]
        assert ask(served, ("POST", "/graphql"), foreign).status == 403


def test_listening_on_all_addresses_allows_the_address_a_client_came_to() -> None:
    allowed = Allowed.of("0.0.0.0")
    assert allowed.check_host(["192.168.1.5:8787"], ("192.168.1.5", 8787)).host == "192.168.1.5"
    with pytest.raises(HermesSessionsError):
        allowed.check_host(["192.168.1.6:8787"], ("192.168.1.5", 8787))
    with pytest.raises(HermesSessionsError):
        allowed.check_host(["0.0.0.0:8787"], ("127.0.0.1", 8787))


def test_hosts_compare_in_one_spelling() -> None:
    assert parse_authority("LocalHost:80") == ("localhost", 80)
    assert parse_authority("[0::1]") == ("::1", None)
    assert parse_authority("localhost.") is None


def test_settings_without_a_token_serve_nothing() -> None:
    with pytest.raises(HermesSessionsError, match="no token"):
        web_application(Settings(), execute=execute, metrics=Metrics("1"))


def test_a_route_that_the_guard_does_not_know_stops_the_start() -> None:
    with pytest.raises(ValueError, match="/secrets"):
        web_application(
            Settings(token=TOKEN), execute=execute, metrics=Metrics("1"), routes=[Route("/secrets/{name}", export)]
        )
