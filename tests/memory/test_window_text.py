"""How a window reads, and what goes from it first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.trust import SourceTrust
from reverie.domain.working import Section, Turn
from reverie.memory.prompt import block
from reverie.memory.prompt.window_text import (
    Group,
    Page,
    WindowLine,
    WindowPart,
    fitted_part,
    indented,
    label_of,
    list_entry,
    parts_of,
    shrunk,
    turn_text,
    without_own_block,
)
from reverie.memory.quoting.fence import FENCE_CLOSE, FENCE_OPEN, own_blocks
from tests.memory.unfenced import stripped

pytestmark = pytest.mark.slow

pieces = st.sampled_from(
    [*"ab <>/#-\n\r\u2028\x85", "## ", FENCE_OPEN, FENCE_CLOSE, "user: ", "\n- ", "<reverie", "context"]
)
nasty = st.lists(pieces, max_size=12).map("".join)
COUNTERS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "nothing": lambda text: 0,
    "squares": lambda text: len(text) ** 2,
    "whole texts": lambda text: 40,
    "the longer, the fewer": lambda text: max(0, 100 - len(text)),
    "by chance": lambda text: sum(map(ord, text)) * 7_919 % 97,
}


def _page(texts: dict[Section, list[str]], said: list[str]) -> Page:
    parts = tuple(
        WindowPart(
            section=section, heading=section.value,
            lines=tuple(WindowLine(item=f"{section}{n}", text=list_entry(text)) for n, text in enumerate(lines)),
        )
        for section, lines in texts.items()
    )  # fmt: skip
    groups = tuple(
        Group(
            item=f"m{n}", places=(n,), turns=(Turn(role="user", content=text, label="user"),),
            pinned=n == len(said) - 1,
        )
        for n, text in enumerate(said)
    )  # fmt: skip
    return Page(prompt="Be kind.", parts=parts, turns=groups)


inner = [section for section in Section if section not in (Section.SYSTEM, Section.MESSAGES)]
pages = st.builds(
    _page,
    st.dictionaries(st.sampled_from(inner), st.lists(nasty, max_size=4), max_size=6),
    st.lists(nasty, max_size=6),
)


@pytest.mark.parametrize("count", COUNTERS.values(), ids=COUNTERS)
@given(page=pages, room=st.integers(0, 400))
def test_a_page_is_shrunk_into_the_room_whatever_counts(
    count: Callable[[str], int], page: Page, room: int
) -> None:
    small, gone = shrunk(page, room, count)
    least = Page(prompt=page.prompt, parts=(), turns=tuple(group for group in page.turns if group.pinned))
    if least.cost(count) <= room:
        assert small.cost(count) <= room
    left = {line.item for part in small.parts for line in part.lines} | {group.item for group in small.turns}
    every = {line.item for part in page.parts for line in part.lines} | {group.item for group in page.turns}
    assert left == every - {item for _, item in gone}
    assert {group.item for group in least.turns} <= left


def test_what_is_worth_least_goes_first_and_no_more_than_must() -> None:
    page = _page({Section.SOUL: ["s"], Section.MEMORIES: ["m"], Section.EPISODES: ["old", "new"]}, ["a", "b"])
    gone: list[str] = []
    for room in range(page.cost(len), 0, -1):
        _, now = shrunk(page, room, len)
        items = [item for _, item in now]
        assert items[: len(gone)] == gone
        gone = items
    assert gone == ["episodes0", "episodes1", "memories0", "soul0", "m0"]


@given(nasty, st.sampled_from(["", "[external] "]))
def test_an_entry_is_one_line_that_holds_no_marker(text: str, label: str) -> None:
    line = list_entry(text, label)
    assert len(line.splitlines()) == 1
    assert line.startswith(f"- {label}")
    assert stripped(line) == line


@given(nasty)
def test_no_line_of_a_text_that_is_set_in_begins_at_the_margin(text: str) -> None:
    assert all(line.startswith("  ") for line in indented(text).splitlines())
    turn = turn_text(Turn(role="user", content=text, label="user"))
    assert all(line.startswith("  ") for line in turn.splitlines()[1:])


@given(pages)
def test_a_page_has_one_block_and_no_heading_but_its_own(page: Page) -> None:
    head = page.system_message
    parts = [part for part in page.parts if part.lines]
    assert head.count(FENCE_OPEN) == len(own_blocks(head)) == bool(parts)
    assert [line for line in head.splitlines() if line.startswith("#")] == [f"## {p.heading}" for p in parts]


@given(
    pages, st.sampled_from(["", "Be kind.", "Between <reverie-context> and its end stands memory.", "a\n\nb"])
)
def test_a_prompt_loses_only_an_earlier_windows_block(page: Page, prompt: str) -> None:
    again = Page(prompt=prompt, parts=page.parts, turns=())
    assert without_own_block(again.system_message) == prompt
    assert without_own_block(prompt) == prompt


@given(st.lists(st.text(max_size=20), max_size=8), st.integers(-10, 200))
def test_entries_enter_whole_within_the_budget(texts: list[str], budget: int) -> None:
    lines = tuple(WindowLine(item=str(n), text=list_entry(text)) for n, text in enumerate(texts))
    kept, cost = fitted_part(WindowPart(section=Section.JOBS, heading="Jobs", lines=lines), budget, len)
    assert set(kept.lines) <= set(lines)
    assert len(kept.text) <= cost <= max(budget, 0)
    smallest = min((len(line.text) for line in lines), default=None)
    if smallest is not None and smallest + len("## Jobs\n\n\n") <= budget:
        assert kept.lines


def test_only_words_of_others_are_labelled() -> None:
    labels = {trust: label_of(trust) for trust in SourceTrust}
    assert labels == {
        SourceTrust.PRINCIPAL: "", SourceTrust.AGENT: "", SourceTrust.OTHER: "[other] ",
        SourceTrust.EXTERNAL: "[external] ",
    }  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(block.BlockSection), nasty), max_size=6))
def test_the_parts_of_a_block_are_its_lines_under_their_headings(
    texts: list[tuple[block.BlockSection, str]],
) -> None:
    lines = block.in_order(
        [
            block.BlockLine(id=str(n), section=section, text=list_entry(text), score=1.0, order=(n, str(n)))
            for n, (section, text) in enumerate(texts)
        ]
    )
    parts = parts_of(lines)
    assert [line.item for part in parts for line in part.lines] == [line.id for line in lines]
    told = "\n".join(part.text for part in parts)
    assert told.splitlines() == block.rendered(lines).splitlines()[1:-1]
