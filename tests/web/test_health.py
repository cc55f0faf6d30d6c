"""What operators ask: whether the process lives, and which profiles can be used."""

from __future__ import annotations

import httpx

from tests.web.serving import BEARER, Served

DEFAULT = {"name": "default", "ready": True, "status": "READY", "reason": None}
TEAM = {"name": "team", "ready": False, "status": "UNREACHABLE", "reason": "The database does not answer."}


def test_health_is_open_and_readiness_is_not(served: Served) -> None:
    assert httpx.get(f"{served.url}/healthz").json() == {"status": "ok"}
    for address in ("/readyz", "/readyz/default", "/metrics"):
        assert httpx.get(f"{served.url}{address}").status_code == 401


def test_one_broken_profile_does_not_take_the_others_out_of_service(served: Served) -> None:
    ready = httpx.get(f"{served.url}/readyz", headers=BEARER)
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "profiles": [DEFAULT, TEAM]})


def test_each_profile_is_asked_by_itself(served: Served) -> None:
    with served.client() as client:
        sound, broken, unknown = (client.get(f"/readyz/{name}") for name in ("default", "team", "nobody"))
    assert (sound.status_code, sound.json()) == (200, DEFAULT)
    assert (broken.status_code, broken.json()) == (503, TEAM)
    assert (unknown.status_code, unknown.json()["errors"][0]["extensions"]["code"]) == (404, "PROFILE_NOT_FOUND")
