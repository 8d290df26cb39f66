"""Claim: what a statement says of somebody, as an attribute and its value: Anna, home, Porto."""

from __future__ import annotations

from dataclasses import dataclass, field

NOBODY = ""
"""The subject of a statement that names none; it may be anybody's who speaks."""
USER = "user"
ANY_EVENT = frozenset(
    "appoint appt class lesson session train practic meet cours visit date shift team weekli event deadlin due".split()
)
"""Stems of words that many events have: where one is named by them alone, it is whichever has them."""
WHEN = "when "
"""An attribute that begins so is an event's time; "when yoga" is the time of the evening yoga too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """``subjects``: who or whose it is, casefolded, by every name that the statement has for them ("anna's sister",
    "clara"); ``value``: the stemmed words of the value. ``holds`` False: it is so no longer, or not. ``single``: there
    is one value at a time, so that another one takes its place. ``main``: it is what the statement is about, not said
    by the way. ``told``: the value as it was written.
    """

    subjects: frozenset[str]
    attribute: str
    value: frozenset[str]
    holds: bool = True
    single: bool = True
    main: bool = True
    told: str = field(default="", compare=False)

    def about(self, other: Claim) -> bool:
        """Whether both tell of the same attribute of the same one."""
        if self.attribute == other.attribute:
            return same_subject(self.subjects, other.subjects)
        if not (self.attribute.startswith(WHEN) and other.attribute.startswith(WHEN)):
            return False
        one, two = (set(claim.attribute.split()[1:]) for claim in (self, other))
        mine, theirs = one - ANY_EVENT, two - ANY_EVENT
        same = (mine <= theirs or theirs <= mine) if mine and theirs else bool(one & two)
        return same and same_subject(self.subjects, other.subjects)

    def agrees(self, other: Claim) -> bool:
        """Of two about the same: whether they say the same, one perhaps more exactly."""
        if self.holds is not other.holds:
            return False
        return self.value <= other.value or other.value <= self.value

    def replaces(self, other: Claim) -> bool:
        """Of two about the same: whether this one, said later, takes the other's place."""
        if not self.holds:
            return other.holds and (not self.value or _overlap(self.value, other.value))
        if not other.holds:
            return self.single or _overlap(self.value, other.value)
        return self.single and other.single and not self.agrees(other)


def same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements can be of the same one. Who is called "the user", or nobody, is any person by name, but
    nobody's sister.
    """
    common = one & other
    if common:
        calls, others = (some - common for some in (one, other))
        return not (calls and others and all("'s " in name for name in common))  # two sisters, by their names
    return any(
        unnamed & {NOBODY, USER} and not any("'s " in name for name in named)
        for unnamed, named in ((one, other), (other, one))
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one or not other or bool(one & other)
