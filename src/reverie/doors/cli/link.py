"""link: another agent's memory, for the asking."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.kinds import Kind
from reverie.domain.link import Include, LinkState, NeuralLink, Side
from reverie.domain.memory import Memory
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.agreeing import Yes, agreed
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from reverie.client import Agent

_HELP = """Neural links: one agent asks for another's memory, and has it once the other accepts, within two minutes.

What came by a link is labelled with whose it was and never instructs, until it is adopted; it can be
revoked from either end. Nothing leaves the bank that shares."""

To = Annotated[str, typer.Argument(metavar="AGENT", help="Whose memory, of this bank.")]
Who = Annotated[str, typer.Argument(metavar="AGENT", help="Another agent.")]
Id = Annotated[str, typer.Argument(metavar="LINK", help="The link's id; `reverie link list` has them.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; show what would instruct unasked.")]
Message = Annotated[str | None, typer.Option("--message", help="Why, in a few words.")]
Includes = Annotated[
    options.Names,
    typer.Option(
        "--include",
        metavar="WHAT",
        help=f"Share this, too: {', '.join(Include)}; with commas, or repeated.",
    ),
]
Kinds = Annotated[
    options.Names,
    typer.Option("--kind", metavar="KIND", help=f"Only memories of this kind: {', '.join(Kind)}."),
]
Scope = Annotated[str | None, typer.Option("--scope", metavar="PATH", help="Only what holds for this path.")]
Tags = Annotated[options.Names, typer.Option("--tag", metavar="TAG", help="Only with this tag.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")]
After = Annotated[str | None, typer.Option("--after", metavar="ID", help="Go on after this memory.")]
Before = Annotated[str | None, typer.Option("--before", metavar="ID", help="Go on before this one.")]
_PAGE = 1_000


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = grouped(app, "link", _HELP)
    verb(group, "request")(request)
    verb(group, "pending")(pending)
    verb(group, "accept")(accept)
    verb(group, "decline")(decline)
    verb(group, "show")(show)
    verb(group, "adopt")(adopt)
    verb(group, "revoke")(revoke)
    verb(group, "list")(listing)
    verb(group, "block")(block)
    verb(group, "unblock")(unblock)
    verb(group, "blocked")(blocked)


def request(door: Door, to: To, message: Message = None) -> Code:
    """Ask another agent for its memory.

    For example:
      reverie link request kade --agent nova --message "What do you know of the lighthouse?"

    It has two minutes to accept.
    """
    with door.agent_opened() as agent:
        asked = agent.link.request(to, message=message)
        if door.out.as_json:
            door.out.document(asked)
        else:
            door.out.show(f"asked {asked.other}: {asked.id}")
            until = Watch.of(agent).time(asked.expires_at)
            door.out.say(f"until {until}: reverie link accept {asked.id} --agent {quote(asked.other)}")
    return Code.DONE


def pending(door: Door) -> Code:
    """List the requests that the agent can accept now.

    For example:
      reverie link pending --agent kade

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        found = agent.link.pending()
        return _list(door, found, Watch.of(agent), "Nobody asks for this agent's memory now.")


def accept(
    door: Door,
    id: Id,
    include: Includes = None,
    kinds: Kinds = None,
    scope: Scope = None,
    tags: Tags = None,
) -> Code:
    """Share the agent's memory with the one that asked, whole or narrowed.

    For example:
      reverie link accept 0199c2f0-… --agent kade
      reverie link accept 0199c2f0-… --agent kade --include diary,relationships
      reverie link accept 0199c2f0-… --agent kade --kind fact --tag lighthouse

    Messages, memories with their history, procedures and summaries are copied; soul, diary and
    relationships only with --include. Nothing leaves this agent's bank.
    """
    wanted = [part.strip() for each in include or () for part in each.split(",")]
    with door.agent_opened() as agent:
        shared = agent.link.accept(id, include=wanted, kinds=kinds, scope=scope, tags=tags)
        if door.out.as_json:
            door.out.document(shared)
        else:
            door.out.show(f"shared with {shared.other}: {words.tally(shared.counts)}")
    return Code.DONE


def decline(door: Door, id: Id) -> Code:
    """Say no to a request.

    For example:
      reverie link decline 0199c2f0-… --agent kade

    Who asked may ask again; `reverie link block` ends that.
    """
    with door.agent_opened() as agent:
        link = agent.link.decline(id)
        _show(door, link, f"declined what {link.other} asked for")
    return Code.DONE


def show(door: Door, id: Id, limit: Limit = 100, after: After = None) -> Code:
    """Show a link, and which memories came to the agent by it.

    For example:
      reverie link show 0199c2f0-… --agent nova

    What the agent knew already isn't among them. Exit code 1 if nothing came by it.
    """
    with door.agent_opened() as agent:
        link = agent.link.get(id)
        items = agent.link.items(id, limit=limit, after=after) if link.side is Side.ASKED else []
        if door.out.as_json:
            door.out.document({"link": link, "memories": items})
            return Code.DONE if items else Code.NOTHING
        door.out.show(_lines(link, Watch.of(agent)), *map(_item, items))
        if len(items) == limit:
            door.out.say(f"There may be more: --after {items[-1].id}")
    return Code.DONE if items else Code.NOTHING


