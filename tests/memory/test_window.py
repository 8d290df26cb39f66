"""How a window's room is shared out, and where a conversation is cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reverie.memory.prompt.window_shares import (
    Shares,
    allotted,
    block_cuts,
    block_size,
    blocks_before,
    chained,
    first_in_full,
    group_starts,
    size_of,
)

USUAL = Shares(system=1_500, memories=2_000, summary=1_000, recent=10_000, rest=500)
amounts = st.integers(0, 20_000)
shares = st.builds(Shares, system=amounts, memories=amounts, summary=amounts, recent=amounts, rest=amounts)
talks = st.lists(st.tuples(st.integers(1, 50), st.booleans()), max_size=40)


def test_a_window_of_100_000_tokens_holds_all_shares_whole() -> None:
    assert USUAL.total == 15_000
    assert USUAL.within(15_000) is USUAL


def test_a_smaller_room_scales_every_share_down_alike() -> None:
    assert USUAL.within(1_500) == Shares(system=150, memories=200, summary=100, recent=1_000, rest=50)
    assert USUAL.within(0).total == 0


@given(shares, st.integers(0, 40_000), amounts, amounts)
def test_allotments_never_exceed_the_room(wanted: Shares, room: int, system: int, pinned: int) -> None:
    within = wanted.within(room)
    assert within.total <= max(room, 0)
    given_out = allotted(within, room, system=system, pinned=pinned)
    parts = (given_out.soul, given_out.summary, given_out.memories, given_out.rest)
    assert min(parts) >= 0
    assert given_out.recent >= pinned
    if system + pinned <= room:
        assert system + sum(parts) + given_out.recent <= room
    assert given_out.memories <= within.memories
    assert given_out.recent <= max(within.recent, pinned)


def test_what_must_enter_takes_from_other_messages_first() -> None:
    usual = allotted(USUAL, 15_000, system=1_500, pinned=400)
    assert (usual.summary, usual.memories, usual.rest, usual.recent) == (1_000, 2_000, 500, 10_000)
    long_prompt = allotted(USUAL, 15_000, system=7_500, pinned=400)
    assert (long_prompt.summary, long_prompt.memories, long_prompt.rest) == (1_000, 2_000, 500)
    assert long_prompt.recent == 4_000
    long_message = allotted(USUAL, 15_000, system=500, pinned=12_000)
    assert (long_message.recent, long_message.summary, long_message.memories) == (12_000, 1_000, 500)


def _starts(talk: Sequence[tuple[int, bool]]) -> list[int]:
    return group_starts([follows for _, follows in talk])


@given(talks)
def test_tool_output_begins_a_group_only_at_the_start(talk: list[tuple[int, bool]]) -> None:
    starts = _starts(talk)
    assert starts[:1] == ([0] if talk else [])
    assert all(not talk[start][1] for start in starts[1:])
    assert {place for place, (_, follows) in enumerate(talk) if not follows} <= set(starts)


@given(talks, talks, st.integers(1, 100))
def test_later_messages_never_move_a_cut(
    talk: list[tuple[int, bool]], more: list[tuple[int, bool]], size: int
) -> None:
    def cut(all_of_it: list[tuple[int, bool]]) -> list[int]:
        return block_cuts([each for each, _ in all_of_it], _starts(all_of_it), size)

    before, after = cut(talk), cut([*talk, *more])
    assert after[: len(before)] == before


@given(talks, st.integers(1, 100))
def test_blocks_begin_at_groups_and_are_as_large_as_asked(talk: list[tuple[int, bool]], size: int) -> None:
    found = block_cuts([each for each, _ in talk], _starts(talk), size)
    assert set(found[1:]) <= set(_starts(talk))
    for begin, end in pairwise(found):
        assert sum(each for each, _ in talk[begin:end]) >= size


@given(talks, st.integers(1, 100), st.integers(0, 1_000), st.data())
def test_the_messages_in_full_fit_and_begin_at_a_group(
    talk: list[tuple[int, bool]], size: int, budget: int, data: st.DataObject
) -> None:
    pinned = data.draw(st.none() | st.integers(0, len(talk) - 1)) if talk else None
    costs = [each for each, _ in talk]
    starts = _starts(talk)
    places = block_cuts(costs, starts, size)
    first = first_in_full(
        costs.__getitem__, len(talk), cuts=places, starts=starts, pinned=pinned, budget=budget
    )
    assert first in {*starts, len(talk)} | ({0} if not talk else set())

    def spent(begin: int) -> int:
        before = costs[pinned] if pinned is not None and pinned < begin else 0
        return before + sum(costs[begin:])

    must = costs[pinned] if pinned is not None else 0
    assert spent(first) <= max(budget, must)
    if first not in places:
        assert all(spent(place) > budget for place in places if place < len(talk))
        assert all(spent(start) > budget for start in starts if start < first)
    else:
        assert all(spent(place) > budget for place in places if place < first)


@given(talks, st.integers(1, 100), st.data())
def test_blocks_cover_all_older_messages_and_stay(
    talk: list[tuple[int, bool]], size: int, data: st.DataObject
) -> None:
    starts = [*_starts(talk), len(talk)]
    places = block_cuts([each for each, _ in talk], starts[:-1], size)
    first, later = sorted((data.draw(st.sampled_from(starts)), data.draw(st.sampled_from(starts))))
    blocks, more = blocks_before(first, places), blocks_before(later, places)
    assert [place for begin, end in blocks for place in range(begin, end)] == list(range(first))
    whole = [block for block in blocks if block[1] in places]
    assert more[: len(whole)] == whole
    assert len(blocks) - len(whole) <= 1


texts = st.lists(st.text(max_size=5), max_size=4)


@given(texts, texts)
def test_two_histories_have_one_key_only_if_they_are_the_same(one: list[str], other: list[str]) -> None:
    assert (chained(b"", one) == chained(b"", other)) == (one == other)


def test_a_key_tells_the_history_before_it() -> None:
    first, second = chained(b"", ["a"]), chained(b"", ["b"])
    assert len(first) == 32
    assert chained(first, ["c"]) != chained(second, ["c"])


@given(st.text())
def test_a_message_has_a_size_whatever_it_says(text: str) -> None:
    assert 1 <= size_of(text) <= 1 + len(text.encode())


def test_a_block_is_a_fifth_of_the_recent_messages() -> None:
    assert block_size(USUAL) == 2_000
    assert block_size(USUAL.within(0)) == 1
