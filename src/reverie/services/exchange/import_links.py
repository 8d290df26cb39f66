"""Neural links in an import: the lines, what came by them as far as it is here, and who is blocked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from reverie.domain.link import LinkItem, LinkState, NeuralLink
from reverie.ports.store import Unit
from reverie.services.codecs import Blocked
from reverie.services.exchange.bank_file import Contents

There = Callable[[str, Iterable[str]], Mapping[str, str]]
"""What ids of the file are in the bank after the import, by table."""
_TABLE = {"episodes": "episodes", "diary": "episodes"}


@dataclass(kw_only=True, slots=True)
class ComingLinks:
    """What is to be written."""

    links: list[NeuralLink] = field(default_factory=list)
    items: list[LinkItem] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)

    def put(self, unit: Unit) -> None:
        """Writes it."""
        for link in self.links:
            unit.links.put(link)
        unit.links.add_items(self.items)
        for one in self.blocked:
            unit.links.block(one.other, one.at)


def coming_links(
    unit: Unit, contents: Contents, there: There, count: Callable[[str, str], None]
) -> ComingLinks:
    """What enters. A link that is there stays as it is there; of what came by one, that alone which is here. A request
    that nobody has answered enters as expired: nobody answers it from another bank.
    """
    coming = ComingLinks()
    held = {link.id: unit.links.get(link.id) is not None for link in contents.links}
    for link in contents.links:
        count("neural_link", "known" if held[link.id] else "added")
        coming.links += [] if held[link.id] else [_ended(link)]
    ids: dict[str, set[str]] = {"episodes": set(), "memories": set()}
    for item in contents.items:
        ids[_TABLE.get(item.corpus, "memories")].add(item.id)
    here = {table: there(table, wanted) for table, wanted in ids.items()}
    for item in contents.items:
        id = here[_TABLE.get(item.corpus, "memories")].get(item.id)
        if held.get(item.link_id, True):
            count("link_item", "known")
        elif id is None:
            count("link_item", "left_out")
        else:
            count("link_item", "added")
            own = item.own or id != item.id  # it met what the bank had
            coming.items.append(
                LinkItem(link_id=item.link_id, corpus=item.corpus, source_id=item.source_id, id=id, own=own)
            )
    blocked = set(unit.links.blocked())
    for one in contents.blocked:
        count("link_block", "known" if one.other in blocked else "added")
        coming.blocked += [] if one.other in blocked else [one]
    return coming


def _ended(link: NeuralLink) -> NeuralLink:
    return replace(link, state=LinkState.EXPIRED) if link.state is LinkState.PENDING else link
