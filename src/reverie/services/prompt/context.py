"""Build the block for a prompt from what enters it unasked (s2): who the agent is, standing instructions, what is
relevant to the task, procedures that fit. Reading it touches nothing, else memory would feed on itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any

from reverie.domain.ask import MAX_BUDGET, MAX_QUERY_BYTES, checked_whole
from reverie.domain.block import ContextBlock, Entered, Layer
from reverie.domain.episode import Episode
from reverie.domain.gist import Gist
from reverie.domain.ids import checked_name
from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.procedure import Steps
from reverie.domain.query import Filter, Strategy
from reverie.domain.settings import Settings
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import Summary
from reverie.domain.text import at_most, checked_call, checked_text
from reverie.domain.time import micros, zone_of
from reverie.errors import InvalidInput, NotFound
from reverie.memory.prompt import (
    BASELINE_KINDS,
    BASELINE_PRIORITIES,
    LAYERS,
    BlockLine,
    Budgets,
    Cost,
    Count,
    Layers,
    LineEstimate,
    Person,
    RankedLines,
    Situation,
    about_now,
    activation,
    checked_count,
    filled_block,
    packed_lines,
    people_lines,
    said_lines,
)
from reverie.memory.quoting import may_be_summary
from reverie.memory.scoring import Question, memory_relevance
from reverie.ports.search import Floats, Probe, View
from reverie.ports.store import Unit
from reverie.services.prompt.answering import TaskAnswer, answering
from reverie.services.prompt.answering import read as read_said
from reverie.services.prompt.participants import checked_people, people
from reverie.services.prompt.scoped import checked_path
from reverie.services.runtime import Desk, read_again

MAX_SHOWN = 100_000
MOST_TASK = 4_000
"""Characters of a task that are looked at."""
_CANDIDATES = 100  # by meaning, and as many by words
_MOST_WEIGHED = 96
_PAGE = 25
"""Memories are read so many at a time, the most promising for the task first, until they would more than fill the
contextual layer.
"""
_BYTES_PER_TOKEN = 3
_BYTES_PER_COUNTED = 8  # a caller's counter may find fewer tokens
_MOST_PROCEDURES = 16
_ACTIVE = frozenset({State.ACTIVE})
_CONTEXTUAL_KINDS = frozenset(Kind) - {Kind.WORKFLOW}
_WORKFLOWS = frozenset({Kind.WORKFLOW})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Task:
    """What the block is for, made ready."""

    text: str
    vector: Floats | None  # None: the embedder fails, and words alone must do
    terms: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """What the layers are made of, all of one state of the bank."""

    rev: int
    soul: Sequence[SoulEntry]
    standing: Sequence[Gist]
    relevant: Sequence[Gist]
    fitting: Sequence[Gist]
    steps: Mapping[str, Steps]
    summaries: Mapping[str, Summary] = field(default_factory=dict)
    people: Sequence[Person] = ()
    zone: tzinfo = UTC
    answers: Sequence[TaskAnswer] = ()
    due: RankedLines = activation.NOTHING
    said_here: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Arranged:
    """A block with its lines in the order in which they stand."""

    block: ContextBlock
    lines: tuple[BlockLine, ...]


def context(
    desk: Desk,
    agent_id: str,
    task: str | None = None,
    *,
    max_tokens: int | None = None,
    path: str | None = None,
    conversation: str | None = None,
    with_: Iterable[str] | None = None,
    quote: Iterable[str] | None = None,
    shown: Iterable[Entered] = (),
    tokens: Callable[[str], int] | None = None,
) -> ContextBlock:
    """Return the block, at most ``max_tokens`` tokens (None: ``Settings.context.tokens``) beside the identity's own.

    ``task``: what the prompt is about; None: the last messages of ``conversation``, the newest first. ``path``: the
    file that is worked on. What is scoped to others stays out, what is scoped to it counts as relevant. Without a path,
    scoped memories enter for the task alone, and say for what they hold. With none of the three there is nothing to be
    relevant to, and only identity, baseline and what is due enter.
    ``with_``: who takes part (None: who has spoken in ``conversation``). How the agent sees those to whom it has
    assigned something enters, in ``Settings.context.relationship_tokens`` at most, the last who spoke first.
    ``quote``: the conversations whose messages may be quoted (None: all). If ``conversation`` isn't one of them, it
    stands in the prompt itself, and memories that quote it stay out, too.
    ``shown``: what entered earlier blocks that stand in the prompt still; the same lines don't enter again, nor do
    quotations whose words stand in them.
    Of a task longer than MOST_TASK characters, its beginning and its end count (``cut_task``).
    ``tokens``: the caller's counter (None: the built-in estimate), which is asked for the whole text in the end.

    The same bank gives the same text at any time, but for memories that begin or cease to be valid, and goals that are
    due, which change with the agent's local day alone: those of today and tomorrow enter, and those of the last
    ``memory.prompt.OVERDUE_DAYS`` that aren't done. Raise InvalidInput, NotFound (the conversation), EmbedderMismatch.
    """
    made = arranged(
        desk, agent_id, task, max_tokens=max_tokens, path=path, conversation=conversation, with_=with_, quote=quote,
        stands=_standing(shown), tokens=tokens,
    )  # fmt: skip
    return made.block


@read_again
def arranged(
    desk: Desk,
    agent_id: str,
    task: str | None,
    *,
    max_tokens: int | None,
    path: str | None,
    conversation: str | None,
    with_: Iterable[str] | None = None,
    quote: Iterable[str] | None = None,
    stands: Set[tuple[str, str]] = frozenset(),
    tokens: Callable[[str], int] | None,
) -> Arranged:
    """Return the block as ``context`` has it, with its lines. ``stands``: ids and texts of those that are shown."""
    most = desk.settings.context.tokens if max_tokens is None else max_tokens
    checked_whole(most, "max_tokens", 0, MAX_BUDGET)
    checked_call(tokens, "tokens", "give a function of a text")
    names = checked_people(with_)
    among = None if quote is None else frozenset(checked_name(one, "quote") for one in quote)
    at_hand = _at_hand(desk, agent_id, conversation)
    asked = _task(desk, task, conversation, at_hand)
    around = Situation(
        now=desk.clock(),
        path=None if path is None else checked_path(path),
        least_relevance=desk.settings.context.relevance,
        threshold=desk.settings.context.threshold,
    )
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    # No unit is open meanwhile: a view may need a connection of its own.
    relevant = _relevant(view, asked, around, _CONTEXTUAL_KINDS, _MOST_WEIGHED)
    fitting = _relevant(view, asked, around, _WORKFLOWS, _MOST_PROCEDURES)
    here = {one.id for one in at_hand}  # they are in the prompt
    said: Sequence[tuple[str, float]] = ()
    if asked is not None and among != frozenset():
        said = answering(desk, agent_id, view, asked.text, asked.vector, around, here, among or frozenset())
    enough = most * (_BYTES_PER_TOKEN if tokens is None else _BYTES_PER_COUNTED)
    with desk.reading(agent_id) as unit:
        around = replace(around, zone=_zone(unit))
        dues = _dues(unit, around)
        read = _read(unit, relevant, fitting, around, enough, dues)
        read = replace(read, zone=around.zone, answers=read_said(unit, said))
        if among is not None and conversation is not None and conversation not in among:
            read = replace(read, said_here=_said_in(unit, conversation, read))
        if names or (names is None and conversation is not None):
            last = desk.settings.loop.snippet_messages
            known = people(unit, agent_id, names, conversation, last)
            read = replace(read, people=known)
    wanted = frozenset() if asked is None else frozenset(asked.terms)
    return _block(desk, read, relevant, fitting, around, most, tokens, wanted, stands)


def _standing(shown: Any) -> frozenset[tuple[str, str]]:
    """Return id and text of each line that an earlier block showed."""
    found = at_most(shown, MAX_SHOWN, "shown") if isinstance(shown, Iterable) else [shown]
    if not all(isinstance(one, Entered) for one in found):
        raise InvalidInput("shown", "it isn't what entered a block", "give [*block.entered]")
    return frozenset((one.id, one.text) for one in found)


def _said_in(unit: Unit, conversation: str, read: _Read) -> frozenset[str]:
    """Return the conversation's messages that memories quote, by id."""
    gists = (*read.standing, *read.relevant)
    quoted = {gist.quoted.episode for gist in gists if gist.quoted is not None}
    quoted |= {line.quotes[0] for line in read.due.lines if line.quotes is not None}
    found = unit.episodes.get(quoted)
    return frozenset(id for id, episode in found.items() if episode.conversation == conversation)