def adopt(door: Door, id: Id, dry_run: DryRun = False, yes: Yes = False) -> Code:
    """Trust all that came by a link as the agent's own: from now on it may instruct.

    For example:
      reverie link adopt 0199c2f0-… --agent nova --dry-run
      reverie link adopt 0199c2f0-… --agent nova --yes

    Policies and preferences among it then stand in every context block: it says which. On a terminal you are asked
    first. `reverie adopt` does it for one memory.
    """
    with door.agent_opened() as agent:
        standing = agent.link.standing(id)
        told = _standing_items(standing, "would stand")
        kinds = Counter(str(one.kind) for one in _everything(agent, id)) if dry_run else Counter[str]()
        if not (dry_run or yes) and sys.stdin.isatty():
            door.out.say(told)
            if not typer.confirm("Adopt it all?", default=False, err=True):
                door.out.say("Nothing was adopted.")
                return Code.NOTHING
        count = 0 if dry_run else agent.adopt(id)
        if door.out.as_json:
            more = {"kinds": dict(sorted(kinds.items()))} if dry_run else {}
            door.out.document({"id": id, "adopted": count, "standing": standing, **more})
        elif dry_run:
            door.out.show(told, f"Of each kind: {words.tally(dict(sorted(kinds.items())))}")
        else:
            door.out.show(f"adopted {words.memories(count)}")
            door.out.say(_standing_items(standing, "stand now"))
    return Code.DONE


def revoke(door: Door, id: Id, yes: Yes = False) -> Code:
    """Take back what was shared, from either end: all that came by the link goes, adopted or not.

    For example:
      reverie link revoke 0199c2f0-… --agent kade

    What the other knew before, and what it has learned since, stays. On a terminal you are asked first; elsewhere
    --yes is needed.
    """
    with door.agent_opened() as agent:
        if not yes and not agreed("Take back all that came by this link?", "link revoke"):
            door.out.say("Nothing was revoked.")
            return Code.NOTHING
        link = agent.link.revoke(id)
        held = "this bank" if link.side is Side.ASKED else f"the bank of {link.other}"
        _show(door, link, f"revoked: what was shared is gone from {held}")
    return Code.DONE


def listing(door: Door, limit: Limit = 100, before: Before = None) -> Code:
    """List the agent's links, asked and received, the newest first.

    For example:
      reverie link list --agent nova

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        found = agent.link.list(limit=limit, before=before)
        code = _list(door, found, Watch.of(agent), "This agent has no links.")
        if len(found) == limit:
            door.out.say(f"There may be more: --before {found[-1].id}")
        return code


def block(door: Door, other: Who) -> Code:
    """Refuse requests from an agent from now on; one that is pending is declined.

    For example:
      reverie link block kade --agent nova

    What was shared before stays shared: `reverie link revoke` takes that back.
    """
    with door.opened(make=True) as reverie:
        reverie.agent(door.agent_id).link.block(other)
        if door.out.as_json:
            door.out.document({"blocked": other})
        else:
            door.out.show(f"requests from {other} are refused from now on")
            if other not in reverie.agents():
                door.out.say(f"No agent of this bank is called {other} yet; a name counts as it is written.")
    return Code.DONE


def unblock(door: Door, other: Who) -> Code:
    """Take requests from an agent again.

    For example:
      reverie link unblock kade --agent nova

    Exit code 1 if they weren't refused.
    """
    with door.agent_opened() as agent:
        was = agent.link.unblock(other)
        if door.out.as_json:
            door.out.document({"unblocked": other, "was_blocked": was})
        elif was:
            door.out.show(f"requests from {other} are taken again")
        else:
            door.out.say(f"requests from {other} weren't refused")
    return Code.DONE if was else Code.NOTHING


def blocked(door: Door) -> Code:
    """List the agents whose requests are refused.

    For example:
      reverie link blocked --agent nova

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        found = agent.link.blocked()
        if door.out.as_json:
            door.out.document(found)
        elif found:
            door.out.show(*found)
        else:
            door.out.say("Nobody's requests are refused.")
    return Code.DONE if found else Code.NOTHING


def _everything(agent: Agent, id: str) -> Iterator[Memory]:
    after: str | None = None
    while page := agent.link.items(id, limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


def _standing_items(standing: Sequence[Memory], verb: str) -> str:
    if not standing:
        return "Nothing of it is a standing instruction."
    return "\n".join([f"These {verb} in every context block:", *map(_item, standing)])


def _item(memory: Memory) -> str:
    return f"  {memory.id} ({memory.kind}): {' '.join(memory.essence.split())}"


def _show(door: Door, link: NeuralLink, text: str) -> None:
    if door.out.as_json:
        door.out.document(link)
    else:
        door.out.show(text)


def _list(door: Door, found: Sequence[NeuralLink], watch: Watch, none: str) -> Code:
    if door.out.as_json:
        door.out.document(found)
    elif found:
        door.out.show(*(_lines(link, watch) for link in found))
    else:
        door.out.say(none)
    return Code.DONE if found else Code.NOTHING


def _lines(link: NeuralLink, watch: Watch) -> str:
    head = f"asked {link.other}" if link.side is Side.ASKED else f"{link.other} asked"
    facts = [_standing(link, watch), f"asked {watch.ago(link.asked_at)}"]
    terms = link.terms
    shared = [
        *([f"with {words.listed(terms.include)}"] if terms.include else []),
        *([f"kinds {words.listed(terms.kinds)}"] if terms.kinds else []),
        *([f"scope {terms.scope}"] if terms.scope is not None else []),
        *([f"tags {words.listed(terms.tags)}"] if terms.tags else []),
        *([words.tally(link.counts)] if link.counts else []),
    ]
    return tables.block(
        head,
        " · ".join(facts),
        *([f"“{link.message}”"] if link.message else []),
        *([" · ".join(shared)] if shared else []),
        link.id,
    )


def _standing(link: NeuralLink, watch: Watch) -> str:
    if link.state is LinkState.PENDING:
        return f"pending until {watch.time(link.expires_at)}"
    moment = link.revoked_at or link.decided_at
    return link.state.value if moment is None else f"{link.state.value} {watch.ago(moment)}"
