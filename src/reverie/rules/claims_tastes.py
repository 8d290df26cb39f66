"""Claims of likes, preferences, abilities and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import claims_forms as forms
from reverie.rules.claim import Claim
from reverie.rules.claims_reading import cut_off, is_so, value_of
from reverie.rules.terms import terms


def tastes(low: str, who: frozenset[str], *, main: bool) -> Iterator[Claim]:
    """Likes, preferences, abilities, counts."""
    match = forms.PREFERS.search(low)
    if match is not None and is_so(low[: match.start()]):
        one, other = (
            frozenset(terms(match[a] or match[b] or ""))
            for a, b in (("value", "value2"), ("other", "other2"))
        )
        cut = frozenset(terms(cut_off(match["other"] or match["other2"] or "")))
        if one and other:
            yield Claim(
                subjects=who, attribute=f"prefers {' '.join(sorted(one | cut))}", value=one, main=main
            )
    match = forms.LIKES.search(low)
    if match is not None and is_so(low[: match.start()]):
        value = value_of(match["value"])
        if value:
            likes = not forms.DISLIKES.search(match["likes"])
            yield Claim(
                subjects=who,
                attribute=f"likes {' '.join(sorted(value))}",
                value=value,
                holds=likes,
                single=False,
                main=main,
            )
    match = forms.DOES.search(low)
    if match is not None and is_so(low[: match.start()]):
        value = value_of(match["value"])
        if value:
            yield Claim(
                subjects=who, attribute=f"does {match['verb']} {' '.join(sorted(value))}", value=value,
                holds=match["not"] is None, single=False, main=main,
            )  # fmt: skip
    match = forms.ABLE.search(low)
    if match is not None and is_so(low[: match.start()]):
        value = value_of(match["value"])
        able = not re.search(r"'t|not|un", match["able"])
        yield Claim(
            subjects=who,
            attribute=f"can {' '.join(sorted(value))}",
            value=value,
            holds=able,
            single=False,
            main=main,
        )
    match = forms.COUNT.search(low)
    if match is not None and is_so(low[: match.start()]):
        count = {"a": "one", "an": "one"}.get(match["value"], match["value"])
        yield Claim(
            subjects=who, attribute=f"count {match['thing'].rstrip('s')}", value=frozenset({count}), main=main
        )
