"""goals: open until they are achieved."""

from __future__ import annotations

from reverie import Action, Agent, Kind, State
from reverie.domain.goal import Goal
from tests.services.bench import NOON, Clock, kept, state_of

SHIP = "Ship the first version"


def _add(agent: Agent, text: str = SHIP, **fields: object) -> Goal:
    return agent.goals.add(text, **fields)  # type: ignore[arg-type]


def _ids(agent: Agent, *, achieved: bool = False) -> list[str]:
    return [goal.id for goal in agent.goals.list(achieved=achieved)]


def test_a_goal_is_a_memory_of_kind_goal_and_open(mama: Agent) -> None:
    goal = _add(mama, importance=0.8, tags=["work"])
    assert (goal.memory.kind, goal.memory.importance, goal.memory.tags) == (Kind.GOAL, 0.8, ("work",))
    assert goal.is_open
    assert mama.get(goal.id) == goal.memory
    assert [*mama.goals.list()] == [goal]


def test_whatever_made_it_a_memory_of_kind_goal_is_one(mama: Agent) -> None:
    memory = kept(mama, SHIP, kind="goal", origin="loop")
    kept(mama, "Shipping is hard")
    assert _ids(mama) == [memory.id]


def test_an_achieved_goal_is_open_no_more(mama: Agent, clock: Clock) -> None:
    goal, other = _add(mama), _add(mama, "Learn to swim")
    at = clock.wait(days=1)
    done = mama.goals.complete(goal.id, note="with two bugs")
    assert done.achieved is not None
    assert (done.achieved.at, done.achieved.note, done.is_open) == (at, "with two bugs", False)
    assert (_ids(mama), _ids(mama, achieved=True)) == ([other.id], [goal.id])


def test_completing_it_twice_is_completing_it_once(mama: Agent, clock: Clock) -> None:
    done = mama.goals.complete(_add(mama).id, note="at last")
    before = state_of(mama)
    clock.wait(days=1)
    assert mama.goals.complete(done.id, note="again") == done
    assert state_of(mama) == before


def test_reopening_counts_as_evidence_that_it_matters(mama: Agent, clock: Clock) -> None:
    goal = _add(mama)
    mama.goals.complete(goal.id)
    at = clock.wait(days=1)
    again = mama.goals.reopen(goal.id)
    assert again.is_open
    assert (again.memory.reinforcement_count, again.memory.last_reinforced_at) == (2, at)
    assert (_ids(mama), _ids(mama, achieved=True)) == ([goal.id], [])


def test_reopening_an_open_goal_changes_nothing(mama: Agent) -> None:
    goal = _add(mama)
    before = state_of(mama)
    assert mama.goals.reopen(goal.id) == goal
    assert state_of(mama) == before


def test_reopening_brings_an_archived_goal_back(mama: Agent) -> None:
    goal = _add(mama)
    kept(mama, "Nothing is shipped any more", supersedes=[goal.id])
    assert _ids(mama) == []
    assert mama.goals.reopen(goal.id).memory.state is State.ACTIVE
    assert _ids(mama) == [goal.id]


def test_an_achieved_goal_that_is_set_again_is_open_again(mama: Agent) -> None:
    goal = _add(mama)
    mama.goals.complete(goal.id)
    again = _add(mama, "Ship the first version.")
    assert (again.id, again.memory.reinforcement_count, again.is_open) == (goal.id, 2, True)
    assert _ids(mama) == [goal.id]


def test_what_changes_is_in_the_audit_log(mama: Agent) -> None:
    goal = _add(mama)
    mama.goals.complete(goal.id, note="done")
    mama.goals.reopen(goal.id)
    log = [entry for entry in mama.audit(target=goal.id) if entry.action is Action.GOAL]
    done = {"achieved": NOON.isoformat(), "note": "done"}
    assert [(entry.before, entry.after) for entry in log] == [
        ({"achieved": None}, done),
        (done, {"achieved": None}),
    ]
    assert {entry.actor for entry in log} == {"caller"}


def test_a_forgotten_goal_is_nowhere(mama: Agent) -> None:
    goal = _add(mama)
    mama.goals.complete(goal.id, note="done")
    mama.forget(goal.id)
    assert (_ids(mama), _ids(mama, achieved=True)) == ([], [])
    assert all(entry.after is None for entry in mama.audit(target=goal.id))
