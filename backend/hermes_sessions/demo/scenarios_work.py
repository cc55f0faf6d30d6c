"""Conversations of the profile `work`: the code of a freight booking company."""

# ruff: noqa: E501 - a line of a script is a line of a message

from __future__ import annotations

from hermes_sessions.demo.script import Scenario, entries

FLAKY_TEST = Scenario(
    "Flaky test in $module",
    r"""
user: test_$module fails about one run in ten on CI, never on my machine. Can you find out why?
think: Only on CI and only sometimes: time, order or network. Look at the test before guessing.
agent: I'll read the test first and then run it in a loop.
call read_file: tests/test_$module.py
result: def test_${module}_expires_at_midnight(client):
    created = client.post("/$module", json={"ttl_days": 1}).json()
    assert created["expires"] == (date.today() + timedelta(days=1)).isoformat()
call terminal: TZ=America/Vancouver pytest tests/test_$module.py -q -x
result 1: [31mF[0m                                                                      [100%]
=================================== FAILURES ===================================
E       AssertionError: assert '2026-02-11' == '2026-02-10'
[31m[1m1 failed[0m in 0.84s
agent: Found it. The server computes the expiry in UTC, the test uses the local date. CI runs in a different time zone from yours, so it fails whenever the two dates differ.
call patch: tests/test_$module.py
    assert created["expires"] == (date.today() + timedelta(days=1)).isoformat()
=>
    today = datetime.now(UTC).date()
    assert created["expires"] == (today + timedelta(days=1)).isoformat()
call terminal: for tz in UTC America/Vancouver Asia/Tokyo; do TZ=$$tz pytest tests/test_$module.py -q; done
result: [32m1 passed[0m in 0.61s
[32m1 passed[0m in 0.60s
[32m1 passed[0m in 0.63s
agent: It passes in three time zones now. One line changed in `tests/test_$module.py`; the service was right all along.
---
user: Are there other tests with the same mistake?
call search_files: date\.today\(\)
result: tests/test_invoices.py:31: due = date.today() + timedelta(days=30)
tests/test_reports.py:12: assert report.day == date.today()
agent: Two more: `test_invoices.py:31` and `test_reports.py:12`. The second one has the same race around midnight, the first is harmless because it only sets up data.
user: fix the second and leave the first
call patch: tests/test_reports.py
    assert report.day == date.today()
=>
    assert report.day == datetime.now(UTC).date()
agent: Done. I left `test_invoices.py` as it was.
---
user: write me a two line commit message
agent: ```
Compare expiry dates in UTC

The test used the local date and failed wherever that differs from the server's.
```
""",
    entries("module", "bookings", "quotes", "sessions", "vouchers", "invites", "holds"),
    ("cli", "tui"),
    "booking-api",
)

SLOW_ENDPOINT = Scenario(
    "Slow endpoint $path",
    r"""
image latency: p95 of $path tripled after Tuesday's deploy, see the orange bar. What changed?
think: The chart shows the step at one point, not a drift. That suggests a deploy rather than data growth.
call terminal: git log --oneline --since="last monday" -- services/booking
result: 4f0c1aa Include carrier surcharges in the list
b91e7d2 Bump sqlalchemy to 2.1.9
77aa310 Rename Quote.total to Quote.amount
call terminal: EXPLAIN_QUERIES=1 python -m tools.replay "GET $path" --count 20 | tail -6
result: queries/request   [33m212[0m  (before: 4)
slowest           SELECT surcharges.* FROM surcharges WHERE carrier_id = ?   x 208
p50 / p95         412 ms / [31m1.9 s[0m
agent: Commit `4f0c1aa` loads the surcharges row by row: **208 extra queries** for one request of `$path`.

| | before | now |
|---|---|---|
| queries | 4 | 212 |
| p95 | 0.6 s | 1.9 s |

A single `IN` query for the page would bring it back. Shall I?
user: yes please, with a test that counts the statements
call patch: services/booking/listing.py
    for quote in quotes:
        quote.surcharges = db.surcharges(quote.carrier_id)
=>
    by_carrier = db.surcharges_of({quote.carrier_id for quote in quotes})
    for quote in quotes:
        quote.surcharges = by_carrier.get(quote.carrier_id, [])
call write_file: tests/test_listing_statements.py
def test_listing_needs_five_statements(client, statements):
    client.get("$path")
    assert len(statements) == 5
call terminal: pytest tests/test_listing_statements.py -q
result: [32m1 passed[0m in 1.02s
agent: Five statements, p95 is 0.6 s in the replay. The test fails with 212 when I take the change out.
---
user: how would I have seen this before the deploy?
agent: Three cheap ways, from best to worst:

1. The statement-counting test, for every list endpoint (you have it now for one).
2. A budget in the replay tool: fail when queries per request grow by more than 50 %.
3. Sampling queries per request in staging and alerting on the p99.
""",
    entries("path", "/quotes", "/shipments", "/carriers", "/invoices", "/lanes"),
    ("cli", "slack"),
    "booking-api",
)

