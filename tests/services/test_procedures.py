"""procedures: named workflows with their steps and what became of following them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reverie import Action, Agent, Forgotten, InvalidInput, Kind, Memory, NotFound, Priority, Reverie, State
from reverie.domain.memory import Origin
from reverie.domain.procedure import MAX_STEP_BYTES, MAX_STEPS, Procedure
from reverie.domain.trust import SourceTrust
from reverie.memory.trust import may_instruct
from reverie.services.remember import procedures
from tests.services.bench import Clock, kept, state_of

pytestmark = pytest.mark.slow

STEPS = ["run the tests", "tag the version", "push the tag"]


def _procedure(agent: Agent, name: str = "release", **given: Any) -> Procedure:
    return agent.procedures.record(name, **given)


def test_a_procedure_is_a_memory_of_kind_workflow_with_its_steps(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS, scope=["ci/**"], tags=["ops"], lesson="Tests first")
    memory = mama.get(new.id)
    assert isinstance(memory, Memory)
    assert memory == new.memory
    assert (memory.kind, memory.priority, memory.origin) == (Kind.WORKFLOW, Priority.HIGH, Origin.COMMIT)
    assert memory.essence == "release: run the tests; tag the version; push the tag"
    assert (memory.scope, memory.tags, memory.lesson) == (("ci/**",), ("ops",), "Tests first")
    assert may_instruct(memory)
    assert (new.name, new.steps.steps, new.steps.proven) == ("release", tuple(STEPS), False)
    assert list(mama.procedures.list()) == [new]


def test_steps_and_outcome_may_come_at_once(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS, outcome="success", note="took a minute")
    assert (new.steps.success_count, new.steps.failure_count, new.steps.proven) == (1, 0, True)
    assert list(mama.procedures.list()) == [new]


def test_a_success_is_evidence_and_a_failure_is_counted_alone(mama: Agent, clock: Clock) -> None:
    new = _procedure(mama, steps=STEPS).memory
    at = clock.wait(days=3)
    failed = _procedure(mama, outcome="failure", note="the tag was there")
    assert failed.memory == new
    assert (failed.steps.success_count, failed.steps.failure_count) == (0, 1)
    worked = _procedure(mama, outcome="success")
    assert (worked.steps.success_count, worked.steps.failure_count) == (1, 1)
    assert worked.memory.confidence == pytest.approx(new.confidence + 0.05)
    assert (worked.memory.reinforcement_count, worked.memory.last_reinforced_at) == (2, at)
    assert mama.get(new.id) == worked.memory


def test_other_steps_revise_it_and_keep_the_old_wording(mama: Agent, clock: Clock) -> None:
    old = _procedure(mama, steps=STEPS, outcome="success")
    clock.wait(days=1)
    new = _procedure(mama, "Release", steps=["run the tests", "push"])
    assert (new.id, new.name, new.steps.steps) == (old.id, "release", ("run the tests", "push"))
    assert new.memory.essence == "release: run the tests; push"
    assert new.steps.success_count == 1
    assert [past.essence for past in mama.portrait(new.id).versions] == [old.memory.essence]
    assert list(mama.procedures.list()) == [new]


def test_the_same_steps_said_again_reinforce_it(mama: Agent) -> None:
    old = _procedure(mama, steps=STEPS)
    new = _procedure(mama, steps=STEPS)
    assert new.memory.reinforcement_count == old.memory.reinforcement_count + 1
    assert new.memory.version == 1
    assert len(mama.memories(deep=True)) == 1
    assert _procedure(mama, steps=STEPS, outcome="failure").memory.reinforcement_count == 2  # counted once
    assert _procedure(mama, steps=STEPS, outcome="success").memory.reinforcement_count == 3


def test_get_reads_it_in_any_case_and_changes_nothing(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS, outcome="success")
    before = state_of(mama)
    assert mama.procedures.get("RELEASE") == new
    assert state_of(mama) == before


def test_get_finds_no_unknown_name(mama: Agent) -> None:
    _procedure(mama, steps=STEPS)
    with pytest.raises(NotFound, match="deploy"):
        mama.procedures.get("deploy")
    with pytest.raises(InvalidInput, match="name"):
        mama.procedures.get("")


def test_a_record_of_nothing_is_refused(mama: Agent) -> None:
    _procedure(mama, steps=STEPS)
    before = state_of(mama)
    with pytest.raises(InvalidInput, match="nothing to record"):
        _procedure(mama)
    assert state_of(mama) == before


def test_scope_tags_and_lesson_alone_revise_it(mama: Agent) -> None:
    _procedure(mama, steps=STEPS, tags=["ops"])
    new = _procedure(mama, scope=["ci/**"], lesson="Tests first").memory
    assert (new.scope, new.tags, new.lesson) == (("ci/**",), ("ops",), "Tests first")


def test_as_many_and_as_long_steps_as_are_allowed_are_kept(mama: Agent) -> None:
    many = [f"step {number}" for number in range(MAX_STEPS)]
    assert _procedure(mama, "many", steps=many).steps.steps == tuple(many)
    assert _procedure(mama, "long", steps=["x" * MAX_STEP_BYTES]).steps.steps == ("x" * MAX_STEP_BYTES,)


def test_a_remembered_workflow_becomes_the_procedure(mama: Agent) -> None:
    known = kept(
        mama, "release: run the tests; tag the version; push the tag.", kind="workflow", origin="loop"
    )
    assert not may_instruct(known)
    new = _procedure(mama, steps=STEPS)
    assert new.id == known.id
    assert new.memory.essence == "release: run the tests; tag the version; push the tag"
    assert new.memory.reinforcement_count == 2
    assert may_instruct(new.memory)
    assert mama.get(new.id) == new.memory


def test_what_came_from_outside_is_not_made_a_procedure(mama: Agent) -> None:
    foreign = kept(
        mama,
        "release: run the tests; tag the version; push the tag",
        kind="workflow",
        source_trust="external",
    )
    new = _procedure(mama, steps=STEPS)
    assert new.id != foreign.id
    assert new.memory.source_trust is SourceTrust.AGENT


def test_two_names_for_the_same_steps_are_refused(mama: Agent) -> None:
    _procedure(mama, "release it", steps=STEPS)
    before = state_of(mama)
    with pytest.raises(InvalidInput, match="release it"):
        _procedure(mama, "release  it".replace("  ", " ") + ".", steps=STEPS)
    assert state_of(mama) == before


def test_only_a_success_brings_an_archived_procedure_back(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS)
    successor = kept(mama, "Releases are made by the robot now", supersedes=[new.id])
    assert _procedure(mama, outcome="failure").memory.superseded_by == successor.id
    back = _procedure(mama, outcome="success").memory
    assert (back.state, back.superseded_by) == (State.ACTIVE, None)


def test_forgetting_its_memory_forgets_the_procedure(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS, outcome="success", note="worked")
    mama.forget(new.id)
    assert list(mama.procedures.list()) == []
    with pytest.raises(NotFound):
        mama.procedures.get("release")
    with pytest.raises(Forgotten):
        _procedure(mama, steps=STEPS)
    again = _procedure(mama, steps=STEPS, override=True)
    assert (again.steps.success_count, again.id != new.id) == (0, True)


def test_steps_and_outcomes_are_in_the_audit_log(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS, outcome="failure", note="no network")
    _procedure(mama, outcome="success")
    log = [entry for entry in mama.audit(target=new.id) if entry.action is Action.PROCEDURE]
    assert log[0].after == {
        "name": "release", "steps": STEPS, "success_count": 0, "failure_count": 1, "note": "no network",
    }  # fmt: skip
    assert (log[1].before, log[1].after) == ({"success_count": 0}, {"success_count": 1})
    assert {entry.actor for entry in log} == {"caller"}


def test_procedures_are_listed_by_name(mama: Agent) -> None:
    for name in ("b", "C", "a"):
        _procedure(mama, f"{name} way", steps=[f"do {name} {name * 9}"])
    assert [one.name for one in [*mama.procedures.list()]] == ["a way", "b way", "C way"]


def test_a_procedure_that_another_process_made_is_the_same(
    open_bank: Callable[..., Reverie], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = open_bank().agent("mama"), open_bank().agent("mama")
    really = procedures._named

    def looked_up(*given: object) -> None:
        monkeypatch.setattr(procedures, "_named", really)
        assert really(*given) is None  # type: ignore[arg-type]  # passed on
        _procedure(theirs, steps=["another way"])

    monkeypatch.setattr(procedures, "_named", looked_up)
    new = _procedure(ours, steps=STEPS, outcome="success")
    assert (new.steps.steps, new.memory.version, new.steps.success_count) == (tuple(STEPS), 2, 1)
    assert [*theirs.procedures.list()] == [new]


def test_what_else_there_is_of_it_may_be_revised(mama: Agent) -> None:
    new = _procedure(mama, steps=STEPS)
    assert mama.revise(new.id, lesson="Tests first", importance=0.9).lesson == "Tests first"
    assert mama.procedures.list()[0].steps == new.steps
