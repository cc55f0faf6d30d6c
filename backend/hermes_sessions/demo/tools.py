"""What Hermes' tools are called with and what they answer, in the shapes that Hermes stores."""

from __future__ import annotations

import difflib
import json
from typing import Any

MAIN_ARGUMENT = {
    "terminal": "command",
    "read_file": "path",
    "search_files": "pattern",
    "web_search": "query",
    "execute_code": "code",
    "delegate_task": "goal",
    "session_search": "query",
    "vision_analyze": "question",
    "clarify": "question",
}
TODO_STATES = {"x": "completed", ">": "in_progress", "-": "pending"}


def call(call_id: str, tool: str, body: str) -> dict[str, Any]:
    """One entry of a message's `tool_calls`; the arguments are JSON text within it."""
    arguments = json.dumps(arguments_of(tool, body), ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": tool, "arguments": arguments}}


def arguments_of(tool: str, body: str) -> dict[str, Any]:
    """The arguments of a call from a script's text: JSON as it is, else the tool's own short form."""
    if body.startswith("{"):
        arguments: dict[str, Any] = json.loads(body)
        return arguments
    match tool:
        case "patch":
            path, old, new = _patch(body)
            return {"mode": "replace", "path": path, "old_string": old, "new_string": new}
        case "write_file":
            path, _, content = body.partition("\n")
            return {"path": path, "content": content}
        case "todo":
            return {"todos": _todos(body)}
        case "memory":
            return {"action": "add", "target": "memory", "content": body}
        case "web_extract":
            return {"urls": body.split()}
    return {MAIN_ARGUMENT[tool]: body}


def own_answer(tool: str, body: str) -> str | None:
    """The answer of a tool that always succeeds here; None for a tool whose answer the script tells."""
    match tool:
        case "patch":
            path, old, new = _patch(body)
            return _json({"success": True, "diff": _diff(path, old, new), "files_modified": [path]})
        case "write_file":
            path, _, content = body.partition("\n")
            return _json({"bytes_written": len(content.encode()), "dirs_created": True, "path": path})
        case "todo":
            todos = _todos(body)
            counts = {state: sum(item["status"] == state for item in todos) for state in TODO_STATES.values()}
            return _json({"todos": todos, "summary": {"total": len(todos), **counts}})
        case "memory":
            return _json({"success": True, "target": "memory", "message": "Entry added."})
    return None


def result(tool: str, body: str, code: int) -> str:
    """A tool's answer from a script's text; `code` is a command's exit code."""
    match tool:
        case "terminal" | "execute_code":
            return _json({"output": body, "exit_code": code, "error": None})
        case "read_file":
            lines = body.splitlines()
            numbered = "\n".join(f"{number:6d}|{line}" for number, line in enumerate(lines, 1))
            return _json({"content": numbered, "total_lines": len(lines), "file_size": len(body.encode())})
        case "search_files":
            matches = [_match(line) for line in body.splitlines()]
            return _json({"total_count": len(matches), "matches": matches})
        case "web_search":
            return _json(
                {"success": True, "data": {"web": [_hit(n, line) for n, line in enumerate(body.splitlines(), 1)]}}
            )
        case "web_extract":
            return _json({"results": [{"title": body.partition("\n")[0], "content": body, "error": None}]})
        case "delegate_task":
            return _json({"results": [{"task_index": 0, "status": "completed", "summary": body}]})
    return body


def failure(tool: str, body: str) -> str:
    """The answer of a tool that could not do its work."""
    if tool in ("terminal", "execute_code"):
        return _json({"output": "", "exit_code": -1, "error": body})
    return _json({"success": False, "error": body})


def _patch(body: str) -> tuple[str, str, str]:
    path, _, change = body.partition("\n")
    old, _, new = change.partition("\n=>\n")
    return path, old, new


def _diff(path: str, old: str, new: str) -> str:
    before, after = old.splitlines(), new.splitlines()
    name = path.lstrip("/")
    return "\n".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", lineterm=""))


def _todos(body: str) -> list[dict[str, str]]:
    return [
        {"id": str(number), "content": line[2:], "status": TODO_STATES[line[0]]}
        for number, line in enumerate(body.splitlines(), 1)
    ]


def _match(line: str) -> dict[str, Any]:
    path, number, content = line.split(":", 2)
    return {"path": path, "line": int(number), "content": content.strip()}


def _hit(position: int, line: str) -> dict[str, Any]:
    title, url, description = (part.strip() for part in line.split("|"))
    return {"title": title, "url": url, "description": description, "position": position}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