def _dues(unit: Unit, around: Situation) -> Mapping[str, datetime]:
    """Return what is due today or tomorrow, or has been for a few days, and isn't done."""
    dues = unit.dues.between(*about_now(around.now, around.zone))
    reached = unit.goals.achieved(dues) if dues else ()
    return {id: at for id, at in dues.items() if id not in reached}


def _zone(unit: Unit) -> tzinfo:
    agent = unit.agents.get()
    return UTC if agent is None else zone_of(agent.time_zone)


def _at_hand(desk: Desk, agent_id: str, conversation: str | None) -> Sequence[Episode]:
    """Return the conversation's last messages."""
    if conversation is None:
        return ()
    checked_name(conversation, "conversation")
    with desk.reading(agent_id) as unit:
        return unit.episodes.tail(conversation, desk.settings.loop.snippet_messages)


def _task(desk: Desk, task: str | None, conversation: str | None, at_hand: Sequence[Episode]) -> _Task | None:
    """Return what is given, else the messages ``at_hand``, newest first: an embedder reads a text's beginning. Raise
    NotFound where the conversation has none.
    """
    if task is not None:
        text = checked_text(task, "task", most_bytes=MAX_QUERY_BYTES)
    elif conversation is None:
        return None
    elif not at_hand:
        raise NotFound("conversation", conversation)
    else:
        text = "\n".join(episode.content for episode in reversed(at_hand))
    text = cut_task(text)
    return _Task(text=text, vector=desk.vector_of(text), terms=desk.terms_of(text))


