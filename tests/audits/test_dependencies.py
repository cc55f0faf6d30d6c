"""The audit of what is locked tells findings, and what could not be audited, apart from what is well."""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.audits import dependencies
from tests.audits.advisories import advisories
from tests.audits.dependencies import ask_npm, ask_pip_audit, locked_in_npm, locked_in_python, main
from tests.audits.judging import Json, Locked, Report, Status, npm_report, python_report, status_of
from tests.processes import ROOT

CLICK, STRAWBERRY = Locked("click", "8.5.1"), Locked("strawberry_graphql", "0.341.2")
LOCKED = [CLICK, STRAWBERRY]
DIFF, MARKED = Locked("diff", "9.0.0"), Locked("marked", "18.2.1")


def well(package: Locked) -> Json:
    return {"name": package.name.replace("_", "-"), "version": package.version, "vulns": []}


def by_npm(*names_and_severities: str, total: int = 2) -> Json:
    """What npm 11 writes, without the parts that are not read."""
    pairs = zip(names_and_severities[::2], names_and_severities[1::2], strict=True)
    found = {name: {"severity": one, "via": [{"title": "A fault", "url": "its address"}]} for name, one in pairs}
    return {"auditReportVersion": 2, "vulnerabilities": found, "metadata": {"dependencies": {"total": total}}}


def test_all_audited_and_nothing_found_is_well() -> None:
    of_python = python_report(LOCKED, {"dependencies": [well(CLICK), well(STRAWBERRY)], "fixes": []}, "")
    of_npm = npm_report([DIFF, MARKED], by_npm(), "")
    assert (of_python.audited, of_npm.audited) == (LOCKED, [DIFF, MARKED])
    assert status_of([of_python, of_npm]) is Status.WELL


@pytest.mark.parametrize(
    ("severity", "status"),
    [
        ("info", Status.WELL),
        ("low", Status.WELL),
        ("moderate", Status.FINDINGS),
        ("high", Status.FINDINGS),
        ("critical", Status.FINDINGS),
        ("a word that is new", Status.FINDINGS),
    ],
)
def test_a_finding_of_each_severity(severity: str, status: Status) -> None:
    report = npm_report([DIFF, MARKED], by_npm("diff", severity), "")
    assert status_of([report]) is status
    assert f"  diff: {severity}: A fault its address" in report.lines()


def test_a_finding_without_a_severity_counts_as_above_low() -> None:
    vulnerability = {"id": "PYSEC-1", "fix_versions": [], "aliases": ["CVE-1"], "description": "A fault"}
    report = python_report([CLICK], {"dependencies": [{**well(CLICK), "vulns": [vulnerability]}]}, "")
    assert status_of([report]) is Status.FINDINGS
    assert "  click 8.5.1: severity not told: PYSEC-1 CVE-1, mended in no version" in report.lines()


def test_a_finding_is_not_hidden_by_what_was_not_audited() -> None:
    reports = [python_report(LOCKED, None, "no network"), npm_report([DIFF], by_npm("diff", "high"), "")]
    assert status_of(reports) is Status.FINDINGS
    assert status_of(reports[:1]) is Status.NOT_AUDITED


SKIPPED = {"name": "click", "skip_reason": "Dependency not found on PyPI and could not be audited: click (8.5.1)"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"dependencies": [SKIPPED, well(STRAWBERRY)]}, "Dependency not found on PyPI and could not be audited"),
        ({"dependencies": [well(STRAWBERRY)]}, "what it said"),
        (
            {"dependencies": [{**well(CLICK), "version": "8.5.0"}, well(STRAWBERRY)]},
            "pip-audit speaks of version 8.5.0",
        ),
    ],
)
def test_a_package_that_was_not_audited_is_named_and_never_well(answer: Json, reason: str) -> None:
    report = python_report(LOCKED, answer, "what it said")
    assert (report.audited, report.not_audited) == ([STRAWBERRY], {CLICK: reason})
    assert status_of([report]) is Status.NOT_AUDITED
    assert report.lines() == [
        "pip-audit: 1 packages audited, 0 findings, 1 packages not audited",
        f"  not audited: {reason}: click 8.5.1",
    ]


