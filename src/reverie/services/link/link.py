"""link: another agent's memory, for the asking (s4). A asks; B accepts within two minutes, or declines; either revokes.

Both banks hold a line of it, and each step changes the two in one transaction, so they never disagree. What is copied
is in ``copying``, what taking it back does in ``revoking``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from reverie.domain.agent import Agent
from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.audit import Action
from reverie.domain.ids import checked_name
from reverie.domain.kinds import checked_kind
from reverie.domain.link import (
    LINK_WINDOW,
    MAX_MESSAGE_BYTES,
    Include,
    LinkState,
    LinkTerms,
    NeuralLink,
    Side,
)
from reverie.domain.text import checked_text, member
from reverie.errors import InvalidInput, LinkRefused, NotFound
from reverie.ports.store import Unit
from reverie.ports.transfer import half_copied
from reverie.services.aggregates import every_link
from reverie.services.link.brought import Brought
from reverie.services.link.copying import copied
from reverie.services.link.extras import Vectors, embedded_texts
from reverie.services.link.narrowing import look_through
from reverie.services.link.revoking import adopted, taken_back, tidied
from reverie.services.prompt import checked_path
from reverie.services.runtime import Desk, cleaned, entry, name_of, read_again, refuse_secrets

Result = TypeVar("Result")

_LOOKED_BACK = timedelta(hours=1)
_ANSWERED = "ask for a new link"


class _Both:
    """Both banks of a link in one transaction: each change goes into both, and into both logs."""

    def __init__(self, desk: Desk, agent_id: str, actor: str, ours: Unit, theirs: Unit) -> None:
        self.ours, self.theirs, self.now = ours, theirs, desk.clock()
        self._desk, self._agent_id, self._actor = desk, agent_id, actor

    def lines(self, id: str) -> tuple[NeuralLink, NeuralLink | None]:
        """Return the link as both banks hold it; None where the other agent has gone, or lies elsewhere.

        The other's line counts only as that of a link with this agent: a bank that was imported under another name
        holds lines of links that were never its own.
        """
        line, other = _get(self.ours, id), self.theirs.links.get(id)
        is_of_us = other is not None and other.other == self._agent_id and other.side is not line.side
        return line, other if is_of_us else None

    def change(self, id: str, **changes: object) -> NeuralLink:
        """Change a link in both banks; return this bank's line."""
        line, other = self.lines(id)
        changed = None if other is None else replace(other, **changes)  # type: ignore[arg-type]  # its own fields
        return self.put(replace(line, **changes), changed)  # type: ignore[arg-type]

    def put(self, line: NeuralLink, other: NeuralLink | None) -> NeuralLink:
        """Store both lines, and note it in both logs, which never hold what was written or shared."""
        for link, unit, who in ((line, self.ours, self._actor), (other, self.theirs, self._agent_id)):
            if link is not None:
                unit.links.put(link)
                after: dict[str, object] = {
                    "with": link.other,
                    "side": str(link.side),
                    "state": str(link.state),
                }
                if link.counts:
                    after["counts"] = dict(link.counts)
                unit.audit.add([entry(self._desk, Action.LINK, link.id, actor=who, at=self.now, after=after)])
        return line


def _in_both(desk: Desk, agent_id: str, other: str, actor: str, work: Callable[[_Both], Result]) -> Result:
    return desk.store.transact_both(
        agent_id, other, lambda ours, theirs: work(_Both(desk, agent_id, actor, ours, theirs))
    )


def request(desk: Desk, agent_id: str, to: str, *, message: str | None = None, actor: str) -> NeuralLink:
    """See the client."""
    checked_name(to, "to")
    if to == agent_id:
        raise InvalidInput("to", "an agent can't ask itself for its memory", "name another agent")
    if message is not None:
        message = checked_text(
            message, "message", most_bytes=MAX_MESSAGE_BYTES, remedy="say it in fewer words"
        )
        message = cleaned(desk.settings, message, "message").text

    def write(both: _Both) -> NeuralLink:
        _check_whole(both.theirs, to)
        if both.theirs.agents.get() is None:
            raise NotFound("agent", to)
        if agent_id in both.theirs.links.blocked():
            raise LinkRefused(
                None, f"{to} takes no requests from {agent_id}", f"it is {to}'s to unblock them"
            )
        _make_agent(desk, both.ours, agent_id, both.now)
        for one in [*_unanswered(both.ours, both.now)]:
            if one.side is not Side.ASKED or one.other != to:
                continue
            if both.now < one.expires_at:
                raise LinkRefused(
                    one.id, f"{to} was asked already and can still answer", "wait for the answer"
                )
            both.change(one.id, state=LinkState.EXPIRED)
        asked = NeuralLink(
            id=desk.ids(both.now), side=Side.ASKED, other=to, message=message, asked_at=both.now,
            expires_at=both.now + LINK_WINDOW,
        )  # fmt: skip
        return both.put(asked, replace(asked, side=Side.RECEIVED, other=agent_id))

    return _in_both(desk, agent_id, to, actor, write)


