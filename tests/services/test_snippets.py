"""Which messages a round reads, and in which pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from reverie import Episode, LoopSettings, Role, Settings, SourceTrust
from reverie.domain.watermark import Watermark
from reverie.services.loop.snippets import windows
from tests.services.bench import NOON


def _said(position: int) -> Episode:
    return Episode(
        id=f"e{position}", conversation="c", position=position, time=NOON, observed_at=NOON, channel="api",
        role=Role.USER, speaker=None, content=f"message {position}", source_trust=SourceTrust.PRINCIPAL,
    )  # fmt: skip


@dataclass
class _Unit:
    """The two things that are asked of a conversation."""

    positions: Sequence[int]
    upto: int

    @property
    def conversations(self) -> _Unit:
        return self

    @property
    def episodes(self) -> _Unit:
        return self

    def next_positions(self, names: Sequence[str]) -> Mapping[str, int]:
        return dict.fromkeys(names, self.upto)

    def tail(self, name: str, count: int) -> Sequence[Episode]:
        return [_said(position) for position in self.positions[-count:]]


@given(st.lists(st.booleans(), max_size=80), st.integers(0, 80), st.integers(1, 7), st.integers(1, 5))
def test_each_message_is_in_a_snippet_or_skipped(there: list[bool], seen: int, size: int, most: int) -> None:
    positions = [position for position, is_there in enumerate(there) if is_there]
    mark = Watermark(job="loop", conversation="c", position=seen)
    settings = Settings(loop=LoopSettings(snippet_messages=size, burst_snippets=most))
    found = windows(cast(Any, _Unit(positions, len(there))), mark, settings)
    new = [position for position in positions if position >= seen]
    if len(there) <= seen:
        assert found == ()
        return
    assert len(found) <= most
    assert (found[0].seen, found[-1].upto) == (seen, len(there))
    assert [window.seen for window in found[1:]] == [window.upto for window in found[:-1]]
    read = [
        one.position for window in found for one in window.messages[len(window.messages) - window.fresh :]
    ]
    assert read == (new[len(new) - len(read) :] if read else [])
    skipped = sum(window.skipped for window in found)
    assert len(new) - len(read) <= skipped <= max(len(there) - seen - len(read), 0)
    if all(there):
        assert skipped == len(new) - len(read)
    for window in found:
        shown = [one.position for one in window.messages]
        assert len(shown) <= size
        assert not shown or shown == positions[positions.index(shown[0]) :][: len(shown)]
        assert window.fresh <= len(shown)
        assert all(position < window.upto for position in shown)
    if len(new) <= size * most:
        assert skipped == 0
        assert read == new


@given(st.integers(1, 60), st.integers(0, 59))
def test_a_snippet_is_as_long_as_the_conversation_lets_it_be(count: int, seen: int) -> None:
    mark = Watermark(job="loop", conversation="c", position=min(seen, count - 1))
    found = windows(cast(Any, _Unit(range(count), count)), mark, Settings())
    assert [len(window.messages) for window in found] == [min(6, window.upto) for window in found]
