"""Files that are no whole export: each is refused with the number of its line, and nothing enters the bank."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import pytest

from reverie import Agent, InvalidInput, Reverie
from reverie.services.codecs.lines import line_of
from reverie.services.exchange.bank_file import read
from reverie.services.exchange.export import export
from reverie.services.exchange.importing import import_bank
from tests.services.bench import Clock, opened
from tests.services.exports import Lines, bank_of, brought, lined, lines_of, lived

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def reverie(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reverie]:
    """Banks of one file for all tests: reading has nothing to do with engines, and what is refused leaves nothing."""
    clock = Clock()
    with opened(tmp_path_factory.mktemp("files") / "test.bank", clock=clock) as made:
        lived(made.agent("mama"), clock)
        yield made


@pytest.fixture
def mama(reverie: Reverie) -> Agent:
    return reverie.agent("mama")


@pytest.fixture(scope="module")
def whole(reverie: Reverie) -> str:
    return json.dumps(lines_of(reverie.agent("mama"), with_vectors=True))


@pytest.fixture
def exported(whole: str) -> Lines:
    """Mama's export, to be changed at will."""
    return json.loads(whole)  # type: ignore[no-any-return]


def _refused(reverie: Reverie, lines: Lines, says: str) -> None:
    papa = reverie.agent("papa")
    with pytest.raises(InvalidInput, match=says):
        brought(papa, lines)
    assert bank_of(papa) == ()
    assert "papa" not in reverie.agents()


CHANGED: list[tuple[str, str, Change, str]] = [
    ("memory", "a value of another type", lambda one: one.update(confidence="high"), "confidence: 'high' is"),
    ("memory", "a number out of range", lambda one: one.update(importance=7), "importance: 7 is not a number from 0"),
    ("memory", "an unknown kind", lambda one: one.update(kind="rumour"), "kind: 'rumour' is unknown"),
    ("memory", "an empty essence", lambda one: one.update(essence="  "), "essence: it is empty"),
    ("memory", "an over-long essence", lambda one: one.update(essence="x" * 20_000), "essence: it is longer"),
    ("memory", "a field of nobody's", lambda one: one.update(mood="good"), "mood: there is no such field"),
    ("memory", "a missing field", lambda one: one.pop("state"), "state: it is missing"),
    ("memory", "one emotion twice", lambda one: one.update(emotions=["joy", "joy"]), "emotions: it has more"),
    ("memory", "a vector of another length", lambda one: one.update(vector="AAAAAA=="), "vector: its length"),
    ("memory", "a vector that is none", lambda one: one.update(vector="AAAA!"), "vector: it is not base64"),
    ("memory", "a vector with NaN", lambda one: one.update(vector="AADAfwAA" * 2), "vector: it holds NaN"),
    ("memory", "wordings out of order", lambda one: one.update(versions=[_wording(1)]), "versions: their numbers"),
    ("memory", "a wording that is none", lambda one: one.update(versions=[1]), r"versions\[0\]\..*not an object"),
    ("episode", "no time", lambda one: one.update(time="yesterday"), "time: this text is not an ISO 8601 time"),
    ("episode", "a time that is no text", lambda one: one.update(time=12), "time: 12 is not a time"),
    ("episode", "a position before the first", lambda one: one.update(position=-1), "position: -1 is not a whole"),
    ("episode", "an unknown role", lambda one: one.update(role="king"), "role: 'king' is unknown"),
    ("profile", "an unknown time zone", lambda one: one.update(time_zone="Mars/Base"), "time_zone: 'Mars/Base'"),
    ("audit", "a payload that is a list", lambda one: one.update(after=[1]), "after: it is not an object"),
    ("audit", "an unknown action", lambda one: one.update(action="bless"), "action: 'bless' is unknown"),
    ("tombstone", "a digest that is none", lambda one: one.update(digest="xyz"), "digest: it is not hexadecimal"),
    ("queued", "a verb of nobody's", lambda one: one.update(verb="sing"), "verb: 'sing' is not known"),
    ("queued", "no messages", lambda one: one["payload"].pop("messages"), "payload.messages: it is missing"),
    ("sleep", "a negative count", lambda one: one.update(clusters=-3), "clusters: -3 is not a whole number"),
    ("memory", "a type of nobody's", lambda one: one.update(type="wish"), "type: 'wish' is not expected here"),
    ("memory", "a type that is none", lambda one: one.update(type=None), "type: .* is not expected here"),
]  # fmt: skip


def _wording(version: int) -> dict[str, object]:
    at = "2026-11-20T12:00:00+00:00"
    return {
        "version": version, "essence": "old", "lesson": None, "believed_from": at, "believed_to": at,
        "valid_from": None, "valid_to": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "change", "says"), [one[:1] + one[2:] for one in CHANGED], ids=[one[1] for one in CHANGED]
)
def test_a_value_that_no_bank_holds_is_refused_by_its_line(
    reverie: Reverie, exported: Lines, kind: str, change: Change, says: str
) -> None:
    place = next(number for number, one in enumerate(exported) if one["type"] == kind)
    change(exported[place])
    resealed = lined(exported[1:-1], header=exported[0])
    _refused(reverie, resealed, rf"^line {place + 1}, .*{says}")


