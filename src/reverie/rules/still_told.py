"""Which of the texts that are left tell of what was forgotten still: the assistant's "Noted: 50 micrograms of …".

A text does that has in one sentence half of the words that tell something, or any of those that are rare in the bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from reverie.rules.forgetting import sentences
from reverie.rules.label_words import WEAK
from reverie.rules.terms import terms

SHARE = 0.5
"""Of the telling words (and two of them): a sentence that has so many says the same otherwise."""
RARE_TEXTS, RARE_SHARE = 3, 0.02
"""A word is rare that at most so many of the texts that are left have, or this share of them."""
FEW = 20
"""Of more texts that went at once, or of more words, a single word says nothing: somewhere each is said again."""

_COMMON = """
afternoon air animal apple apartment area arm baby bag ball bank bar bathroom beach beautiful bed bedroom beer bike bill
bird birthday black blue boat body book boss bottle bottom box boy bread breakfast bridge brother brown building bus
business busy cake camera car card cat center centre chair cheap child children church city class clean clear clothes
coat coffee cold color colour company computer cook cooking cost country course cream cup dad dance dark date daughter
dead deep desk dinner dish doctor dog door dress drink drive driving dry early ear earth east eat egg email evening
exercise eye face fall family fast father favorite favourite feet film finger fire fish floor flower food foot forest
free fresh friend fruit funny future game garden girl glass gold green grey ground group hair hat head health heart
heavy hill holiday home hospital hot hotel hour house hungry husband ice information island job juice key kid kitchen
lake land language laugh law leaf leg lesson letter library light list listen lunch mail market meal meat medicine
member milk mom money moon mother mountain mouth movie mum museum music neck neighbor neighbour news noise north nose
note office oil orange page paint paper parent park party pen pencil phone photo picture plant plate pool poor power
present price problem program project purple question quiet rain red restaurant rice rich ring river road rock room
salt sand school sea season seat second shirt shoe shop shopping short shower sick sign sister size skin sky sleep slow
smile smoke snow soft son song soup south spring star station stone store storm story street strong student sugar
summer sun sweet swim table tall tea teacher team tired ticket tooth town train travel tree trip truck uncle warm wash
water weather wedding weight west wet white wife wind window wine winter woman women wood word world wrong yellow
actual answer bit case certain daily detail end event example fact feel follow form general help include kind later
level main mind morning mr mrs ms name noted number plan point reason result right rule sense service set situation
state step stuff system term thing topic update user assistant way
"""
_LIGHT = frozenset(term for word in (*_COMMON.split(), *WEAK) for term in terms(word))


def telling(text: str, names: Collection[str] = ()) -> frozenset[str]:
    """The terms of a text that tell something by themselves: none of everyday words, nor of these names (of who
    speaks, since everything is said to them or by them).
    """
    return frozenset(terms(text)) - _LIGHT - {term for name in names for term in terms(name)}


def still_telling(gone: Sequence[frozenset[str]], left: Mapping[str, str], count: int) -> tuple[str, ...]:
    """The keys of those of the texts that are left (in their order) that tell of one of those that went, which are
    given as ``telling`` has them. ``count``: how many are left in all; those that aren't given have none of the words.
    """
    told = {key: frozenset(terms(text)) for key, text in left.items()}
    frequency = Counter(term for one in told.values() for term in one)
    most = max(RARE_TEXTS, int(RARE_SHARE * count))
    rare = {
        term
        for one in (gone if len(gone) <= FEW else ())
        for term in (one if len(one) <= FEW else ())
        if frequency[term] <= most
    }
    return tuple(
        key
        for key, text in left.items()
        if not rare.isdisjoint(told[key])
        or any(_says(frozenset(terms(part)), one) for part in sentences(text) for one in gone)
    )


def _says(part: frozenset[str], one: frozenset[str]) -> bool:
    shared = len(part & one)
    return shared >= 2 and shared >= SHARE * len(one)
