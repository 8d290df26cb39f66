"""Rooms: what is said in one reaches every member's bank, and an agent's dialogues are found again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import InvalidInput, RefConflict, Reverie, SelfCareSettings, Settings
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import NotFound, NotHeard
from tests.services.bench import NOON, Clock
from tests.services.conftest import Open

FERRY = "The ferry leaves at six"


class Counting(HashingEmbedder):
    """Counts the texts that it is given."""

    texts: list[str]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts.extend(texts)
        return super().embed(texts)


def counting() -> Counting:
    made = Counting.for_tests()
    assert isinstance(made, Counting)
    made.texts = []
    return made


def test_every_member_has_its_own_view_of_what_is_said(reverie: Reverie) -> None:
    kept = reverie.room("plaza", ["nova", "kade"]).say("nova", FERRY, ref="m1", tags="ferry")
    views = {name: reverie.agent(name).episodes() for name in ("nova", "kade")}
    assert {name: [one.id for one in said] for name, said in views.items()} == {
        name: list(one.episode_ids) for name, one in kept.items()
    }
    (own,), (heard,) = views["nova"], views["kade"]
    assert (own.role, own.source_trust) == (Role.AGENT, SourceTrust.AGENT)
    assert (heard.role, heard.source_trust) == (Role.USER, SourceTrust.OTHER)
    for one in (own, heard):
        assert (one.conversation, one.channel, one.speaker, one.content) == ("plaza", "room", "nova", FERRY)
        assert (one.time, one.ref, one.tags) == (NOON, "m1", ("ferry",))


def test_a_guest_is_heard_by_all_and_keeps_nothing(reverie: Reverie) -> None:
    reverie.room("plaza", ["nova", "kade"]).say("Iris", FERRY)
    assert reverie.agents() == ["kade", "nova"]
    assert {one.role for name in ("nova", "kade") for one in reverie.agent(name).episodes()} == {Role.USER}


def test_a_principals_word_counts_in_a_room_too(reverie: Reverie) -> None:
    nova = reverie.agent("nova", principals=["Iris"])
    reverie.room("plaza", ["nova", "kade"]).say("Iris", "Always knock before you come in")
    assert nova.episodes()[0].source_trust is SourceTrust.PRINCIPAL
    assert reverie.agent("kade").episodes()[0].source_trust is SourceTrust.OTHER


def test_a_member_is_known_whatever_the_case_of_its_name(reverie: Reverie) -> None:
    reverie.room("plaza", ["nova", "kade"]).say("Nova", FERRY)
    (own,) = reverie.agent("nova").episodes()
    assert (own.speaker, own.role) == ("nova", Role.AGENT)


def test_a_text_is_embedded_once_for_all(open_bank: Open) -> None:
    embedder = counting()
    open_bank(embedder=embedder).room("plaza", ["nova", "kade", "iris"]).say("nova", FERRY)
    assert embedder.texts == [FERRY]


def test_a_repeated_ref_is_kept_once(reverie: Reverie) -> None:
    plaza = reverie.room("plaza", ["nova", "kade"])
    first, again = plaza.say("nova", FERRY, ref="m1"), plaza.say("nova", FERRY, ref="m1")
    assert [(one.stored, one.known) for one in again.values()] == [(0, 1), (0, 1)]
    assert {name: one.episode_ids for name, one in first.items()} == {
        name: one.episode_ids for name, one in again.items()
    }
    with pytest.raises(RefConflict):
        plaza.say("nova", "The ferry leaves at seven", ref="m1")


def test_what_one_bank_refuses_the_others_have(reverie: Reverie) -> None:
    reverie.agent("kade").observe({"content": "Something else", "ref": "m1"}, conversation="plaza")
    with pytest.raises(NotHeard, match="nova, iris heard it, kade could not") as told:
        reverie.room("plaza", ["nova", "kade", "iris"]).say("nova", FERRY, ref="m1")
    assert [*told.value.stored] == ["nova", "iris"]
    assert isinstance(told.value.failed["kade"], RefConflict)
    assert told.value.time == NOON
    assert [len(reverie.agent(name).society.history()) for name in ("nova", "kade", "iris")] == [1, 1, 1]
    assert FERRY not in str(told.value)


def test_a_repetition_completes_what_was_missing(reverie: Reverie, clock: Clock) -> None:
    reverie.room("plaza", ["nova"]).say("nova", FERRY, ref="m1")
    clock.wait(hours=1)
    kept = reverie.room("plaza", ["nova", "kade"]).say("nova", FERRY, ref="m1", time=NOON)
    assert {name: one.stored for name, one in kept.items()} == {"nova": 0, "kade": 1}
    assert reverie.agent("kade").episodes()[0].time == NOON


def test_a_time_without_a_zone_is_the_speakers(reverie: Reverie) -> None:
    reverie.agent("nova", time_zone="Asia/Tokyo")
    plaza = reverie.room("plaza", ["nova", "kade"])
    plaza.say("nova", FERRY, time="2026-11-20T21:00")
    plaza.say("Iris", FERRY, time="2026-11-20T12:00")
    for name in ("nova", "kade"):
        assert [one.time for one in reverie.agent(name).episodes()] == [NOON, NOON]


def test_what_one_member_forgot_it_does_not_hear_again(reverie: Reverie) -> None:
    plaza = reverie.room("plaza", ["nova", "kade"])
    kept = plaza.say("nova", FERRY, ref="m1")
    reverie.agent("kade").forget(kept["kade"].episode_ids[0])
    assert plaza.say("nova", FERRY, ref="m1")["kade"].forgotten == 1
    assert (len(reverie.agent("nova").episodes()), len(reverie.agent("kade").episodes())) == (1, 0)


@pytest.mark.parametrize("members", [[], "nova", None, [7], [""]])
def test_a_room_needs_members(reverie: Reverie, members: Sequence[str]) -> None:
    with pytest.raises(InvalidInput, match="members"):
        reverie.room("plaza", members)


@pytest.mark.parametrize(
    "given",
    [{"content": " "}, {"speaker": ""}, {"time": "soon"}, {"ref": ""}, {"tags": [7]}],
    ids=lambda given: next(iter(given)),
)
def test_what_no_bank_takes_is_refused_by_all(reverie: Reverie, given: dict[str, object]) -> None:
    said: dict[str, object] = {"speaker": "nova", "content": FERRY, **given}
    with pytest.raises(InvalidInput):
        reverie.room("plaza", ["nova", "kade"]).say(**said)  # type: ignore[arg-type]
    assert reverie.agents() == []


def _world(reverie: Reverie, clock: Clock) -> None:
    for number, (room, other) in enumerate([("harbour", "kade"), ("plaza", "iris"), ("harbour", "Iris")]):
        clock.now = NOON + timedelta(hours=number)
        reverie.room(room, ["nova"]).say(other, f"{other} says {number}")
        clock.wait(minutes=1)
        reverie.room(room, ["nova"]).say("nova", f"nova answers {number}")


def test_history_holds_the_conversations_in_which_somebody_spoke(reverie: Reverie, clock: Clock) -> None:
    _world(reverie, clock)
    nova = reverie.agent("nova")

    def told(**asked: Any) -> list[str]:
        return [one.content for one in nova.society.history(**asked)]

    harbour = ["kade says 0", "nova answers 0", "Iris says 2", "nova answers 2"]
    assert told(with_="KADE") == harbour
    assert told(with_="iris") == [*harbour[:2], "iris says 1", "nova answers 1", *harbour[2:]]
    assert told(with_=["kade", "nobody"], newest_first=True) == harbour[::-1]
    assert told(with_="kade", since=NOON + timedelta(hours=1)) == harbour[2:]
    assert told(with_="kade", until="2026-11-20T12:01") == harbour[:1]
    assert told(limit=2) == harbour[:2]
    assert told(with_="nobody") == []


def test_history_leaves_out_what_came_by_a_neural_link(reverie: Reverie) -> None:
    nova = reverie.agent("nova")
    nova.observe(
        {"content": "Kade told this to Iris", "speaker": "kade"}, conversation="link:x", channel="link"
    )
    assert nova.society.history() == []
    assert nova.society.history(with_="kade") == []
    assert nova.society.rooms() == []
    reverie.room("plaza", ["nova"]).say("kade", FERRY)
    assert [one.content for one in nova.society.history(with_="kade")] == [FERRY]
    assert [one.conversation.id for one in nova.society.rooms(with_="kade")] == ["plaza"]


def test_rooms_tell_who_spoke_and_how_much(reverie: Reverie, clock: Clock) -> None:
    _world(reverie, clock)
    nova = reverie.agent("nova")
    harbour, plaza = nova.society.rooms()
    assert harbour.conversation.participants == ("Iris", "kade", "nova")
    assert (harbour.live, harbour.closed) == (4, 0)
    assert (plaza.conversation.id, plaza.live, plaza.summaries, plaza.is_due) == ("plaza", 2, (), False)
    assert nova.society.rooms(limit=1, after="harbour") == [plaza]
    assert nova.society.rooms(with_="kade") == [harbour]
    assert nova.society.rooms(with_="nobody") == []


def test_rooms_come_the_latest_first_page_by_page(reverie: Reverie, clock: Clock) -> None:
    nova = reverie.agent("nova")
    for name, channel in (("b", "api"), ("a", "room"), ("c", "room"), ("link:x", "link")):
        nova.observe({"content": f"Hello from {name}", "speaker": "kade"}, conversation=name, channel=channel)
        clock.wait(days=1)

    def told(**asked: Any) -> list[str]:
        return [one.conversation.id for one in nova.society.rooms(**asked)]

    assert told(newest_first=True) == ["c", "a", "b"]
    assert told(newest_first=True, limit=1) == ["c"]
    assert told(newest_first=True, after="c", limit=1) == ["a"]
    assert told(newest_first=True, with_="kade", after="a") == ["b"]
    assert told(channels="room") == ["a", "c"]
    assert told(since="2026-11-21T12:00Z", until="2026-11-22T12:00Z") == ["a"]
    with pytest.raises(NotFound):
        told(newest_first=True, after="nothing")
    with pytest.raises(InvalidInput, match="until"):
        told(since="2026-11-21", until="2026-11-20")


def test_closing_the_oldest_is_due_past_the_limit(open_bank: Open, clock: Clock) -> None:
    reverie = open_bank(settings=Settings(self_care=SelfCareSettings(live_entries=4)))
    _world(reverie, clock)
    assert [(one.conversation.id, one.is_due) for one in reverie.agent("nova").society.rooms()] == [
        ("harbour", False),
        ("plaza", True),
    ]
