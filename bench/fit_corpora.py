"""The corpora that `bench fit` knows: questions with the candidates that recall looks at, of episodes and of memories.

DEVELOPMENT may be fitted on: what helper sessions wrote (``bench/TALKS.md``), scripted lives, recorded nights, RealMem.
MEASURED is looked at alone: LoCoMo, BEAM and PrefEval.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bench import beam_data, locomo_data, night, places, realmem, realmem_data, sleep_life, talk_data
from bench.candidates import Answers, Asked, of_episodes, of_memories
from bench.every import every
from bench.locomo_data import ANSWERABLE, Dialogue, repaired
from bench.realmem_data import Persona, Query
from bench.sleep_life import Life, holds
from bench.talk_data import NOTHING, Question, Sitting, Talk
from reverie import Agent, Episode, Memory
from reverie.domain.message import Message, Role
from reverie.ports.embedder import Embedder

LIVES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "twelve")
"""Ten, eleven and familie are held out: nothing is fitted on them."""
NIGHTS = ("nine", "coding")
FOREIGN = 40
"""So many questions of another talk are asked of each that helper sessions wrote, or wrote questions about."""
DEVELOPMENT = ("personas", "dialogues", "chats", "chats_all", "lives", "realmem", "nights")
MEASURED = ("locomo", "beam", "beam_all", "prefeval")
_HERE = Path(__file__).parent
_MONTH = timedelta(days=30)


@dataclass(frozen=True, kw_only=True, slots=True)
class Corpus:
    """What is asked of a corpus's episodes, and of its memories."""

    episodes: list[Asked] = field(default_factory=list)
    memories: list[Asked] = field(default_factory=list)


def read(folders: Mapping[str, Path], embedder: Embedder, only: Sequence[str] = ()) -> dict[str, Corpus]:
    """The corpora by name, those without a folder left out where they need one. ``only``: these alone."""
    makers: dict[str, Callable[[Embedder], Corpus]] = {
        "dialogues": partial(of_talks, talk_data.dialogues(), foreign=FOREIGN),
        "chats": partial(of_talks, talk_data.chats(everything=False), foreign=FOREIGN),
        "chats_all": partial(of_talks, talk_data.chats(everything=True), foreign=FOREIGN),
        "lives": partial(of_lives, [_HERE / "lives" / f"{name}.jsonl" for name in LIVES]),
        "nights": partial(of_nights, [_HERE / "nights" / name for name in NIGHTS]),
    }
    if path := folders.get("personas"):
        makers["personas"] = partial(of_talks, talk_data.personas(path), foreign=FOREIGN)
    if path := folders.get("realmem"):
        makers["realmem"] = partial(of_realmem, realmem_data.read(path))
    if path := folders.get("locomo"):
        makers["locomo"] = partial(of_talks, locomo_talks(path))
    if path := folders.get("beam"):
        makers["beam"] = partial(of_talks, beam_data.read(path, everything=False))
        makers["beam_all"] = partial(of_talks, beam_data.read(path, everything=True))
    if path := folders.get("prefeval"):
        makers["prefeval"] = partial(of_preferences, path)
    found = {}
    for name in (*DEVELOPMENT, *MEASURED):
        if name in makers and (not only or name in only):
            found[name] = makers[name](embedder)
            print(f"  {name}: {len(found[name].episodes)} + {len(found[name].memories)} asked", flush=True)
    return found


def of_talks(talks: Sequence[Talk], embedder: Embedder, *, foreign: int = 0) -> Corpus:
    """Each question of its talk's messages, and of what was remembered where it is known which of that answers.

    ``foreign``: so many questions of the next talk are asked as well, which nothing here answers.
    """
    corpus = Corpus()
    for number, talk in enumerate(talks):
        others = [one.text for one in talks[(number + 1) % len(talks)].questions if one.evidence][:foreign]
        with talk_data.observed(talk, embedder) as (agent, became):
            refs = {episode.id: episode.ref for episode in every(agent.episodes)}
            unknown = [Question(text=text, kind=NOTHING) for text in others if len(talks) > 1]
            for question in (*talk.questions, *unknown):
                _ask_talk(corpus, agent, talk.id, question, refs, became)
    return corpus


def of_lives(paths: Sequence[Path], embedder: Embedder) -> Corpus:
    """Each question of a life, asked in its morning; of memories as of an earlier day as well."""
    corpus = Corpus()
    for path in paths:
        life = sleep_life.read(path)
        calendar = sleep_life.begun(life)
        with places.empty(None, embedder=embedder, clock=calendar) as reverie:
            agent = reverie.agent("life", time_zone=life.zone.key)
            sleep_life.lived(life, agent, calendar, ask=_asker(corpus, episodes=True))
    return corpus


def of_nights(cassettes: Sequence[Path], embedder: Embedder) -> Corpus:
    """The same of the memories that a model's recorded nights made."""
    corpus = Corpus()
    for cassette in cassettes:
        life, pace = night.life_and_pace(cassette)
        night.replayed(cassette, life, pace, embedder=embedder, ask=_asker(corpus, episodes=False))
    return corpus


def of_realmem(personas: Sequence[Persona], embedder: Embedder) -> Corpus:
    """Each query at its moment: of the facts remembered by then, and of the turns that they come from."""
    corpus = Corpus()
    for persona in personas:
        turns = {
            fact.key: session.turns[fact.sources[0]].message
            for session in persona.sessions
            for fact in session.facts
            if len(fact.sources) == 1
        }

        realmem.lived(persona, embedder=embedder, ask=partial(_ask_realmem, corpus, persona.id, turns))
    return corpus


