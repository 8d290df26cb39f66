"""LoCoMo samples, and files told by their content."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie.domain.message import Role
from reverie.doors.formats.locomo import is_sample, samples
from reverie.doors.formats.messages import read_rooms
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput


def sample(id: str = "conv-1", **more: Any) -> dict[str, Any]:
    talk = {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a photo of a boat"},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."},
        ],
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "", "blip_caption": "a boat"}],
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Morning"}],
        **more,
    }
    return {"sample_id": id, "conversation": talk, "qa": []}


def read(data: bytes, *chosen: str) -> list[Room]:
    return read_rooms(io.BytesIO(data), conversation="main", channel="api", chosen=chosen)


def test_sessions_come_in_order_with_their_messages_and_times() -> None:
    (found,) = samples([sample()])
    first, second, tenth = found.sessions
    names = [session.conversation for session in found.sessions]
    assert names == ["conv-1/session_1", "conv-1/session_2", "conv-1/session_10"]
    assert first.messages[0].content == "Look! [shares a photo: a photo of a boat]"
    message = first.messages[1]
    told = (message.content, message.speaker, message.ref, message.role)
    assert told == ("Lovely.", "Bo", "D1:2", Role.USER)
    assert tenth.messages[0].content == "[shares a photo: a boat]"
    for session, time in (
        (first, datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        (tenth, datetime(2024, 1, 1, 0, 5, tzinfo=UTC)),
    ):
        assert {session.time, *(message.time for message in session.messages)} == {time}
    assert second.messages[0].content == "Morning"


@pytest.mark.parametrize(
    "more",
    [
        *(
            {"session_1_date_time": time}
            for time in (
                "13:56 pm on 8 May, 2023",
                "1:56 pm on 31 June, 2023",
                "8 May 2023",
                "1:56 pm on 8 Mai, 2023",
            )
        ),
        *(
            {"session_1": turns}
            for turns in ("text", [7], [{"speaker": "Ada", "text": 7}], [{"speaker": "Ada", "text": ""}])
        ),
    ],
)
def test_a_wrong_time_or_turn_is_named_by_its_session(more: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="conv-1/session_1"):
        samples(sample(**more))


@pytest.mark.parametrize(
    "data", [[], "text", 7, [{"conversation": "x"}], {"content": "x", "conversation": "x"}]
)
def test_what_is_in_another_format_is_no_sample(data: object) -> None:
    assert not is_sample(data)
    with pytest.raises(InvalidInput):
        samples(data)


@pytest.mark.parametrize(
    ("data", "rooms"),
    [
        (json.dumps([sample(), sample("conv-2")]), 6),
        (json.dumps(sample()), 3),
        ("\n" + json.dumps(sample(), indent=2), 3),
        (f"{json.dumps(sample('conv-1'))}\n\n{json.dumps(sample('conv-2'))}", 6),
        (" \n\n", 0),
    ],
    ids=["a list", "one line", "many lines", "a sample a line", "nothing"],
)
def test_samples_are_told_by_their_content(data: str, rooms: int) -> None:
    assert len(read(data.encode())) == rooms


@pytest.mark.parametrize("chosen", ["1", "conv-2"])
def test_a_sample_is_chosen_by_number_or_id(chosen: str) -> None:
    data = json.dumps([sample(), sample("conv-2")]).encode()
    names = {room.conversation for room in read(data, chosen)}
    assert names == {"conv-2/session_1", "conv-2/session_2", "conv-2/session_10"}
    with pytest.raises(InvalidInput, match="choose from conv-1"):
        read(data, "conv-9")
    with pytest.raises(InvalidInput, match="--sample"):
        read(b'{"content": "a"}', "0")


@pytest.mark.parametrize("data", [b"[", b"[1]", b"[{}]", b"{\n1", b"[\xff]", b"[" * 100_000])
def test_a_broken_document_is_an_error_of_ours(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(data)


def test_utf_16_is_named_as_what_it_is() -> None:
    with pytest.raises(InvalidInput, match="UTF-16"):
        read('{"content": "a"}'.encode("utf-16"))


def test_the_development_conversations_are_read_whole(shared_data: Path) -> None:
    data = json.loads((shared_data / "locomo" / "locomo_dev5.json").read_text(encoding="utf-8"))
    turns = sum(
        len(turns) for one in data for turns in one["conversation"].values() if isinstance(turns, list)
    )
    assert sum(len(session.messages) for one in samples(data) for session in one.sessions) == turns
