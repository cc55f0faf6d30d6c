"""Conversations of the profile `work`: its servers, nights on call, and daily notes."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.script import Scenario, entries

INCIDENT = Scenario(
    "On call: $service $symptom",
    r"""
user: page from 02:14: $service $symptom. Where do I look first?
call terminal: kubectl -n prod get pods -l app=$service
result: NAME                      READY   STATUS             RESTARTS
$service-6d9f7b-2xk4p    1/1     Running            0
$service-6d9f7b-8qqzt    0/1     [31mCrashLoopBackOff[0m   14
call terminal: kubectl -n prod logs $service-6d9f7b-8qqzt --previous | tail -4
result: {"level":"info","msg":"connecting to queue","host":"mq-2.internal"}
{"level":"error","msg":"x509: certificate has expired","host":"mq-2.internal"}
panic: queue unavailable
agent: One of two pods crash-loops: the certificate of `mq-2.internal` **has expired**. The other pod talks to `mq-1` and is fine, so traffic still flows at half capacity.

Right now:
1. Point the second pod at `mq-1` (config flag `QUEUE_HOSTS`), no deploy needed.
2. Renew the certificate in the morning.
user: do 1
call terminal: kubectl -n prod set env deploy/$service QUEUE_HOSTS=mq-1.internal
fails: error: You must be logged in to the server (Unauthorized)
agent: I'm not allowed to change production. The command for you:

    kubectl -n prod set env deploy/$service QUEUE_HOSTS=mq-1.internal
user: done, both green. thanks. remind me to write the postmortem
call todo: - Postmortem: expired certificate on mq-2
- Alert 14 days before any internal certificate expires
> Renew certificate of mq-2.internal
agent: Noted, with the alert that would have spared you the night.
---
user: draft of the postmortem please, short
agent: **Summary.** At 02:14 UTC one of two `$service` pods began to crash because the certificate of `mq-2.internal` had expired. Half capacity for 26 minutes, no request was lost.

**Why.** The certificate was issued by hand in a migration and never entered the renewal job.

**What went well.** Clear log line; the config flag allowed a fix without a deploy.

**What we change.** Renewal for all internal hosts; alert at 14 days; runbook entry.
""",
    (
        {"service": "pricing", "symptom": "5xx above 2 %"},
        {"service": "webhooks", "symptom": "queue is growing"},
        {"service": "booking", "symptom": "health check flaps"},
        {"service": "mailer", "symptom": "no mail for 20 minutes"},
        {"service": "tracking", "symptom": "positions are stale"},
    ),
    ("slack", "telegram", "discord"),
    "infra",
)

TERRAFORM = Scenario(
    "Terraform wants to replace $thing",
    r"""
user: plan says it must replace $thing. I only changed a tag!
call terminal: terraform plan -no-color | grep -A3 "must be replaced"
result: # $thing must be replaced
-/+ resource
      ~ name_prefix = "tide-prod" -> "tide-production" # forces replacement
agent: It isn't the tag. `name_prefix` went from `tide-prod` to `tide-production`: the tag's variable is reused for the name. That forces the replacement.
call search_files: var\.env_label
result: modules/base/tags.tf:4: Environment = var.env_label
modules/base/names.tf:9: name_prefix = "tide-${var.env_label}"
agent: Two uses of `var.env_label`. Split it: a new `var.env_name` for names (keeps `prod`), the label for tags.
---
user: and to be safe in future?
agent: `lifecycle { prevent_destroy = true }` on $thing, so that such a plan fails instead of asking.
""",
    entries("thing", "the prod database", "the load balancer", "the VPC", "the log bucket"),
    ("cli",),
    "infra",
)

STANDUP = Scenario(
    "Standup notes $day",
    r"""
user: three lines for the standup from my commits since yesterday
call terminal: git log --author=mira --since=yesterday --oneline
result: 9bd02c1 Retry webhook deliveries with jitter
1ac77e0 Remove dead feature flag
agent: - Webhook deliveries are retried with jitter; merged.
- Removed a dead feature flag.
- Next: the statement budget for list endpoints.
""",
    entries("day", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    ("slack", "telegram"),
    "booking-api",
)

DISK = Scenario(
    "Disk is full on $host",
    r"""
user: $host says no space left on device
call terminal: df -h / && du -xh /var --max-depth=2 | sort -h | tail -4
result: Filesystem      Size  Used Avail Use% Mounted on
/dev/vda1        80G   80G    0G [31m100%[0m /
1.1G	/var/cache
4.0G	/var/lib
61G	/var/log/journal
66G	/var
agent: The journal alone has 61 GB. Vacuum it to a week and cap it:

    journalctl --vacuum-time=7d
    SystemMaxUse=2G in /etc/systemd/journald.conf
user: go
call terminal: journalctl --vacuum-time=7d 2>&1 | tail -1
result: Vacuuming done, freed 57.8G of archived journals
call patch: /etc/systemd/journald.conf
#SystemMaxUse=
=>
SystemMaxUse=2G
agent: 57.8 GB are free again and the journal stops at 2 GB from now on.
---
user: what wrote so much?
call terminal: journalctl --since -1h -o cat | cut -c1-40 | sort | uniq -c | sort -rn | head -2
result: 181920 tracking: position without shipment id
   211 booking: request finished
agent: `tracking` logs every position without a shipment: 182,000 lines an hour. That deserves an issue of its own.
""",
    entries("host", "build-3", "edge-ams-1", "staging-db", "metrics-2"),
    ("cli", "slack"),
    "infra",
)

SUPPORT = Scenario(
    "Customer: $customer cannot log in",
    r"""
user: support ticket: $customer cannot log in since the SSO change. what do the logs say?
call terminal: logcli query '{app="auth"} |= "$customer"' --since=2h --limit=3 -o raw
result: saml: audience mismatch expected=https://app.tidewater.example got=https://tidewater.example
saml: audience mismatch expected=https://app.tidewater.example got=https://tidewater.example
agent: Their identity provider still sends the old audience (`tidewater.example` instead of `app.tidewater.example`). They must change it on their side; until then we can accept both.
user: write the reply, friendly
agent: > Hi, thank you for the report. Since Tuesday your identity provider must send `https://app.tidewater.example` as the audience. It's one field in the application's settings. We accept the old value until Friday, so everybody can log in right now.
""",
    entries("customer", "Nordfracht", "Almeida & Sons", "Kestrel Foods", "Blue Lantern", "Hafenkontor"),
    ("slack", "discord"),
    "infra",
)

SCENARIOS = (INCIDENT, TERRAFORM, STANDUP, DISK, SUPPORT)
