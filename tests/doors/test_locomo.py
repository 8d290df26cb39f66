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
        "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "Happy new year"}],
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Morning"}],
        **more,
    }
    return {"sample_id": id, "conversation": talk, "qa": []}


def read(data: bytes, *chosen: str) -> list[Room]:
    return read_rooms(io.BytesIO(data), conversation="main", channel="api", chosen=chosen)


def names(rooms: list[Room]) -> list[str]:
    return [room.conversation for room in rooms]


def test_sessions_come_in_the_order_of_their_numbers() -> None:
    (found,) = samples([sample()])
    assert [session.conversation for session in found.sessions] == [
        "conv-1/session_1",
        "conv-1/session_2",
        "conv-1/session_10",
    ]


def test_a_turn_is_a_message_of_its_speaker_with_its_dia_id_as_ref() -> None:
    message = samples(sample())[0].sessions[0].messages[1]
    assert (message.content, message.speaker, message.ref, message.role) == (
        "Lovely.",
        "Bo",
        "D1:2",
        Role.USER,
    )


def test_a_shared_picture_stands_behind_the_text() -> None:
    assert samples(sample())[0].sessions[0].messages[0].content == "Look! [shares a photo: a photo of a boat]"


def test_a_picture_without_words_is_a_message() -> None:
    given = sample(session_1=[{"speaker": "Ada", "dia_id": "D1:1", "text": "", "blip_caption": "a boat"}])
    assert samples(given)[0].sessions[0].messages[0].content == "[shares a photo: a boat]"


@pytest.mark.parametrize(
    ("session", "time"),
    [(0, datetime(2023, 5, 8, 13, 56, tzinfo=UTC)), (2, datetime(2024, 1, 1, 0, 5, tzinfo=UTC))],
)
def test_a_turn_has_the_time_of_its_session(session: int, time: datetime) -> None:
    found = samples(sample())[0].sessions[session]
    assert {found.time, *(message.time for message in found.messages)} == {time}


@pytest.mark.parametrize(
    "time", ["13:56 pm on 8 May, 2023", "1:56 pm on 31 June, 2023", "8 May 2023", "1:56 pm on 8 Mai, 2023"]
)
def test_a_time_in_another_format_is_named_by_its_session(time: str) -> None:
    with pytest.raises(InvalidInput, match="conv-1/session_1_date_time"):
        samples(sample(session_1_date_time=time))


@pytest.mark.parametrize(
    "turns", ["text", [7], [{"speaker": "Ada", "text": 7}], [{"speaker": "Ada", "text": ""}]]
)
def test_a_turn_that_is_none_is_named_by_its_place(turns: object) -> None:
    with pytest.raises(InvalidInput, match="conv-1/session_1"):
        samples(sample(session_1=turns))


@pytest.mark.parametrize(
    "data", [[], "text", 7, [{"conversation": "x"}], {"content": "x", "conversation": "x"}]
)
def test_what_is_in_another_format_is_no_sample(data: object) -> None:
    assert not is_sample(data)
    with pytest.raises(InvalidInput):
        samples(data)


def test_a_file_with_a_list_of_samples_is_told_by_its_content() -> None:
    assert len(read(json.dumps([sample(), sample("conv-2")]).encode())) == 6


def test_a_file_with_one_sample_on_one_line_is_told_by_its_content() -> None:
    assert len(read(json.dumps(sample()).encode())) == 3


def test_a_file_with_one_sample_over_many_lines_is_told_by_its_content() -> None:
    assert len(read(b"\n" + json.dumps(sample(), indent=2).encode())) == 3


def test_a_file_with_a_sample_a_line_is_told_by_its_content() -> None:
    lines = [json.dumps(sample("conv-1")), "", json.dumps(sample("conv-2"))]
    assert len(read("\n".join(lines).encode())) == 6


@pytest.mark.parametrize("chosen", ["1", "conv-2"])
def test_a_sample_is_chosen_by_number_or_id(chosen: str) -> None:
    data = json.dumps([sample(), sample("conv-2")]).encode()
    assert set(names(read(data, chosen))) == {"conv-2/session_1", "conv-2/session_2", "conv-2/session_10"}


def test_a_sample_that_is_not_there_is_an_error_that_lists_those_that_are() -> None:
    with pytest.raises(InvalidInput, match="choose from conv-1"):
        read(json.dumps([sample()]).encode(), "conv-9")


def test_a_sample_can_not_be_chosen_from_json_lines() -> None:
    with pytest.raises(InvalidInput, match="--sample"):
        read(b'{"content": "a"}', "0")


@pytest.mark.parametrize("data", [b"[", b"[1]", b"[{}]", b"{\n1", b"[\xff]", b"[" * 100_000])
def test_a_broken_document_is_an_error_of_ours(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(data)


def test_utf_16_is_named_as_what_it_is() -> None:
    with pytest.raises(InvalidInput, match="UTF-16"):
        read('{"content": "a"}'.encode("utf-16"))


def test_an_empty_file_holds_no_rooms() -> None:
    assert read(b" \n\n") == []


def test_the_development_conversations_are_read_whole(shared_data: Path) -> None:
    data = json.loads((shared_data / "locomo" / "locomo_dev5.json").read_text(encoding="utf-8"))
    turns = sum(
        len(turns) for one in data for turns in one["conversation"].values() if isinstance(turns, list)
    )
    assert sum(len(session.messages) for one in samples(data) for session in one.sessions) == turns
