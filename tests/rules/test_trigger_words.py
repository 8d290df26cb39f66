"""Patterns that are tried only where a trigger word stands: nothing that they would find is passed over."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.rules import changing, claims, claims_events, claims_forms, glimpses_times
from reverie.rules.claims_table import FRAMES, frames_of
from reverie.rules.glimpses import glimpses
from reverie.rules.glimpses_scene import Glimpse, Scene
from reverie.rules.person import Voice, third_person
from reverie.rules.sentences import sentences

pytestmark = pytest.mark.slow

LIVES = Path(__file__).parents[2] / "bench" / "lives"
HELD_OUT = frozenset({"nine", "ten", "eleven"})
"""Nobody reads these, and a failure prints texts."""
HAND_MADE = (
    "We've moved: it's Ghent now.", "She's with Bosch as of May.", "My boss is Helen.", "So, no more coffee for me!",
    "I'm done with Spanish; Dutch it is.", "the dentist moved me to 16:00", "Team sync is on Wednesdays at 9.",
    "Forget about the boat.", "I\u2019m no longer vegan", "My favourite colour is green", "my favorite is Muse",
    "The due date slipped to 27 March", "Felix and I broke up.", "THE VET IS AT NOON NOW", "from Zed back to VS Code",
    "Bruno died", "that's the climbing over", "he proposed and I said yes", "the caf\u00e9's gone, so is the piano",
)  # fmt: skip
NEVER = re.compile(r"(?!)")
EVERYWHERE = re.compile("")
VOICE = Voice(speaker="Rosa", listener="the assistant", together="Rosa")


def said() -> list[str]:
    """What the people of the scripted lives say, and what is hand-made."""
    paths = [path for path in sorted(LIVES.glob("*.jsonl")) if path.stem not in HELD_OUT]
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    read = map(json.loads, lines)
    return [*HAND_MADE, *(one["content"] for one in read if one.get("role") == "user")]


@pytest.fixture(scope="module")
def texts() -> Sequence[str]:
    """Each sentence as it was said, and told of Rosa."""
    found = [one.text for text in said() for one in sentences(text)]
    return list(dict.fromkeys([*found, *(third_person(one, VOICE) for one in found)]))


def shown(texts: Sequence[str]) -> list[tuple[Glimpse, ...]]:
    scene = Scene(speaker="Rosa", people=("Owen",))
    return [glimpses(one, "", scene) for text in texts for one in sentences(text)]


def test_a_frame_is_tried_on_every_clause_that_it_fits(texts: Sequence[str]) -> None:
    fits = 0
    for low in map(str.lower, texts):
        found = [frame for frame in FRAMES if frame.says.search(low)]
        tried = frames_of(low)
        assert [frame for frame in found if frame not in tried] == [], low
        fits += len(found)
    assert fits > 500


def test_claims_are_the_same_as_where_everything_is_tried(
    texts: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [claims.claims.__wrapped__(text, "Rosa") for text in texts]
    monkeypatch.setattr(claims, "frames_of", lambda _low: FRAMES)
    every = tuple((pattern, EVERYWHERE) for pattern, _ in claims_events._TIMED)
    monkeypatch.setattr(claims_events, "_TIMED", every)
    assert [claims.claims.__wrapped__(text, "Rosa") for text in texts] == found
    monkeypatch.setattr(claims_events, "_TIMED", tuple((pattern, NEVER) for pattern, _ in every))
    assert [claims.claims.__wrapped__(text, "Rosa") for text in texts] != found  # the lives do try it


def test_what_is_over_or_dropped_is_the_same_as_where_everything_is_tried(
    texts: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [(changing.replaced.__wrapped__(text), changing.dropped(text)) for text in texts]
    assert sum(bool(over) for over, _ in found) > 100
    assert any(dropped for _, dropped in found)
    for name in ("_OVER", "_DROPPED"):
        ways = tuple(way._replace(words=frozenset()) for way in getattr(changing, name))
        monkeypatch.setattr(changing, name, ways)
    assert [(changing.replaced.__wrapped__(text), changing.dropped(text)) for text in texts] == found


def test_glimpses_are_the_same_as_where_times_are_looked_for_everywhere(
    texts: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [*HAND_MADE, *texts[::4]]
    found = shown(some)
    monkeypatch.setattr(glimpses_times, "_MAY_TELL_WHEN", EVERYWHERE)
    assert shown(some) == found
    monkeypatch.setattr(glimpses_times, "_MAY_TELL_WHEN", NEVER)
    assert shown(some) != found


MADE_UP = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("place", range(len(FRAMES)), ids=lambda place: f"{place}-{FRAMES[place].attribute}")
@MADE_UP
@given(data=st.data())
def test_a_frame_is_tried_on_what_is_made_up_of_its_pattern(place: int, data: st.DataObject) -> None:
    low = data.draw(st.from_regex(FRAMES[place].says)).lower()
    if FRAMES[place].says.search(low):
        assert FRAMES[place] in frames_of(low)


@pytest.mark.parametrize("name", ["_OVER", "_DROPPED"])
@MADE_UP
@given(data=st.data())
def test_a_way_is_tried_on_what_is_made_up_of_its_pattern(name: str, data: st.DataObject) -> None:
    for way in getattr(changing, name):
        text = data.draw(st.from_regex(way.says, alphabet=st.characters(codec="ascii")))
        assert not way.words or way.words & set(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        (claims_forms.SCHEDULED, claims_forms.SCHEDULES), (claims_forms.DATED, claims_forms.DATES),
        (claims_forms.FAVOURITE, re.compile("favo")), (glimpses_times._WHEN, glimpses_times._MAY_TELL_WHEN),
    ],
    ids=["scheduled", "dated", "favourite", "when"],
)  # fmt: skip
@settings(MADE_UP, max_examples=200)
@given(data=st.data())
def test_what_is_looked_for_first_stands_in_what_is_made_up(
    pattern: re.Pattern[str], holds: re.Pattern[str], data: st.DataObject
) -> None:
    assert holds.search(data.draw(st.from_regex(pattern)))
