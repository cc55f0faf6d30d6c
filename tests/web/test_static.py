"""The dashboard's files: what is served, how it is compressed and cached, and what is never reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_sessions.settings import Settings
from tests.web.serving import TOKEN, Answer, Served, serving

SCRIPT = "/assets/main-4f2a.js"
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def get(served: Served, target: str, **headers: str) -> Answer:
    return served.raw(
        "GET", target, [("Host", "localhost"), *((key.replace("_", "-"), headers[key]) for key in headers)]
    )


@pytest.mark.parametrize(
    "target", ["/", "/s/default/20250101_120000_abc.def", "/usage", "/graphql-tips", "/index.html"]
)
def test_addresses_of_the_dashboard_get_the_dashboard(served: Served, target: str) -> None:
    answer = get(served, target, **PAGE)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"Dashboard" in answer.body
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("target", ["/graphiql", "/graphiql/"])
def test_graphiql_has_its_own_page(served: Served, target: str) -> None:
    assert b"GraphiQL" in get(served, target).body


@pytest.mark.parametrize("target", ["/assets/none.js", "/assets", "/healthz/x", "/graphiql/x"])
def test_reserved_addresses_never_get_the_dashboard(served: Served, target: str) -> None:
    assert get(served, target, **PAGE).status == 404


def test_a_missing_picture_is_not_the_dashboard(served: Served) -> None:
    assert get(served, "/favicon.ico", accept="image/avif,image/webp,*/*;q=0.8").status == 404


@pytest.mark.parametrize(
    ("accept_encoding", "body", "encoding"),
    [
        ("gzip, deflate, br, zstd", b"brotli bytes", "br"),
        ("gzip", b"gzip bytes", "gzip"),
        ("gzip;q=0.5", b"gzip bytes", "gzip"),
        ("br;q=0, gzip", b"gzip bytes", "gzip"),
        ("identity", b"console.log('plain')", None),
        ("", b"console.log('plain')", None),
        ("br;q=0,gzip;q=0", b"console.log('plain')", None),
    ],
)
def test_the_client_gets_the_best_encoding_that_it_accepts(
    served: Served, accept_encoding: str, body: bytes, encoding: str | None
) -> None:
    answer = get(served, SCRIPT, accept_encoding=accept_encoding)
    assert (answer.status, answer.body, answer.headers.get("content-encoding")) == (200, body, encoding)
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["vary"] == "accept-encoding"


def test_a_file_without_siblings_does_not_vary(served: Served) -> None:
    answer = get(served, "/assets/font-1.woff2", accept_encoding="br")
    assert (answer.body, answer.headers["content-type"]) == (b"font", "font/woff2")
    assert "vary" not in answer.headers


def test_hashed_files_are_kept_for_ever(served: Served) -> None:
    assert get(served, SCRIPT).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert get(served, "/favicon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("target", ["/", SCRIPT])
def test_what_has_not_changed_is_not_sent_again(served: Served, target: str) -> None:
    etag = get(served, target).headers["etag"]
    for value in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = get(served, target, if_none_match=value)
        assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", etag)
    assert get(served, target, if_none_match='"other"').status == 200


def test_each_encoding_has_its_own_etag(served: Served) -> None:
    etags = {get(served, SCRIPT, accept_encoding=encoding).headers["etag"] for encoding in ("br", "gzip", "identity")}
    assert len(etags) == 3


def test_head_tells_the_length_without_the_body(served: Served) -> None:
    answer = served.raw("HEAD", SCRIPT, [("Host", "localhost")])
    assert (answer.status, answer.body, answer.headers["content-length"]) == (200, b"", "20")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_pages_are_for_reading(served: Served, method: str) -> None:
    answer = served.raw(method, "/", [("Host", "localhost")])
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "target",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/assets/....//....//secret.txt",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/assets/link.js",
        "/.hidden",
        "/assets/%00",
        "/assets/main-4f2a.js%00.png",
        "/assets/" + "x" * 5000,
        "/assets/C:%5cwindows",
        "/assets/%ff%fe",
        "/assets/%ed%a0%80",
    ],
)
def test_nothing_outside_is_reached(served: Served, target: str) -> None:
    for headers in ({}, PAGE, {"accept": "image/png"}):
        answer = get(served, target, **headers)
        assert answer.status == 404 or b"Dashboard" in answer.body
        assert b"swordfish" not in answer.body
        assert b"hidden" not in answer.body
        assert b"root:" not in answer.body


def test_without_a_build_the_page_says_what_to_run(tmp_path: Path) -> None:
    with serving(Settings(token=TOKEN, home=tmp_path)) as served:
        for target in ("/", "/graphiql", "/some/session"):
            answer = get(served, target, **PAGE)
            assert answer.status == 503
            assert b"make run" in answer.body
        assert get(served, SCRIPT).status == 404
        assert served.post({"query": "{ hello }"}).status == 200


def test_a_new_build_is_served_without_a_restart(tmp_path: Path) -> None:
    with serving(Settings(token=TOKEN, home=tmp_path)) as served:
        assert get(served, "/", **PAGE).status == 503
        (tmp_path / "index.html").write_text("built")
        assert get(served, "/", **PAGE).body == b"built"