@read_again
def pending(desk: Desk, agent_id: str) -> Sequence[NeuralLink]:
    """See the client."""
    with desk.reading(agent_id) as unit:
        now = desk.clock()
        found = [one for one in _unanswered(unit, now) if one.side is Side.RECEIVED]
        return [one for one in reversed(found) if now < one.expires_at]


def single(desk: Desk, agent_id: str, id: str) -> NeuralLink:
    """See the client."""
    return as_shown(_known(desk, agent_id, id), desk.clock())


@read_again
def links(desk: Desk, agent_id: str, *, limit: int = 100, before: str | None = None) -> Sequence[NeuralLink]:
    """See the client."""
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    if before is not None:
        checked_name(before, "before")
    with desk.reading(agent_id) as unit:
        now = desk.clock()
        return [as_shown(one, now) for one in unit.links.list(limit=limit, before=before)]


def accept(
    desk: Desk, agent_id: str, id: str, *, include: Sequence[str] = (), kinds: Sequence[str] = (),
    scope: str | None = None, tags: Sequence[str] = (), actor: str,
) -> NeuralLink:  # fmt: skip
    """See the client. What of soul, diary and relationships has no vectors yet is embedded before the transaction, and
    every text is looked through for secrets.
    """
    terms = _terms(include, kinds, scope, tags)
    for field, names in (("scope", [scope or ""]), ("tags", terms.tags)):
        refuse_secrets(desk.settings, names, field)
    known = _answerable(desk, agent_id, id, accepting=True, actor=actor)
    brought = Brought(desk.settings)
    look_through(desk, agent_id, terms, brought)
    while True:
        vectors = embedded_texts(desk, agent_id, terms, brought)

        def write(both: _Both, vectors: Vectors = vectors) -> NeuralLink | None:
            """Return None where there is more to embed by now."""
            line, other = both.lines(id)
            _check_answerable(line, both.now, accepting=True)
            if other is None:
                raise LinkRefused(id, f"{line.other} doesn't know of it any more", _ANSWERED)
            if other.state is not LinkState.PENDING:  # this bank was put back to what it was before
                raise LinkRefused(id, f"for {line.other} it is {other.state}", _ANSWERED)
            _check_whole(both.theirs, line.other)
            desk.check_embedder(agent_id, both.ours.agents.embedder())
            desk.check_embedder(line.other, both.theirs.agents.embedder())
            counts = copied(desk, both.ours, both.theirs, other, terms, vectors, brought, both.now)
            if counts is None:
                return None
            return both.change(id, state=LinkState.ACCEPTED, decided_at=both.now, terms=terms, counts=counts)

        done = _in_both(desk, agent_id, known.other, actor, write)
        if done is not None:
            return done


def decline(desk: Desk, agent_id: str, id: str, *, actor: str) -> NeuralLink:
    """See the client."""
    known = _answerable(desk, agent_id, id, accepting=False, actor=actor)

    def write(both: _Both) -> NeuralLink:
        _check_answerable(both.lines(id)[0], both.now, accepting=False)
        return both.change(id, state=LinkState.DECLINED, decided_at=both.now)

    return _in_both(desk, agent_id, known.other, actor, write)


def adopt(desk: Desk, agent_id: str, id: str, *, actor: str) -> int:
    """See the client."""
    known = _known(desk, agent_id, id)

    def write(unit: Unit) -> int:
        link = _get(unit, id)
        if link.side is not Side.ASKED:
            raise LinkRefused(
                id, f"it is {link.other} that received something by it", "adopt what came to you"
            )
        _check_accepted(link, "nothing came by it")
        return adopted(desk, unit, link, actor)

    _check_accepted(known, "nothing came by it")
    return desk.store.transact(agent_id, write)


def revoke(desk: Desk, agent_id: str, id: str, *, actor: str) -> NeuralLink:
    """See the client."""
    known = _known(desk, agent_id, id)

    def write(both: _Both) -> NeuralLink:
        line, other = both.lines(id)
        _check_accepted(line, "nothing was shared by it")
        if line.side is Side.ASKED:
            taken_back(desk, both.ours, id, both.now, actor)
        elif other is not None:
            taken_back(desk, both.theirs, id, both.now, agent_id)
        return both.change(id, state=LinkState.REVOKED, revoked_at=both.now)

    done = _in_both(desk, agent_id, known.other, actor, write)
    tidied(desk, agent_id if done.side is Side.ASKED else done.other)
    return done


