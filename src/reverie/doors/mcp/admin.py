"""Admin: what the tools of toolset ``admin`` do: each asks the client once and says what came of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reverie.domain.host import HostQuestion
from reverie.domain.sleep import SleepReport
from reverie.doors.mcp.answer import Answer, lines
from reverie.doors.mcp.counts import counted, told
from reverie.doors.mcp.definitions import Definition
from reverie.doors.mcp.definitions_admin import ADMIN

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_NOTHING = "Nothing was said since the last night: there is nothing to consolidate."
_AGAIN = (
    "Correct these entries alone, then call memory_night_apply once more with id {}, or leave it at that."
)


class Admin:
    """One agent's memory tended by the host's own model. May be called from many threads at once."""

    definitions: Sequence[Definition] = ADMIN

    def __init__(self, reverie: Reverie, agent_id: str) -> None:
        self._agent: Agent = reverie.agent(agent_id)

    def run(self, name: str, given: dict[str, Any]) -> Answer:
        """Run one tool with arguments that were read. Raises ReverieError."""
        match name:
            case "memory_night":
                return self._night(**given)
            case "memory_night_apply":
                return self._apply(**given)
            case "memory_consolidate":
                return counted(self._agent.housekeeping())
            case _:
                return counted(self._agent.stats())

    def _night(self, **given: Any) -> Answer:
        night = self._agent.host.night(**given)
        if night is None:
            return Answer(text=_NOTHING, values={"episodes": 0, "remaining": 0})
        shape = json.dumps(night.schema, ensure_ascii=False, separators=(",", ":"))
        waits = f"{night.remaining:,} more messages wait for the next night." if night.remaining else None
        head = f"Night {night.id}: answer with memory_night_apply(id={night.id!r}, answer={{…}})."
        text = lines(head, waits, f"\n{night.prompt}", f"\nThe answer's JSON Schema: {shape}\n", night.text)
        return Answer(text=text, values=_values(night))

    def _apply(self, id: str, answer: Mapping[str, object] | str) -> Answer:
        report = self._agent.host.apply_night(id, answer)
        values: dict[str, object] = {
            "applied": len(report.changes), "rejected": len(report.sleep.rejected), "remaining": report.remaining,
            "sleep": report.sleep.id,
        }  # fmt: skip
        if report.refused is not None:
            text = f"Refused as a whole, and nothing was changed: {report.refused}. Answer again, with fewer changes."
            return Answer(text=text, values={**values, "applied": 0})
        if report.question is not None:
            values["question"] = _values(report.question)
        return Answer(text=_told(report), values=values)


def _told(report: SleepReport) -> str:
    done = told(Counter(str(change.act) for change in report.changes)) if report.changes else "nothing"
    asked = report.question
    again = lines(f"\n{asked.prompt}", f"\n{asked.text}\n", _AGAIN.format(asked.id)) if asked else None
    reasons = Counter(f"{one.act}: {one.reason}" for one in report.sleep.rejected)
    refused = "; ".join(f"{why} (×{count})" for why, count in reasons.items()) if asked is None else ""
    return lines(
        f"Applied: {done}. The user can undo it: `reverie revert {report.sleep.id}`.",
        refused and f"Not applied: {refused}.",
        f"In doubt, for the user to review: {', '.join(report.review)}." if report.review else None,
        f"{report.remaining:,} more messages wait: call memory_night."
        if report.remaining and not asked
        else None,
        again,
    )


def _values(question: HostQuestion) -> Mapping[str, object]:
    return {
        "id": question.id, "prompt": question.prompt, "text": question.text, "schema": question.schema,
        "episodes": question.episodes, "remaining": question.remaining,
    }  # fmt: skip
