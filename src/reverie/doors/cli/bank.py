"""init, stats, check: the bank file or database itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.agent import Agent as Profile
from reverie.domain.job import JobState
from reverie.doors.cli import diagnosis, options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_PROFILE = "The agent's profile"


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    verb(app, "init")(init)
    verb(app, "stats")(stats)
    verb(app, "check")(check)


def init(
    door: Door,
    time_zone: Annotated[
        str | None,
        typer.Option(
            "--time-zone",
            metavar="NAME",
            help="Such as Europe/Budapest. Default: UTC.",
            rich_help_panel=_PROFILE,
        ),
    ] = None,
    principals: Annotated[
        options.Names,
        typer.Option(
            "--principal",
            metavar="NAME",
            help="A person whose word counts; may be repeated.",
            rich_help_panel=_PROFILE,
        ),
    ] = None,
    home: Annotated[
        str | None, typer.Option("--home", help="Where the agent lives.", rich_help_panel=_PROFILE)
    ] = None,
    location: Annotated[
        str | None, typer.Option("--location", help="Where it is now.", rich_help_panel=_PROFILE)
    ] = None,
) -> Code:
    """Make a bank file, or set an agent's profile in one that is there.

    For example:
      reverie init
      reverie init --bank team.bank --agent mama --time-zone Europe/Budapest --principal Anna

    The first bank makes your key file, which only you can read. Keep a copy of it in a safe place:
    without the key nobody can open the bank.
    """
    path = door.path
    new = path is not None and not path.exists()  # a database on a server is made by `postgres init`
    with door.opened(make=True) as reverie:
        agent = reverie.agent(
            door.agent_id, time_zone=time_zone, principals=principals, home=home, location=location
        )
        _show_made(door, reverie, agent, new=new)
    return Code.DONE


def _show_made(door: Door, reverie: Reverie, agent: Agent, *, new: bool) -> None:
    from reverie.client import default_key_file

    info, profile = reverie.info(), agent.profile
    if door.out.as_json:
        door.out.document({"made": new, "store": info, "agent": profile})
        return
    cipher = "encrypted" if info.encrypted else "not encrypted"
    done = "made" if new else "already there:"
    door.out.show(f"{done} {info.where} ({cipher}), agent {profile.id}, time zone {profile.time_zone}")
    if new and info.encrypted:
        door.out.say("Keep a copy of the key in a safe place: without it nobody can open this bank.")
        if not door.keyring:
            door.out.say(f"Unless REVERIE_KEY is set, it is {default_key_file()}.")


def stats(door: Door) -> Code:
    """Say how much there is, and how the bank stands.

    For example:
      reverie stats --agent mama
      reverie stats --json

    Zeros for an agent that has never written.
    """
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        if door.out.as_json:
            door.out.document({"agents": reverie.agents(), "stats": agent.stats()})
        else:
            door.out.show(tables.pairs(_numbers(reverie, agent)))
    return Code.DONE


def _numbers(reverie: Reverie, agent: Agent) -> list[tuple[str, str]]:
    agents, found, watch = reverie.agents(), agent.stats(), Watch.of(agent)
    store = found.store
    beside = (
        words.counted(found.soul, "soul entry", "soul entries"),
        words.counted(found.procedures, "procedure"),
        words.counted(found.open_goals, "open goal"),
        words.counted(found.diary, "diary page"),
        words.counted(found.relationships, "relationship"),
        words.counted(found.summaries, "summary", "summaries"),
    )
    waiting = words.counted(found.waiting, "conversation")
    queued = f", {words.counted(found.queued, 'write')} waiting for it" if found.queued else ""
    return [
        ("file" if store.engine == "sqlite" else "database", f"{store.where}, {words.size(store.bytes)}"),
        ("encrypted", "yes" if store.encrypted else "no"),
        ("engine", f"{store.engine}, schema {store.schema}, synchronous {store.synchronous}"),
        ("agents", words.listed(agents)),
        ("agent", f"{found.agent.id}, time zone {found.agent.time_zone}{_paused(found.agent, watch)}"),
        ("memories", f"{found.memories:,}, about {words.counted(found.tokens, 'token')}"),
        ("by kind", words.tally(found.kinds)),
        ("by state", words.tally(found.states)),
        ("episodes", f"{found.episodes:,}"),
        ("conversations", f"{found.conversations:,}"),
        ("speakers", words.tally(found.speakers)),
        ("beside them", ", ".join(beside)),
        ("to be read", f"{waiting}, {len(found.parked):,} after a failure"),
        ("to be slept on", words.counted(found.unslept, "message")),
        ("self-care", _weight(found.observation_tokens, found.live, due=found.self_care_due)),
        *((f"job {job.job}", _job(job, watch)) for job in found.jobs),
        *(
            [
                (
                    "models",
                    f"{words.counted(found.spent.calls, 'call')}, {found.spent.tokens:,} tokens in 24 hours",
                )
            ]
            if found.spent.calls
            else []
        ),
        ("counted", words.tally(found.counters)),
        ("embedder", (found.embedder or "none yet") + queued),
    ]


def _weight(tokens: int, live: int, *, due: bool) -> str:
    """What self-care relieves the agent of."""
    told = f"{tokens:,} tokens of observations, {words.counted(live, 'live message')}"
    return f"{told}; due: reverie self-care" if due else told


def _paused(agent: Profile, watch: Watch) -> str:
    return f", paused since {watch.time(agent.paused_at)}" if agent.paused_at is not None else ""


def _job(job: JobState, watch: Watch) -> str:
    last = f"last {watch.ago(job.last_at)}" if job.last_at else "never yet"
    failed = f", failed {job.failures:,} times since ({job.note})" if job.failures else ""
    return last + failed + (f", again at {watch.time(job.parked_until)}" if job.parked_until else "")


def check(door: Door) -> Code:
    """Verify the bank file, page by page, or what Reverie relies on in a database. Exit code 3 if anything is wrong.

    For example:
      reverie check --bank team.bank

    Nothing is mended: restore a backup of a file that has faults.
    """
    with door.opened() as reverie:
        info = reverie.info()
        found = diagnosis.of(info.where, reverie.check(), on_server=info.engine != "sqlite")
        if door.out.as_json:
            door.out.document(found.document())
        else:
            door.out.show(*found.lines())
            if found.faults:
                door.out.say(found.advice)
    return Code.NO_BANK if found.faults else Code.DONE
