"""How results look to people: blocks of lines that survive narrow terminals, and small tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from reverie.domain.episode import Episode
from reverie.domain.meanings import MEANINGS
from reverie.domain.memory import Memory
from reverie.domain.query import EpisodeHit, MemoryHit
from reverie.doors.cli import words
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from rich.table import Table

BRIEF = frozenset({"essence", "kind", "confidence", "state", "superseded_by", "valid_from", "valid_to"})
"""The fields that say what a sleep did to a memory; the others follow from them."""
_RARE = frozenset({"newer", "repeat"})
_LONGEST_WORD = 16
_LONGEST_VALUE = 300
_QUIET = frozenset({"updated_at", "confidence_at", "last_reinforced_at", "believed_from", "created_at"})
_NEW = ("essence", "kind", "confidence", "source_trust")
_TIMES = frozenset({"valid_from", "valid_to", "believed_from", "paused_at"})


def pairs(rows: Sequence[Sequence[str]]) -> Table:
    """Return a table of short names, in one column or several, and behind them a value that folds."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    last = len(rows[0]) - 1 if rows else 0
    for _ in range(last):
        table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def grid(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table with a head; texts fold between words."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        longest = max((len(word) for row in rows for word in row[place].split()), default=0)
        table.add_column(column, min_width=min(longest, _LONGEST_WORD), overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def fitting(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Sequence[Table | str]:
    """Return a grid, or where its words would be cut in so few columns of the terminal, each row as lines."""
    longest = [
        max((len(word) for word in " ".join(cells).split()), default=0)
        for cells in zip(columns, *rows, strict=True)
    ]
    if sum(longest) + 2 * len(columns) <= width:
        return [grid(columns, rows)]
    return [
        block(row[0], *(f"{name}: {value}" for name, value in zip(columns[1:], row[1:], strict=True)))
        for row in rows
    ]


def block(first: str, *more: str) -> str:
    """Return lines that belong together, the first of them outdented."""
    indent = "   "
    return "\n".join(
        [first.replace("\n", "\n" + indent), *(indent + line.replace("\n", "\n" + indent) for line in more)]
    )


def hit_lines(rank: int, hit: MemoryHit | EpisodeHit, watch: Watch) -> str:
    """Return a hit as lines."""
    facts = [f"score {hit.score:.3f}", f"relevance {hit.relevance:.2f}"]
    if isinstance(hit, EpisodeHit):
        return block(
            f"{rank}. {who(hit.episode)}: {hit.text}",
            " · ".join([*facts, *_said(hit.episode, watch)]),
            hit.id,
        )
    memory = hit.memory
    facts = [
        memory.kind.value,
        *([] if hit.summary is None else [f"summary of {hit.summary.items:,}: `summaries show` shows them"]),
        *facts,
        watch.ago(memory.created_at),
        *([f"said in {words.listed(hit.refs)}"] if hit.refs else []),
        *standing(memory, watch),
    ]
    lesson = [f"lesson: {memory.lesson}"] if memory.lesson else []
    return block(f"{rank}. {hit.text}", " · ".join(facts), *lesson, hit.id)


def item_lines(item: object, watch: Watch) -> str:
    """Return a memory or a message as lines of a list."""
    if isinstance(item, Episode):
        return block(f"{who(item)}: {item.content}", " · ".join(_said(item, watch)), item.id)
    assert isinstance(item, Memory)
    facts = [item.kind.value, item.priority.value, watch.ago(item.created_at), *standing(item, watch)]
    judged = (
        f"importance {words.importance(item)} · emotions {words.emotions(item)} · lesson {words.lesson(item)}"
    )
    return block(item.essence, " · ".join(facts), judged, item.id)


def explanation(hit: MemoryHit | EpisodeHit, *, meanings: bool) -> Table:
    """Return the terms of a hit's score, which add up as shown, and with ``meanings`` what each means.

    A term that seldom moves a hit, and hardly ever the first, is explained wherever it does.
    """
    from rich.table import Table

    shown, total = words.rounded_to_sum(list(hit.terms.values()), 3)
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 1, 0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for name, points in zip(hit.terms, shown, strict=True):
        explained = meanings or (name in _RARE and points != 0)
        table.add_row(f"{points:.3f}", name, MEANINGS[name] if explained else "")
    table.add_row(f"{total:.3f}", "= score", "")
    return table


def standing(memory: Memory, watch: Watch) -> list[str]:
    """Return what sets a memory apart from an ordinary active one."""
    again = memory.reinforcement_count - 1
    facts = [
        watch.validity(memory),
        memory.mark,
        memory.learned_from and f"learned from {memory.learned_from}, source {memory.source_trust}",
        memory.state.value if memory.state.value != "active" else None,
        memory.superseded_by and f"superseded by {memory.superseded_by}",
        f"confirmed {words.counted(again, 'time')}" if again > 0 else None,
        f"wording {memory.version}" if memory.version > 1 else None,
        "pinned" if memory.pinned else None,
    ]
    return [fact for fact in facts if fact]


def who(episode: Episode) -> str:
    """Return the speaker, or the role where nobody is named."""
    from reverie.client import shown_name  # only where a bank is read: it loads numpy

    return shown_name(episode.speaker) or episode.role.value


def changes(
    before: Mapping[str, object] | None, after: Mapping[str, object] | None, watch: Watch, *,
    only: frozenset[str] | None = None,
) -> Sequence[str]:  # fmt: skip
    """Return a line for each changed field that a reader wants to know of, or of those in ``only``; of something new
    its first fields.
    """
    if before is None and after is None:
        return []
    if before is None:
        assert after is not None
        names = [name for name in _NEW if name in after] or [*after]
        return [f"{name}: {_short(name, after[name], watch)}" for name in names]
    now = after or {}
    names = [name for name in {**before, **now} if name not in _QUIET and (only is None or name in only)]
    return [
        f"{name}: {_short(name, before.get(name), watch)} → {_short(name, now.get(name), watch)}"
        for name in names
    ]


def _short(name: str, value: object, watch: Watch) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return words.listed(value)
    if name in _TIMES and isinstance(value, str):
        return watch.day(datetime.fromisoformat(value))
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _said(episode: Episode, watch: Watch) -> list[str]:
    ref = [f"ref {episode.ref}"] if episode.ref else []
    return [watch.ago(episode.time), episode.conversation, *ref]