def cut_task(text: str) -> str:
    """Return at most MOST_TASK characters of a task: of a longer one its beginning and its end. An embedder reads no
    more, and every word costs a look-up.
    """
    if len(text) <= MOST_TASK:
        return text
    half = MOST_TASK // 2
    return f"{text[:half]}\n{text[1 - half :]}"


def _relevant(
    view: View, task: _Task | None, around: Situation, kinds: frozenset[Kind], most: int
) -> Mapping[str, float]:
    """Return the active memories of these kinds that are most promising for the task, with their relevance, and those
    whose globs name the path: these count as relevant to it whatever their words.
    """
    where = Filter(kinds=kinds, states=_ACTIVE, scope=around.path)
    found = {} if task is None else _asked(view, task, around, where, most)
    if around.path is not None:
        named = _asked(view, task, around, replace(where, scoped=True), most)
        found |= {id: max(relevance, activation.SCOPED_RELEVANCE) for id, relevance in named.items()}
    return found


def _asked(view: View, task: _Task | None, around: Situation, where: Filter, most: int) -> dict[str, float]:
    """Return the most promising of what passes (without a task: of the latest), with relevance as recall reckons it;
    but for times that the task names, which would mean other days tomorrow.
    """
    probe = Probe(
        filter=where,
        now=around.now,
        vector=None if task is None else task.vector,
        terms=() if task is None else task.terms,
        limit=_CANDIDATES,
        labels=False,
        context=False,
    )
    found = view.memories(probe)
    if not found.ids:
        return {}
    question = Question(strategy=Strategy.HYBRID, now=micros(around.now), terms=len(probe.terms))
    relevance = activation.answerable(memory_relevance(found, question), around)
    best = activation.most_promising(found, relevance, around)[:most]
    return {found.ids[place]: float(relevance[place]) for place in best}


