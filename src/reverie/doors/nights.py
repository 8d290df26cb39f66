"""What the command line and the page tell of a night in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reverie.domain.memory import CONTRADICTS, Memory
from reverie.domain.sleep import Act, Applied, SleepReport
from reverie.errors import NotFound

if TYPE_CHECKING:
    from reverie.client import Agent

HEADS = {
    Act.LEARN: "Learned", Act.REVISE: "Changed", Act.RETIRE: "Retired", Act.CONTRADICT: "Contradicted",
    Act.FADE: "Faded", Act.REINFORCE: "Confirmed", Act.CONNECT: "Connected",
}  # fmt: skip


def counts(reports: Sequence[SleepReport]) -> str:
    """Return ``2 learned, 1 changed``, without what nothing was done of."""
    done = [(sum(len(changes_of(one, act)) for one in reports), head.lower()) for act, head in HEADS.items()]
    done.append((sum(len(one.sleep.rejected) for one in reports), "rejected"))
    return ", ".join(f"{count:,} {name}" for count, name in done if count) or "nothing changed"


def changes_of(report: SleepReport, act: Act) -> Sequence[Applied]:
    """Return the changes of one sort, without the edges that repeat a contradiction."""
    if act is not Act.CONNECT:
        return report.of(act)
    told = {frozenset((one.target, by)) for one in report.of(Act.CONTRADICT) if (by := winner(one))}
    return [one for one in report.of(act) if _contradicting(one) not in told]


def winner(change: Applied) -> str | None:
    """Return which memory holds against a contradicted one."""
    found = (change.after or {}).get("superseded_by")
    return found if isinstance(found, str) else None


def text_of(agent: Agent, report: SleepReport, id: str) -> str:
    """Return what a memory says as this night left it; its id where it is gone."""
    told = {one.target: one.text for one in report.changes if one.text and one.act is not Act.CONNECT}
    if id in told:
        return str(told[id])
    try:
        found = agent.get(id)
    except NotFound:
        return id
    return found.essence if isinstance(found, Memory) else found.content


def _contradicting(edge: Applied) -> frozenset[str]:
    after = edge.after or {}
    if after.get("relation") != CONTRADICTS:
        return frozenset()
    return frozenset((edge.target, str(after.get("target"))))
