"""What the declarations of aggregates must agree with elsewhere."""

from __future__ import annotations

from reverie.domain.link import CORPORA, Include, LinkItem
from reverie.services.aggregates import AGGREGATES


def test_what_a_link_includes_has_a_corpus() -> None:
    shared = {one.include for one in AGGREGATES if one.include is not None}
    assert shared == set(Include)
    assert shared < {corpus for corpora in CORPORA.values() for corpus in corpora}


def test_a_link_item_names_the_table_of_its_copy() -> None:
    tables = {one: LinkItem(link_id="l", corpus=one, source_id="s", id="i").table for one in (*Include,)}
    assert tables == {"soul": "memories", "relationships": "memories", "diary": "episodes"}
