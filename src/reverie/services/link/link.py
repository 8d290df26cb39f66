"""link: another agent's memory, for the asking (s4). A asks; B accepts within two minutes, or declines; either revokes.

Both banks hold a line of it, and each step changes the two in one transaction, so they never disagree. What is copied
is in ``copying``, what taking it back does in ``revoking``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

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
from reverie.domain.text import checked_text, lowered
from reverie.errors import InvalidInput, LinkRefused, NotFound
from reverie.errors.showing import shown
from reverie.ports.store import Unit
from reverie.ports.transfer import half_copied
from reverie.services.link.brought import Brought
from reverie.services.link.copying import copied
from reverie.services.link.extras import embedded_texts
from reverie.services.link.narrowing import look_through
from reverie.services.link.revoking import adopted, taken_back, tidied
from reverie.services.prompt import checked_path
from reverie.services.runtime import Desk, cleaned, entry, name_of, read_again, refuse_secrets, requote

_PAGE = 100
_LOOKED_BACK = timedelta(hours=1)
_ANSWERED = "ask for a new link"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ends:
    """A link as both banks hold it; ``theirs`` is None where the other agent has gone, or lies elsewhere."""

    ours: NeuralLink
    theirs: NeuralLink | None


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

    def write(ours: Unit, theirs: Unit) -> NeuralLink:
        _check_whole(theirs, to)
        if theirs.agents.get() is None:
            raise NotFound("agent", to)
        if agent_id in theirs.links.blocked():
            raise LinkRefused(
                None, f"{to} takes no requests from {agent_id}", f"it is {to}'s to unblock them"
            )
        now = desk.clock()
        if ours.agents.get() is None:
            ours.agents.put(Agent(id=agent_id, created_at=now), desk.secret())
        for one in [*_unanswered(ours, now)]:
            if one.side is not Side.ASKED or one.other != to:
                continue
            if now < one.expires_at:
                raise LinkRefused(
                    one.id, f"{to} was asked already and can still answer", "wait for the answer"
                )
            late = _changed(_ends(ours, theirs, one.id, agent_id), state=LinkState.EXPIRED)
            _put(desk, late, ours, theirs, agent_id, actor, now)
        asked = NeuralLink(
            id=desk.ids(now),
            side=Side.ASKED,
            other=to,
            message=message,
            asked_at=now,
            expires_at=now + LINK_WINDOW,
        )
        received = replace(asked, side=Side.RECEIVED, other=agent_id)
        _put(desk, _Ends(ours=asked, theirs=received), ours, theirs, agent_id, actor, now)
        return asked

    return desk.store.transact_both(agent_id, to, write)


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
    requote(desk, agent_id, actor=actor)
    brought = Brought(desk.settings)
    look_through(desk, agent_id, terms, brought)
    while True:
        vectors = embedded_texts(desk, agent_id, terms, brought)

        def write(ours: Unit, theirs: Unit, vectors: object = vectors) -> NeuralLink | None:
            """Return None where there is more to embed by now."""
            ends, now = _ends(ours, theirs, id, agent_id), desk.clock()
            _check_answerable(ends.ours, now, accepting=True)
            if ends.theirs is None:
                raise LinkRefused(id, f"{ends.ours.other} doesn't know of it any more", _ANSWERED)
            if ends.theirs.state is not LinkState.PENDING:  # this bank was put back to what it was before
                raise LinkRefused(id, f"for {ends.ours.other} it is {ends.theirs.state}", _ANSWERED)
            _check_whole(theirs, ends.ours.other)
            desk.check_embedder(agent_id, ours.agents.embedder())
            desk.check_embedder(ends.ours.other, theirs.agents.embedder())
            counts = copied(desk, ours, theirs, ends.theirs, terms, vectors, brought, now)  # type: ignore[arg-type]
            if counts is None:
                return None
            changed = {"state": LinkState.ACCEPTED, "decided_at": now, "terms": terms, "counts": counts}
            done = _changed(ends, **changed)
            _put(desk, done, ours, theirs, agent_id, actor, now)
            return done.ours

        done = desk.store.transact_both(agent_id, known.other, write)
        if done is not None:
            return done


def decline(desk: Desk, agent_id: str, id: str, *, actor: str) -> NeuralLink:
    """See the client."""
    known = _answerable(desk, agent_id, id, accepting=False, actor=actor)

    def write(ours: Unit, theirs: Unit) -> NeuralLink:
        ends, now = _ends(ours, theirs, id, agent_id), desk.clock()
        _check_answerable(ends.ours, now, accepting=False)
        done = _changed(ends, state=LinkState.DECLINED, decided_at=now)
        _put(desk, done, ours, theirs, agent_id, actor, now)
        return done.ours

    return desk.store.transact_both(agent_id, known.other, write)


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

    def write(ours: Unit, theirs: Unit) -> NeuralLink:
        ends, now = _ends(ours, theirs, id, agent_id), desk.clock()
        _check_accepted(ends.ours, "nothing was shared by it")
        if ends.ours.side is Side.ASKED:
            taken_back(desk, ours, id, now, actor)
        elif ends.theirs is not None:
            taken_back(desk, theirs, id, now, agent_id)
        done = _changed(ends, state=LinkState.REVOKED, revoked_at=now)
        _put(desk, done, ours, theirs, agent_id, actor, now)
        return done.ours

    done = desk.store.transact_both(agent_id, known.other, write)
    tidied(desk, agent_id if done.side is Side.ASKED else done.other)
    return done


def block(desk: Desk, agent_id: str, other: str, *, actor: str) -> None:
    """See the client."""
    name_of(desk.settings, other, "other")
    if other == agent_id:
        raise InvalidInput("other", "an agent can't block itself", "name another agent")

    def write(ours: Unit, theirs: Unit) -> None:
        now = desk.clock()
        if ours.agents.get() is None:
            ours.agents.put(Agent(id=agent_id, created_at=now), desk.secret())
        if other in ours.links.blocked():
            return
        ours.links.block(other, now)
        after = {"with": other, "blocked": True}
        ours.audit.add([entry(desk, Action.LINK, other, actor=actor, at=now, after=after)])
        for one in [*_unanswered(ours, now)]:
            if one.side is Side.RECEIVED and one.other == other and now < one.expires_at:
                ends = _ends(ours, theirs, one.id, agent_id)
                done = _changed(ends, state=LinkState.DECLINED, decided_at=now)
                _put(desk, done, ours, theirs, agent_id, actor, now)

    desk.store.transact_both(agent_id, other, write)


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
    before: str | None = None
    while page := unit.links.list(limit=_PAGE, before=before):
        for one in page:
            if one.state is LinkState.PENDING:
                yield one
            if one.expires_at + _LOOKED_BACK < now:  # those before it are older
                return
        before = page[-1].id


def _answerable(desk: Desk, agent_id: str, id: str, *, accepting: bool, actor: str) -> NeuralLink:
    """Return the link, if it can be answered. Once its time is seen to be over it stays so, whatever the clock says
    later.
    """
    known = _known(desk, agent_id, id)

    def expire(ours: Unit, theirs: Unit) -> None:
        ends, now = _ends(ours, theirs, id, agent_id), desk.clock()
        if _is_late(ends.ours, now):
            done = _changed(ends, state=LinkState.EXPIRED)
            _put(desk, done, ours, theirs, agent_id, actor, now)

    if known.side is Side.RECEIVED and _is_late(known, desk.clock()):
        desk.store.transact_both(agent_id, known.other, expire)
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


def _ends(ours: Unit, theirs: Unit, id: str, agent_id: str) -> _Ends:
    """Return a link as both banks hold it. The other's line counts only as that of a link with this agent: a bank that
    was imported under another name holds lines of links that were never its own.
    """
    line, other = _get(ours, id), theirs.links.get(id)
    is_of_us = other is not None and other.other == agent_id and other.side is not line.side
    return _Ends(ours=line, theirs=other if is_of_us else None)


def _changed(ends: _Ends, **changes: object) -> _Ends:
    def changed(link: NeuralLink) -> NeuralLink:
        return replace(link, **changes)  # type: ignore[arg-type]  # names of its own fields

    return _Ends(ours=changed(ends.ours), theirs=None if ends.theirs is None else changed(ends.theirs))


def _put(
    desk: Desk, ends: _Ends, ours: Unit, theirs: Unit, agent_id: str, actor: str, now: datetime
) -> None:  # fmt: skip
    """Store both lines, and note in both logs that it was done. The log never holds what was written or shared."""
    for link, unit, who in ((ends.ours, ours, actor), (ends.theirs, theirs, agent_id)):
        if link is None:
            continue
        unit.links.put(link)
        after: dict[str, object] = {"with": link.other, "side": str(link.side), "state": str(link.state)}
        if link.counts:
            after["counts"] = dict(link.counts)
        unit.audit.add([entry(desk, Action.LINK, link.id, actor=who, at=now, after=after)])


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
        include=tuple(dict.fromkeys(_included(one) for one in include)),
        kinds=tuple(dict.fromkeys(str(checked_kind(one, "kinds")) for one in kinds)),
        scope=scope,
        tags=tuple(dict.fromkeys(checked_name(one, "tags") for one in tags)),
    )


def _included(value: object) -> Include:
    try:
        return Include(lowered(value))
    except ValueError:
        raise InvalidInput(
            "include", f"{shown(value)} is not shared that way", f"choose from {', '.join(Include)}"
        ) from None
