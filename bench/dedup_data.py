"""Sets of sentence pairs that judges called alike or not: MRPC, SICK and PAWS, read as they are published.

A file is known by its first line, so any split or part of a set will do, in any folder below the one given.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SUFFIXES = (".tsv", ".txt")
_ALIKE = 4.5  # SICK's relatedness, from 1 to 5, from which on a pair counts as the same


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two sentences, whether they are the same, and whether they contradict each other (SICK says so)."""

    one: str
    other: str
    alike: bool
    contradicts: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Format:
    name: str
    columns: tuple[str, str, str]  # of the two sentences and of the verdict

    def pair(self, row: Mapping[str, str]) -> Pair:
        one, other, verdict = (row[column] for column in self.columns)
        if self.name == "sick":
            judged = row.get("entailment_judgment") or row.get("entailment_label", "")
            return Pair(
                one=one, other=other, alike=float(verdict) >= _ALIKE, contradicts=judged == "CONTRADICTION"
            )
        return Pair(one=_decoded(one), other=_decoded(other), alike=verdict == "1")


_FORMATS = (
    _Format(name="mrpc", columns=("#1 String", "#2 String", "Quality")),
    _Format(name="sick", columns=("sentence_A", "sentence_B", "relatedness_score")),
    _Format(name="paws", columns=("sentence1", "sentence2", "label")),
)
SETS = tuple(known.name for known in _FORMATS)


def load(folder: Path) -> dict[str, list[Pair]]:
    """The pairs of each set that the folder has, in the order of SETS. Raises SystemExit where there is none."""
    found: dict[str, list[Pair]] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SUFFIXES and path.is_file():
            for name, pair in _pairs(path.read_text("utf-8-sig").splitlines()):
                found.setdefault(name, []).append(pair)
    if not found:
        raise SystemExit(f"no set of pairs in {folder}: give a folder with files of {', '.join(SETS)}")
    return {name: found[name] for name in SETS if name in found}


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, Pair]]:
    head = lines[0].split("\t") if lines else []
    for known in _FORMATS:
        if set(known.columns) <= set(head):
            for line in lines[1:]:
                cells = line.split("\t")
                if len(cells) >= len(head):
                    yield known.name, known.pair(dict(zip(head, cells, strict=False)))


def _decoded(text: str) -> str:
    """PAWS-QQP is published with its sentences as Python writes bytes."""
    if text[:2] not in ("b'", 'b"'):
        return text
    raw = ast.literal_eval(text)
    return raw.decode("utf-8") if isinstance(raw, bytes) else text
