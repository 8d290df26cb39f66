"""Errors are caught by name, and nothing is left for later."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MARKERS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b|NotImplemented" + r"Error")


def _files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


SRC = _files("src")


def test_there_is_source_to_measure() -> None:
    assert SRC


def _caught(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"everything"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(kind).removeprefix("builtins.") for kind in kinds}


# Where code of somebody else's is called in the background: whatever it raises must not end that.
BROAD = {
    "src/reverie/agent/wrapping/memory.py",  # memory must not break the call of a wrapped client
    "src/reverie/doors/hooks/client.py",  # a hook must not break the host that runs it
    "src/reverie/doors/hooks/daemon.py",  # one hook's trouble is not the others'
    "src/reverie/doors/hooks/taker.py",  # a bank, an embedder, a mind: hooks are answered all the same
    "src/reverie/minds/llm/metered.py",  # a provider's client, at an answer that is none
    "src/reverie/minds/local/mind.py",  # the judges on a text that nobody thought of
    "src/reverie/minds/local/sparing.py",  # a rule on a text that nobody thought of, which must not stop a night
    "src/reverie/services/runtime/guarded_calls.py",  # a mind; one agent of several, with the caller's own embedder
    "src/reverie/services/observe/capture.py",  # the judges on a text that nobody thought of, which is stored already
    "src/reverie/services/soul/portrait.py",  # a rule on a memory's text, which must not stop the others
    "src/reverie/worker/worker.py",  # a round with the caller's own embedder, clock and mind
}


def test_src_catches_no_broad_exceptions() -> None:
    broad = [
        f"{_name(path)}:{node.lineno}"
        for path in SRC
        if _name(path) not in BROAD and "except" in path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and _caught(node) & {"everything", "Exception", "BaseException"}
    ]
    assert broad == []


def test_src_leaves_nothing_for_later() -> None:
    marked = [
        f"{_name(path)}:{number}: {line.strip()}"
        for path in SRC
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MARKERS.search(line)
    ]
    assert marked == []
