"""What the answers of pip-audit and npm audit mean for the packages that are locked. What no answer speaks of was not
audited: it is never counted as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import Version

Json = dict[str, Any]

LOW = frozenset({"info", "low"})


class Status(IntEnum):
    """How the command ends."""

    WELL = 0
    FINDINGS = 1
    NOT_AUDITED = 2


@dataclass(frozen=True)
class Locked:
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class Finding:
    """`severity` is None where the tool tells none, as pip-audit does: it counts as above low."""

    package: str
    severity: str | None
    what: str

    @property
    def is_low(self) -> bool:
        return self.severity in LOW

    def __str__(self) -> str:
        return f"{self.package}: {self.severity or 'severity not told'}: {self.what}"


@dataclass(frozen=True)
class Report:
    """What one tool found. `not_audited` gives the reasons by package."""

    tool: str
    audited: Sequence[Locked]
    findings: Sequence[Finding]
    not_audited: Mapping[Locked, str]

    def lines(self) -> list[str]:
        return [
            f"{self.tool}: {len(self.audited)} packages audited, {len(self.findings)} findings, "
            f"{len(self.not_audited)} packages not audited",
            *(f"  {finding}" for finding in self.findings),
            *(f"  not audited: {reason}: {', '.join(names)}" for reason, names in self._by_reason().items()),
        ]

    def _by_reason(self) -> dict[str, list[str]]:
        reasons: dict[str, list[str]] = {}
        for package, reason in self.not_audited.items():
            reasons.setdefault(reason, []).append(str(package))
        return reasons


def status_of(reports: Iterable[Report]) -> Status:
    """A finding above low weighs more than what was not audited, which the lines tell all the same."""
    reports = tuple(reports)
    if any(not finding.is_low for report in reports for finding in report.findings):
        return Status.FINDINGS
    return Status.NOT_AUDITED if any(report.not_audited for report in reports) else Status.WELL


def python_report(locked: Sequence[Locked], answer: Json | None, said: str) -> Report:
    """Of the JSON of pip-audit, None where it gave none; `said` is what it wrote beside it."""
    told = {canonicalize_name(each["name"]): each for each in (answer or {}).get("dependencies", [])}
    audited: list[Locked] = []
    findings: list[Finding] = []
    not_audited: dict[Locked, str] = {}
    for package in locked:
        found = told.get(canonicalize_name(package.name))
        reason = _why_not(package, found, said)
        if found is None or reason is not None:
            not_audited[package] = reason or said
        else:
            audited.append(package)
            findings += [Finding(str(package), None, _vulnerability(each)) for each in found["vulns"]]
    return Report("pip-audit", audited, findings, not_audited)


def _why_not(package: Locked, found: Json | None, said: str) -> str | None:
    if found is None:
        return said or "pip-audit does not speak of it"
    if "skip_reason" in found:
        return str(found["skip_reason"]).removesuffix(f": {found['name']} ({package.version})")
    if Version(found["version"]) != Version(package.version):
        return f"pip-audit speaks of version {found['version']}"
    return None


def _vulnerability(told: Json) -> str:
    fixed = ", ".join(told["fix_versions"]) or "no version"
    return f"{' '.join([told['id'], *told.get('aliases', [])])}, mended in {fixed}"


def npm_report(locked: Sequence[Locked], answer: Json | None, said: str) -> Report:
    """Of the JSON of `npm audit`, which is all or nothing: a service that refuses leaves every package not audited.
    `locked` has a package as often as it is installed."""
    answer = answer or {}
    if not {"vulnerabilities", "metadata"} <= answer.keys():
        reason = answer.get("message") or said or "npm audit gave no report"
        return Report("npm audit", [], [], dict.fromkeys(locked, reason))
    looked_at = answer["metadata"]["dependencies"]["total"]
    if looked_at < len(locked):
        reason = f"npm audit looked at {looked_at} of {len(locked)} packages, and does not say at which"
        return Report("npm audit", [], _of_npm(answer), dict.fromkeys(locked, reason))
    return Report("npm audit", [*dict.fromkeys(locked)], _of_npm(answer), {})


def _of_npm(answer: Json) -> list[Finding]:
    return [
        Finding(name, each["severity"], _advisories(each["via"])) for name, each in answer["vulnerabilities"].items()
    ]


def _advisories(via: Sequence[Any]) -> str:
    """Titles of its own, and names of the packages that it has others through."""
    return ", ".join(f"through {each}" if isinstance(each, str) else f"{each['title']} {each['url']}" for each in via)
