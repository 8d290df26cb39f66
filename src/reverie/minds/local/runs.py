"""What is kept of long messages: the runs of their sentences that tell of somebody's life, in their own words.

A message of more than 80 words is seldom one piece of news: it thanks, it asks, it explains what is wanted, and tells
something in a paragraph. So its paragraphs are read apart, long ones in runs of sentences; each is judged by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.snippet import Snippet
from reverie.minds.local.statements import Statement, name_of, own_sentences
from reverie.rules import cue_words
from reverie.rules.datesaid import dated
from reverie.rules.salience import words
from reverie.rules.sentences import Sentence
from reverie.rules.telling import tells

LONG = 80
"""Words of what a message tells, without its questions, from which on it is read in runs; none is longer."""
MOST = 2
"""Runs of a message that are kept, the most telling ones: a sleep learns at most three things from an episode."""
_LONGEST = 1_800
"""Characters from which on a message is taken for pasted."""
_FEWEST = 8  # words
_OWN = cue_words.FIRST | cue_words.TOGETHER


def telling_runs(snippet: Snippet, least: float) -> list[tuple[Statement, float]]:
    """The runs of the new long messages that tell something with at least that probability, each with it; in order."""
    found: list[tuple[Statement, float]] = []
    for message in snippet.messages[len(snippet.messages) - snippet.fresh :]:
        if message.role is not Role.USER or len(message.content) > _LONGEST:
            continue
        read = own_sentences(message)
        said = [one for one in read if not one.asks]
        if len(words(" ".join(dated(one.text, message.time, snippet.zone) for one in said))) <= LONG:
            continue  # it is kept whole
        judged = [(run, tells(_text(run))) for run in _runs(said) if _is_own(run)]
        best = sorted((one for one in judged if one[1] >= least), key=lambda one: -one[1])[:MOST]
        found += [
            (_statement(message, run, snippet.zone), worth)
            for run, worth in sorted(best, key=lambda one: one[0][0].place)
        ]
    return found


def _runs(said: Sequence[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """The paragraphs; of longer ones as many sentences together as there may be."""
    run: list[Sentence] = []
    for one in said:
        if run and (one.line != run[-1].line or sum(map(_length, run)) + _length(one) > LONG):
            yield tuple(run)
            run = []
        if _length(one) <= LONG:
            run.append(one)
    if run:
        yield tuple(run)


def _is_own(run: Sequence[Sentence]) -> bool:
    """Whether its speaker tells of himself, in more than a few words."""
    read = words(_text(run))
    return len(read) >= _FEWEST and not _OWN.isdisjoint(read)


def _statement(message: Episode, run: tuple[Sentence, ...], zone: tzinfo) -> Statement:
    told = " ".join(dated(one.text, message.time, zone) for one in run)
    return Statement(
        message=message, said=run, essence=f"{name_of(message)} said: {told}", first=run[0].place,
        end=run[-1].place + 1, cues={},
    )  # fmt: skip


def _text(run: Sequence[Sentence]) -> str:
    return " ".join(one.text for one in run)


def _length(one: Sentence) -> int:
    return len(words(one.text))
