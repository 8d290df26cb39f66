"""REST and the page: serve, token."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import OF_BANK, Door, command
from reverie.doors.cli.options import Names, argument, option
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Tokens
    from reverie.doors.rest.guard import Limits

_EXTRA = ("fastapi", "jinja2", "uvicorn", "prometheus_client")
_MOST_BODY_MIB = 16
_RATE, _BURST = 200.0, 400
MAIN = "main"
TokenFile = Annotated[
    Path | None,
    option(
        "--tokens", "Where tokens are kept, as hashes. Default: tokens.json in your config folder.", "FILE"
    ),
]


@command("serve", shared=OF_BANK)
def serve(
    door: Door,
    host: Annotated[str, option("--host", "The address to listen on.", "HOST")] = "127.0.0.1",
    port: Annotated[int, option("--port", "The port; 0 for any that is free.", "N")] = 8766,
    also: Annotated[
        Names, option("--also", "A further bank, with the name it has in paths; repeatable.", "NAME=PLACE")
    ] = None,
    tokens: TokenFile = None,
    allow_hosts: Annotated[
        Names,
        option("--allow-host", "A name that remote clients use for this server; repeatable.", "NAME"),
    ] = None,
    max_body: Annotated[
        int, option("--max-body", "The most that a request may hold.", "MIB", min=1)
    ] = _MOST_BODY_MIB,
    rate: Annotated[
        float,
        option(
            "--rate",
            "Requests a second that a token may make for long; 0 for any number.",
            "N",
            min=0,
            max=1_000_000,
        ),
    ] = _RATE,
    no_loop: Annotated[bool, option("--no-loop", "Do no work in the background.")] = False,
) -> Code:
    """Serve every verb over REST, for programs in any language, and pages to look into the memory.

    For example:
      reverie serve
      reverie serve --also work=~/work.bank --port 9000
      reverie serve --bank postgresql://db.example/memory

    It prints a link that opens the pages in a browser, once and within ten minutes (docs/page.md). /openapi.json
    describes REST. The bank of --bank is called main in paths. Every request needs the header
    "Authorization: Bearer TOKEN"; `reverie token create` makes tokens, and where there is none yet, one for this
    machine is made and shown once. It listens on this machine alone, and speaks plain HTTP: let others reach it only
    through a proxy that adds TLS. End it with Ctrl-C or SIGTERM; it finishes what it is doing first.
    """
    _check_extra("serve")
    from reverie.client import Right
    from reverie.doors.rest.guard import Limits

    places = _named(also)
    kept = _tokens(tokens)
    kept.list()  # a file that can't be read is told before a bank is opened
    limits = Limits(body=max_body << 20, rate=rate, burst=max(_BURST, int(2 * rate)))

    def told(url: str, link: str) -> None:
        # Not before all else is there: a token is shown once.
        fresh = None if kept.list() else kept.create("this machine", Right.ADMIN)[1]
        names = [MAIN, *places]
        if door.out.as_json:
            door.out.document({"url": url, "banks": names, "token": fresh, "page": link})
            door.out.flush()
        door.out.say(f"serving {words.listed(names)} at {url}/v1, described at {url}/openapi.json")
        if fresh is not None:
            door.out.say(f"the first token, shown this once: {fresh}")

    return _served(door, host, port, tuple(allow_hosts or ()), places, kept, limits, told, loop=not no_loop)


@command("open", shared=OF_BANK)
def open_page(
    door: Door,
    port: Annotated[int, option("--port", "The port; 0 for any that is free.", "N")] = 0,
    tokens: TokenFile = None,
    no_loop: Annotated[bool, option("--no-loop", "Do no work in the background.")] = False,
) -> Code:
    """Look into the memory, in your browser.

    For example:
      reverie open
      reverie open --bank work.bank

    It is `reverie serve` on this machine alone, which opens its pages in your browser and prints the link, too; the
    link works once. End it with Ctrl-C.
    """
    _check_extra("open")
    import webbrowser

    from reverie.doors.rest.guard import Limits

    def told(url: str, link: str) -> None:
        if door.out.as_json:
            door.out.document({"url": url, "page": link})
            door.out.flush()
        webbrowser.open(link)

    limits = Limits(body=_MOST_BODY_MIB << 20, rate=_RATE, burst=_BURST)
    return _served(door, "127.0.0.1", port, (), {}, _tokens(tokens), limits, told, loop=not no_loop)


def _served(
    door: Door, host: str, port: int, names: tuple[str, ...], places: Mapping[str, str], tokens: Tokens,
    limits: Limits, told: Callable[[str, str], None], *, loop: bool,
) -> Code:  # fmt: skip
    """Serve the banks until a signal comes. ``told``: what says so, by the address and the link to the pages."""
    from reverie.client import signed
    from reverie.doors.page.program import run
    from reverie.doors.page.sessions import Sessions
    from reverie.doors.serving.listening import opened
    from reverie.worker import Worker

    with ExitStack() as stack:
        place = opened(host, port, names=names)
        stack.callback(place.socket.close)
        banks = {MAIN: door.reverie(make=True, actor="rest")}
        banks |= {name: door.reverie(make=True, actor="rest", bank=where) for name, where in places.items()}
        if loop:
            for reverie in banks.values():
                stack.enter_context(Worker(signed(reverie, "worker")))
        sessions = Sessions(tokens)
        link = f"{place.url}/login?code={sessions.link()}"
        told(place.url, link)
        door.out.say(f"look into it, by this link once: {link}")
        run(banks, place, sessions, limits)
    return Code.DONE


@command("token create", shared=("as_json",))
def token_create(
    door: Door,
    name: Annotated[str, argument("NAME", "What it is for, to know it by.")],
    right: Annotated[str, option("--right", "What it may do: read, write or admin.", "RIGHT")] = "write",
    agents: Annotated[Names, option("--agent", "Only this agent; repeatable. Default: all.", "ID")] = None,
    banks: Annotated[
        Names, option("--bank-name", "Only this bank; repeatable. Default: all.", "NAME")
    ] = None,
    tokens: TokenFile = None,
) -> Code:
    """Make a token for `reverie serve`, and print it once.

    For example:
      reverie token create phone --right read --agent mama
      reverie token create backups --right admin

    read: ask; write: keep, and let the agent work; admin: forget, trust, share, export and undo, too. Only its hash is
    kept. A server that runs knows it at once.
    """
    from reverie.client import Right

    try:
        chosen = Right(right.casefold())
    except ValueError:
        raise InvalidInput(
            "--right", f"{right!r:.40} is unknown", f"choose from {', '.join(Right)}"
        ) from None
    made, text = _tokens(tokens).create(name, chosen, agents=agents or (), banks=banks or ())
    return door.tell({**_shown(made), "token": text}, text)


@command("token list", shared=("as_json",))
def token_list(door: Door, tokens: TokenFile = None) -> Code:
    """List the tokens, without what they are.

    For example:
      reverie token list

    Exit code 1 if there is none.
    """
    found = _tokens(tokens).list()
    if door.out.as_json:
        return door.tell([_shown(one) for one in found], code=Code.DONE if found else Code.NOTHING)
    columns = {
        "id": lambda one: one.id,
        "name": lambda one: one.name,
        "right": lambda one: one.right.value,
        "agents": lambda one: words.listed(one.agents) or "all",
        "banks": lambda one: words.listed(one.banks) or "all",
        "made": lambda one: one.created_at[:10],
    }
    return door.table(found, columns, "There is no token: `reverie token create` makes one.")


@command("token revoke", shared=("as_json",))
def token_revoke(
    door: Door, id: Annotated[str, argument("ID", "The token's id.")], tokens: TokenFile = None
) -> Code:
    """Take a token away. A server that runs refuses it at once.

    For example:
      reverie token revoke 1f3a9c0b7d52
    """
    gone = _tokens(tokens).revoke(id)
    return door.tell(_shown(gone), f"revoked {gone.id} ({gone.name})")


def _tokens(file: Path | None) -> Tokens:
    from reverie.client import Tokens, default_key_file

    return Tokens(file or default_key_file().parent / "tokens.json")


def _shown(token: object) -> dict[str, object]:
    names = ("id", "name", "right", "agents", "banks", "created_at")
    return {name: getattr(token, name) for name in names}


def _named(places: list[str] | None) -> dict[str, str]:
    """Return the further banks by name."""
    found: dict[str, str] = {}
    for one in places or ():
        name, equals, where = one.partition("=")
        if (
            not (equals and name and where)
            or name in found
            or name == MAIN
            or not name.isascii()
            or "/" in name
        ):
            problem = f"{one!r:.60} names no further bank"
            raise InvalidInput("--also", problem, "give NAME=PLACE with a name of its own, as work=work.bank")
        found[name] = where
    return found


def _check_extra(what: str) -> None:
    if any(find_spec(name) is None for name in _EXTRA):
        raise InvalidInput(what, "the packages of the server are not installed", "pip install '.[server]'")
