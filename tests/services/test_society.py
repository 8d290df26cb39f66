"""The diary and relationships in a nutshell; ``test_diary`` and ``test_relationships`` have the rest."""

from __future__ import annotations

from reverie import Agent


def test_a_diary_is_written_and_found_again(mama: Agent) -> None:
    page = mama.diary.write(
        {"text": "Kade kept his word", "felt": ["calm"]}, mood="hopeful", date="2026-05-13"
    )
    assert mama.diary.page("2026-05-13") == page
    assert mama.diary.search("calm kade") == [page]
    assert mama.diary.search("storm") == []


def test_a_relationship_is_assigned_met_and_told_in_the_context(mama: Agent) -> None:
    mama.observe({"content": "The ferry leaves at six", "speaker": "Kade"}, conversation="plaza")
    mama.relationships.assign("Kade", "ally", 0.6, rationale="He kept his word")
    (kade,) = mama.relationships.list()
    assert (kade.type, kade.trust, kade.interaction_count) == ("ally", 0.6, 1)
    assert "- Kade: ally, trust 0.6" in mama.context("the ferry", with_="Kade").text
    alone = mama.context("the ferry", with_=[]).text
    assert "ally" not in alone
    assert "Kade, " in alone  # who said it
