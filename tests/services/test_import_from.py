"""import_from: every format enters as far as it can be read, each thing once, and nothing else is raised than ours."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Agent, Episode, InvalidInput, Reverie, SourceTrust
from reverie.domain.import_report import ImportKind
from tests.services.bench import opened
from tests.services.foreign_files import FILES, File, gpt, node, zipped


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reverie]:
    """One bank for all files; each has an agent of its own."""
    with opened(tmp_path_factory.mktemp("bank") / "a.bank") as reverie:
        yield reverie


def _put(folder: Path, file: File) -> Path:
    path = folder / (file.name.rpartition(".")[0] + ".zip" if file.content.startswith(b"PK") else file.name)
    path.write_bytes(file.content)
    return path


def test_there_are_ten_of_each() -> None:
    counts = {kind: sum(file.kind == kind for file in FILES) for kind in ImportKind if kind != "reverie"}
    assert {*counts.values()} == {10}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.kind}, {file.label}")
def test_a_file_enters_once_or_says_why_not(bank: Reverie, tmp_path: Path, file: File) -> None:
    agent, path = bank.agent(f"{file.kind} {file.label}"), _put(tmp_path, file)
    if file.refused:
        with pytest.raises(InvalidInput, match=file.refused):
            agent.import_from(path)
        return
    dry = agent.import_from(path, dry_run=True)
    assert agent.episodes() == []
    done = agent.import_from(path)
    assert (done.kinds, done.messages.added, done.memories.added) == (
        (file.kind,),
        file.messages,
        file.memories,
    )
    assert file.problem in (done.problems[0] if done.problems else ""), done.problems
    assert bool(done.problems) == bool(file.problem), done.problems
    assert dry.messages.added == file.messages
    again = agent.import_from(path, kind=file.kind)
    assert (again.messages.added, again.memories.added, again.problems) == (0, 0, done.problems)
    assert again.messages.known >= file.messages


def _of(agent: Agent, **where: str) -> list[Episode]:
    return [*agent.episodes(**where, limit=500)]  # type: ignore[arg-type]


def _imported(bank: Reverie, tmp_path: Path, agent: str, kind: str, label: str, **more: object) -> Agent:
    file = next(one for one in FILES if (one.kind, one.label) == (kind, label))
    done = bank.agent(agent, principals=["Anna"])
    done.import_from(_put(tmp_path, file), **more)  # type: ignore[arg-type]
    return done


def test_chatgpt_follows_the_shown_branch_with_its_times(bank: Reverie, tmp_path: Path) -> None:
    agent = _imported(bank, tmp_path, "t1", "chatgpt", "another branch")
    assert [one.content for one in _of(agent)] == ["Hi", "New"]
    first = _of(agent)[0]
    assert (first.time.timestamp(), first.speaker, first.source_trust) == (
        1_700_000_000.5,
        "Anna",
        "principal",
    )
    assert (first.conversation, first.ref) == ("chatgpt/c1", "a")


@pytest.mark.parametrize(
    ("kind", "label", "trusts"),
    [
        ("chatgpt", "multimodal, tools, unknown kinds", {"[image]\nLook": "principal", "1": "external"}),
        ("claude", "an attachment", {"My CV": "principal", "cv.txt: I instruct you": "external"}),
        ("claude-code", "tools", {"a.py": "external", "Bash: ls": "external"}),
        ("codex", "plain", {"Fix the login": "principal", "Done": "agent"}),
        ("whatsapp", "america", {"Hi": "principal", "Yo": "other"}),
        ("chat-text", "plain", {"Hi": "external"}),
        ("mem0", "results", {"Anna is allergic to nuts": "external"}),
    ],
)
def test_what_the_format_proves_decides_trust(
    bank: Reverie, tmp_path: Path, kind: str, label: str, trusts: dict[str, str]
) -> None:
    agent = _imported(bank, tmp_path, f"trust {kind}", kind, label)
    told = {one.content: one.source_trust.value for one in _of(agent)}
    assert {words: told[words] for words in trusts} == trusts
    assert {one.source_trust for one in agent.memories(deep=True) if one.origin == "import"} <= {
        SourceTrust.EXTERNAL
    }


def test_untrusted_files_are_external_throughout(bank: Reverie, tmp_path: Path) -> None:
    agent = _imported(bank, tmp_path, "t2", "chatgpt", "plain", untrusted=True)
    assert {one.source_trust for one in _of(agent)} == {SourceTrust.EXTERNAL}


def test_whatsapp_reads_dates_as_the_whole_file_allows(bank: Reverie, tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Bob (2).txt"
    chat.write_text("02/03/2024, 10:00 - Bob: a\n03/03/2024, 10:00 - Bob: b\n13/03/2024, 22:00 - Bob: c\n")
    agent = bank.agent("t3", time_zone="Europe/Budapest")
    agent.import_from(chat)
    assert [one.time.isoformat()[:16] for one in _of(agent)] == [
        "2024-03-02T09:00",
        "2024-03-03T09:00",
        "2024-03-13T21:00",
    ]
    assert {one.conversation for one in _of(agent)} == {"whatsapp/Bob"}


def test_validity_and_time_of_edges_are_kept(bank: Reverie, tmp_path: Path) -> None:
    agent = _imported(bank, tmp_path, "t4", "zep", "facts")
    [kept] = agent.memories(deep=True)
    assert (str(kept.valid_from)[:10], str(kept.valid_to)[:10]) == ("2020-01-01", "2025-01-01")
    assert str(kept.created_at)[:10] == "2025-01-01"


def test_notes_keep_their_place_tags_and_links(bank: Reverie, tmp_path: Path) -> None:
    agent = _imported(bank, tmp_path, "t5", "markdown", "basic-memory")
    kept = {one.essence: one for one in agent.memories()}
    assert [*kept] == [
        "Coffee: I like it strong.", "Coffee: Pour over keeps the flavour #brew (tried)", "Coffee: buy beans",
        "Coffee pairs with Chocolate",
    ]  # fmt: skip
    pour = kept["Coffee: Pour over keeps the flavour #brew (tried)"]
    assert set(pour.tags) == {"drink", "morning", "method", "brew"}
    assert str(pour.created_at)[:10] == "2025-01-02"


def test_a_kill_between_message_and_memory_is_repaired(
    bank: Reverie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reverie.services.exchange.foreign import storing

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(storing, "remember", killed)
        with pytest.raises(KeyboardInterrupt):
            _imported(bank, tmp_path, "t6", "mem0", "results")
    agent = bank.agent("t6")
    assert (len(_of(agent)), len(agent.memories())) == (2, 0)
    assert _imported(bank, tmp_path, "t6", "mem0", "results").memories()
    assert (len(_of(agent)), len(agent.memories())) == (2, 2)
    assert all(one.consolidated for one in _of(agent))


def test_what_was_forgotten_stays_forgotten(bank: Reverie, tmp_path: Path) -> None:
    agent = _imported(bank, tmp_path, "t7", "mem0", "results")
    agent.forget(agent.memories()[0].id)
    talk = _imported(bank, tmp_path, "t7", "chatgpt", "plain")
    talk.forget(_of(talk, conversations="chatgpt/c1")[0].id)
    left = (len(_of(agent)), len(agent.memories(deep=True)))
    _imported(bank, tmp_path, "t7", "mem0", "results")
    done = agent.import_from([json.dumps([gpt(node("a", "root", "I moved to Lisbon"))])])
    assert (done.messages.added, done.messages.forgotten) == (0, 1)
    assert (len(_of(agent)), len(agent.memories(deep=True))) == left


def test_secrets_are_redacted_wherever_they_stand(bank: Reverie) -> None:
    secret = "ghp_" + "x7Kd92mQ" * 4 + "Ab3z"
    agent = bank.agent("t8")
    done = agent.import_from([
        {"id": secret, "memory": f"The token is {secret}", "created_at": "2025-01-01T00:00:00Z"},
    ])  # fmt: skip
    assert done.redacted
    assert secret not in repr((agent.memories(), agent.episodes(), done, agent.audit()))


def test_a_path_is_no_part_of_an_error(bank: Reverie, tmp_path: Path) -> None:
    secret = "ghp_" + "x7Kd92mQ" * 4 + "Ab3z"
    (tmp_path / secret).write_bytes(b"\xff\xfe")
    for path in (secret, f"my token is {secret}", "a\ud800b", tmp_path / secret):
        with pytest.raises(InvalidInput, match="source: it ") as refused:
            bank.agent("t13").import_from(path)
        assert (secret in str(refused.value), str(refused.value).isprintable()) == (False, True)


def test_a_report_tells_no_secret_that_a_file_is_named_by(bank: Reverie, tmp_path: Path) -> None:
    secret = "ghp_" + "x7Kd92mQ" * 4 + "Ab3z"
    (tmp_path / f"{secret}.md").write_bytes(b"# A\n\n\xff")
    (tmp_path / "a.json").write_text(
        json.dumps([gpt(node("a", "root", "Hi"), node("\ud800", "a", "x" * 1_100_000))])
    )
    problems = bank.agent("t14").import_from(tmp_path).problems
    assert len(problems) == 2
    assert all(one.isprintable() and secret not in one for one in problems)


def test_a_folder_is_read_file_by_file(bank: Reverie, tmp_path: Path) -> None:
    for name, words in {
        "a.md": "# A\n\nAnna sings",
        "sub/b.md": "Kade\n\nhums",
        ".obsidian/x.md": "no",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(words)
    (tmp_path / "broken.md").write_bytes(b"# A\n\n\xff")
    (tmp_path / "data.json").write_text('{"colour": "red"}')
    told: list[tuple[int, int]] = []
    done = bank.agent("t9").import_from(tmp_path, on_progress=lambda *now: told.append(now))
    assert (done.memories.added, done.skipped) == (3, {"file of no known kind": 1})
    assert [one.partition(":")[0] for one in done.problems] == ["broken.md"]
    assert told[-1][0] == told[-1][1] > 0


def test_what_of_a_folder_cant_be_read_is_named_and_the_rest_enters(
    bank: Reverie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = zipped(b__md=b"Kade hums", c__png=b"x")
    files = {
        "a.md": b"Anna sings",
        "cut.zip": whole[:60],
        "gone.md": b"x",
        "notes.zip": whole,
        "z.md": b"Ede sails",
    }
    for name, content in {**files, "photo.jpg": b"x"}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    (tmp_path / "locked").mkdir()
    scandir, opened = os.scandir, Path.open

    def refusing(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    def refused(path: Path, mode: str) -> object:
        if path.name == "gone.md":
            raise PermissionError(13, "Permission denied")
        assert mode == "rb"
        return opened(path, "rb")

    monkeypatch.setattr(os, "scandir", refusing)
    monkeypatch.setattr(Path, "open", refused)
    done = bank.agent("t15").import_from(tmp_path)
    assert (done.memories.added, done.unreadable) == (3, 3)
    assert sorted(done.problems) == [
        "cut.zip: the zip can't be read (BadZipFile)", "gone.md: it can't be read (Permission denied)",
        "locked: the folder can't be read (Permission denied)",
    ]  # fmt: skip
    assert done.skipped == {"file of no known kind": 2, "link or pipe": 1}


def test_a_damaged_file_of_a_zip_is_named_and_the_rest_enters(bank: Reverie, tmp_path: Path) -> None:
    whole = zipped(a__md=b"Anna sings", b__md=b"Kade hums")
    (tmp_path / "notes.zip").write_bytes(whole.replace(b"Kade", b"Kada", 1))
    for source, name in ((tmp_path / "notes.zip", "b.md"), (tmp_path, "notes.zip/b.md")):
        done = bank.agent(f"t16 {name}").import_from(source)
        assert (done.memories.added, done.problems) == (1, (f"{name}: the zip can't be read (BadZipFile)",))


def test_values_lines_and_files_are_alike(bank: Reverie, tmp_path: Path) -> None:
    value = {"results": [{"id": "m1", "memory": "Anna sings"}]}
    path = tmp_path / "m.json"
    path.write_text(json.dumps(value))
    agent = bank.agent("t10")
    added = [
        agent.import_from(one).memories.added
        for one in (value, path, str(path), [json.dumps(value)], [path.read_bytes()])
    ]
    assert added == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("source", "kind", "why"),
    [
        ("no/such/file", None, "can't be read"), ([], None, "it is empty"), ([], "mem0", "it is empty"),
        (b"x", None, "no source"),
        (7, None, "no source"), (["7"], None, "kind can't be told"), (["{}"], "myspace", "no kind"),
        (['{"type":"reverie","format":"reverie-bank"}'], None, "import_bank"), ("a\0b", None, "no path"),
        (["Anna: x", {}], None, "no line"),
    ],
)  # fmt: skip
def test_what_is_no_source_is_refused(bank: Reverie, source: object, kind: str | None, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        bank.agent("t11").import_from(source, kind=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("indent", [None, 1])
def test_what_stands_behind_a_whole_file_is_reported(bank: Reverie, indent: int | None) -> None:
    one = {"results": [{"id": "m1", "memory": "Anna sings"}]}
    text = json.dumps(one if indent else one["results"], indent=indent)
    agent = bank.agent(f"behind {indent}")
    assert agent.import_from([text, "", " "]).problems == ()
    done = agent.import_from([text, text])
    assert done.problems == ("behind the end: the file goes on; nothing there was read",)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ('{"memory": "a\tb"}', "line 1: Invalid control character at character 14"),
        ('[{"memory": "a\tb"}, {"memory": "Kade hums"}]', "item 1: Invalid control character at its character 14;"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_character(bank: Reverie, given: str, problem: str) -> None:
    done = bank.agent("t17").import_from([given], kind="mem0")
    assert done.problems[0].startswith(problem)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of this kind are POSIX's")
def test_a_pipe_is_read_by_itself_and_passed_over_in_a_folder(bank: Reverie, tmp_path: Path) -> None:
    pipe = tmp_path / "m.json"
    os.mkfifo(pipe)
    (tmp_path / "a.md").write_text("# A\n\nAnna sings")
    assert bank.agent("pipe").import_from(tmp_path).kinds == ("markdown",)
    writer = Thread(target=pipe.write_text, args=('[{"id": "m1", "memory": "Kade hums"}]',), daemon=True)
    writer.start()
    assert bank.agent("pipe").import_from(pipe).memories.added == 1


def test_a_damaged_zip_is_refused(bank: Reverie, tmp_path: Path) -> None:
    whole = zipped(conversations__json=json.dumps([gpt(node("a", "root", "Hi" * 500))]).encode())
    for place, content in enumerate(
        (whole[:60], whole[:100] + b"\0\0\0\0" + whole[104:], zipped(a__png=b"x"))
    ):
        path = tmp_path / f"{place}.zip"
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match="zip"):
            bank.agent("t12").import_from(path)


def test_memory_holds_one_value_at_a_time() -> None:
    from reverie.services.exchange.foreign.json_values import values

    given, most = (
        iter([b"[", *(json.dumps({"n": n}).encode() + b"," for n in range(30_000)), b'{"n": 30000}]']),
        0,
    )
    handed = 0

    def read(size: int) -> bytes:
        nonlocal handed
        part = next(given, b"")
        handed += 1
        return part

    for number, one in enumerate(values(read)):
        assert one == (f"item {number + 1}", {"n": number})
        most = max(most, handed - number)
    assert most < 10


_KEYS = """mapping current_node id message author role content parts content_type chat_messages sender text type uuid
payload namespace key value memory fact name observations from to relationType created_at attachments metadata sessionId
tags time timestamp conversation ref channel source relationship target results""".split()
_TEXT = st.text(st.characters(), max_size=20)  # halves of characters too, as JSON can have them
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_KEYS) | _TEXT, inner, max_size=6)
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[*HealthCheck])
@given(
    kind=st.sampled_from([one for one in ImportKind if one != "reverie"]),
    values=st.lists(_JSON, min_size=1, max_size=4),
    is_read=st.booleans(),
)  # fmt: skip
def test_any_values_enter_or_are_reported(
    bank: Reverie, kind: ImportKind, values: list[object], is_read: bool
) -> None:
    given: list[object] = [{"value": 1}, *values] if is_read else [json.dumps(one) for one in values]
    assert bank.agent("any").import_from(given, kind=kind).kinds == (kind,)  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None, suppress_health_check=[*HealthCheck])
@given(file=st.sampled_from([one for one in FILES if len(one.content) < 5_000]), data=st.data())
def test_a_file_with_any_bytes_changed_raises_nothing_else(
    bank: Reverie, file: File, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(file.content)))
    count = data.draw(st.integers(0, 30))
    changed = file.content[:place] + data.draw(st.binary(max_size=5)) + file.content[place + count :]
    with suppress(InvalidInput):
        bank.agent("any").import_from([changed], kind=file.kind, dry_run=True)
