"""The society's world: agents that live by a virtual clock, act by act, each drawn from a seed.

A turn is one agent's act: it gets its context for the room that it is in, then talks, remembers, writes, judges, shares
or asks. Nights bring sleep and self-care. Whatever is done is entered in the agents' ledgers as well.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bench.realmem import Calendar
from bench.society_check import bank_of, care_checked
from bench.society_ledger import Came, Ledger, Saw, Wrote
from bench.society_talk import BELIEFS, MOODS, PLACES, TONES, TYPES, Talk, marks, names
from reverie import Agent, LinkRefused, LinkState, Reverie, Settings
from reverie.domain.summary import SelfCareReport

START = datetime(2026, 3, 2, 7, tzinfo=UTC)
_WAKING = timedelta(hours=14)
_NIGHT = timedelta(hours=19)
_BELIEFS = 3
_REPEATED = 0.12
ACTS = {
    "say": 50, "remember": 24, "recall": 12, "diary": 5, "relate": 5, "look": 2.6, "link": 0.8, "revoke": 0.05,
    "forget": 0.25, "decline": 0.3,
}  # fmt: skip
"""How often each is done, of about a hundred turns."""


@dataclass(slots=True)
class Times:
    """What acts took, in seconds, by day and by act; a turn is an act with its context."""

    turns: dict[int, list[float]] = field(default_factory=dict)
    computed: dict[int, list[float]] = field(default_factory=dict)
    acts: dict[tuple[str, int], list[float]] = field(default_factory=dict)

    def add(self, act: str, day: int, seconds: float) -> None:
        """A part of a turn, or of a night."""
        self.acts.setdefault((act, day), []).append(seconds)


class World:
    """Agents, their rooms, what became of their acts in ``counts``, and what contradicts the laws in ``violations``."""

    def __init__(
        self, reverie: Reverie, clock: Calendar, *, agents: int, seed: int, settings: Settings,
        weights: Mapping[str, float] = ACTS, without: Collection[str] = (), start: datetime = START,
    ) -> None:  # fmt: skip
        self.reverie, self.clock = reverie, clock
        self.chance = random.Random(seed)
        self.talk = Talk(self.chance)
        self.ledgers = {name: Ledger(name) for name in names(agents)}
        self.times = Times()
        self.counts: dict[str, int] = {}
        self.violations: list[str] = []
        self.without = frozenset(without)
        self.start = start
        self.settings = settings
        self.day = 0
        self._left_out = self.without | ({"decline"} if "self_care" in self.without else set())
        self._weights = {act: 0.0 if act in self._left_out else weight for act, weight in weights.items()}
        self._where: dict[str, str] = {}
        self._turn = 0
        for number, name in enumerate(self.ledgers):
            self.reverie.agent(name, time_zone="UTC", home=f"house of {name}", location=self._place(number))

    def agent(self, name: str) -> Agent:
        """The agent of that name."""
        return self.reverie.agent(name)

    def wrong(self, what: str, where: str) -> None:
        """Enters a violation."""
        self.violations.append(f"day {self.day}, {where}: {what}")

    def count(self, what: str, by: int = 1) -> None:
        """Counts what was done."""
        self.counts[what] = self.counts.get(what, 0) + by

    def live(self, day: int, turns: int) -> None:
        """One day: so many turns of each agent, by turns, then the night."""
        self.day = day
        morning = self.start + timedelta(days=day - 1)
        step = _WAKING / max(turns * len(self.ledgers), 1)
        for turn in range(turns):
            for number, name in enumerate(self.ledgers):
                self.clock.now = max(self.clock.now, morning + step * (turn * len(self.ledgers) + number))
                if turn % 8 == 0:
                    self._walk(name)
                self.take_turn(name, first=day == 1 and turn < _BELIEFS)
        self.clock.now = max(self.clock.now, self.start + timedelta(days=day - 1) + _NIGHT)
        self._sleep()

    def take_turn(self, name: str, *, first: bool = False) -> None:
        """The agent's next act, timed with its context."""
        act = "soul" if first else self.chance.choices([*self._weights], [*self._weights.values()])[0]
        self._turn += 1
        start, computed = time.perf_counter(), time.process_time()
        self._context(name)
        between = time.perf_counter()
        getattr(self, f"_{act}")(name)
        end = time.perf_counter()
        self.times.turns.setdefault(self.day, []).append(end - start)
        self.times.computed.setdefault(self.day, []).append(time.process_time() - computed)
        self.times.add("context", self.day, between - start)
        self.times.add(act, self.day, end - between)
        self.count("turns")
        self.count(act)

    def _context(self, name: str) -> None:
        room, ledger = self._where[name], self.ledgers[name]
        known = room in ledger.rooms and any(id in ledger.heard for id in ledger.rooms[room])
        self.check_block(name, self.agent(name).context(conversation=room if known else None).text)

    def check_block(self, name: str, text: str) -> None:
        """The soul opens the block, whole and in its order; all of it stays within its ceilings."""
        soul = self.ledgers[name].soul
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        if lines[: len(soul)] != [f"- {belief}" for belief in soul]:
            self.wrong("the soul does not open the context", name)
        if (size := self.reverie.tokens(text)) > 1300:
            self.wrong(f"the context has {size} tokens", name)
        for mark in marks(text):
            if not self.ledgers[name].may_know(mark):
                self.wrong(f"the context tells #{mark}, which nobody told it", name)

    def _soul(self, name: str) -> None:
        ledger = self.ledgers[name]
        belief = next(one for one in self._shuffled(BELIEFS) if one not in ledger.soul)
        self.agent(name).soul.add(belief)
        ledger.soul.append(belief)

    def _say(self, name: str) -> None:
        room = self._where[name]
        here = [one for one in self.ledgers if self._where[one] == room]
        text, mark = self.talk.said(self._other(name))
        kept = self.reverie.room(room, here).say(name, text, ref=f"turn-{self._turn}")
        if {*kept} != {*here}:
            self.wrong("not everybody in the room heard it", room)
        for one, seen in kept.items():
            self.ledgers[one].hear(seen.episode_ids[0], room, name, text, self.clock.now, mark)
            self.count("heard")

    def _remember(self, name: str) -> None:
        ledger = self.ledgers[name]
        known = [one for one in ledger.noted.values() if one.mark not in ledger.forgotten]
        if known and self.chance.random() < _REPEATED:
            noted = self.chance.choice(known)
            text, mark = self.talk.again(noted.texts[0]), noted.mark
            self.count("repeated")
        else:
            text, mark = self.talk.noticed(self._other(name))
        outcome = self.agent(name).remember(text, kind="observation")
        ledger.note(outcome.memory.id, text, mark, self.clock.now)
        self.count(type(outcome).__name__.lower())

    def _recall(self, name: str) -> None:
        ledger = self.ledgers[name]
        known = [one for one in ledger.noted.values() if one.mark not in ledger.forgotten]
        if not known:
            return
        noted = self.chance.choice(known)
        found = self.agent(name).recall(noted.texts[0].partition(" #")[0])
        hits = {hit.memory.id for hit in found.hits}
        above = {id for id, items in ledger.stands_for.items() if noted.id in items}
        self.count("recalled" if hits & {noted.id, *above} else "missed")
        if hits & ledger.summarized() and not found.fell_back:
            self.wrong("an ordinary recall gave what is summarized", name)

    def _diary(self, name: str) -> None:
        text, mark = self.talk.written(self._other(name))
        body: str | dict[str, object] = text
        if self.chance.random() < 0.4:
            body = {"what": text, "with": [self._other(name)], "hours": self.chance.randint(1, 9)}
        mood = self.chance.choice((None, *MOODS))
        page = self.agent(name).diary.write(body, mood=mood)
        kept = {"text": body} if isinstance(body, str) else body
        self.ledgers[name].write(Wrote(page.date, kept, mood, self._where[name]), mark)
        if page.date != f"{self.clock.now:%Y-%m-%d}":
            self.wrong(f"the diary's page is {page.date}", name)

    def _relate(self, name: str) -> None:
        other, ledger = self._other(name), self.ledgers[name]
        before = next((one for one in reversed(ledger.saw) if one.other == other), None)
        why, mark = self.talk.reason(other)
        new = Saw(
            other,
            self.chance.choice(TYPES),
            self.chance.randint(-10, 10) / 10,
            self.chance.choice(TONES),
            why,
        )
        if before is not None and self.chance.random() < 0.3:
            new = Saw(other, before.type, new.trust, before.tone, why)
            self.agent(name).relationships.assign(other, trust=new.trust, rationale=why)
        else:
            self.agent(name).relationships.assign(other, new.type, new.trust, new.tone, why)
        ledger.see(new, mark)

    def _look(self, name: str) -> None:
        agent, other = self.agent(name), self._other(name)
        if self.chance.random() < 0.5:
            agent.society.history(with_=other, limit=20, newest_first=True)
        else:
            agent.society.rooms(with_=other)

    def _decline(self, name: str) -> None:
        """Self-care away from home is declined, and changes nothing."""
        report = self.agent(name).self_care()
        if report.declined is None or report:
            self.wrong("self-care away from home was not declined", name)

    def _forget(self, name: str) -> None:
        ledger = self.ledgers[name]
        kind = self.chance.choice(("noted", "heard"))
        rows: Sequence[tuple[str, int]] = (
            [(one.id, one.mark) for one in ledger.noted.values() if one.mark not in ledger.forgotten]
            if kind == "noted"
            else [(one.id, one.mark) for one in ledger.heard.values() if one.mark not in ledger.forgotten]
        )
        if not rows:
            return
        _, mark = self.chance.choice(rows)
        same = [id for id, other in rows if other == mark]
        for id in same:  # said again after the first was summarized, it stands twice
            if id == same[0] or self._is_there(name, id):
                self.agent(name).forget(id)
        ledger.forget(mark)
        self.count(f"forgot_{kind}")

    def _is_there(self, name: str, id: str) -> bool:
        return any(one.id == id for one in self.agent(name).memories(deep=True, limit=1000))

    def _link(self, name: str) -> None:
        ledger = self.ledgers[name]
        free = [
            one
            for one in self.ledgers
            if one != name and one not in {link.giver for link in ledger.came.values()}
        ]
        if not free:
            return
        giver = self.chance.choice(free)
        asked = self.agent(name).link.request(giver, message="May I see what you saw?")
        self.count("asked")
        answer = self.chance.choices(("accept", "narrow", "decline", "late"), (55, 10, 20, 15))[0]
        self.clock.now += timedelta(seconds=self.chance.randint(5, 100))
        if [one.id for one in self.agent(giver).link.pending()] != [asked.id]:
            self.wrong("the request is not pending", giver)
        if answer == "late":
            self.clock.now += timedelta(minutes=3)
            self._refused(lambda: self.agent(giver).link.accept(asked.id), giver, "after its two minutes")
            self.count("expired")
        elif answer == "decline":
            self.agent(giver).link.decline(asked.id)
            self._refused(lambda: self.agent(giver).link.accept(asked.id), giver, "after it was declined")
            self.count("declined")
        else:
            self._accept(name, giver, asked.id, narrow=answer == "narrow")

    def _accept(self, name: str, giver: str, id: str, *, narrow: bool) -> None:
        may, sure = self.ledgers[giver].shared(narrow=narrow)
        start = time.perf_counter()
        try:
            shared = self.agent(giver).link.accept(id, kinds="fact" if narrow else None)
        except LinkRefused:  # nothing passes: it stays open
            if not narrow or [one.id for one in self.agent(giver).link.pending()] != [id]:
                self.wrong("a request that could be accepted was refused", giver)
            self.agent(giver).link.decline(id)
            self.count("nothing to share")
            return
        self.times.add("accept", self.day, time.perf_counter() - start)
        if shared.state is not LinkState.ACCEPTED:
            self.wrong(f"the link is {shared.state}", giver)
        self._refused(lambda: self.agent(giver).link.accept(id), giver, "twice")
        self.ledgers[name].came[id] = Came(id, giver, may, sure)
        self.count("accepted")

    def _revoke(self, name: str) -> None:
        ledger = self.ledgers[name]
        if not ledger.came:
            return
        id = self.chance.choice([*ledger.came])
        self.agent(name).link.revoke(id)
        left = bank_of(self.agent(name))
        ledger.take_back(id, left.memories.keys() | left.episodes.keys())
        self.count("revoked")

    def _refused(self, act: Callable[[], object], where: str, when: str) -> None:
        try:
            act()
        except LinkRefused:
            return
        self.wrong(f"a link was accepted {when}", where)

    def _walk(self, name: str) -> None:
        """To another place; its room is where it talks from now on."""
        self._where[name] = self._place(self.chance.randrange(len(PLACES)))
        self.agent(name).set_profile(location=self._where[name])

    def _place(self, number: int) -> str:
        most = max(1, min(len(PLACES), len(self.ledgers) // 3 + 1))
        return PLACES[number % most]

    def _other(self, name: str) -> str:
        return self.chance.choice([one for one in self.ledgers if one != name])

    def _shuffled(self, texts: Sequence[str]) -> list[str]:
        return self.chance.sample(texts, len(texts))

    def _sleep(self) -> None:
        """The night: all go home and sleep; who needs it takes care of itself; once a week the house is kept."""
        for name in self.ledgers:
            agent = self.agent(name)
            self._timed("sleep", agent.jobs.sleep_through)
            agent.set_profile(location=f"house of {name}")
            if "self_care" not in self.without:
                self._care(name)
        self.clock.now += timedelta(hours=8)
        if self.day % 7 == 0:
            self._timed("housekeeping", self.reverie.housekeeping)

    def _timed(self, act: str, do: Callable[[], object]) -> object:
        start = time.perf_counter()
        done = do()
        self.times.add(act, self.day, time.perf_counter() - start)
        self.count(f"{act}s")
        return done

    def _care(self, name: str) -> None:
        def care() -> SelfCareReport:
            start = time.perf_counter()
            report = self.agent(name).self_care()
            self.times.add("self_care", self.day, time.perf_counter() - start)
            return report

        care_checked(self, name, care)
