"""The command line on a server's database: preparing it, using it, cleaning it, and never showing a password."""

from __future__ import annotations

import secrets
from pathlib import Path

import psycopg
import pytest

from tests.doors.commands import Cli
from tests.postgres_databases import Databases

PASSWORD = "hunter2"


@pytest.fixture
def made(cli: Cli, empty_postgres_database: str, postgres_databases: Databases) -> Server:
    return Server(cli, empty_postgres_database, f"{postgres_databases.prefix}_{secrets.token_hex(3)}")


class Server:
    """An empty database whose URL holds a password (the tests' server believes anybody), and names for its roles."""

    def __init__(self, cli: Cli, url: str, prefix: str) -> None:
        self.cli = cli
        self.url = url.replace("@", f":{PASSWORD}@", 1)
        self.roles = ("--app-role", f"{prefix}_app", "--owner-role", f"{prefix}_owner", "--partitions", "2")
        self.app = self.roles[1]

    def init(self, *options: str, stdin: str = "") -> tuple[int, str, str]:
        ran = self.cli.bare("postgres", "init", self.url, *self.roles, *options, stdin=stdin)
        return ran.code, ran.out, ran.err


def test_init_says_what_it_did_and_with_which_url_to_go_on(made: Server) -> None:
    code, out, err = made.init()
    assert (code, "vectors of 384 dimensions" in out, "2 partitions" in out) == (0, True, True)
    assert f"make the role {made.app}: done" in out
    assert f"The application's URL: postgresql://{made.app}@/" in out
    assert "--password-stdin sets one" in err
    assert PASSWORD not in out + err


def test_init_may_be_repeated(made: Server) -> None:
    made.init("--dimensions", "8", "--dimensions", "16")
    code, out, _ = made.init("--dimensions", "8")
    assert (code, [line for line in out.splitlines() if line.endswith(": done")]) == (
        0,
        [f"  give {made.app} its rights: done"],
    )


def test_init_in_json_has_no_password_and_no_sql(made: Server) -> None:
    ran = made.cli.bare(
        "postgres", "init", made.url, *made.roles, "--json", "--password-stdin", stdin="xyzzy\n"
    )
    assert (ran.code, ran.document["partitions"], ran.document["app_role"]) == (0, 2, made.app)
    assert "sql" not in ran.document
    assert PASSWORD not in ran.out
    assert "xyzzy" not in ran.out + ran.err


def test_a_dry_run_shows_the_sql_and_does_nothing(made: Server) -> None:
    code, out, err = made.init("--dry-run", "--password-stdin", stdin="xyzzy")
    assert (code, f'CREATE ROLE "{made.app}" LOGIN;' in out, "CREATE TABLE memories (" in out) == (
        0,
        True,
        True,
    )
    assert "xyzzy" not in out + err
    with psycopg.connect(made.url) as connection:
        assert connection.execute("SELECT to_regnamespace('reverie')").fetchall() == [(None,)]


def test_the_password_of_stdin_has_no_line_end(made: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def prepared(url: str, **given: object) -> object:
        seen.append(given["password"])
        return really(url, **given)  # type: ignore[arg-type]

    from reverie import client

    really = client.prepare_database
    monkeypatch.setattr(client, "prepare_database", prepared)
    made.init("--password-stdin", stdin=" two words \r\nanother line")
    made.init()
    assert seen == [" two words ", None]
    code, _, err = made.init("--password-stdin", stdin="\n")
    assert (code, "--password-stdin: it is empty" in err) == (2, True)


def test_every_verb_works_on_the_database(made: Server) -> None:
    made.init()
    cli = made.cli
    cli.bank = made.url  # type: ignore[assignment]
    told = cli("init", "--principal", "Anna")
    assert told.out.startswith("already there: postgresql://postgres@/")
    first = cli.remember("Anna is allergic to nuts")
    cli.observe({"content": "I moved to Lisbon", "speaker": "Anna"})
    assert cli("recall", "nuts", "--json").document["hits"][0]["id"] == first
    assert cli("list", "--episodes", "--json").code == 0
    assert cli("show", first).code == 0
    stats = cli("stats")
    assert ("database" in stats.out, "postgres, schema" in stats.out) == (True, True)
    assert cli("check").out.endswith(": no fault found\n")
    assert cli("check", "--json").document["ok"] is True
    assert cli("forget", first, "--yes").code == 0
    rewritten = cli.bare("postgres", "scour", made.url)
    assert (rewritten.code, rewritten.out.startswith("rewrote ")) == (0, True)
    assert "backups were not reached" in rewritten.err
    said = told, stats, cli("stats", "--json"), cli("check"), cli("show", "nothing"), rewritten
    assert PASSWORD not in "".join(ran.out + ran.err for ran in said)


def test_scouring_in_json_says_what_is_left(made: Server) -> None:
    made.init()
    document = made.cli.bare("postgres", "scour", made.url, "--json").document
    assert (document["held"], document["checkpointed"]) == (0, True)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("stats", "--bank", "{url}"), 3), (("stats", "--bank", "{url}", "--json"), 3),
        (("stats", "--bank", "{url}", "--keyring"), 2), (("postgres", "init", "{url}"), 3),
        (("postgres", "init", "{url}", "too much"), 2), (("postgres", "{url}"), 2), (("{url}",), 2),
        (("postgres", "scour", "{url}", "--json"), 3), (("recall", "x", "--limit", "{url}"), 2),
        (("observe", "{url}", "--bank", "{url}"), 2), (("postgres", "init", "{url}", "--partitions", "{url}"), 2),
        (("--bank", "{url}", "postgres", "init", "{url}"), 2), (("copy", "{url}", "{url}"), 3),
        (("--bank", "{url}", "copy", "{url}", "{url}"), 2), (("list", "--bank", "{url}x y"), 2),
    ],
)  # fmt: skip
def test_no_message_repeats_a_password(cli: Cli, command: tuple[str, ...], code: int) -> None:
    url = f"postgresql://anna:{PASSWORD}@127.0.0.1:1/memory?sslpassword={PASSWORD}"
    ran = cli.bare(*(part.format(url=url) for part in command))
    assert (ran.code, PASSWORD in ran.out + ran.err) == (code, False)
    assert ran.err


def test_what_is_no_url_is_told_as_the_argument(cli: Cli, tmp_path: Path) -> None:
    for command in ("init", "scour"):
        ran = cli.bare("postgres", command, str(tmp_path / "a.bank"))
        assert (ran.code, ran.err.startswith("reverie: URL: it is no postgresql:// URL")) == (2, True)


def test_a_wrong_option_is_told_by_its_name(cli: Cli) -> None:
    away = "postgresql://anna@127.0.0.1:1/memory"
    for option, value in (("--partitions", "0"), ("--dimensions", "9999"), ("--app-role", "pg_x")):
        ran = cli.bare("postgres", "init", away, option, value)
        assert (ran.code, ran.err.startswith(f"reverie: {option}: ")) == (2, True)


def test_a_database_that_is_not_prepared_says_how_to(cli: Cli, empty_postgres_database: str) -> None:
    ran = cli("recall", "x", "--bank", empty_postgres_database)
    assert (ran.code, "reverie postgres init" in ran.err) == (3, True)


def test_a_terminal_asks_for_the_password_unechoed(made: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: "xyzzy")
    ran = made.cli.bare("postgres", "init", made.url, *made.roles, "--password-stdin", terminal=True)
    assert (ran.code, f"set the password of {made.app}: done" in ran.out) == (0, True)
    assert "xyzzy" not in ran.out + ran.err
