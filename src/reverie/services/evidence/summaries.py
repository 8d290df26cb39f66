"""What falls of summaries when something goes that they stand for: they, all above them, and nothing else.

The rest of what they stood for is active again, or live again: it is to be summarized anew. So nothing of what goes
survives in a narrative, and nothing else is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import State
from reverie.domain.summary import Summary
from reverie.ports.store import Unit
from reverie.services.aggregates import audit_log
from reverie.services.runtime import Desk, entry, plain

_AGAIN = "the summary that stood for it is gone"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fallen:
    """``summaries`` that go, by memory id; ``awake``: memories that are active again; ``live``: how many messages are
    live again.
    """

    summaries: Mapping[str, Summary] = field(default_factory=dict)
    awake: tuple[str, ...] = ()
    live: int = 0


def fallen(
    unit: Unit, *, summaries: Collection[str], memories: Collection[str], episodes: Collection[str],
    gone: Collection[str],
) -> Fallen:  # fmt: skip
    """Return what falls where these ``summaries`` go, and these ``memories`` and ``episodes`` go or are reworded;
    ``gone``: what goes for good.
    """
    doomed = dict(unit.summaries.get(summaries))
    if episodes:  # also of one that came by a link, and so closes no conversation here
        doomed |= unit.summaries.get(unit.memories.derived_from(episodes))
    wave: set[str] = {*memories, *doomed}
    while wave:
        new = unit.summaries.get(set(unit.summaries.above(wave)) - doomed.keys())
        doomed |= new
        wave = set(new)
    members = {id for key in doomed for id in unit.summaries.members(key)}
    loose = members - doomed.keys() - set(gone)
    held = {id for by, some in unit.summaries.above(loose).items() if by not in doomed for id in some}
    known = unit.memories.get(loose - held)
    awake = tuple(sorted(id for id, one in known.items() if one.state is State.SUMMARIZED))
    messages = {
        id
        for key, one in unit.memories.get(doomed).items()
        if doomed[key].conversation is not None
        for id in one.source_episodes
    }
    return Fallen(summaries=doomed, awake=awake, live=len(messages - set(gone)))


def topple(desk: Desk, unit: Unit, down: Fallen, at: datetime, actor: str) -> None:
    """Do it: the summaries go with their words in the log, what they stood for is active again. A revert of the
    self-care that made them passes over that.
    """
    if not down.summaries:
        return
    unit.memories.delete(down.summaries)
    unit.fresh.forget(memories=[*down.summaries], episodes=[])
    unit.audit.scrub([*down.summaries])
    if not down.awake:
        return
    unit.summaries.uncover(down.awake, at)
    covering = [*_covering(unit, down)]
    unit.audit.retell([replace(one, before={}, after={}) for one in covering])
    before, after = ({"state": str(state)} for state in (State.SUMMARIZED, State.ACTIVE))
    unit.audit.add(
        [
            entry(
                desk, Action.SUMMARIZE, id, actor=actor, at=at, before=before,
                after={**after, "updated_at": plain(at)}, reason=_AGAIN,
            )
            for id in down.awake
        ]
    )  # fmt: skip


def _covering(unit: Unit, down: Fallen) -> Iterator[AuditEntry]:
    """Return the log's entries that put these memories under these summaries."""
    awake = set(down.awake)
    for job in sorted({one.job for one in down.summaries.values()}):
        for one in audit_log(unit, job=job, actions=[Action.SUMMARIZE]):
            if one.target in awake and (one.after or {}).get("summary") in down.summaries:
                yield one
