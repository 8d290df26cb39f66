"""Files and functions stay small enough to read, and errors are caught by name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FILE_LINES = {"src": 400, "bench": 500, "tests": 500, "tools": 500, "scripts": 500}
FUNCTION_LINES = 60

MARKERS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b|NotImplemented" + r"Error")


def _files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


SRC = _files("src")


def test_there_is_source_to_measure() -> None:
    assert SRC


@pytest.mark.parametrize(("folder", "ceiling"), FILE_LINES.items(), ids=FILE_LINES)
def test_files_stay_under_their_ceiling(folder: str, ceiling: int) -> None:
    lengths = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in _files(folder)}
    assert {name: lines for name, lines in lengths.items() if lines > ceiling} == {}


def test_functions_in_src_fit_a_screen() -> None:
    long = {
        f"{_name(path)}:{node.lineno} {node.name}": lines
        for path in SRC
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    }
    assert long == {}


def _caught(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"everything"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(kind).removeprefix("builtins.") for kind in kinds}


# Where code of somebody else's is called in the background: whatever it raises must not end that.
BROAD = {
    "src/reverie/minds/llm/metered.py",  # a provider's client, at an answer that is none
    "src/reverie/minds/local/mind.py",  # the judges on a text that nobody thought of
    "src/reverie/minds/local/sparing.py",  # a rule on a text that nobody thought of, which must not stop a night
    "src/reverie/services/asking.py",  # a mind; one agent of several, with the caller's own embedder
    "src/reverie/services/capture.py",  # the judges on a text that nobody thought of, which is stored already
    "src/reverie/services/portrait.py",  # a rule on a memory's text, which must not stop the others
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
