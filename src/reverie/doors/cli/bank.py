"""init, stats, check: the bank file itself."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb

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
    from reverie.client import default_key_file

    path = door.path
    new = path is None or not path.exists()
    with door.opened(make=True) as reverie:
        agent = reverie.agent(
            door.agent_id, time_zone=time_zone, principals=principals, home=home, location=location
        )
        info, profile = reverie.info(), agent.profile
    if door.out.as_json:
        door.out.document({"made": new, "store": info, "agent": profile})
        return Code.DONE
    cipher = "encrypted" if info.encrypted else "not encrypted"
    done = "made" if new else "already there:"
    door.out.show(f"{done} {info.where} ({cipher}), agent {profile.id}, time zone {profile.time_zone}")
    if new and info.encrypted:
        door.out.say("Keep a copy of the key in a safe place: without it nobody can open this bank.")
        if not door.keyring:
            door.out.say(f"Unless REVERIE_KEY is set, it is {default_key_file()}.")
    return Code.DONE


def stats(door: Door) -> Code:
    """Say how much there is, and how the bank stands.

    For example:
      reverie stats --agent mama
      reverie stats --json

    Zeros for an agent that has never written.
    """
    with door.opened() as reverie:
        agents = list(reverie.agents())
        found = reverie.agent(door.agent_id).stats()
    if door.out.as_json:
        door.out.document({"agents": agents, "stats": found})
        return Code.DONE
    store = found.store
    rows = [
        ("file", f"{store.where}, {words.size(store.bytes)}"),
        ("encrypted", "yes" if store.encrypted else "no"),
        ("engine", f"{store.engine}, schema {store.schema}, synchronous {store.synchronous}"),
        ("agents", words.listed(agents)),
        ("agent", f"{found.agent.id}, time zone {found.agent.time_zone}"),
        ("memories", f"{found.memories:,}"),
        ("by kind", words.tally(found.kinds)),
        ("by state", words.tally(found.states)),
        ("episodes", f"{found.episodes:,}"),
        ("conversations", f"{found.conversations:,}"),
        ("speakers", words.tally(found.speakers)),
        ("embedder", found.embedder or "none yet"),
    ]
    door.out.show(tables.pairs(rows))
    return Code.DONE


def check(door: Door) -> Code:
    """Verify the bank file, page by page. Exit code 3 if anything is wrong.

    For example:
      reverie check --bank team.bank

    Nothing is mended: restore a backup of a file that has faults.
    """
    with door.opened() as reverie:
        faults = list(reverie.check())
        where = reverie.info().where
    if door.out.as_json:
        door.out.document({"where": where, "ok": not faults, "faults": faults})
    else:
        door.out.show(*faults or [f"{where}: every page verifies"])
    return Code.NO_BANK if faults else Code.DONE
