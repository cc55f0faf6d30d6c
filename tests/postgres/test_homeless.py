"""`serve` without a Hermes home: the profiles by URL are all there is."""

from __future__ import annotations

from pathlib import Path

from tests.processes import replica, run_command


def test_profiles_by_url_are_served_where_there_is_no_hermes_home(url: str, tmp_path: Path) -> None:
    options = [part for name in ("team", "side") for part in ("--profile", f"{name}={url}?schema={name}")]
    run_command(tmp_path, "migrate", *options)
    for given, environment in ((options, {}), ((), {"HERMES_SESSIONS_PROFILE": " ".join(options[1::2])})):
        with replica(tmp_path / "serving", *given, environment=environment) as server:
            answer = server.ask("{ profiles { name status } }")
            assert answer["data"]["profiles"] == [
                {"name": "team", "status": "READY"},
                {"name": "side", "status": "READY"},
            ]
            assert server.ask("{ conversations { totalCount } }")["data"]["conversations"] == {"totalCount": 0}
            with server.client() as client:
                assert client.get("/readyz").status_code == 200
