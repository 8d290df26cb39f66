"""ruling: whether a message gives the agent a rule, as the judges hear it."""

from __future__ import annotations

from reverie.domain.episode import Episode
from reverie.domain.trust import SourceTrust
from reverie.ports.aggregates import Vector
from reverie.ports.judges import Heard, Judges
from reverie.rules.own_words import is_own
from reverie.rules.stating import reports
from reverie.services.stated import OWN

STANDING_FLOOR = 0.1
"""The least probability, by the judges, that a sentence of a principal tells the agent how to behave."""


def may_rule(episode: Episode) -> bool:
    """Whether a principal says it in his own words."""
    return episode.source_trust is SourceTrust.PRINCIPAL and is_own(episode.content)


def gives_rule(judges: Judges, episode: Episode, vector: Vector | None = None) -> bool:
    """Whether a sentence of an English message reads like a rule that its speaker gives; ``vector``: the message's.
    What a sentence ascribes to another is none.
    """
    [judged] = judges.judge([Heard(text=episode.content, vector=vector)])
    return any(
        one.own >= OWN and one.standing >= STANDING_FLOOR and not reports(one.sentence.text) for one in judged
    )
