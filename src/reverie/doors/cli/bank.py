"""The bank itself: init, profile, stats, check, audit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from reverie.domain.audit import AuditEntry
from reverie.domain.job import JobState
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.options import Names, Text, argument, option
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_MOST_SHOWN = 20
_PAGE = re.compile(r"\bpage (\d+)", re.IGNORECASE)
_TITLE = re.compile(r"\*\*\* in database \w+ \*\*\*")
_ADVICE = (
    "What to do: keep a copy of the file as it is, restore the last backup and open that. Without a backup:"
    " what `reverie list --json` and `reverie list --episodes --json` can still read can be stored in a new bank."
)
_SERVER_ADVICE = (
    "What to do: copy the agents that are well to another database (`reverie copy`), and the others from a backup."
    " PostgreSQL verifies its pages and disks itself: see pg_amcheck and pg_checksums."
)


@command("init")
def init(
    door: Door, time_zone: options.TimeZone = None, principals: options.Principals = None,
    home: options.Home = None, location: options.Location = None,
) -> Code:  # fmt: skip
    """Make a bank file, or set an agent's profile in an existing one.

    For example:
      reverie init
      reverie init --bank team.bank --agent mama --time-zone Europe/Budapest --principal Anna

    The first bank makes your key file, which only you can read. Keep a copy of it in a safe place: without the key
    nobody can open the bank.
    """
    from reverie.client import default_key_file

    path = door.path
    new = path is not None and not path.exists()  # a database on a server is made by `postgres init`
    reverie = door.reverie(make=True)
    agent = reverie.agent(
        door.agent_id, time_zone=time_zone, principals=principals, home=home, location=location
    )
    info, profile = reverie.info(), agent.profile
    cipher = "encrypted" if info.encrypted else "not encrypted"
    done = "made" if new else "already there:"
    code = door.tell(
        {"made": new, "store": info, "agent": profile},
        f"{done} {info.where} ({cipher}), agent {profile.id}, time zone {profile.time_zone}",
    )
    if new and info.encrypted:
        door.out.say("Keep a copy of the key in a safe place: without it nobody can open this bank.")
        if not door.keyring:
            door.out.say(f"Unless REVERIE_KEY is set, it is {default_key_file()}.")
    return code


@command("profile")
def profile(
    door: Door, time_zone: options.TimeZone = None, principals: options.Principals = None,
    home: options.Home = None, location: options.Location = None,
) -> Code:  # fmt: skip
    """Show the agent's profile, or set the parts that you give.

    For example:
      reverie profile --agent nova
      reverie profile --agent nova --home Lighthouse --location Harbour
      reverie profile --agent nova --home ""

    An agent that has a home practises self-care only there.
    """
    changes = any(value is not None for value in (time_zone, principals, home, location))
    agent = door.opened(make=changes)
    if changes:
        agent.set_profile(time_zone=time_zone, principals=principals, home=home, location=location)
    found = agent.profile
    rows = [
        ("agent", found.id),
        ("time zone", found.time_zone),
        ("principals", words.listed(found.principals)),
        ("home", found.home or "–"),
        ("location", found.location or "–"),
    ]
    if found.paused_at is not None:
        rows.append(("paused", f"since {door.watch(agent).time(found.paused_at)}"))
    return door.tell(found, lambda: [tables.pairs(rows)])


@command("stats")
def stats(door: Door) -> Code:
    """Show how much there is, and the state of the bank.

    For example:
      reverie stats --agent mama
      reverie stats --json

    Zeros for an agent that has never written.
    """
    reverie = door.reverie()
    agent = reverie.agent(door.agent_id)
    document = {"agents": reverie.agents(), "stats": agent.stats()} if door.out.as_json else None
    return door.tell(document, lambda: [tables.pairs(_numbers(reverie, agent, door.watch(agent)))])


def _numbers(reverie: Reverie, agent: Agent, watch: Watch) -> list[tuple[str, str]]:
    found = agent.stats()
    store, spent = found.store, found.spent
    counted = (
        (found.soul, "soul entry"), (found.procedures, "procedure"), (found.open_goals, "open goal"),
        (found.diary, "diary page"), (found.relationships, "relationship"), (found.summaries, "summary"),
        (found.items, "item"),
    )  # fmt: skip
    queued = f", {words.counted(found.queued, 'write')} waiting for it" if found.queued else ""
    paused = f", paused since {watch.time(found.agent.paused_at)}" if found.agent.paused_at else ""
    live = words.counted(found.live, "live message")
    weight = f"{found.observation_tokens:,} tokens of observations, {live}"
    if found.self_care_due:
        weight = f"{weight}; due: reverie self-care"
    models = f"{words.counted(spent.calls, 'call')}, {spent.tokens:,} tokens in 24 hours"
    return [
        ("file" if store.engine == "sqlite" else "database", f"{store.where}, {words.size(store.bytes)}"),
        ("encrypted", "yes" if store.encrypted else "no"),
        ("engine", f"{store.engine}, schema {store.schema}, synchronous {store.synchronous}"),
        ("agents", words.listed(reverie.agents())),
        ("agent", f"{found.agent.id}, time zone {found.agent.time_zone}{paused}"),
        ("memories", f"{found.memories:,}, about {words.counted(found.tokens, 'token')}"),
        ("by kind", words.tally(found.kinds)),
        ("by state", words.tally(found.states)),
        ("episodes", f"{found.episodes:,}"),
        ("conversations", f"{found.conversations:,}"),
        ("speakers", words.tally(found.speakers)),
        ("also", ", ".join(words.counted(*one) for one in counted)),
        (
            "to be read",
            f"{words.counted(found.waiting, 'conversation')}, {len(found.parked):,} after a failure",
        ),
        ("to be slept on", words.counted(found.unslept, "message")),
        ("self-care", weight),
        *((f"job {job.job}", _job(job, watch)) for job in found.jobs),
        *([("models", models)] if spent.calls else []),
        ("counted", words.tally(found.counters)),
        ("embedder", (found.embedder or "none yet") + queued),
    ]


def _job(job: JobState, watch: Watch) -> str:
    last = f"last {watch.ago(job.last_at)}" if job.last_at else "never yet"
    failed = f", failed {job.failures:,} times since ({job.note})" if job.failures else ""
    if job.is_dead:
        return f"{last}{failed}, not again by itself: `reverie retry`"
    return last + failed + (f", again at {watch.time(job.parked_until)}" if job.parked_until else "")


@command("check")
def check(door: Door) -> Code:
    """Verify the bank file, page by page, or what Reverie relies on in a database. Exit code 3 if anything is wrong.

    For example:
      reverie check --bank team.bank

    Nothing is repaired: restore a backup of a damaged file.
    """
    reverie = door.reverie()
    info = reverie.info()
    lines = (line.strip() for fault in reverie.check() for line in _TITLE.sub("", fault).splitlines())
    faults = [*dict.fromkeys(line for line in lines if line)]
    pages = sorted({int(number) for fault in faults for number in _PAGE.findall(fault)})
    on_server = info.engine != "sqlite"
    advice = (_SERVER_ADVICE if on_server else _ADVICE) if faults else None
    good = f"{info.where}: {'no fault found' if on_server else 'every page verifies'}"
    door.tell(
        {"where": info.where, "ok": not faults, "faults": faults, "pages": pages, "advice": advice},
        *(_faults(info.where, faults, pages) if faults else [good]),
    )
    if advice:
        door.out.say(advice)
    return Code.NO_BANK if faults else Code.DONE


def _faults(where: str, faults: list[str], pages: list[int]) -> list[str]:
    """Return the faults for people, at most 20 of them."""
    head = f"{where} is damaged: {words.counted(len(faults), 'fault')}"
    if pages:
        more = ", …" if len(pages) > _MOST_SHOWN else ""
        head = (
            f"{head}, in {'page' if len(pages) == 1 else 'pages'} {words.listed(pages[:_MOST_SHOWN])}{more}"
        )
    rest = len(faults) - _MOST_SHOWN
    left = [f"  … and {rest:,} more; --json has them all"] if rest > 0 else []
    return [head, *(f"  {fault}" for fault in faults[:_MOST_SHOWN]), *left]


@command("audit")
def audit(
    door: Door,
    target: Annotated[Text, argument("[ID]", "Only what concerns this id.")] = None,
    job: Annotated[Text, option("--sleep", "Only what this sleep did.", "ID")] = None,
    actor: Annotated[Text, option("--by", "Only what this one did.", "NAME")] = None,
    actions: Annotated[
        Names, option("--action", "Only such acts: revise, forget …; repeatable.", "ACT")
    ] = None,
    since: options.Since = None,
    until: options.Until = None,
    limit: Annotated[int, option("--limit", "At most this many.", "N", min=1, max=1_000)] = 20,
    oldest_first: Annotated[bool, option("--oldest-first", "In the order of time.")] = False,
    after: options.After = None,
) -> Code:
    """Show who changed what and when, with before and after; the latest first.

    For example:
      reverie audit
      reverie audit 0199c2f0-… --oldest-first
      reverie audit --action forget --since 2026-11-01

    Every write is logged but plain messages and counters. Of what was forgotten, only that fact remains. Exit code 1
    if nothing is found.
    """
    agent = door.opened()
    entries = agent.audit(
        target=target, job=job, actor=actor, actions=actions, since=since, until=until, limit=limit, after=after,
        newest_first=not oldest_first,
    )  # fmt: skip
    watch = door.watch(agent)
    return door.list(
        entries, lambda entry: _entry(entry, watch), "nothing like that was changed", limit=limit
    )


def _entry(entry: AuditEntry, watch: Watch) -> str:
    facts = [watch.ago(entry.at), f"by {entry.actor}", *([f"in job {entry.job}"] if entry.job else [])]
    why = [f"because {entry.reason}"] if entry.reason else []
    changes = tables.changes(entry.before, entry.after, watch)
    return tables.block(f"{entry.action} {entry.target}", " · ".join(facts), *why, *changes, entry.id)
