"""RealMem through the public client: live each persona's sessions in their order, ask each query at its moment.

A persona is one agent. Its turns are observed as they are said; when a session ends, the facts that the data gives for
it are remembered with the turns that they come from. A query is asked of the facts of the sessions before it, and its
evidence are those of them that the answer used: recall@k is the share of them among the k best memories, averaged over
queries. A fact that another one took in as its duplicate counts as found where that memory is. The clock shows the
time of the data.

Plain dense and plain BM25 (the strategies semantic and lexical) answer the same queries beside ours.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bench import places, realmem_data
from bench.metrics import mean, recall_at, reciprocal_rank
from bench.realmem_data import Persona, Query, Session
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Agent, Settings, Strategy
from reverie.domain.time import EPOCH
from reverie.ports.embedder import Embedder

DEPTHS = (5, 10)
DEEPEST = max(DEPTHS)
PLAIN = ("semantic", "lexical")
Ask = Callable[[Agent, Query, Mapping[str, str]], None]

NOTES = {
    "n": "queries with evidence among the facts of earlier sessions",
    "mrr": f"of the first evidence among the {DEEPEST} best",
    "floor_empty_share": "of queries: nothing found above the default floor",
    "floor_survival": f"of queries with evidence among the {DEEPEST} best: some of it is above the default floor",
    "memories": "kept; the rest of the facts were taken for duplicates",
    "mentions": "used memories that answers name",
    "mentions_by_words": "of them matched by words, since no fact has their exact text",
    "mentions_not_yet": "of them facts of the same or a later session",
    "mentions_unmatched": "of them no fact at all",
}


class Calendar:
    """A clock that shows what it is set to."""

    def __init__(self) -> None:
        self.now = EPOCH

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back for one query: memory ids, best first, by strategy. ``evidence`` has an id for each fact."""

    evidence: tuple[str, ...]
    found: Mapping[str, tuple[str, ...]]
    above_floor: tuple[str, ...]


@dataclass(kw_only=True, slots=True)
class Life:
    """What one persona's life gave."""

    answers: list[Answer] = field(default_factory=list)
    facts: int = 0
    memories: int = 0
    episodes: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder of RealMem's dialogues")
    parser.add_argument(
        "--persona",
        action="append",
        default=[],
        help="only this one (name, or number from 0); may be repeated",
    )
    parser.add_argument("--strategy", default="hybrid", choices=[str(strategy) for strategy in Strategy])
    parser.add_argument(
        "--without-episodes",
        action="store_false",
        dest="episodes",
        help="remember the facts alone, without the conversations that they come from: quicker",
    )
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")
    parser.add_argument("--url", help="on this PostgreSQL instead, in databases that are dropped at the end")


