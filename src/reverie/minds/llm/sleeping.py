"""Sleeping: a night's questions to a model, its answers as one proposal, and the questions about what was refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from reverie.domain.change import NOTHING_SPENT, Change, Misshapen, Proposal, Refusal, Spent
from reverie.minds.llm.asking import Asker
from reverie.minds.llm.question import Question, shaped
from reverie.minds.nights import ANSWER, Asked, Parsed, Seen, again, changes_of, fault_of, prompt, questions
from reverie.ports.night import Night

MOST_DATA = 14_000
"""Tokens of messages and memories in one question, by our estimate; a single long conversation may need more."""
LONG_ANSWER = 8_192
"""Tokens of an answer at most."""
_NOTHING = "nothing of these episodes may be shown to the model, or they state nothing"


@dataclass(kw_only=True, slots=True)
class _Answers:
    """What a model proposes to several questions, as one proposal."""

    parsed: list[tuple[Asked, Parsed]] = field(default_factory=list)
    spent: Spent = NOTHING_SPENT

    @property
    def changes(self) -> tuple[Change | Misshapen, ...]:
        return tuple(change for _, parsed in self.parsed for change in parsed.changes)

    @property
    def notes(self) -> tuple[str, ...]:
        again = self.spent.calls - len(self.parsed)
        notes = [note for _, parsed in self.parsed for note in parsed.notes]
        return tuple(dict.fromkeys([*notes, *([f"{again} calls had to be repeated"] if again > 0 else [])]))


def consolidated(asker: Asker, seen: Seen, night: Night) -> Proposal:
    """Return what the night teaches. All its questions must be within the limits before the first is asked. Raise
    MindFailed, CapReached.
    """
    asked = questions(night, seen, asker.tokens, MOST_DATA)
    if not asked:
        return Proposal(notes=(_NOTHING,))
    answers = _answers(asker, night, [(one, _question(one.data)) for one in asked])
    return Proposal(
        changes=answers.changes,
        spent=answers.spent,
        notes=answers.notes,
        reconsider=partial(_reconsidered, asker, night, answers.parsed),
    )


def _reconsidered(
    asker: Asker, night: Night, before: Sequence[tuple[Asked, Parsed]], refusals: Sequence[Refusal]
) -> Proposal:
    """Return what the model puts in place of what was refused: one question for each that had refusals."""
    repairs = [
        (asked, _question(f"{asked.data}\n\n{prompt('repair')}\n{text}"))
        for asked, parsed, own in _shared_out(before, refusals)
        if (text := again(asked, parsed, own))
    ]
    answers = _answers(asker, night, repairs)
    return Proposal(changes=answers.changes, spent=answers.spent, notes=answers.notes)


def _shared_out(
    before: Sequence[tuple[Asked, Parsed]], refusals: Sequence[Refusal]
) -> Iterator[tuple[Asked, Parsed, list[Refusal]]]:
    """Yield the refusals of each question, with the places that they have in its own answer."""
    start = 0
    for asked, parsed in before:
        end = start + len(parsed.read)
        own = [replace(one, place=one.place - start) for one in refusals if start <= one.place < end]
        yield asked, parsed, own
        start = end


def _answers(
    asker: Asker, night: Night, asked: Sequence[tuple[Asked, Question[dict[str, object]]]]
) -> _Answers:
    asker.meter.check(sum((asker.planned(question) for _, question in asked), Spent()))
    answers, learned = _Answers(), 0
    for one, question in asked:
        night.go_on()
        told = asker.ask(question)
        parsed = changes_of(told.answer, one, night.zone, first=learned)
        answers.parsed.append((one, parsed))
        answers.spent += told.spent
        learned += parsed.learned
    return answers


def _question(data: str) -> Question[dict[str, object]]:
    return shaped(prompt("consolidate"), data, ANSWER, LONG_ANSWER, fault_of)