REVIEW = Scenario(
    "Review of #$number: $what",
    r"""
user: please review PR $number ($what), I have half an hour before the release
call terminal: gh pr diff $number --name-only
result: services/pricing/rounding.py
services/pricing/tests/test_rounding.py
docs/pricing.md
call terminal: gh pr diff $number -- services/pricing/rounding.py
result: @@ -12,7 +12,9 @@
-    return round(amount, 2)
+    cents = Decimal(str(amount)).quantize(Decimal("0.01"), ROUND_HALF_UP)
+    return float(cents)
think: Decimal then float again: the caller multiplies afterwards, so the error returns. Check callers.
call search_files: round_money\(
result: services/pricing/quote.py:88: total = round_money(base) * units
services/pricing/invoice.py:41: total = round_money(base * units)
agent: Two things before merging:

1. **`quote.py:88` rounds before multiplying**, `invoice.py:41` after. A quote and its invoice can differ by cents × units. The PR makes the rounding better but keeps this.
2. The function turns the `Decimal` back into `float`; the type promises more than it holds.

Tests cover half-up well. I'd approve with 1 fixed.
---
user: agree on 1. is 2 worth it today?
agent: No. It is contained in one function and the tests pin the results. Open an issue and let it be.
---
user: what should the test for 1 look like?
agent: ```python
@pytest.mark.parametrize("units", [1, 3, 7, 1000])
def test_a_quote_and_its_invoice_agree(units):
    assert quote(Decimal("0.335"), units).total == invoice(Decimal("0.335"), units).total
```
With today's code it fails for 3, 7 and 1000.
""",
    (
        {"number": "1841", "what": "half-up rounding"},
        {"number": "1877", "what": "money as Decimal"},
        {"number": "1902", "what": "cents in invoices"},
        {"number": "1933", "what": "surcharge rounding"},
    ),
    ("cli", "slack"),
    "booking-api",
)

MIGRATION = Scenario(
    "Add column $column without downtime",
    r"""
user: I need a NOT NULL column `$column` on shipments, 40 million rows, no downtime. Plan?
think: Postgres: add with constant default is instant since 11; the NOT NULL check is the trap. Constraint NOT VALID, validate, then set.
agent: In four deploys that can each be rolled back:

1. `ALTER TABLE shipments ADD COLUMN $column text` (instant)
2. write it in new code, backfill old rows in batches of 5,000
3. `ADD CONSTRAINT ${column}_set CHECK ($column IS NOT NULL) NOT VALID`, then `VALIDATE CONSTRAINT` (reads, does not block)
4. `SET NOT NULL` (uses the constraint, no scan), drop the constraint

Set `lock_timeout = '2s'` for each so that a long report cannot queue everyone behind you.
user: write the backfill
call write_file: migrations/backfill_$column.py
# Fill shipments.$column in batches; stop and start at any time.
BATCH = 5_000

def run(db):
    while db.execute(
        "UPDATE shipments SET $column = 'unknown' WHERE id IN"
        " (SELECT id FROM shipments WHERE $column IS NULL LIMIT %s FOR UPDATE SKIP LOCKED)",
        [BATCH],
    ).rowcount:
        db.commit()
        time.sleep(0.2)
call terminal: python -m migrations.backfill_$column --dry-run
result: 40,113,882 rows to fill, 8,023 batches, about 71 minutes
agent: About 71 minutes at this pace. `SKIP LOCKED` keeps it out of the way of the dispatchers.
---
user: what if it dies in the middle?
agent: Start it again. Each batch commits on its own and the condition `$column IS NULL` finds the rest.
""",
    entries("column", "incoterm", "customs_code", "carbon_class", "seal_number"),
    ("cli", "tui"),
    "booking-api",
)

ACCESSIBLE_FORM = Scenario(
    "Form errors are silent: $page",
    r"""
image form: the $page form shows the red line but screen readers say nothing. can you check?
agent: The field turns red, but nothing connects the message with the field. Let me see the markup.
call search_files: className="field-error"
result: web/src/forms/Field.tsx:27: {error && <p className="field-error">{error}</p>}
call patch: web/src/forms/Field.tsx
      <input id={id} {...input} />
      {error && <p className="field-error">{error}</p>}
=>
      <input id={id} aria-invalid={!!error} aria-describedby={error ? `${id}-error` : undefined} {...input} />
      {error && <p id={`${id}-error`} role="alert" className="field-error">{error}</p>}
call terminal: npx vitest run forms --reporter=dot
result: [32m·······································[0m
Test Files  [32m6 passed[0m (6)
agent: The field now says that it is invalid and why, and the message is announced when it appears. All forms use `Field`, so $page is not the only one that is better now.
---
user: colour alone is also a problem there, right?
agent: Yes: red line only. A small icon in front of the message solves it without a redesign.
""",
    entries("page", "checkout", "sign-up", "address", "customs"),
    ("cli", "discord"),
    "webapp",
)

DEPENDENCIES = Scenario(
    "Upgrade $package",
    r"""
user: upgrade $package to the latest and tell me what breaks
call terminal: uv lock --upgrade-package $package && pytest -q -x
result 1: Updated $package
[32m.............................[0m[31mF[0m
E   TypeError: configure() got an unexpected keyword argument 'strict'
call web_search: $package changelog configure strict removed
result: $package release notes | https://docs.example.org/$package/changes | "strict is now the default; the argument was removed"
agent: One break: `strict` is the default now and the argument is gone.
call search_files: strict=True
result: services/common/setup.py:14: configure(strict=True)
call patch: services/common/setup.py
    configure(strict=True)
=>
    configure()
call terminal: pytest -q
result: [32m412 passed[0m in 38.20s
agent: 412 tests pass. The only change besides the lock file is `services/common/setup.py:14`.
""",
    entries("package", "pydantic", "httpx", "structlog", "alembic", "strawberry-graphql", "uvicorn"),
    ("cli", "tui"),
    "booking-api",
)

SCENARIOS = (FLAKY_TEST, SLOW_ENDPOINT, REVIEW, MIGRATION, ACCESSIBLE_FORM, DEPENDENCIES)
