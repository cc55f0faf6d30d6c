"""A service of advisories that says what it is told to, in the form of OSV for pip-audit and in that of npm."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Advisories:
    """`options` are those that lead a tool here."""

    port: int

    @property
    def of_pip_audit(self) -> tuple[str, ...]:
        return ("--vulnerability-service", "osv", "--osv-url", f"http://127.0.0.1:{self.port}/query")

    @property
    def of_npm(self) -> tuple[str, ...]:
        return ("--registry", f"http://127.0.0.1:{self.port}/")


@contextmanager
def advisories(faulty: Mapping[str, str]) -> Iterator[Advisories]:
    """Every version of the packages that `faulty` names has one fault of that severity."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/query":
                name = json.loads(body)["package"]["name"]
                self._answer(200, {"vulns": [_osv(name)]} if name in faulty else {})
            else:
                self._answer(200, {name: [_npm(name, severity)] for name, severity in faulty.items()})

        def do_GET(self) -> None:
            """No package is here, which npm would ask for what needs a faulty one."""
            self._answer(404, {})

        def _answer(self, status: int, body: Mapping[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Advisories(server.server_port)
        server.shutdown()


def _osv(name: str) -> Mapping[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.0"}]}]
    affected = [{"package": {"name": name, "ecosystem": "PyPI"}, "ranges": ranges}]
    return {"id": "PYSEC-1", "aliases": ["CVE-1"], "summary": "A fault", "affected": affected}


def _npm(name: str, severity: str) -> Mapping[str, Any]:
    score = {"score": 0, "vectorString": None}
    return {
        "id": 1,
        "url": f"https://example.org/{name}",
        "title": "A fault",
        "severity": severity,
        "vulnerable_versions": "<99",
        "cwe": [],
        "cvss": score,
    }
