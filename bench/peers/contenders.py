"""Reverie and a peer behind one face: they store sessions of turns and find them again, timed without embedding."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from bench.locomo_data import Dialogue, Question
from bench.peers.process import Child
from bench.timing import TimedEmbedder
from reverie import Reverie
from reverie.domain.message import Message
from reverie.doors.formats.locomo import Session
from reverie.language.lexical_terms import STOP_WORDS
from reverie.ports.embedder import Embedder

BEST = 10
Found = list[list[str | None]]


class Contender(Protocol):
    """Whoever stores turns and finds them again, timed without embedding."""

    def add(self, bank: str, session: Session) -> float:
        """Stores a session; seconds."""
        ...

    def search(self, bank: str, questions: Sequence[Question]) -> tuple[Found, list[float]]:
        """Refs of the best ten for each question, best first, and the seconds of each."""
        ...


class Ours:
    """Reverie through its public client."""

    def __init__(self, reverie: Reverie, embedder: TimedEmbedder) -> None:
        self._reverie = reverie
        self._embedder = embedder

    def add(self, bank: str, session: Session) -> float:
        agent = self._reverie.agent(bank)
        spent, start = self._embedder.seconds, time.perf_counter()
        agent.observe(session.messages, conversation=session.conversation)
        return time.perf_counter() - start - (self._embedder.seconds - spent)

    def search(self, bank: str, questions: Sequence[Question]) -> tuple[Found, list[float]]:
        agent = self._reverie.agent(bank)
        found: Found = []
        seconds = []
        for question in questions:
            spent, start = self._embedder.seconds, time.perf_counter()
            hits = agent.recall_episodes(question.text, limit=BEST).hits
            seconds.append(time.perf_counter() - start - (self._embedder.seconds - spent))
            found.append([hit.ref for hit in hits])
        return found, seconds


class Said:
    """What peers are given: a text for each turn, with the speaker before it where ``speakers``, vectors of all, and
    stop words for one that can't fetch its own.
    """

    def __init__(self, dialogues: Sequence[Dialogue], *, speakers: bool) -> None:
        self._dialogues = dialogues
        self._speakers = speakers

    def text(self, message: Message) -> str:
        """The text of one turn."""
        if self._speakers and message.speaker:
            return f"{message.speaker}: {message.content}"
        return message.content

    def write(self, folder: Path, embedder: Embedder) -> None:
        """For a peer's process: texts.json and vectors.npy, row by row the same, and stopwords.json."""
        turns = [
            self.text(message)
            for dialogue in self._dialogues
            for session in dialogue.sessions
            for message in session.messages
        ]
        questions = [question.text for dialogue in self._dialogues for question in dialogue.questions]
        asked = [embedder.embed_query(text) for text in questions]
        vectors = np.concatenate([embedder.embed(turns), np.reshape(asked, (-1, embedder.dimensions))])
        (folder / "texts.json").write_text(json.dumps(turns + questions), encoding="utf-8")
        np.save(folder / "vectors.npy", vectors.astype(np.float32))
        (folder / "stopwords.json").write_text(json.dumps(sorted(STOP_WORDS)), encoding="utf-8")


class Theirs:
    """A peer in its process."""

    def __init__(self, child: Child, said: Said) -> None:
        self._child = child
        self._said = said

    def add(self, bank: str, session: Session) -> float:
        turns = [{"ref": message.ref, "text": self._said.text(message)} for message in session.messages]
        return float(self._child.ask("add", bank=bank, turns=turns)["seconds"])

    def search(self, bank: str, questions: Sequence[Question]) -> tuple[Found, list[float]]:
        texts = [question.text for question in questions]
        answer = self._child.ask("search", bank=bank, questions=texts, limit=BEST)
        return answer["found"], answer["seconds"]

    def attempts(self) -> int:
        """How often it asked for a host."""
        return int(self._child.ask("attempts")["attempts"])
