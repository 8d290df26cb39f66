from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.message import Role
from reverie.doors.formats.jsonl import rooms
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput, RefConflict


def read(text: bytes | str) -> list[Room]:
    raw = text.encode() if isinstance(text, str) else text
    return rooms(enumerate(raw.splitlines(), 1), conversation="main", channel="api")


def test_a_line_is_a_message_with_its_fields() -> None:
    (room,) = read('{"content": "Hi", "role": "assistant", "speaker": "mama", "ref": "m1", "tags": ["a"]}')
    (message,) = room.messages
    assert (message.content, message.role, message.speaker, message.ref, message.tags) == (
        "Hi",
        Role.AGENT,
        "mama",
        "m1",
        ("a",),
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('[{"type": "text", "text": "Look"}, {"type": "text", "text": "here"}]', "Look\nhere"),
        (
            '[{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "x"}}]',
            "Look\n[image]",
        ),
        ('[{"type": "image_url", "image_url": {}}]', "[image]"),
        ('[{"type": "output_text", "text": "Look"}]', "Look"),
        ('["Look"]', "Look"),
    ],
)
def test_of_content_in_parts_the_text_is_kept(content: str, text: str) -> None:
    (room,) = read(f'{{"role": "user", "content": {content}}}')
    assert room.messages[0].content == text


def test_blank_lines_are_passed_over() -> None:
    (room,) = read('\n{"content": "a"}\n\n  \n{"content": "b"}\n')
    assert [message.content for message in room.messages] == ["a", "b"]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read(b'\xef\xbb\xbf{"content": "a"}')[0].messages[0].content == "a"


def test_lines_go_to_the_conversation_that_they_name() -> None:
    lines = (
        '{"content": "a"}',
        '{"content": "b", "conversation": "x"}',
        '{"content": "c", "conversation": "x", "channel": "room"}',
        '{"content": "d"}',
    )
    found = read("\n".join(lines))
    told = [
        (room.conversation, room.channel, [message.content for message in room.messages]) for room in found
    ]
    assert told == [("main", "api", ["a", "d"]), ("x", "api", ["b"]), ("x", "room", ["c"])]


def test_a_time_stays_as_it_was_written() -> None:
    (room,) = read('{"content": "a", "time": "2026-11-20T09:30"}')
    assert room.messages[0].time == "2026-11-20T09:30"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"content": 1}', "content: a number is not text"),
        (b'{"content": {}}', "content: an object is not text"),
        (b'{"content": " "}', "empty"),
        (b'{"contents": "a"}', "not a field"),
        (b'{"content": "a", "role": "king"}', "role"),
        (b'{"content": "a", "time": "yesterday"}', "ISO 8601"),
        (b'{"content": "a", "time": "9999-12-31T23:30"}', "years 2 to 9998"),
        (b'{"content": "a", "conversation": 7}', "conversation"),
        (b'{"content": "a", "channel": ""}', "channel"),
        (b'{"content": "a"', "JSON"),
        (b"[1]", "a list is not a message"),
        (b'"a"', "a text is not a message"),
        (b'{"content": "\xe9"}', "not UTF-8"),
        (b'{"content": "a", "importance": NaN}', "importance"),
        (b"7", "a number is not a message"),
        (b'{"content": "a", "channels": "x"}', "conversation and channel too"),
        (b'{"content": "a", "content": "b"}', "'content' is given twice"),
        (b'{"content": "a", "metadata": {"topics": ["x"], "topics": []}}', "'topics' is given twice"),
        (b'{"content": []}', "content: a list is not text"),
        (b'{"content": [{"type": "hologram"}]}', "content[0].type: 'hologram' is no kind of part"),
        (b'{"content": [{"type": "text"}]}', "content[0].text: it is no text"),
        (b'{"content": ["a", 7]}', "content[1]: an int is no part"),
        (b"[" * 100_000, "can't be read"),
        (b'{"importance": ' + b"9" * 5000 + b"}", "can't be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_line_is_named_by_its_number(line: bytes, says: str) -> None:
    with pytest.raises(InvalidInput, match="line 3") as caught:
        read(b'{"content": "good"}\n\n' + line)
    assert says in str(caught.value)


def test_two_texts_of_one_ref_are_refused() -> None:
    with pytest.raises(RefConflict):
        read('{"content": "a", "ref": "m1"}\n{"content": "b", "ref": "m1"}')


def test_one_ref_may_stand_in_two_conversations() -> None:
    assert len(read('{"content": "a", "ref": "m1"}\n{"content": "b", "ref": "m1", "conversation": "x"}')) == 2


@given(st.binary(max_size=200))
def test_no_bytes_bring_the_reader_down(raw: bytes) -> None:
    with contextlib.suppress(InvalidInput):
        assert len(read(raw)) <= raw.count(b"{")
