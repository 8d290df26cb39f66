"""Neural links: another agent's memory, for the asking."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from reverie.domain.kinds import Kind
from reverie.domain.link import Include, LinkState, NeuralLink, Side
from reverie.domain.memory import Memory
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.options import After, Before, DryRun, Limit, Names, Text, Yes, argument, option
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from reverie.client import Agent

_PAGE = 1_000
Who = Annotated[str, argument("AGENT", "Another agent.")]
LinkId = Annotated[str, argument("LINK", "The link's id; `reverie link list` shows them.")]


@command("link list")
def link_list(
    door: Door, pending: Annotated[bool, option("--pending", "Only requests that it can accept now.")] = False,
    limit: Limit = 100, before: Before = None,
) -> Code:  # fmt: skip
    """List the agent's links, asked and received, the newest first.

    For example:
      reverie link list --agent nova
      reverie link list --pending --agent kade

    Exit code 1 if there is none.
    """
    agent = door.opened()
    watch = door.watch(agent)
    if pending:
        none = "Nobody asks for this agent's memory now."
        return door.list(agent.link.pending(), lambda one: _lines(one, watch), none)
    return door.list(
        agent.link.list(limit=limit, before=before), lambda one: _lines(one, watch),
        "This agent has no links: `reverie link request` asks for one.",
        limit=limit, more=lambda last: f"--before {last.id}",
    )  # fmt: skip


@command("link show")
def link_show(door: Door, id: LinkId, limit: Limit = 100, after: After = None) -> Code:
    """Show a link, and which memories the agent received by it.

    For example:
      reverie link show 0199c2f0-… --agent nova

    What the agent knew already isn't among them. Exit code 1 if nothing came by it.
    """
    agent = door.opened()
    link = agent.link.get(id)
    items = agent.link.items(id, limit=limit, after=after) if link.side is Side.ASKED else []
    head = _lines(link, door.watch(agent))
    code = door.tell({"link": link, "memories": items}, head, *map(_item, items))
    if len(items) == limit:
        door.out.say(f"There may be more: --after {items[-1].id}")
    return code if items else Code.NOTHING


@command("link request")
def link_request(
    door: Door, to: Annotated[str, argument("AGENT", "Whose memory, of this bank.")],
    message: Annotated[Text, option("--message", "Why, in a few words.")] = None,
) -> Code:  # fmt: skip
    """Ask another agent for its memory.

    For example:
      reverie link request kade --agent nova --message "What do you know of the lighthouse?"

    It has two minutes to accept.
    """
    agent = door.opened()
    asked = agent.link.request(to, message=message)
    until = door.watch(agent).time(asked.expires_at)
    code = door.tell(asked, f"asked {asked.other}: {asked.id}")
    door.out.say(f"until {until}: reverie link accept {asked.id} --agent {quote(asked.other)}")
    return code


@command("link accept")
def link_accept(
    door: Door,
    id: LinkId,
    include: Annotated[Names, option("--include", f"Share this, too: {', '.join(Include)}.", "A,B")] = None,
    kinds: Annotated[
        Names, option("--kind", f"Only memories of this kind: {', '.join(Kind)}.", "KIND")
    ] = None,
    scope: Annotated[Text, option("--scope", "Only what holds for this path.", "PATH")] = None,
    tags: Annotated[Names, option("--tag", "Only with this tag.", "TAG")] = None,
) -> Code:
    """Share the agent's memory with the one that asked, whole or narrowed.

    For example:
      reverie link accept 0199c2f0-… --agent kade
      reverie link accept 0199c2f0-… --agent kade --include diary,relationships
      reverie link accept 0199c2f0-… --agent kade --kind fact --tag lighthouse

    Messages, memories with their history, procedures and summaries are copied; soul, diary and relationships only with
    --include. Nothing leaves this agent's bank.
    """
    wanted = [part.strip() for each in include or () for part in each.split(",")]
    shared = door.opened().link.accept(id, include=wanted, kinds=kinds, scope=scope, tags=tags)
    return door.tell(shared, f"shared with {shared.other}: {words.tally(shared.counts)}")


@command("link decline")
def link_decline(door: Door, id: LinkId) -> Code:
    """Decline a request.

    For example:
      reverie link decline 0199c2f0-… --agent kade

    The other agent may ask again; `reverie link block` ends that.
    """
    link = door.opened().link.decline(id)
    return door.tell(link, f"declined what {link.other} asked for")


@command("link adopt")
def link_adopt(door: Door, id: LinkId, dry_run: DryRun = False, yes: Yes = False) -> Code:
    """Trust all that came by a link as the agent's own: from now on it may instruct.

    For example:
      reverie link adopt 0199c2f0-… --agent nova --dry-run
      reverie link adopt 0199c2f0-… --agent nova --yes

    Policies and preferences among it then stand in every context block; the command shows which. On a terminal you are
    asked first. `reverie adopt` does it for one memory.
    """
    agent = door.opened()
    standing = agent.link.standing(id)
    before = _standing_items(standing, "would stand")
    if dry_run:
        counts = Counter(str(one.kind) for one in _everything(agent, id))
        kinds = dict(sorted(counts.items()))
        document = {"id": id, "adopted": 0, "standing": standing, "kinds": kinds}
        return door.tell(document, before, f"Of each kind: {words.tally(kinds)}")
    if not yes and sys.stdin.isatty():
        door.out.say(before)
        if not door.agreed("Adopt it all?", "link adopt", final=False):
            return door.declined("adopted")
    count = agent.link.adopt(id)
    document = {"id": id, "adopted": count, "standing": standing}
    code = door.tell(document, f"adopted {words.memories(count)}")
    door.out.say(_standing_items(standing, "stand now"))
    return code


@command("link revoke")
def link_revoke(door: Door, id: LinkId, yes: Yes = False) -> Code:
    """Take back what was shared, from either end: all that came by the link is removed, adopted or not.

    For example:
      reverie link revoke 0199c2f0-… --agent kade

    What the other agent knew before, and what it has learned since, stays. On a terminal you are asked first; elsewhere
    --yes is needed.
    """
    agent = door.opened()
    if not yes and not door.agreed("Take back all that came by this link?", "link revoke"):
        return door.declined("revoked")
    link = agent.link.revoke(id)
    held = "this bank" if link.side is Side.ASKED else f"the bank of {link.other}"
    return door.tell(link, f"revoked: what was shared is gone from {held}")


@command("link block")
def link_block(door: Door, other: Who) -> Code:
    """Refuse requests from an agent from now on; one that is pending is declined.

    For example:
      reverie link block kade --agent nova

    What was shared before stays shared: `reverie link revoke` takes that back.
    """
    reverie = door.reverie(make=True)
    reverie.agent(door.agent_id).link.block(other)
    code = door.tell({"blocked": other}, f"requests from {other} are refused from now on")
    if other not in reverie.agents():
        door.out.say(f"No agent of this bank is called {other} yet; upper and lower case differ.")
    return code


@command("link unblock")
def link_unblock(door: Door, other: Who) -> Code:
    """Take requests from an agent again.

    For example:
      reverie link unblock kade --agent nova

    Exit code 1 if they weren't refused.
    """
    was = door.opened().link.unblock(other)
    if not was:
        door.out.say(f"requests from {other} weren't refused")
    document = {"unblocked": other, "was_blocked": was}
    code = Code.DONE if was else Code.NOTHING
    return door.tell(document, *([f"requests from {other} are taken again"] if was else []), code=code)


@command("link blocked")
def link_blocked(door: Door) -> Code:
    """List the agents whose requests are refused.

    For example:
      reverie link blocked --agent nova

    Exit code 1 if there is none.
    """
    return door.list(door.opened().link.blocked(), str, "Nobody's requests are refused.")


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
    return f"  {memory.id} ({memory.kind}): {words.one_line(memory.essence)}"


def _lines(link: NeuralLink, watch: Watch) -> str:
    terms = link.terms
    shared = [
        *([f"with {words.listed(terms.include)}"] if terms.include else []),
        *([f"kinds {words.listed(terms.kinds)}"] if terms.kinds else []),
        *([f"scope {terms.scope}"] if terms.scope is not None else []),
        *([f"tags {words.listed(terms.tags)}"] if terms.tags else []),
        *([words.tally(link.counts)] if link.counts else []),
    ]
    moment = link.revoked_at or link.decided_at
    state = link.state.value if moment is None else f"{link.state.value} {watch.ago(moment)}"
    if link.state is LinkState.PENDING:
        state = f"pending until {watch.time(link.expires_at)}"
    return tables.block(
        f"asked {link.other}" if link.side is Side.ASKED else f"{link.other} asked",
        f"{state} · asked {watch.ago(link.asked_at)}",
        *([f"“{link.message}”"] if link.message else []),
        *([" · ".join(shared)] if shared else []),
        link.id,
    )