def block(desk: Desk, agent_id: str, other: str, *, actor: str) -> None:
    """See the client."""
    name_of(desk.settings, other, "other")
    if other == agent_id:
        raise InvalidInput("other", "an agent can't block itself", "name another agent")

    def write(both: _Both) -> None:
        ours, now = both.ours, both.now
        _make_agent(desk, ours, agent_id, now)
        if other in ours.links.blocked():
            return
        ours.links.block(other, now)
        after = {"with": other, "blocked": True}
        ours.audit.add([entry(desk, Action.LINK, other, actor=actor, at=now, after=after)])
        for one in [*_unanswered(ours, now)]:
            if one.side is Side.RECEIVED and one.other == other and now < one.expires_at:
                both.change(one.id, state=LinkState.DECLINED, decided_at=now)

    _in_both(desk, agent_id, other, actor, write)


def unblock(desk: Desk, agent_id: str, other: str, *, actor: str) -> bool:
    """See the client."""
    checked_name(other, "other")

    def write(unit: Unit) -> bool:
        if unit.agents.get() is None or not unit.links.unblock(other):
            return False
        after = {"with": other, "blocked": False}
        unit.audit.add([entry(desk, Action.LINK, other, actor=actor, at=desk.clock(), after=after)])
        return True

    return desk.store.transact(agent_id, write)


@read_again
def blocked(desk: Desk, agent_id: str) -> Sequence[str]:
    """See the client."""
    with desk.reading(agent_id) as unit:
        return unit.links.blocked()


def as_shown(link: NeuralLink, now: datetime) -> NeuralLink:
    """Return the link; one that nobody answered in its time is expired."""
    return replace(link, state=LinkState.EXPIRED) if _is_late(link, now) else link


def _unanswered(unit: Unit, now: datetime) -> Iterator[NeuralLink]:
    """Yield links that nobody has answered, newest first: those that can be answered now, and those whose time went by
    not long ago.
    """
    for one in every_link(unit):
        if one.state is LinkState.PENDING:
            yield one
        if one.expires_at + _LOOKED_BACK < now:  # those before it are older
            return


def _answerable(desk: Desk, agent_id: str, id: str, *, accepting: bool, actor: str) -> NeuralLink:
    """Return the link, if it can be answered. Once its time is seen to be over it stays so, whatever the clock says
    later.
    """
    known = _known(desk, agent_id, id)

    def expire(both: _Both) -> None:
        if _is_late(both.lines(id)[0], both.now):
            both.change(id, state=LinkState.EXPIRED)

    if known.side is Side.RECEIVED and _is_late(known, desk.clock()):
        _in_both(desk, agent_id, known.other, actor, expire)
        known = _known(desk, agent_id, id)
    _check_answerable(known, desk.clock(), accepting=accepting)
    return known


def _is_late(link: NeuralLink, now: datetime) -> bool:
    return link.state is LinkState.PENDING and now >= link.expires_at


@read_again
def _known(desk: Desk, agent_id: str, id: str) -> NeuralLink:
    checked_name(id, "id")
    with desk.reading(agent_id) as unit:
        return _get(unit, id)


def _get(unit: Unit, id: str) -> NeuralLink:
    found = unit.links.get(id)
    if found is None:
        raise NotFound("neural link", id)
    return found


def _make_agent(desk: Desk, unit: Unit, agent_id: str, now: datetime) -> None:
    """Make the agent, if it has never written."""
    if unit.agents.get() is None:
        unit.agents.put(Agent(id=agent_id, created_at=now), desk.secret())


def _check_whole(unit: Unit, agent_id: str) -> None:
    if unit.transfer.under_way() is not None:
        raise half_copied(agent_id)


def _check_answerable(link: NeuralLink, now: datetime, *, accepting: bool) -> None:
    verb = "accept" if accepting else "decline"
    if link.side is not Side.RECEIVED:
        raise LinkRefused(link.id, f"it is {link.other}'s to {verb}", f"wait for {link.other}'s answer")
    state = as_shown(link, now).state
    if state is LinkState.EXPIRED:
        raise LinkRefused(
            link.id,
            f"its time was over at {link.expires_at:%H:%M:%S} UTC",
            f"have {link.other} ask again" if accepting else "there is nothing left to answer",
        )
    if state is not LinkState.PENDING:
        raise LinkRefused(link.id, f"it was answered already: {state}", f"have {link.other} ask again")


def _check_accepted(link: NeuralLink, problem: str) -> None:
    if link.state is not LinkState.ACCEPTED:
        said = "not accepted" if link.state is LinkState.PENDING else str(link.state)
        raise LinkRefused(link.id, f"{problem}: it is {said}", "look which links were accepted")


def _terms(include: Sequence[str], kinds: Sequence[str], scope: str | None, tags: Sequence[str]) -> LinkTerms:
    if scope is not None:
        scope = checked_path(scope, "scope")
    return LinkTerms(
        include=tuple(
            dict.fromkeys(member(Include, one, "include", "is not shared that way") for one in include)
        ),
        kinds=tuple(dict.fromkeys(str(checked_kind(one, "kinds")) for one in kinds)),
        scope=scope,
        tags=tuple(dict.fromkeys(checked_name(one, "tags") for one in tags)),
    )
