"""How results look to people: blocks of lines that survive narrow terminals, and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reverie.domain.episode import Episode
from reverie.domain.meanings import MEANINGS
from reverie.domain.memory import Memory
from reverie.domain.query import EpisodeHit, MemoryHit
from reverie.doors.cli import words
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from rich.table import Table

_RARE = frozenset({"newer", "repeat"})

_LONGEST_WORD = 16


def pairs(rows: Sequence[Sequence[str]]) -> Table:
    """Short names, in one column or several, and behind them a value that folds."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    for place in range(len(rows[0]) if rows else 0):
        last = place == len(rows[0]) - 1
        table.add_column(
            style="" if last else "bold", no_wrap=not last, overflow="fold" if last else "ellipsis"
        )
    for row in rows:
        table.add_row(*row)
    return table


def grid(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table with a head; texts fold between words."""
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
    """A grid, or where its words would be cut in so few columns of the terminal, each row as lines."""
    words_wide = [
        max(len(word) for row in (columns, *rows) for word in [*row[place].split(), ""])
        for place in range(len(columns))
    ]
    if sum(words_wide) + 2 * len(columns) <= width:
        return [grid(columns, rows)]
    return [
        block(row[0], *(f"{name}: {value}" for name, value in zip(columns[1:], row[1:], strict=True)))
        for row in rows
    ]


def hit_lines(rank: int, hit: MemoryHit | EpisodeHit, watch: Watch) -> str:
    """What was found, as lines."""
    return _memory_hit(rank, hit, watch) if isinstance(hit, MemoryHit) else _episode_hit(rank, hit, watch)


def _memory_hit(rank: int, hit: MemoryHit, watch: Watch) -> str:
    memory = hit.memory
    facts = [
        memory.kind.value,
        *([] if hit.summary is None else [f"summary of {hit.summary.items:,}: expand shows them"]),
        f"score {hit.score:.3f}",
        f"relevance {hit.relevance:.2f}",
        watch.ago(memory.created_at),
        *([f"said in {words.listed(hit.refs)}"] if hit.refs else []),
        *standing(memory, watch),
    ]
    lesson = [f"lesson: {memory.lesson}"] if memory.lesson else []
    return block(f"{rank}. {hit.text}", " · ".join(facts), *lesson, hit.id)


def _episode_hit(rank: int, hit: EpisodeHit, watch: Watch) -> str:
    facts = [f"score {hit.score:.3f}", f"relevance {hit.relevance:.2f}", *_said(hit.episode, watch)]
    return block(f"{rank}. {who(hit.episode)}: {hit.text}", " · ".join(facts), hit.id)


def _memory_lines(memory: Memory, watch: Watch) -> str:
    facts = [
        memory.kind.value,
        memory.priority.value,
        watch.ago(memory.created_at),
        *standing(memory, watch),
    ]
    judged = [
        f"importance {words.importance(memory)}",
        f"emotions {words.emotions(memory)}",
        f"lesson {words.lesson(memory)}",
    ]
    return block(memory.essence, " · ".join(facts), " · ".join(judged), memory.id)


def _episode_lines(episode: Episode, watch: Watch) -> str:
    return block(f"{who(episode)}: {episode.content}", " · ".join(_said(episode, watch)), episode.id)


def item_lines(item: object, watch: Watch) -> str:
    """A memory or a message in a list."""
    if isinstance(item, Memory):
        return _memory_lines(item, watch)
    assert isinstance(item, Episode)
    return _episode_lines(item, watch)


def explanation(hit: MemoryHit | EpisodeHit, *, meanings: bool) -> Table:
    """The summands of a hit's score, which add up as shown, and with ``meanings`` what each says.

    What seldom moves a hit, and hardly ever the first, is explained wherever it does.
    """
    from rich.table import Table

    shown, total = words.rounded_to_sum(list(hit.terms.values()), 3)
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 1, 0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for name, points in zip(hit.terms, shown, strict=True):
        told = meanings or (name in _RARE and points != 0)
        table.add_row(f"{points:.3f}", name, MEANINGS[name] if told else "")
    table.add_row(f"{total:.3f}", "= score", "")
    return table


def standing(memory: Memory, watch: Watch) -> list[str]:
    """What sets a memory apart from an ordinary active one."""
    validity = watch.validity(memory)
    facts = [validity] if validity else []
    if memory.mark:
        facts.append(memory.mark)
    if memory.learned_from is not None:
        facts.append(f"learned from {memory.learned_from}, source {memory.source_trust}")
    if memory.state.value != "active":
        facts.append(memory.state.value)
    if memory.superseded_by:
        facts.append(f"superseded by {memory.superseded_by}")
    if memory.reinforcement_count > 1:
        facts.append(f"confirmed {words.counted(memory.reinforcement_count - 1, 'time')}")
    if memory.version > 1:
        facts.append(f"wording {memory.version}")
    if memory.pinned:
        facts.append("pinned")
    return facts


def who(episode: Episode) -> str:
    """The speaker, or the role where nobody is named."""
    from reverie.client import shown_name  # only where a bank is read: it loads numpy

    return shown_name(episode.speaker) or episode.role.value


def block(first: str, *more: str) -> str:
    """Lines that belong together: the first stands out by being first, the rest is set in."""
    indent = "   "
    head = first.replace("\n", "\n" + indent)
    return "\n".join([head, *(indent + line.replace("\n", "\n" + indent) for line in more)])


def _said(episode: Episode, watch: Watch) -> list[str]:
    return [
        watch.ago(episode.time),
        episode.conversation,
        *([f"ref {episode.ref}"] if episode.ref else []),
    ]
