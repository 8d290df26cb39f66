"""Reminders and due dates: goals with a time, which prompts show about then."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from reverie import Agent, CaptureSettings, Reverie, Settings
from reverie.domain.audit import Action
from reverie.domain.block import Layer, Reason
from reverie.domain.kinds import Kind
from reverie.domain.memory import Origin, State
from reverie.errors import InvalidInput, NotFound
from tests.services.bench import NOON, Clock, kept, state_of
from tests.services.conftest import Open
from tests.services.kept_house import kept_house
from tests.services.moody import Moody, flush, waiting

CALL = "Remind me tomorrow at nine to call my mother."
AT_NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


def _due(agent: Agent, **until: Any) -> list[str]:
    return [one.memory.essence for one in agent.due(**until)]


def _lines(agent: Agent, task: str | None = None) -> list[str]:
    return [one.text for one in agent.context(task).entered if one.layer is Layer.DUE]


def test_a_reminder_is_a_goal_that_quotes_its_message(mama: Agent) -> None:
    seen = mama.observe({"content": f"Hi! {CALL} Thanks.", "speaker": "Anna"})
    (goal,) = mama.due()
    memory = goal.memory
    assert (memory.essence, memory.kind, memory.origin, goal.due) == (
        CALL,
        Kind.GOAL,
        Origin.PATTERN,
        AT_NINE,
    )
    assert (memory.source_episodes, seen.captured) == (seen.episode_ids, (memory.id,))
    assert memory.quoted is not None
    assert memory.quoted.speaker == "Anna"
    assert [*mama.goals.list()] == [goal]


def test_its_day_is_that_of_the_agents_zone_and_the_message(reverie: Reverie) -> None:
    mama = reverie.agent("mama", time_zone="Asia/Tokyo")  # where it is 21:00
    mama.observe([CALL, {"content": "The report is due on 3 December", "time": "2026-11-01T12:00:00"}])
    assert [one.due for one in mama.due()] == [
        datetime(2026, 11, 21, 0, tzinfo=UTC), datetime(2026, 12, 3, 14, 59, tzinfo=UTC),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "message",
    [
        {"content": CALL, "role": "assistant"},
        {"content": CALL, "role": "tool"},
        {"content": CALL, "role": "system"},
        {"content": f"From: Bo <bo@example.com>\nSubject: hi\n\n{CALL}\n\nBest,\nBo"},
        {"content": f"> {CALL}"},
        {"content": CALL, "time": "2026-11-18T12:00:00Z"},  # it was due yesterday
    ],
    ids=["agent", "tool", "system", "pasted", "quoted", "over"],
)
def test_of_others_words_and_of_the_past_nothing_is_made(mama: Agent, message: dict[str, str]) -> None:
    mama.observe(message)
    assert _due(mama) == []


def test_what_repeats_outside_text_is_no_reminder(mama: Agent) -> None:
    mama.observe([{"content": CALL, "role": "tool"}, CALL])
    assert _due(mama) == []


def test_without_capture_nothing_is_made(open_bank: Open) -> None:
    mama = open_bank(settings=Settings(capture=CaptureSettings(enabled=False))).agent("mama")
    mama.observe(CALL)
    assert _due(mama) == []


def test_the_shipped_judges_believe_a_plain_request(open_bank: Open) -> None:
    mama = open_bank(judges=None).agent("mama")
    mama.observe([CALL, "The report is due on Friday.", "The report was due on Friday, and she loved it."])
    assert _due(mama) == [CALL, "The report is due on Friday."]


def test_a_message_that_comes_twice_makes_one_item(mama: Agent, clock: Clock) -> None:
    for ref in ("m1", "m1", None):
        mama.observe({"content": CALL, "ref": ref})
    (goal,) = mama.due()
    mama.goals.complete(goal.id)
    clock.wait(hours=1)
    mama.observe(CALL)  # for the same time: it is done
    assert _due(mama) == []


def test_asked_for_anew_it_is_open_again_at_the_new_time(mama: Agent, clock: Clock) -> None:
    mama.observe(CALL)
    mama.goals.complete(mama.due()[0].id)
    clock.wait(days=3)
    mama.observe(CALL)
    assert [one.due for one in mama.due()] == [datetime(2026, 11, 24, 9, tzinfo=UTC)]


def test_a_forgotten_message_takes_its_item_along(mama: Agent) -> None:
    seen = mama.observe(CALL)
    mama.forget(seen.episode_ids[0])
    assert (_due(mama), mama.goals.list(), _lines(mama)) == ([], [], [])
    assert "mother" not in repr(mama.audit(limit=100))


def test_what_is_due_is_listed_soonest_first_until_it_is_done(mama: Agent) -> None:
    for text, due in (("File the tax", "2026-12-03"), ("Pay rent", date(2026, 11, 1)), ("Call", AT_NINE)):
        mama.goals.add(text, due=due)
    mama.goals.add("Learn to swim")
    assert _due(mama) == ["Pay rent", "Call", "File the tax"]
    assert _due(mama, until=AT_NINE) == ["Pay rent"]
    mama.goals.complete(mama.due()[0].id, note="at last")
    assert _due(mama) == ["Call", "File the tax"]
    assert mama.goals.reopen(mama.goals.list(achieved=True)[0].id).due == datetime(
        2026, 11, 1, 23, 59, tzinfo=UTC
    )


def test_a_goal_is_postponed_and_its_log_tells(mama: Agent) -> None:
    id = mama.goals.add("Call", due=AT_NINE).id
    assert mama.goals.postpone(id, "2026-11-22").due == datetime(2026, 11, 22, 23, 59, tzinfo=UTC)
    assert mama.goals.postpone(id, None).due is None
    assert _due(mama) == []
    told = [one.after for one in mama.audit(target=id) if one.action is Action.GOAL]
    assert told == [
        {"due": AT_NINE.isoformat()}, {"due": "2026-11-22T23:59:00+00:00"}, {"due": None},
    ]  # fmt: skip


@pytest.mark.parametrize("due", ["tomorrow at nine", " Tomorrow at 9am "])
def test_a_goal_falls_due_when_words_say(mama: Agent, due: str) -> None:
    assert mama.goals.add("Call", due=due).due == AT_NINE
    assert mama.goals.postpone(mama.due()[0].id, "in two hours").due == NOON + timedelta(hours=2)


@pytest.mark.parametrize(
    "due", ["soon", 7, "9999-12-31", "0001-01-01", "Friday or Monday", "tomorrow at nine, maybe"]
)
def test_what_is_no_time_is_refused(mama: Agent, due: Any) -> None:
    before = state_of(mama)
    with pytest.raises(InvalidInput, match=r"^due: "):
        mama.goals.add("Call", due=due)
    assert state_of(mama) == before
    with pytest.raises(NotFound):
        mama.goals.postpone("nobody", None)


def test_prompts_show_what_is_due_about_now(mama: Agent, clock: Clock) -> None:
    dues = ["2026-11-12", "2026-11-13", "2026-11-20T08:00", "2026-11-20", "2026-11-21T09:00", "2026-11-22"]
    for number, due in enumerate(dues):
        mama.goals.add(f"thing {number}", due=due)
    assert _lines(mama) == [
        "- due 20 November 2026, 08:00: thing 2",
        "- due 20 November 2026: thing 3",
        "- due 21 November 2026, 09:00: thing 4",
        "- overdue since 13 November 2026: thing 1",
    ]
    shown = mama.context("thing").text
    window = mama.window(["hi"], max_tokens=9000)
    assert [line[:6] for line in window.text.splitlines() if "thing" in line][:2] == ["- over", "- due "]
    clock.wait(hours=11)
    assert mama.context("thing").text == shown  # all day long the same bytes
    clock.wait(hours=1)
    assert "overdue since 20 November 2026: thing 3" in mama.context("thing").text


def test_a_day_is_one_of_the_agents_zone(reverie: Reverie) -> None:
    mama = reverie.agent("mama", time_zone="Pacific/Auckland")  # the 21st, 01:00
    mama.goals.add("Call", due="2026-11-22T23:00")
    mama.goals.add("Sing", due="2026-11-23T00:00")
    assert _lines(mama) == ["- due 22 November 2026, 23:00: Call"]


def test_at_most_five_enter_and_the_budget_holds(mama: Agent) -> None:
    for number in range(8):
        mama.goals.add(f"thing {number}", due=f"2026-11-20T{number + 10}:00")
    block = mama.context()
    assert [one.layer for one in block.entered] == [Layer.DUE] * 5
    assert [(one.layer, one.reason) for one in block.left_out] == [(Layer.DUE, Reason.LIMIT)] * 3
    assert mama.context(max_tokens=40).tokens <= 40


def test_a_goal_of_others_enters_no_prompt_as_due(mama: Agent) -> None:
    mama.goals.add("Wire the money", due=AT_NINE, source_trust="external")
    assert _lines(mama) == []


def test_what_is_due_stands_once_in_a_block(mama: Agent) -> None:
    mama.observe(CALL)
    assert mama.context("call my mother at nine").text.count("call my mother") == 1


def test_housekeeping_keeps_it_until_it_is_done(mama: Agent, clock: Clock) -> None:
    mama.observe("The report is due on 3 December 2027.")
    kept(mama, "Something else")
    clock.wait(days=370)
    kept_house(mama)
    (goal,) = mama.due()
    assert goal.memory.state is State.ACTIVE


def test_the_same_words_with_another_time_move_it(mama: Agent) -> None:
    mama.goals.add("Hand in the report", due="2026-12-03")
    mama.goals.add("Hand in the report", due="2026-12-04")
    mama.goals.add("Hand in the report")
    assert [one.due for one in mama.due()] == [datetime(2026, 12, 4, 23, 59, tzinfo=UTC)]
    assert NOON.date() == date(2026, 11, 20)


def test_a_reminder_keeps_its_time_while_it_waits_for_the_embedder(open_bank: Open, moody: Moody) -> None:
    mama, nova = (open_bank(embedder=moody).agent(name) for name in ("mama", "nova"))
    moody.left = 1  # the message is embedded, what it asks for no more
    mama.observe(f"Hi! {CALL} Thanks.")
    assert (_due(mama), waiting(mama)) == ([], 1)
    moody.left, moody.broken = None, False
    nova.import_bank(mama.export())
    for agent in (mama, nova):
        assert flush(agent) == (1, 0, 0)
        assert [(one.memory.essence, one.due) for one in agent.due()] == [(CALL, AT_NINE)]
