"""Read the labelled talks that the judges learn from (``talks/README.md`` describes the format)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

TALKS = Path(__file__).with_name("talks")
HEALTH = "health.tsv"
"""The file beside the talks of the sentences that tell somebody's health, each behind its talk's name."""
KINDS = frozenset(
    "fact preference goal project decision relationship routine skill event emotional pitfall architecture policy"
    " workflow".split()
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A labelled sentence. ``whose``: "o" own, "x" somebody else's, "n" not meant; ``start``/``end`` in the message;
    ``only``: the judges for which the label is known, if not for all.
    """

    text: str
    start: int
    end: int
    whose: str
    lasting: bool = False
    kind: str = ""
    importance: int = 0
    standing: bool = False
    id: str = ""
    replaces: str = ""
    health: bool = False
    only: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A message of a talk; ``lines`` are empty but for a person's own messages."""

    talk: str
    session: str
    role: str
    speaker: str
    text: str
    lines: tuple[Line, ...] = field(default=())


def read(path: Path) -> list[Said]:
    """Return the messages of a file in order. Raises ValueError with the line's number where it breaks the format."""
    found: list[Said] = []
    ill = _told_health(path)
    person = session = ""
    block: tuple[str, list[Line], list[str]] | None = None

    def close() -> None:
        nonlocal block
        if block is not None and block[1]:
            found.append(
                Said(
                    talk=path.stem, session=session, role="user", speaker=block[0],
                    text="".join(block[2]),
                    lines=tuple(replace(one, health=one.text in ill) for one in block[1]),
                )
            )  # fmt: skip
        block = None

    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.rstrip()
        try:
            if not line:
                continue
            if line.startswith("@"):
                close()
                person = line.partition(":")[2].partition("|")[0].strip()
            elif line.startswith("="):
                close()
                session = line[1:].strip()
            elif line == "U" or line.startswith("U "):
                close()
                block = (line[1:].strip() or person, [], [])
            elif line[:2] in ("A ", "T ") or line in ("A", "T"):
                close()
                role = "agent" if line[0] == "A" else "tool"
                found.append(
                    Said(
                        talk=path.stem,
                        session=session,
                        role=role,
                        speaker="",
                        text=line[2:].replace("\\n", "\n"),
                    )
                )
            elif block is not None and "|" in line:
                _add(block, line)
            else:
                raise ValueError("what is it?")
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}: {line[:80]!r}") from None
    close()
    return found


def _told_health(path: Path) -> frozenset[str]:
    """The sentences of a talk that tell somebody's health."""
    file = path.with_name(HEALTH)
    rows = (row.partition("\t") for row in (file.read_text("utf-8") if file.is_file() else "").splitlines())
    return frozenset(text for talk, _, text in rows if talk == path.stem)


def _add(block: tuple[str, list[Line], list[str]], line: str) -> None:
    head, _, text = line.partition("|")
    fields = head.split()
    text = text.strip()
    if not fields or fields[0] not in ("o", "x", "n"):
        raise ValueError("begins with neither o, x nor n")
    broken = text.startswith(">") and block[2] != []
    text = text[1:].strip() if text.startswith(">") else text
    if not text:
        return
    if block[2]:
        block[2].append("\n" if broken else " ")
    start = sum(map(len, block[2]))
    block[2].append(text)
    rest = fields[1:]
    given: dict[str, object] = {}
    for one in rest:
        if one in ("0", "1") and "lasting" not in given:
            given["lasting"] = one == "1"
        elif one in KINDS:
            given["kind"] = one
        elif one in "12345":
            given["importance"] = int(one)
        elif one == "S":
            given["standing"] = given["lasting"] = True
        elif one.startswith("#"):
            given["id"] = one[1:]
        elif one.startswith("~"):
            given["replaces"] = one[1:].lstrip("#")
        else:
            raise ValueError(f"unknown label {one!r}")
    block[1].append(Line(text=text, start=start, end=start + len(text), whose=fields[0], **given))  # type: ignore[arg-type]


def read_all(folder: Path = TALKS) -> Iterator[Said]:
    """Yield the messages of every file, by name."""
    for path in sorted(folder.glob("*.txt")):
        yield from read(path)
