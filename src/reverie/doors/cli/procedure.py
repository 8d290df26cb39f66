"""procedure: a named workflow, its steps, and how it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from reverie.domain.procedure import Procedure
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Its name. Without one, all are listed.", show_default=False),
]
Steps = Annotated[
    options.Names,
    typer.Option("--step", metavar="TEXT", help="A step; give it once for each, in order."),
]
Outcome = Annotated[
    str | None, typer.Option("--outcome", metavar="success|failure", help="How following it went.")
]
Note = Annotated[str | None, typer.Option("--note", help="What there is to say of the outcome.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "procedure")(procedure)


def procedure(
    door: Door,
    name: Name = None,
    steps: Steps = None,
    outcome: Outcome = None,
    note: Note = None,
    scope: options.Scopes = None,
    tags: options.TagsOf = None,
    lesson: options.Lesson = None,
    override: options.Override = False,
) -> Code:
    """Keep a named workflow, record how it went, or show it; without a name, list all.

    For example:
      reverie procedure release --step "run the tests" --step "tag" --step "push the tag"
      reverie procedure release --outcome failure --note "the tag was there"
      reverie procedure release

    Steps for a name that is there replace the old ones, which stay in its history. One that ever succeeded
    is proven: it is suggested first, and never archived. Exit code 1 if there is no such procedure.
    """
    given = {"steps": steps, "outcome": outcome, "note": note, "lesson": lesson}
    if name is None:
        for option, value in {**given, "scope": scope, "tags": tags}.items():
            if value is not None:
                raise InvalidInput(option, "no procedure is named", "give its NAME")
        return _list(door)
    with door.agent_opened(make=bool(steps)) as agent:
        found = agent.procedures.record(name, **given, scope=scope or (), tags=tags or (), override=override)  # type: ignore[arg-type]  # each by its own type
        _show(door, [found], Watch.of(agent), one=True)
    return Code.DONE


def _list(door: Door) -> Code:
    with door.agent_opened() as agent:
        found = agent.procedures.list()
        _show(door, found, Watch.of(agent), one=False)
    return Code.DONE if found else Code.NOTHING


def _show(door: Door, found: Sequence[Procedure], watch: Watch, *, one: bool) -> None:
    if door.out.as_json:
        door.out.document(found[0] if one else found)
    elif found:
        door.out.show(*(_lines(each, watch) for each in found))
    else:
        door.out.say("There are no procedures.")


def _lines(one: Procedure, watch: Watch) -> str:
    went = [words.counted(one.steps.success_count, "success", "successes")]
    went.append(words.counted(one.steps.failure_count, "failure"))
    facts = [", ".join(went), watch.ago(one.memory.created_at), *tables.standing(one.memory, watch)]
    steps = (f"{number}. {step}" for number, step in enumerate(one.steps.steps, 1))
    return tables.block(one.name, *steps, " · ".join(facts), one.id)
