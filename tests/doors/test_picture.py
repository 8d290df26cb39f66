"""Relationships as a picture: where nodes stand, and what is drawn."""

from __future__ import annotations

import itertools
import math
import re
from datetime import UTC, datetime
from itertools import permutations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.domain.relationship import Relationship
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.doors.cli.layout import FEW, laid_out
from reverie.doors.cli.picture import picture
from reverie.doors.cli.picture_parts import Box, colour

AT = datetime(2026, 5, 1, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
View = tuple[str, Relationship]


def seen(agent: str, other: str, trust: float | None = 0.5, kind: str = "ally") -> View:
    """None: the two have only met."""
    if trust is None:
        return agent, Relationship(other=other, interaction_count=12)
    return agent, Relationship(other=other, type=kind, trust=trust, assigned_at=AT)


def graph(*views: View) -> RelationshipGraph:
    agents = {agent for agent, _ in views}
    names = agents | {one.other for _, one in views}
    return RelationshipGraph(nodes=tuple(sorted(names)), views=views, agents=tuple(sorted(agents)))


def drawn(*views: View) -> ET.Element:
    return ET.fromstring(picture(graph(*views)))  # our own


def texts(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def lines(root: ET.Element) -> dict[str, ET.Element]:
    """The lines between nodes by what they say to a mouse."""
    titled = {one.findtext(f"{SVG}title"): one for one in root.iter(f"{SVG}path")}
    return {title: one for title, one in titled.items() if title}


def test_a_picture_has_every_name_and_what_each_sees() -> None:
    root = drawn(seen("nova", "kade", 0.6), seen("kade", "nova", -0.2, "rival"))
    assert {"nova", "kade", "ally +0.6", "rival -0.2"} <= set(texts(root))
    assert set(lines(root)) == {"nova sees kade as ally, trust +0.60", "kade sees nova as rival, trust -0.20"}


def test_the_same_graph_is_the_same_picture() -> None:
    names = [f"agent {number}" for number in range(20)]
    views = [seen(one, other, 0.1) for one, other in permutations(names, 2)][::7]
    assert picture(graph(*views)) == picture(graph(*views))


@pytest.mark.parametrize(
    "name", ["<script>&\"'</script>", "ö王🜚", "a" * 200, "]]>", "\ufffe\U0001f468\u200d"]
)
def test_whatever_a_name_holds_the_picture_is_xml(name: str) -> None:
    root = drawn(seen(name, "kade", kind=name), seen("kade", name, None))
    assert not list(root.iter(f"{SVG}script"))
    assert any(name[:3].replace("\ufffe", "\ufffd") in text for text in texts(root))


def test_a_long_name_is_cut_and_whole_for_the_mouse() -> None:
    root = drawn(seen("Bartholomew the Elder of the Lighthouse", "kade"))
    assert "Bartholomew the Elder…" in texts(root)
    assert "Bartholomew the Elder of the Lighthouse" in {one.text for one in root.iter(f"{SVG}title")}


def test_two_lines_between_the_same_two_are_apart() -> None:
    there, back = lines(drawn(seen("nova", "kade"), seen("kade", "nova"))).values()
    bends = [re.findall(r"Q(\S+) (\S+) ", one.attrib["d"])[0] for one in (there, back)]
    assert abs(float(bends[0][1]) - float(bends[1][1])) > 40


def test_trust_can_be_told_without_colours() -> None:
    root = drawn(seen("a", "b", 1.0), seen("a", "c", -1.0), seen("a", "d", 0.1), seen("a", "e", None))
    looks = {title.split()[-1]: one.attrib for title, one in lines(root).items()}
    assert "stroke-dasharray" not in looks["+1.00"]
    assert looks["-1.00"]["stroke-dasharray"] != looks["messages)"]["stroke-dasharray"]
    assert float(looks["+1.00"]["stroke-width"]) > 2 * float(looks["+0.10"]["stroke-width"])


def test_trust_goes_from_red_over_grey_to_green() -> None:
    reds, greens = zip(
        *((int(c[1:3], 16), int(c[3:5], 16)) for c in map(colour, (-1, -0.5, 0, 0.5, 1))), strict=True
    )
    assert list(reds) == sorted(reds, reverse=True)
    assert greens[0] < greens[2] <= greens[4]


def boxes(root: ET.Element) -> list[Box]:
    """Of the texts' backs: labels, then names; less what rounding may add."""
    found = [one.attrib for one in root.iter(f"{SVG}rect") if "rx" in one.attrib]
    return [
        Box(
            left=x + 0.1,
            top=y + 0.1,
            right=x + float(one["width"]) - 0.1,
            bottom=y + float(one["height"]) - 0.1,
        )
        for one in found
        for x, y in [(float(one["x"]), float(one["y"]))]
    ]


@pytest.mark.parametrize("count", [2, 6, 12, 13, 40])
def test_no_label_covers_another_and_all_lies_within_the_frame(count: int) -> None:
    names = [f"agent {number}" for number in range(count)]
    views = [seen(one, other, 0.3) for one, other in permutations(names, 2)][:: max(1, count // 3)]
    root = drawn(*views)
    labels = boxes(root)
    wanted = len(views) if len(views) <= 150 else 0
    assert len(labels) >= count + wanted * 0.7
    for place, one in enumerate(labels[: len(labels) - count]):
        assert not any(one.meets(other) for other in labels[place + 1 :])
    left, top, wide, high = (float(one) for one in root.attrib["viewBox"].split())
    assert all(one.left >= left and one.right <= left + wide for one in labels)
    assert all(one.top >= top and one.bottom <= top + high for one in labels)


def test_what_has_no_room_is_counted_in_the_legend() -> None:
    names = [f"agent {number}" for number in range(14)]
    root = drawn(*(seen(one, other, 0.3) for one, other in permutations(names, 2)))
    assert "182 without a label: point at the line" in texts(root)


def test_a_graph_of_nobody_is_a_picture_too() -> None:
    root = ET.fromstring(picture(RelationshipGraph()))  # our own
    assert "whose views these are" in texts(root)


GRAPHS = st.integers(1, 30).flatmap(
    lambda count: st.tuples(
        st.just(count), st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=60)
    )
)


@given(GRAPHS)
@settings(max_examples=12, deadline=None)
def test_nodes_keep_apart_at_the_same_places_each_time(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    places = laid_out(count, edges, apart=100)
    assert len(places) == count
    for one, other in itertools.combinations(places, 2):
        assert math.dist(one, other) >= 100 - 0.2  # places are rounded
    assert laid_out(count, [(b, a) for a, b in reversed(edges)], apart=100) == places


def test_few_stand_in_a_circle() -> None:
    places = laid_out(FEW, [], apart=100)
    assert len({round(math.hypot(x, y)) for x, y in places}) == 1


def test_two_stand_side_by_side() -> None:
    assert laid_out(2, [(0, 1)], apart=100) == [(-50.0, 0.0), (50.0, 0.0)]


def test_who_is_tied_to_nobody_stands_below() -> None:
    places = laid_out(20, [(one, one + 1) for one in range(17)], apart=100)
    assert min(y for _, y in places[18:]) > max(y for _, y in places[:18])


def test_who_is_tied_stands_closer_than_who_is_not() -> None:
    """Two cliques of ten and one edge between them."""
    halves = (range(10), range(10, 20))
    edges = [pair for half in halves for pair in itertools.combinations(half, 2)]
    places = laid_out(20, [*edges, (0, 10)], apart=100)

    def mean(pairs: list[tuple[int, int]]) -> float:
        return sum(math.dist(places[a], places[b]) for a, b in pairs) / len(pairs)

    assert mean(edges) < mean(list(itertools.product(*halves)))


def test_a_picture_of_forty_fits_a_screen_or_two() -> None:
    places = laid_out(40, [(one, (one * 7 + 3) % 40) for one in range(40)], apart=120)
    assert max(abs(value) for place in places for value in place) < 1_500