@pytest.mark.parametrize(
    "kind", ["episode", "memory", "connection", "soul", "tombstone", "sleep", "audit", "queued", "profile"]
)
def test_what_stands_there_twice_is_refused(reverie: Reverie, exported: Lines, kind: str) -> None:
    twice = next(one for one in exported if one["type"] == kind)
    body = [*exported[1:-1], twice]
    _refused(reverie, lined(body, header=exported[0]), rf"^line {len(body) + 1}, ")


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        (slice(0, 0), "file: it is empty"),
        (slice(0, -1), "cut off behind line"),
        (slice(0, 5), "cut off behind line 5"),
    ],
    ids=["all", "the end", "most"],
)
def test_a_truncated_file_is_refused(reverie: Reverie, exported: Lines, lost: slice, says: str) -> None:
    _refused(reverie, exported[lost], says)


def _renamed(lines: Lines) -> Lines:
    next(one for one in lines if one["type"] == "memory")["essence"] = "Anna is a spy"
    return lines


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[:3] + lines[4:], "sha256: the lines before it are not those that were exported"),
        (_renamed, "sha256: the lines before it are not those that were exported"),
        (lambda lines: [*lines, lines[3]], "it stands behind the end"),
        (
            lambda lines: [{**lines[0], "version": 3}, *lines[1:]],
            "^line 1, version: it is 3, and this Reverie reads up to 2; upgrade reverie-memory",
        ),
    ],
    ids=["a line taken out", "other words", "behind the end", "a later format"],
)
def test_a_changed_file_is_refused(
    reverie: Reverie, exported: Lines, change: Callable[[Lines], Lines], says: str
) -> None:
    _refused(reverie, change(exported), says)


@pytest.mark.parametrize("lines", [5, None, 2.5, b"x", "a line", {"type": "reverie"}, [5], [None]], ids=repr)
def test_what_is_no_list_of_lines_is_refused(mama: Agent, lines: Any) -> None:
    with pytest.raises(InvalidInput, match=r"lines|line 1, text"):
        mama.import_bank(lines)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"type":"memory"}\n', "it is no export of Reverie"),
        (b'{"content":"hello"}\n', "it is no export of Reverie"),
        (b"[1]\n", "JSON: a list, .*give one JSON object a line"),
        (b"[\n", "JSON: a list, "),
        (b"{\n", "JSON: .*an object over many lines"),
        (b"7\n", "JSON: it is no export of Reverie; give what `reverie export` wrote"),
        (b"hello\n", "JSON: it is no export of Reverie"),
        (b"[" * 100_000 + b"\n", "JSON: a list"),
        (b'{"type":"rever', "JSON: it is broken or cut off at character 9; copy the file again"),
        (b'{"type": ' + b"9" * 5000 + b"}\n", "JSON: it can't be read"),
        (b"\xffhello\n", "byte 1 is not UTF-8; give what `reverie export` wrote"),
        (b'{"type":"reverie","format":"reverie-bank","version":1}\n', "it is missing"),
    ],
)
def test_what_is_no_export_is_refused(raw: bytes, says: str) -> None:
    with pytest.raises(InvalidInput, match=f"^line 1, .*{says}"):
        read([raw])


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (gzip.compress(b'{"type":"reverie"}\n', mtime=0), "it is compressed; unpack it first: `gunzip -c FILE"),
        (b"PK\x03\x04rest", "it is a ZIP archive; unpack it first"),
        (b"SQLite format 3\x00rest", "it is a bank, no export of one; export it first, or .*`reverie copy`"),
        ('{"type":"reverie"}\n'.encode("utf-16"), "it is UTF-16; save it as UTF-8"),
    ],
)  # fmt: skip
def test_a_file_of_another_kind_is_told_by_how_it_begins(raw: bytes, says: str) -> None:
    with pytest.raises(InvalidInput, match=f"^file: {says}"):
        read(raw.splitlines(keepends=True))


def test_a_cut_off_line_is_named_with_what_to_do(mama: Agent) -> None:
    lines = [line_of(one) + "\n" for one in export(mama._desk, "mama")]
    with pytest.raises(
        InvalidInput, match=r"^line 3, JSON: it is broken or cut off at .*; copy the file again"
    ):
        read([*lines[:2], lines[2][:20]])


def test_windows_line_ends_and_a_byte_order_mark_pass(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    text = "\r\n".join(line_of(one) for one in export(mama._desk, "mama"))
    raw = b"\xef\xbb\xbf" + text.encode() + b"\r\n\r\n"
    papa = reverie.agent("windows")
    import_bank(papa._desk, papa.id, raw.splitlines(keepends=True), actor="caller")
    assert bank_of(papa) == bank_of(mama)


def test_the_lines_may_be_given_as_objects_or_texts(mama: Agent, reverie: Reverie) -> None:
    for name in ("objects", "texts"):
        lines = export(mama._desk, "mama")
        agent = reverie.agent(name)
        given = lines if name == "objects" else (line_of(one) for one in lines)
        import_bank(agent._desk, name, given, actor="caller")
        assert bank_of(agent) == bank_of(mama)


def test_the_checksum_is_that_of_all_lines_before_the_last(mama: Agent) -> None:
    raw = b"".join(line_of(one).encode() + b"\n" for one in export(mama._desk, "mama"))
    body, end = raw[: raw.rindex(b"\n", 0, -1) + 1], raw.splitlines()[-1]
    assert json.loads(end)["sha256"] == sha256(body).hexdigest()


def test_an_unknown_rule_is_an_error(mama: Agent, exported: Lines) -> None:
    with pytest.raises(
        InvalidInput, match="on_conflict: 'ask' is no rule; choose from refuse, skip, replace, newer"
    ):
        brought(mama, exported, on_conflict="ask")


def test_an_agent_that_has_never_written_can_not_be_exported(reverie: Reverie) -> None:
    with pytest.raises(InvalidInput, match="'nobody' has never written"):
        export(reverie.agent("nobody")._desk, "nobody")
