"""The mutations that make sessions and write to them, asked as functions."""

from __future__ import annotations

from typing import Any

from tests.api.serving import Api, Json
from tests.builders import StoreBuilder

SESSION = "id title kind kindReason source model endReason messageCount toolCallCount parentId archived isLive"
ERRORS = "userErrors { code message path }"
PAYLOADS = {
    "createSession": f"session {{ {SESSION} }} conversation {{ id }} changedIds {ERRORS}",
    "forkSession": f"session {{ {SESSION} }} conversation {{ id }} changedIds {ERRORS}",
    "endSession": f"session {{ {SESSION} endedAt }} changedIds {ERRORS}",
    "reopenSession": f"session {{ {SESSION} endedAt }} changedIds {ERRORS}",
    "appendMessages": f"session {{ {SESSION} }} messages {{ id role content }} newIds {ERRORS}",
    "recordUsage": f"""session {{
        {SESSION} usage {{ inputTokens outputTokens cacheReadTokens totalTokens apiCalls }}
        cost {{ usd actualUsd estimatedUsd status unknownSessions }}
        usageByModel {{ model provider task usage {{ inputTokens apiCalls }} cost {{ usd status }} }}
    }} changedIds {ERRORS}""",
}


def mutate(api: Api, name: str, /, **input: Any) -> Json:
    """The payload of one of the mutations."""
    kind = f"{name[0].upper()}{name[1:]}Input!"
    answer = api.ask(f"mutation ($input: {kind}) {{ {name}(input: $input) {{ {PAYLOADS[name]} }} }}", input=input)
    payload: Json = answer[name]
    return payload


def changed(api: Api, name: str, /, **input: Any) -> list[str]:
    """Ids of the sessions that the mutation has changed. Fails when it is refused."""
    payload = mutate(api, name, **input)
    assert payload["userErrors"] == []
    return list(payload["changedIds"])


def create(api: Api, **input: Any) -> Json:
    return mutate(api, "createSession", **input)


def fork(api: Api, id: str, **input: Any) -> Json:
    return mutate(api, "forkSession", id=id, **input)


def append(api: Api, id: str, *messages: Json, **input: Any) -> Json:
    return mutate(api, "appendMessages", id=id, messages=list(messages), **input)


def refusal(payload: Json) -> tuple[str, str]:
    """(code, path without `input`) of the only error."""
    [error] = payload["userErrors"]
    assert error["message"].endswith(".")
    assert error["path"][0] == "input"
    return error["code"], ".".join(error["path"][1:])


def nothing(store: StoreBuilder) -> None:
    """An empty store."""


def texts(api: Api, id: str) -> list[str]:
    query = "query ($id: ID!) { session(id: $id) { messages(first: 100) { nodes { role content } } } }"
    nodes = api.ask(query, id=id)["session"]["messages"]["nodes"]
    return [f"{node['role']}: {node['content']}" for node in nodes]


def detail(api: Api, id: str) -> Json:
    query = "query ($id: ID!) { session(id: $id) { modelConfig systemPrompt cwd userId model title } }"
    session: Json = api.ask(query, id=id)["session"]
    return session