def _read(
    unit: Unit, relevant: Mapping[str, float], fitting: Mapping[str, float], around: Situation, enough: int,
    dues: Mapping[str, datetime],
) -> _Read:  # fmt: skip
    """Read what the layers are made of. ``enough``: so many bytes of what may fit are read for the contextual
    layer, or a page more. ``dues``: when goals are due that may enter for that.
    """
    due = [gist for gist in unit.memories.gists(dues).values() if gist.kind is Kind.GOAL] if dues else []
    now_due = activation.due(due, dues, around)
    standing = unit.memories.standing(BASELINE_KINDS, BASELINE_PRIORITIES)
    always = {gist.id for gist in standing if activation.always_enters(gist, around)}
    always |= {line.id for line in now_due.lines}
    promising = [id for id in relevant if id not in always]
    gists = dict(unit.memories.gists([*fitting, *promising[:_PAGE]]))
    workflows = [gists.pop(id) for id in fitting if id in gists]
    for start in range(_PAGE, len(promising), _PAGE):
        sizes = (len(gist.essence.encode()) for gist in gists.values())
        if sum(size for size in sizes if size <= enough // 2) >= enough:
            break
        gists |= unit.memories.gists(promising[start : start + _PAGE])
    told = [gist.id for gist in gists.values() if may_be_summary(gist.essence, gist.origin)]
    return _Read(
        rev=unit.agents.rev(),
        soul=unit.soul.list(),
        standing=standing,
        relevant=list(gists.values()),
        fitting=workflows,
        steps=unit.procedures.get(fitting) if fitting else {},
        summaries=unit.summaries.get(told) if told else {},
        due=now_due,
    )


def _block(
    desk: Desk,
    read: _Read,
    relevant: Mapping[str, float],
    fitting: Mapping[str, float],
    around: Situation,
    most: int,
    tokens: Callable[[str], int] | None,
    wanted: frozenset[str],
    stands: Set[tuple[str, str]],
) -> Arranged:
    baseline = activation.baseline(read.standing, around)
    at = activation.reckoned_at(read.relevant, around.now, (one.episode for one in read.answers))
    contextual = activation.contextual(read.relevant, relevant, around, at, read.summaries)
    said = said_lines([(one.episode, one.relevance) for one in read.answers], wanted, around, at)
    procedures = activation.procedures(read.fitting, read.steps, fitting, around)
    cost, count = _measures(desk, tokens)
    told_people = people_lines(
        read.people, read.zone, most=min(desk.settings.context.relationship_tokens, most), count=count
    )
    layers = Layers(
        identity=activation.identity(read.soul),
        baseline=baseline.lines,
        people=told_people.lines,
        due=read.due.lines,
        contextual=packed_lines((*contextual.lines, *said), (*baseline.lines, *read.due.lines)),
        procedures=procedures.lines,
    )
    layers, again = layers.without(
        lambda line: _is_shown(line, stands) or (line.quotes or ("",))[0] in read.said_here
    )
    made = filled_block(layers, budgets=_budgets(desk.settings, most), cost=cost, count=count)
    known = {one.id for one in made.entered} | {one.id for one in again}
    told = {  # what is scoped is no standing instruction, and may enter for the task
        left.id: left
        for each in (baseline, read.due, contextual, procedures)
        for left in each.left_out
        if left.id not in known
    }
    unused = (*made.left_out, *again, *told_people.left_out, *told.values())
    left_out = sorted(unused, key=lambda left: (LAYERS.index(left.layer), -left.score))
    block = ContextBlock(
        text=made.text,
        tokens=made.tokens,
        max_tokens=most,
        identity_tokens=made.identity_tokens,
        entered=made.entered,
        left_out=tuple(left_out),
        rev=read.rev,
    )
    return Arranged(block=block, lines=made.lines)


def _is_shown(line: BlockLine, stands: Set[tuple[str, str]]) -> bool:
    """Return whether a line stands in the prompt already. A quotation that only informs does with its words alone, as
    a memory or as what was said; a standing instruction doesn't with its words in a quotation.
    """
    if (line.id, line.text) in stands:
        return True
    if line.quotes is None or line.section.layer is not Layer.CONTEXTUAL:
        return False
    return any(line.quotes[1] in text for _, text in stands)


def _budgets(settings: Settings, most: int) -> Budgets:
    """Return the budgets. Procedures have the same share of every budget."""
    return Budgets(
        identity=settings.context.identity_tokens,
        block=most,
        procedures=min(settings.context.procedure_tokens * most // settings.context.tokens, most),
        most_procedures=activation.MOST_PROCEDURES,
    )


def _measures(desk: Desk, tokens: Callable[[str], int] | None) -> tuple[Cost, Count]:
    """Return what a part costs beside others, and what a whole text costs."""
    if tokens is None:
        estimate = LineEstimate(desk.embedder.count_tokens)
        return estimate, estimate
    count = partial(checked_count, tokens)
    of_any_text = count("")  # some counters add what a message costs: parts of one text pay that once
    return lambda text, _left: max(count(text) - of_any_text, 0), count