def of_preferences(folder: Path, embedder: Embedder) -> Corpus:
    """PrefEval: each file's preferences are remembered, and each question wants its own."""
    corpus = Corpus()
    for path in sorted(folder.glob("*.json")):
        lines = json.loads(path.read_text("utf-8"))
        with places.empty(None, embedder=embedder) as reverie:
            agent = reverie.agent(path.stem)
            ids = [agent.remember(one["preference"], kind="preference").memory.id for one in lines]
            corpus.memories.extend(
                of_memories(agent, one["question"], _one_of({wanted}), bank=path.stem)
                for one, wanted in zip(lines, ids, strict=True)
            )
    return corpus


def locomo_talks(path: Path) -> list[Talk]:
    """LoCoMo's dialogues, each session's reference observations remembered when it ends. Adversarial questions are left
    out.
    """
    data = json.loads(path.read_text("utf-8"))
    listed = [data] if isinstance(data, Mapping) else data
    return [_locomo(dialogue, raw) for dialogue, raw in zip(locomo_data.read(path), listed, strict=True)]


def _locomo(dialogue: Dialogue, raw: Mapping[str, Any]) -> Talk:
    known = {message.ref for session in dialogue.sessions for message in session.messages if message.ref}
    sittings, sources = [], dict[str, frozenset[str]]()
    for session in dialogue.sessions:
        name = session.conversation.rpartition("/")[2]
        told = raw.get("observation", {}).get(f"{name}_observation") or {}
        statements: dict[str, str] = {}
        for text, evidence in (fact for facts in told.values() for fact in facts):
            key = f"{name}.{len(statements)}"
            statements[key] = text
            sources[key] = frozenset(repaired([evidence] if isinstance(evidence, str) else evidence, known))
        sittings.append(Sitting(id=session.conversation, messages=session.messages, statements=statements))
    questions = [
        Question(
            text=one.text, kind=str(one.category), evidence=frozenset(one.evidence),
            statements=frozenset(key for key, refs in sources.items() if refs & set(one.evidence)),
        )
        for one in dialogue.questions
        if one.evidence and one.category in ANSWERABLE
    ]  # fmt: skip
    return Talk(id=dialogue.id, sittings=sittings, questions=questions, today=sittings[-1].end + _MONTH)


def _ask_talk(
    corpus: Corpus, agent: Agent, bank: str, question: Question, refs: Mapping[str, str | None],
    became: Mapping[str, str],
) -> None:  # fmt: skip
    evidence = {id for id, ref in refs.items() if ref in question.evidence}
    corpus.episodes.append(
        of_episodes(agent, question.text, _one_of(evidence), bank=bank, wanted=len(evidence))
    )
    ids = {became[key] for key in question.statements}
    if became and (ids or not evidence):
        corpus.memories.append(of_memories(agent, question.text, _one_of(ids), bank=bank, wanted=len(ids)))


def _ask_realmem(
    corpus: Corpus, bank: str, turns: Mapping[str, Message | None], agent: Agent, query: Query,
    became: Mapping[str, str],
) -> None:  # fmt: skip
    ids = {became[key] for key in query.evidence}
    corpus.memories.append(of_memories(agent, query.text, _one_of(ids), bank=bank, wanted=len(ids)))
    refs = {message.ref for key in query.evidence if (message := turns.get(key))}
    if refs:
        said = partial(_said, agent, lambda episode: episode.ref in refs)
        corpus.episodes.append(of_episodes(agent, query.text, said, bank=bank, wanted=len(refs)))


def _asker(corpus: Corpus, *, episodes: bool) -> sleep_life.Ask:
    def ask(agent: Agent, life: Life, question: Mapping[str, Any]) -> None:
        text, bank = question["ask"], f"life {life.name}"
        moments: list[tuple[Any, datetime | None]] = [(question["expect"], None)]
        moments += [(then["expect"], life.morning_after(then["day"])) for then in question.get("as_of", ())]
        for expected, moment in moments:
            worded = partial(_worded, agent, expected)
            corpus.memories.append(of_memories(agent, text, worded, bank=bank, as_of=moment))
        if episodes:
            said = partial(_said, agent, partial(_tells, question["expect"]))
            corpus.episodes.append(of_episodes(agent, text, said, bank=bank))

    return ask


def _one_of(ids: Collection[str]) -> Answers:
    return lambda found: [id in ids for id in found.ids]


def _said(agent: Agent, answers: Callable[[Episode], bool], found: Any) -> list[bool]:
    """Whether it answers, of the episode of each candidate."""
    by_id = {episode.id: episode for episode in agent.jobs.sources(found.ids)}
    return [answers(by_id[id]) for id in found.ids]


def _tells(expected: str | Sequence[str], episode: Episode) -> bool:
    return episode.role is Role.USER and holds(episode.content, expected)


def _worded(agent: Agent, expected: str | Sequence[str], found: Any) -> list[bool]:
    """Whether it holds what is expected, of the memory of each candidate, as it was worded then."""
    held = []
    for id, version in zip(found.ids, found.version.tolist(), strict=True):
        memory = agent.get(id)
        assert isinstance(memory, Memory)
        past = (
            [one.essence for one in agent.portrait(id).versions if one.version == version] if version else []
        )
        held.append(holds(past[0] if past else memory.essence, expected))
    return held
