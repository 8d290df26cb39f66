"""What the receipt of a forget says of the words that an engine still holds: in this the engines differ."""

from __future__ import annotations

from pathlib import Path

from tests.services.bench import kept, opened


def test_a_files_receipt_says_when_a_reader_holds_the_words(tmp_path: Path) -> None:
    with opened(tmp_path / "a.bank") as reverie:
        mama = reverie.agent("mama")
        memory = kept(mama, "Péter is allergic to peanuts")
        with reverie._desk.store.read("mama") as unit:
            unit.agents.get()
            held = mama.forget(memory.id)
        assert any("spare pages" in place for place in held.elsewhere)
        other = kept(mama, "Anna likes tea")
        assert not any("spare pages" in place for place in mama.forget(other.id).elsewhere)


def test_a_servers_receipt_says_that_it_may_hold_the_words(postgres_database: str) -> None:
    with opened(postgres_database) as reverie:
        mama = reverie.agent("mama")
        receipt = mama.forget(kept(mama, "Péter is allergic to peanuts").id)
        assert any("spare pages and logs" in place for place in receipt.elsewhere)
