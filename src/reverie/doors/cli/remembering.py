"""Write and delete memories: remember, revise, adopt, approve, forget; goals and procedures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from reverie.domain.goal import Goal
from reverie.domain.memory import Memory
from reverie.domain.outcome import Forgot, Inserted, Queued, Reinforced, Remembered
from reverie.domain.procedure import Procedure
from reverie.domain.revision import CLEARABLE
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command, given
from reverie.doors.cli.options import (
    Importance,
    Lesson,
    MemoryId,
    Names,
    Override,
    PriorityOf,
    Reason,
    Scopes,
    Tags,
    Text,
    Worth,
    Yes,
    argument,
    option,
)  # fmt: skip
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent

_TARGET = "What to forget (exactly one)"
_MOST_TOLD = 20


@command("remember")
def remember(
    door: Door,
    essence: Annotated[str, argument("ESSENCE", "The insight, concise and factual.")],
    source_episodes: Annotated[
        Names, option("--source", "A message that it comes from; repeatable.", "ID")
    ] = None,
    supersedes: Annotated[
        Names, option("--supersedes", "A memory that it replaces; repeatable.", "ID")
    ] = None,
    pinned: Annotated[bool, option("--pinned", "Never archive it.")] = False,
    time: Annotated[Text, option("--time", "When it was learned. Default: now.", "TIME")] = None,
    override: Override = False,
    *,
    worth: Worth,
) -> Code:
    """Store an insight, or reinforce the memory that says the same.

    For example:
      reverie remember "Anna is allergic to nuts" --kind fact --importance 0.9
      reverie remember "Write, don't call before nine" --kind preference --lesson "Send a message first"

    Emotions and importance are judged from the text unless you give them; a lesson only by a language model. What
    nobody judged stays "not yet judged". Prints the id of the memory.
    """
    fields: dict[str, Any] = given(worth) | {
        "source_episodes": source_episodes or (), "supersedes": supersedes or (), "pinned": pinned, "time": time,
    }  # fmt: skip
    outcome = door.opened(make=True).remember(essence, override=override, **fields)
    match outcome:
        case Inserted():
            notes = [f"close to {other}, but it says something else; both are kept" for other in outcome.near]
            return _remembered(door, outcome, {"near": outcome.near}, notes)
        case Reinforced():
            note = f"it was known already (similarity {outcome.similarity:.2f}): {outcome.memory.essence}"
            return _remembered(door, outcome, {"similarity": outcome.similarity}, [note])
        case Queued():
            note = "the embedder failed just now: it waits in the bank, and is stored once the embedder works"
            return _remembered(door, outcome, {}, [note])


def _remembered(door: Door, outcome: Remembered, more: dict[str, object], notes: Sequence[str]) -> Code:
    name = type(outcome).__name__.lower()
    verb = "remembered" if name == "inserted" else name
    code = door.tell({"outcome": name, "memory": outcome.memory, **more}, f"{verb} {outcome.memory.id}")
    for note in notes:
        door.out.say(note)
    return code


@command("revise")
def revise(
    door: Door,
    id: MemoryId,
    essence: Annotated[Text, argument("[ESSENCE]", "The new wording.")] = None,
    pinned: Annotated[bool | None, option("--pinned/--not-pinned", "Never archive it.")] = None,
    time: Annotated[
        Text, option("--time", "Since when the new wording is believed. Default: now.", "TIME")
    ] = None,
    clear: Annotated[
        Names, option("--clear", f"Empty a field: {', '.join(sorted(CLEARABLE))}.", "FIELD")
    ] = None,
    reason: Reason = None,
    override: Override = False,
    *,
    worth: Worth,
) -> Code:
    """Correct a memory under its old id; `recall --as-of` still finds the old wording.

    For example:
      reverie revise 0199c2f0-… "Anna lives in Lisbon" --reason "she moved"
      reverie revise 0199c2f0-… --importance 0.8 --clear lesson

    What you don't name stays as it is. Exit code 1 if there is no such id.
    """
    fields: dict[str, Any] = given(worth) | {
        "essence": essence, "pinned": pinned, "time": time, "clear": clear or (),
    }  # fmt: skip
    memory = door.opened().revise(id, override=override, reason=reason, **fields)
    return door.tell(memory, f"revised {memory.id}, wording {memory.version}: {memory.essence}")


@command("adopt")
def adopt(door: Door, id: MemoryId, reason: Reason = None) -> Code:
    """Vouch for a memory that came from elsewhere, so that it may instruct the agent.

    For example:
      reverie adopt 0199c2f0-… --reason "it stands in our handbook"

    What tools, web pages and other people say never instructs by itself. Read it first: `reverie show ID`. Exit code
    1 if there is no such id.
    """
    agent = door.opened()
    agent.get(id)  # a link's id is refused: by that all of the link would be adopted
    agent.adopt(id, reason=reason)
    memory = agent.portrait(id).memory
    return door.tell(memory, f"adopted {memory.id}: {memory.essence}")


@command("approve")
def approve(door: Door, id: MemoryId, reason: Reason = None) -> Code:
    """Vouch for the wording of a memory that waits for approval.

    For example:
      reverie list --review
      reverie approve 0199c2f0-…

    A language model worded it, and a check against its sources left a doubt. Until you approve it, it is marked
    "unconfirmed" and instructs nobody. Read it first: `reverie show ID`. To change the wording, use `reverie revise`.
    Exit code 1 if there is no such id.
    """
    memory = door.opened().approve(id, reason=reason)
    return door.tell(memory, f"approved {memory.id}: {memory.essence}")


@command("forget")
def forget(
    door: Door,
    id: Annotated[Text, argument("[ID]", "A memory or a message.")] = None,
    conversation: Annotated[Text, option("--conversation", "A whole conversation.", "ID", _TARGET)] = None,
    since: Annotated[Text, option("--since", "All from this time on.", "TIME", _TARGET)] = None,
    until: Annotated[Text, option("--until", "All before this time.", "TIME", _TARGET)] = None,
    everything: Annotated[bool, option("--everything", "All of this agent.", None, _TARGET)] = False,
    yes: Yes = False,
) -> Code:
    """Delete for good: rows, vectors, indexes, history. The same text isn't learned again.

    For example:
      reverie forget 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e
      reverie forget --conversation chat-1 --yes
      reverie forget --since 2026-11-20 --until 2026-11-21

    A memory takes the messages along that hold only it; a message takes the memories along that rest on it alone. The
    receipt says what was deleted, and which remaining messages repeat it, as far as their words show. On a terminal
    you are asked first; elsewhere --yes is needed.
    """
    ranged = since is not None or until is not None
    if sum((id is not None, conversation is not None, ranged, everything)) != 1:
        remedy = "give an ID, --conversation, --since/--until or --everything"
        raise InvalidInput("forget", "it needs exactly one target", remedy)
    agent = door.opened()
    if not yes and not door.agreed(f"Forget {_what(agent, id, conversation, since, until)}?", "forget"):
        return door.declined("forgotten")
    receipt = agent.forget(id, conversation=conversation, since=since, until=until, everything=everything)
    return door.tell(receipt, lambda: [tables.pairs(_receipt(receipt))])


def _what(
    agent: Agent, id: str | None, conversation: str | None, since: str | None, until: str | None
) -> str:
    if id is not None:
        found = agent.get(id)
        return f"“{found.essence if isinstance(found, Memory) else found.content}”"
    if conversation is not None:
        return f"conversation {conversation!r} and what was learned from it alone"
    if since is not None or until is not None:
        return f"what {agent.id!r} heard and learned from {since or 'the beginning'} until {until or 'now'}"
    return f"everything that {agent.id!r} remembers"


def _receipt(receipt: Forgot) -> list[tuple[str, str]]:
    also = (
        (receipt.soul, "soul entry", "soul entries"), (receipt.diary, "diary page", None),
        (receipt.relationships, "relationship", None), (receipt.summaries, "summary", None),
        (receipt.items, "item", None),
    )  # fmt: skip
    gone = [
        words.memories(len(receipt.memories)),
        words.counted(len(receipt.episodes), "message"),
        words.counted(len(receipt.conversations), "conversation"),
        *(words.counted(len(ids), noun, plural) for ids, noun, plural in also if ids),
        *([f"{receipt.queued:,} that waited for the embedder"] if receipt.queued else []),
    ]
    rewritten = words.counted(len(receipt.rewritten_episodes), "message")
    rows = [("forgotten", ", ".join(gone)), ("rewritten", f"{rewritten} that held more than that")]
    if receipt.whole_episodes:
        whole = words.counted(len(receipt.whole_episodes), "message")
        rows.append(("whole", f"{whole} that held more: the embedder failed"))
    if receipt.reactivated_memories or receipt.reopened_episodes:
        memories = words.memories(len(receipt.reactivated_memories))
        messages = words.counted(receipt.reopened_episodes, "message")
        rows.append(("no longer summarized", f"{memories}, {messages}"))
    if receipt.reworded_memories:
        rows.append(("reworded", f"{words.memories(len(receipt.reworded_memories))} without it"))
    rows += [
        ("unlinked", f"{words.memories(len(receipt.unlinked_memories))} that lost a source"),
        ("not learned again", words.counted(receipt.tombstones, "text")),
    ]
    if not receipt.searched:
        missed = "not looked up, the bank could not be searched: try `reverie recall --episodes`"
        rows.append(("still told", missed))
    if receipt.still_told:
        shown, more = receipt.still_told[:_MOST_TOLD], len(receipt.still_told) - _MOST_TOLD
        count = words.counted(len(receipt.still_told), "message")
        head = f"{count} left, by the words: look with `reverie show ID`, then `reverie forget ID`"
        rows += [("still told", head), *(("", one) for one in shown)]
        rows += [("", f"and {more:,} more (all with --json)")] if more > 0 else []
    return [*rows, ("outside our reach", words.listed(receipt.elsewhere))]


Due = Annotated[
    Text,
    option(
        "--due",
        'When it falls due: 2026-12-03T09:00, a date (at its end), or words that name one time: "tomorrow at nine", '
        '"Friday 5pm", "3 December", "in two weeks".',
        "TIME",
    ),
]
GoalId = Annotated[str, argument("ID", "The goal's id.")]
Note = Annotated[Text, option("--note", "What there is to say of it.")]


@command("goals list")
def goals_list(
    door: Door, achieved: Annotated[bool, option("--achieved", "Those that were reached.")] = False
) -> Code:
    """List the open goals, oldest first.

    For example:
      reverie goals list
      reverie goals list --achieved

    Exit code 1 if there is none.
    """
    agent = door.opened()
    watch = door.watch(agent)
    none = "No goal was reached yet." if achieved else "No goal is open: `reverie goals add` adds one."
    return door.list(agent.goals.list(achieved=achieved), lambda goal: _goal(goal, watch), none)


@command("goals add")
def goals_add(
    door: Door, text: Annotated[str, argument("TEXT", "What is to be reached.")], importance: Importance = None,
    priority: PriorityOf = None, tags: Tags = None, due: Due = None, override: Override = False,
) -> Code:  # fmt: skip
    """Store a goal, or reinforce the one that says the same.

    For example:
      reverie goals add "Run the Lisbon marathon" --importance 0.8
      reverie goals add "Hand in the report" --due 2026-12-03

    One that was completed before is open again.
    """
    fields: dict[str, Any] = {"importance": importance, "priority": priority, "tags": tags or (), "due": due}
    return _tell_goal(door, door.opened(make=True).goals.add(text, override=override, **fields), "open")


@command("goals due")
def goals_due(
    door: Door, until: Annotated[Text, option("--until", "What falls due before this time.", "TIME")] = None
) -> Code:
    """List the open goals that fall due, soonest first: reminders that were asked for, and deadlines.

    For example:
      reverie goals due
      reverie goals due --until 2026-12-04 --json

    What is overdue comes first. Exit code 1 if there is none.
    """
    agent = door.opened()
    watch = door.watch(agent)
    return door.list(agent.due(until), lambda goal: _goal(goal, watch), "Nothing is due.")


@command("goals postpone")
def goals_postpone(
    door: Door,
    id: GoalId,
    due: Annotated[str, argument("TIME", "When it falls due, as for goals add --due; none: at no time.")],
) -> Code:
    """Let a goal fall due at another time.

    For example:
      reverie goals postpone 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e 2026-12-10
      reverie goals postpone 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e "in two weeks"

    Exit code 1 if there is no such id.
    """
    agent = door.opened()
    goal = agent.goals.postpone(id, None if due == "none" else due)
    return door.tell(goal, _goal(goal, door.watch(agent)))


@command("goals complete")
def goals_complete(door: Door, id: GoalId, note: Note = None) -> Code:
    """Note that a goal is reached.

    For example:
      reverie goals complete 0199c2f0-… --note "in 4 h 12"

    Exit code 1 if there is no such id.
    """
    return _tell_goal(door, door.opened().goals.complete(id, note=note), "achieved")


@command("goals reopen")
def goals_reopen(door: Door, id: GoalId) -> Code:
    """Open a goal again that was completed or archived.

    For example:
      reverie goals reopen 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    Exit code 1 if there is no such id.
    """
    return _tell_goal(door, door.opened().goals.reopen(id), "open")


def _tell_goal(door: Door, goal: Goal, state: str) -> Code:
    return door.tell(goal, f"{state} {goal.id}: {goal.memory.essence}")


def _goal(goal: Goal, watch: Watch) -> str:
    reached = []
    if goal.achieved is not None:
        note = f": {goal.achieved.note}" if goal.achieved.note else ""
        reached = [f"achieved {watch.ago(goal.achieved.at)}{note}"]
    facts = f"{goal.memory.priority} · {watch.ago(goal.memory.created_at)}"
    due = [] if goal.due is None else [f"due {watch.ago(goal.due)}"]
    return tables.block(goal.memory.essence, facts, *due, *reached, goal.id)


ProcedureName = Annotated[str, argument("NAME", "The procedure's name.")]


@command("procedures list")
def procedures_list(door: Door) -> Code:
    """List the procedures, in order of name.

    For example:
      reverie procedures list

    Exit code 1 if there is none.
    """
    agent = door.opened()
    watch = door.watch(agent)
    none = "There are no procedures: `reverie procedures add` adds one."
    return door.list(agent.procedures.list(), lambda one: _procedure(one, watch), none)


@command("procedures show")
def procedures_show(door: Door, name: ProcedureName) -> Code:
    """Show a procedure: its steps, and how often following it went well.

    For example:
      reverie procedures show release

    Exit code 1 if there is no such procedure.
    """
    agent = door.opened()
    found = agent.procedures.get(name)
    return door.tell(found, lambda: [_procedure(found, door.watch(agent))])


@command("procedures add")
def procedures_add(
    door: Door, name: ProcedureName,
    steps: Annotated[Names, option("--step", "A step; repeat it for each, in order.", "TEXT")] = None,
    scope: Scopes = None, tags: Tags = None, lesson: Lesson = None, override: Override = False,
) -> Code:  # fmt: skip
    """Store a named workflow.

    For example:
      reverie procedures add release --step "run the tests" --step "tag" --step "push the tag"

    Steps for a known name replace the old ones, which stay in its history.
    """
    if not steps:
        raise InvalidInput("--step", "a procedure needs steps", "give --step for each, in order")
    agent = door.opened(make=True)
    found = agent.procedures.record(
        name, steps, scope=scope or (), tags=tags or (), lesson=lesson, override=override
    )
    return door.tell(found, lambda: [_procedure(found, door.watch(agent))])


@command("procedures record")
def procedures_record(
    door: Door, name: ProcedureName, outcome: Annotated[str, argument("OUTCOME", "success or failure.")],
    note: Note = None,
) -> Code:  # fmt: skip
    """Record how following a procedure went.

    For example:
      reverie procedures record release failure --note "the tag existed already"

    A procedure that ever succeeded is suggested first, and never archived. Exit code 1 if there is no such procedure.
    """
    agent = door.opened()
    found = agent.procedures.record(name, outcome=outcome, note=note)
    return door.tell(found, lambda: [_procedure(found, door.watch(agent))])


def _procedure(one: Procedure, watch: Watch) -> str:
    counts = one.steps
    went = words.counted(counts.success_count, "success", "successes")
    failed = words.counted(counts.failure_count, "failure")
    facts = [f"{went}, {failed}", watch.ago(one.memory.created_at), *tables.standing(one.memory, watch)]
    steps = (f"{number}. {step}" for number, step in enumerate(counts.steps, 1))
    return tables.block(one.name, *steps, " · ".join(facts), one.id)
