"""The models of the demo: what a call uses and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Any

from hermes_sessions.demo.script import Row

SYSTEM_TOKENS = 21_300
"""What the system prompt and the tools' descriptions take of every call."""


@dataclass
class Usage:
    """Tokens by kind; `input` are the fresh ones alone."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))

    def columns(self) -> dict[str, int]:
        """By the column names that `sessions` and `session_model_usage` share."""
        return {
            "input_tokens": self.input,
            "output_tokens": self.output,
            "cache_read_tokens": self.cache_read,
            "cache_write_tokens": self.cache_write,
            "reasoning_tokens": self.reasoning,
            "api_call_count": self.calls,
        }


@dataclass(frozen=True)
class Model:
    """A model with its prices in USD for a million tokens, and how its provider bills."""

    name: str
    provider: str
    base_url: str
    prices: tuple[float, float, float, float]
    status: str = "estimated"
    cost_source: str = "official_docs_snapshot"
    billing_mode: str = "api_key"
    reasons: bool = True
    writes_cache: bool = False

    def cost(self, usage: Usage) -> float:
        """The price of a usage in USD, whatever the provider bills in the end."""
        fresh, output, read, write = self.prices
        amounts = (
            (usage.input, fresh),
            (usage.output, output),
            (usage.cache_read, read),
            (usage.cache_write, write),
        )
        return sum(tokens * price for tokens, price in amounts) / 1_000_000

    def billing(self) -> dict[str, str]:
        return {
            "billing_provider": self.provider,
            "billing_base_url": self.base_url,
            "billing_mode": self.billing_mode,
        }

    def bill(self, usage: Usage) -> dict[str, Any]:
        """The cost columns of `sessions` as Hermes fills them for this way of billing."""
        cost = round(self.cost(usage), 6)
        known = {"cost_status": self.status, "cost_source": self.cost_source}
        match self.status:
            case "actual":
                return {**known, "estimated_cost_usd": cost, "actual_cost_usd": round(cost * 0.97, 6)}
            case "included" | "unknown":
                return {**known, "estimated_cost_usd": 0.0, "actual_cost_usd": None}
            case "none":
                return {"estimated_cost_usd": None, "actual_cost_usd": None, "cost_status": None, "cost_source": None}
        return {**known, "estimated_cost_usd": cost, "actual_cost_usd": None}


OPENROUTER = "https://openrouter.ai/api/v1"

SONNET = Model(
    "anthropic/claude-sonnet-4.5", "anthropic", "https://api.anthropic.com", (3.0, 15.0, 0.3, 3.75), writes_cache=True
)
HAIKU = Model(
    "anthropic/claude-haiku-4.5", "anthropic", "https://api.anthropic.com", (1.0, 5.0, 0.1, 1.25), writes_cache=True
)
GPT = Model("openai/gpt-5.1", "openrouter", OPENROUTER, (1.25, 10.0, 0.125, 0.0), cost_source="provider_models_api")
GEMINI = Model(
    "google/gemini-3-pro", "openrouter", OPENROUTER, (2.0, 12.0, 0.2, 0.0), "actual", "provider_generation_api"
)
HERMES = Model(
    "nousresearch/hermes-4-405b",
    "nous",
    "https://inference-api.nousresearch.com/v1",
    (1.0, 3.0, 0.0, 0.0),
    "actual",
    "provider_cost_api",
)
DEEPSEEK = Model(
    "deepseek/deepseek-v3.2", "openrouter", OPENROUTER, (0.27, 0.4, 0.03, 0.0), "estimated", "provider_models_api"
)
CODEX = Model(
    "gpt-5.1-codex",
    "openai-codex",
    "https://chatgpt.com/backend-api/codex",
    (0.0, 0.0, 0.0, 0.0),
    "included",
    "none",
    "subscription_included",
)
LOCAL = Model(
    "qwen3-coder:30b",
    "custom",
    "http://localhost:11434/v1",
    (0.0, 0.0, 0.0, 0.0),
    "unknown",
    "none",
    "unknown",
    reasons=False,
)
UNBILLED = Model("hermes-3-llama-3.1-70b", "custom", "", (0.0, 0.0, 0.0, 0.0), "none", "none", "unknown", reasons=False)

WEIGHTS = (
    (SONNET, 9),
    (GPT, 6),
    (HERMES, 5),
    (GEMINI, 4),
    (DEEPSEEK, 3),
    (CODEX, 4),
    (HAIKU, 3),
    (LOCAL, 3),
    (UNBILLED, 1),
)


def some_model(rng: Random) -> Model:
    models, weights = zip(*WEIGHTS, strict=True)
    chosen: Model = rng.choices(models, weights)[0]
    return chosen


def tokens(text: str | None) -> int:
    """About how many tokens a text has: 4 characters each, 1 for a CJK character. A picture counts as 1,100."""
    if not text:
        return 0
    if text.startswith("\x00json:"):
        return 1_100
    wide = 0 if text.isascii() else sum(character > "\u2e7f" for character in text)
    return wide + (len(text) - wide) // 4 + 1


def usage_of(rows: Sequence[Row], model: Model) -> Usage:
    """What the calls behind these rows used: each call reads the context so far and adds what is new."""
    usage, cached, fresh = Usage(), 0, SYSTEM_TOKENS
    for row in rows:
        size = tokens(row.content) + tokens(str(row.cells.get("tool_calls") or ""))
        if row.role == "assistant":
            thought = tokens(row.cells.get("reasoning")) if model.reasons else 0
            written = fresh * 94 // 100 if model.writes_cache else 0
            usage += Usage(fresh - written, size + thought, cached, written, thought, 1)
            cached, fresh = cached + fresh, size
        else:
            fresh += size
    return usage
