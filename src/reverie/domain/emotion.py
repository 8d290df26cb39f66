"""The emotion taxonomy: the 27 labels of GoEmotions (Demszky et al., 2020) and ``neutral``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import islice

from reverie.domain.text import member
from reverie.errors import InvalidInput


class Emotion(StrEnum):
    """An emotion label, in GoEmotions' order."""

    ADMIRATION = "admiration"
    AMUSEMENT = "amusement"
    ANGER = "anger"
    ANNOYANCE = "annoyance"
    APPROVAL = "approval"
    CARING = "caring"
    CONFUSION = "confusion"
    CURIOSITY = "curiosity"
    DESIRE = "desire"
    DISAPPOINTMENT = "disappointment"
    DISAPPROVAL = "disapproval"
    DISGUST = "disgust"
    EMBARRASSMENT = "embarrassment"
    EXCITEMENT = "excitement"
    FEAR = "fear"
    GRATITUDE = "gratitude"
    GRIEF = "grief"
    JOY = "joy"
    LOVE = "love"
    NERVOUSNESS = "nervousness"
    OPTIMISM = "optimism"
    PRIDE = "pride"
    REALIZATION = "realization"
    RELIEF = "relief"
    REMORSE = "remorse"
    SADNESS = "sadness"
    SURPRISE = "surprise"
    NEUTRAL = "neutral"


Emotions = tuple[Emotion, ...]
"""Up to three distinct labels, strongest first; none where nothing is plainly felt."""

MOST_EMOTIONS = 3

_BITS = {emotion: 1 << place for place, emotion in enumerate(Emotion)}


def checked_label(value: object) -> Emotion:
    """One label of the taxonomy. Raise InvalidInput for a label outside it."""
    return member(Emotion, value, "emotions", "is no label of the taxonomy")


def checked_emotions(values: object) -> Emotions:
    """Return up to three distinct labels, strongest first. Raise InvalidInput otherwise."""
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise InvalidInput(
            "emotions", "it is not a sequence of labels", "give up to three labels, strongest first"
        )
    labels = tuple(checked_label(value) for value in islice(values, MOST_EMOTIONS + 1))
    if len(labels) > MOST_EMOTIONS or len(set(labels)) != len(labels):
        raise InvalidInput(
            "emotions",
            "it has more than three, or one twice",
            "give up to three distinct ones, strongest first",
        )
    return labels


def emotion_bits(emotions: Iterable[Emotion] | None, *, neutral: bool = True) -> int:
    """Return the labels as a set of 28 bits, bit i for the i-th label; ``neutral`` False leaves that label out. None,
    not yet judged, is the empty set.
    """
    bits = 0
    for emotion in emotions or ():
        if neutral or emotion is not Emotion.NEUTRAL:
            bits |= _BITS[emotion]
    return bits