REFUSED = {
    "message": "405 Method Not Allowed - POST",
    "method": "POST",
    "statusCode": 405,
    "body": "",
    "error": {"summary": "", "detail": ""},
}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (REFUSED, "405 Method Not Allowed - POST"),
        (None, "what it said"),
        (by_npm(total=1), "npm audit looked at 1 of 2 packages, and does not say at which"),
    ],
)
def test_npm_without_a_whole_report_has_audited_nothing(answer: Json | None, reason: str) -> None:
    report = npm_report([DIFF, MARKED], answer, "what it said")
    assert (report.audited, report.not_audited) == ([], {DIFF: reason, MARKED: reason})
    assert status_of([report]) is Status.NOT_AUDITED


def two_locked(folder: Path) -> Path:
    lock = folder / "two.lock"
    lock.write_text("".join(f"{package.name}=={package.version}\n" for package in LOCKED))
    return lock


def test_pip_audit_itself_is_understood(tmp_path: Path) -> None:
    with advisories({"strawberry-graphql": "high"}) as service:
        report = ask_pip_audit(two_locked(tmp_path), *service.of_pip_audit)
    assert (report.audited, report.not_audited) == (LOCKED, {})
    assert [str(finding) for finding in report.findings] == [
        "strawberry_graphql 0.341.2: severity not told: PYSEC-1 CVE-1, mended in 99.0"
    ]


def test_npm_itself_is_understood() -> None:
    locked = set(locked_in_npm(ROOT / "frontend" / "package-lock.json"))
    with advisories({"diff": "moderate", "marked": "low"}) as service:
        report = ask_npm(ROOT / "frontend", *service.of_npm)
    assert (set(report.audited), report.not_audited) == (locked, {})
    assert {finding.package: finding.severity for finding in report.findings} == {"diff": "moderate", "marked": "low"}


def test_the_real_service_audits_a_package_or_it_is_named(tmp_path: Path) -> None:
    """With or without a network, and whatever was found in these versions since."""
    report = ask_pip_audit(two_locked(tmp_path))
    assert {*report.audited, *report.not_audited} == set(LOCKED)
    assert len(report.audited) + len(report.not_audited) == len(LOCKED)
    assert all(report.not_audited.values())


def test_the_command_ends_with_the_status_and_tells_everything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    of_python = python_report(LOCKED, None, "no network")
    monkeypatch.setattr(dependencies, "ask_pip_audit", lambda lock: of_python)
    monkeypatch.setattr(dependencies, "ask_npm", lambda folder: Report("npm audit", [DIFF], [], {}))
    assert main() == 2
    assert capsys.readouterr().out.splitlines() == [
        "pip-audit: 0 packages audited, 0 findings, 2 packages not audited",
        "  not audited: no network: click 8.5.1, strawberry_graphql 0.341.2",
        "npm audit: 1 packages audited, 0 findings, 0 packages not audited",
        "not audited: status 2",
    ]


def test_everything_that_gets_installed_is_locked() -> None:
    """What is not would be of any version, and be left out of the audit."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    waiting = [Requirement(text) for text in (*project["dependencies"], *project["optional-dependencies"]["dev"])]
    asked: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) not in asked and _is_for_here(requirement, frozenset()):
            asked.add((name, extras))
            further = map(Requirement, distribution(name).requires or ())
            waiting += [each for each in further if _is_for_here(each, extras)]
    locked = {canonicalize_name(package.name) for package in locked_in_python(ROOT / "requirements.lock")}
    assert {name for name, _ in asked} - locked - {"pip"} == set()


def _is_for_here(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in (*extras, ""))