def run(
    json_output: bool = False,
    *,
    data: Path,
    persona: Sequence[str] = (),
    strategy: str = "hybrid",
    episodes: bool = True,
    keep: Path | None = None,
    url: str | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    personas = realmem_data.read(data, persona)
    start = time.perf_counter()
    lives = {}
    with kept_vectors(Settings(), keep) as embedder:
        for one in personas:
            lives[one.id] = lived(one, strategy, episodes=episodes, url=url, embedder=embedder)
            print(f"  {one.id}: lived, {time.perf_counter() - start:.0f} s", flush=True)
    answers = [answer for life in lives.values() for answer in life.answers]
    metrics = rounded(
        {
            **quality(answers, strategy),
            **{f"recall@10_{name}": _recall(10, life.answers, strategy) for name, life in lives.items()},
            "n": len(answers),
            "facts": sum(life.facts for life in lives.values()),
            "memories": sum(life.memories for life in lives.values()),
            "episodes": sum(life.episodes for life in lives.values()),
            "mentions": sum(one.matching.mentions for one in personas),
            "mentions_by_words": sum(one.matching.normalised for one in personas),
            "mentions_not_yet": sum(one.matching.not_yet for one in personas),
            "mentions_unmatched": sum(one.matching.unmatched for one in personas),
            "lived_s": time.perf_counter() - start,
        }
    )
    where = "SQLite" if url is None else "PostgreSQL"
    sources = "with" if episodes else "without"
    title = f"RealMem recall of facts, {strategy}, {where}, {sources} their conversations ({data.name})"
    show(title, metrics, json_output=json_output, notes=NOTES)
    return metrics


def lived(
    persona: Persona,
    strategy: str = "hybrid",
    *,
    episodes: bool = True,
    url: str | None = None,
    embedder: Embedder | None = None,
    ask: Ask | None = None,
) -> Life:
    """A life from its first session to its last, in a store of its own; ``ask`` asks the queries in our stead."""
    calendar, life = Calendar(), Life()
    with places.empty(url, embedder=embedder, clock=calendar) as reverie:
        agent = reverie.agent(persona.id)
        became: dict[str, str] = {}

        def asking(query: Query) -> None:
            if ask is not None:
                ask(agent, query, became)
            else:
                life.answers.append(_asked(agent, query, strategy, became))

        for session in persona.sessions:
            said = _live(agent, session, calendar, asking, episodes=episodes)
            _remember(agent, session, said, became)
        stats = agent.stats()
        life.facts, life.memories, life.episodes = len(became), stats.memories, stats.episodes
    return life


def quality(answers: Sequence[Answer], strategy: str = "hybrid") -> dict[str, float]:
    """The metrics of the answers: ours, then plain dense's and plain BM25's, then the floor's."""
    found: dict[str, float] = {}
    for name in dict.fromkeys((strategy, *PLAIN)):
        prefix = "" if name == strategy else f"{name}_"
        found |= {f"{prefix}recall@{k}": _recall(k, answers, name) for k in DEPTHS}
        found[f"{prefix}mrr"] = mean([reciprocal_rank(one.found[name], one.evidence) for one in answers])
    reached = [one for one in answers if set(one.found[strategy]) & set(one.evidence)]
    kept = [one for one in reached if set(one.above_floor) & set(one.evidence)]
    found["floor_empty_share"] = mean([not one.above_floor for one in answers])
    found["floor_survival"] = len(kept) / len(reached) if reached else 0.0
    return found


def _recall(k: int, answers: Sequence[Answer], strategy: str) -> float:
    return mean([recall_at(k, one.found[strategy], one.evidence) for one in answers])


def _live(
    agent: Agent,
    session: Session,
    calendar: Calendar,
    ask: Callable[[Query], None],
    *,
    episodes: bool,
) -> Sequence[str | None]:
    """The session, turn by turn: what was said up to a query is observed before it is asked. Episode ids by turn."""
    observed: list[str | None] = []
    unseen: list[int] = []

    def observe() -> None:
        messages = [message for place in unseen if (message := session.turns[place].message) is not None]
        seen = agent.observe(messages, conversation=session.conversation) if episodes and messages else None
        ids = iter(seen.episode_ids if seen else ())
        observed.extend(next(ids, None) if session.turns[place].message else None for place in unseen)
        unseen.clear()

    for place, turn in enumerate(session.turns):
        if turn.query is not None:
            observe()
            calendar.now = turn.time
            ask(turn.query)
        unseen.append(place)
    calendar.now = session.end
    observe()
    return observed


def _asked(agent: Agent, query: Query, strategy: str, became: Mapping[str, str]) -> Answer:
    found = {
        name: agent.recall(query.text, limit=DEEPEST, min_score=0, strategy=name).hits
        for name in dict.fromkeys((strategy, *PLAIN))
    }
    kept = agent.recall(query.text, limit=DEEPEST, strategy=strategy)
    return Answer(
        evidence=tuple(became[key] for key in query.evidence),
        found={name: tuple(hit.id for hit in hits) for name, hits in found.items()},
        above_floor=() if kept.fell_back else tuple(hit.id for hit in kept.hits),
    )


def _remember(agent: Agent, session: Session, observed: Sequence[str | None], became: dict[str, str]) -> None:
    """The session's facts; ``became`` learns which memory each of them is now."""
    drafts = [
        {
            "essence": fact.text,
            "source_episodes": [key for place in fact.sources if (key := observed[place])],
        }
        for fact in session.facts
    ]
    outcomes = agent.remember_many(drafts)
    became.update(
        (fact.key, outcome.memory.id) for fact, outcome in zip(session.facts, outcomes, strict=True)
    )
