"""postgres: init and scour, for whoever looks after a database on a server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from reverie.domain.database import Prepared
from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

_MOST_PASSWORD = 4_096

_HELP = """Prepare a PostgreSQL database for banks, and look after it.

Every other command takes the database's URL as its --bank."""

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="postgresql://user@host/database. The password: PGPASSWORD or ~/.pgpass, as for psql.",
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = grouped(app, "postgres", _HELP)
    verb(group, "init", shared=("as_json",))(init)
    verb(group, "scour", shared=("as_json",))(scour)


def init(
    door: Door,
    url: Url,
    app_role: Annotated[
        str | None,
        typer.Option(
            "--app-role", metavar="ROLE", help="Whom the application logs in as. Default: reverie_app."
        ),
    ] = None,
    owner_role: Annotated[
        str | None,
        typer.Option(
            "--owner-role",
            metavar="ROLE",
            help="Who owns the tables; nobody logs in. Default: reverie_owner.",
        ),
    ] = None,
    password_stdin: Annotated[
        bool,
        typer.Option("--password-stdin", help="Read the application role's new password from stdin."),
    ] = False,
    partitions: Annotated[
        int | None,
        typer.Option(
            "--partitions", metavar="N", help="Parts of the two large tables, for good. Default: 8."
        ),
    ] = None,
    dimensions: Annotated[
        list[int] | None,
        typer.Option(
            "--dimensions",
            metavar="N",
            help="Index vectors of so many dimensions; may be repeated. Default: 384, the built-in embedder's.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the SQL that would be run, and change nothing.")
    ] = False,
) -> Code:
    """Make a PostgreSQL database ready for banks, or bring it up to date. Safe to repeat.

    For example:
      reverie postgres init postgresql://postgres@db.example/memory
      reverie postgres init postgresql://postgres@db.example/memory --password-stdin < password.txt
      reverie postgres init postgresql://postgres@db.example/memory --dry-run > prepare.sql

    The URL's user must be allowed to make roles, a schema in this database and the extension vector, or find
    them made. What is missing is made, new migrations are taken, and rights are given anew.
    """
    _check_shared(door)
    password = _password() if password_stdin else None
    from reverie.client import prepare_database

    with _named_url():
        done = prepare_database(
            url, app_role=app_role, owner_role=owner_role, password=password, partitions=partitions,
            dimensions=dimensions or (384,), dry_run=dry_run,
        )  # fmt: skip
    _show(door, done, password=password is not None)
    return Code.DONE


def scour(door: Door, url: Url) -> Code:
    """Take what was forgotten out of the database's files: rewrite its tables and indexes.

    For example:
      reverie postgres scour postgresql://postgres@db.example/memory

    The URL is the one that prepared the database. Each table is locked while it is rewritten, and the disk must
    hold it twice. Write-ahead logs and their archives, replicas and backups are not reached.
    """
    _check_shared(door)
    from reverie.client import scour_database

    with _named_url():
        done = scour_database(url)
    if door.out.as_json:
        door.out.document(done)
    else:
        sizes = f"{words.size(done.before)} before, {words.size(done.after)} after"
        door.out.show(f"rewrote {words.counted(done.tables, 'table')} of {done.where}: {sizes}")
        if done.held:
            door.out.say(
                f"{words.counted(done.held, 'transaction')} stayed open all the while and may still see what was"
                " forgotten: run this again when they have ended."
            )
        if not done.checkpointed:
            door.out.say("The old files are empty; the server removes them with its next checkpoint.")
        door.out.say("Write-ahead logs and their archives, replicas and backups were not reached.")
    return Code.NOTHING if done.held else Code.DONE


def _show(door: Door, done: Prepared, *, password: bool) -> None:
    if door.out.as_json:
        document = {
            name: getattr(done, name)
            for name in Prepared.__dataclass_fields__
            if name != "sql" or done.dry_run
        }
        door.out.document(document)
        return
    if done.dry_run:
        acts = zip(done.did, done.sql, strict=False)
        door.out.show("\n\n".join(f"-- {what}\n{sql}" for what, sql in acts))
        if password:
            door.out.say(
                f"And it would set the password of {done.app_role}: only its hash reaches the server."
            )
        return
    door.out.show(
        f"ready: {done.where}, schema {done.schema} number {done.number},"
        f" {words.counted(done.partitions, 'partition')}, vectors of {words.listed(done.dimensions)} dimensions",
        *(f"  {what}: done" for what in done.did),
        f"The application's URL: {done.url}",
    )
    if not password:
        door.out.say(f"The password of {done.app_role} was left as it is; --password-stdin sets one.")


def _password() -> str:
    """The first line of stdin; where that is a terminal, without an echo."""
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("New password of the application's role: ")
    return sys.stdin.readline(_MOST_PASSWORD).rstrip("\r\n")


def _check_shared(door: Door) -> None:
    if door.bank is not None:
        raise InvalidInput(
            "--bank", "this command takes its database behind it", "give the URL as its argument"
        )


@contextmanager
def _named_url() -> Iterator[None]:
    """A wrong URL is told as the argument that it came in by."""
    try:
        yield
    except InvalidInput as error:
        if error.field != "where":
            raise
        raise InvalidInput("URL", error.problem, error.remedy) from None
