"""List the longest files and functions: `python -m tools.longest [--most 20]`. A reviewer's eye decides."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src", "bench", "tools", "tests", "scripts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=20, help="how many of each")
    most: int = parser.parse_args().most
    files = {path: path.read_text(encoding="utf-8") for path in _files()}
    _show("files", [(text.count("\n"), _name(path)) for path, text in files.items()], most)
    _show("functions", [found for path, text in files.items() for found in _functions(path, text)], most)


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (ROOT / folder).rglob("*.py")


def _functions(path: Path, text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            yield node.end_lineno - node.lineno + 1, f"{_name(path)}:{node.lineno} {node.name}"


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _show(what: str, found: list[tuple[int, str]], most: int) -> None:
    print(f"the {most} longest {what}, in lines")
    for lines, name in sorted(found, reverse=True)[:most]:
        print(f"{lines:6} {name}")


if __name__ == "__main__":
    main()
