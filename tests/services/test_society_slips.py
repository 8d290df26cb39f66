"""What a caller of the society's verbs gets, gets wrong, or takes back, on each engine."""

from __future__ import annotations

import pytest

from reverie import Agent, InvalidInput, Reverie
from reverie.domain.link import LinkState
from reverie.errors import LinkRefused
from tests.services.bench import Clock, kept
from tests.services.conftest import Open


def test_a_change_without_a_reason_has_none(mama: Agent) -> None:
    mama.relationships.assign("Kade", "ally", 0.6, rationale="He kept his word", notes="Owes me a map")
    changed = mama.relationships.assign("Kade", trust=-0.4)
    assert (changed.rationale, changed.notes, changed.type) == (None, "Owes me a map", "ally")
    assert [view.rationale for view in mama.relationships.history()] == ["He kept his word", None]


def test_the_same_reason_may_be_given_again(mama: Agent) -> None:
    mama.relationships.assign("Kade", "ally", rationale="He kept his word")
    mama.relationships.assign("Kade", trust=0.9, rationale="He kept his word")
    assert [view.rationale for view in mama.relationships.history()] == ["He kept his word"] * 2


def test_names_that_look_alike_are_one_person(mama: Agent) -> None:
    mama.observe({"content": "Good evening.", "speaker": "ZOE\u0301"}, conversation="plaza")
    mama.relationships.assign("Zoe\u0301", "ally")
    mama.relationships.assign("Zo\u00e9", "rival")
    (zoe,) = mama.relationships.list()
    assert (zoe.other, zoe.type, zoe.interaction_count) == ("Zo\u00e9", "rival", 1)
    assert mama.relationships.get("zoe\u0301") == zoe
    assert "- Zo\u00e9: rival" in mama.context("the map", conversation="plaza").text
    assert [one.speaker for one in mama.society.history(with_="zo\u00e9")] == ["ZOE\u0301"]


def test_the_last_view_stands_though_its_clock_was_behind(mama: Agent, open_bank: Open) -> None:
    mama.relationships.assign("Kade", "ally")
    late = Clock()
    late.wait(seconds=-3)
    other = open_bank(clock=late).agent(mama.id)
    assert other.relationships.assign("Kade", "enemy").type == "enemy"
    assert mama.relationships.get("Kade").type == "enemy"
    assert [view.type for view in mama.relationships.history()] == ["ally", "enemy"]


def test_home_and_location_are_taken_away_again(mama: Agent) -> None:
    mama.set_profile(home="Lighthouse", location="Harbour")
    mama.set_profile(location="")
    assert (mama.profile.home, mama.profile.location) == ("Lighthouse", None)
    mama.set_profile(home="", time_zone="Europe/Budapest")
    assert (mama.profile.home, mama.profile.time_zone) == (None, "Europe/Budapest")
    assert mama.audit()[-1].after == {"home": None, "time_zone": "Europe/Budapest"}


def test_accepting_what_shares_nothing_leaves_the_request_open(reverie: Reverie) -> None:
    nova, kade = reverie.agent("nova"), reverie.agent("kade")
    kept(kade, "The keeper has the second map", tags=("map",))
    asked = nova.link.request("kade")
    with pytest.raises(LinkRefused, match=r"no memory of yours passes kinds: fact; tags: mop"):
        kade.link.accept(asked.id, kinds="fact", tags="mop")
    assert [one.state for one in (*kade.link.list(), *nova.link.list())] == [LinkState.PENDING] * 2
    assert kade.link.accept(asked.id, tags="map").counts == {"memories": 1}


def test_a_secret_under_a_key_is_taken_out_at_any_depth_below_it(mama: Agent) -> None:
    said = "hunter2hunter2"
    page = mama.diary.write({"password": {"value": said, "old": [said]}, "passwords": [said], "word": "calm"})
    assert said not in repr(page)
    assert page.notes[0].body["word"] == "calm"


def test_a_link_narrowed_by_no_path_names_scope(reverie: Reverie) -> None:
    nova, kade = reverie.agent("nova"), reverie.agent("kade")
    kept(kade, "The keeper has the second map")
    asked = nova.link.request("kade")
    with pytest.raises(InvalidInput, match=r"^scope: "):
        kade.link.accept(asked.id, scope=5)  # type: ignore[arg-type]
