"""Count what a bank holds, and tell how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.domain.agent import Agent
from reverie.domain.change import NOTHING_SPENT, Spent
from reverie.domain.job import EVERYONE, WORKER, JobState
from reverie.domain.query import Filter
from reverie.domain.time import DAY
from reverie.domain.watermark import Watermark
from reverie.ports.store import StoreInfo
from reverie.services.loop import JOB
from reverie.services.runtime import Desk, profile, read_again


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    """One agent's bank in numbers. ``kinds`` and ``states`` count memories; ``rev`` is its revision.

    ``tokens``: about how many all memories are (UTF-8 bytes / 3); ``soul``, ``procedures`` and ``open_goals`` are
    counts, and so are ``diary`` (pages), ``relationships`` (others to whom something was assigned) and ``items``;
    ``waiting``: in how many conversations the memory loop has something to read, ``parked`` those among them where it
    failed, with when it tries again; ``queued``: writes that wait for the embedder; ``counters``: what was counted
    since the bank was made (``loop.…``, ``redacted.…``).
    ``live``: messages of its own conversations that no summary stands for; ``summaries``: how many there are;
    ``observation_tokens``: what active observations hold; ``self_care_due``: whether these or the live messages are
    more than they should be.
    ``unslept``: episodes that no sleep has read; ``jobs``: how background jobs stand, what failed among them;
    ``spent``: what language models cost in the last 24 hours, over all agents.
    """

    agent: Agent
    memories: int
    episodes: int
    conversations: int
    kinds: Mapping[str, int]
    states: Mapping[str, int]
    speakers: Mapping[str, int]
    rev: int
    embedder: str | None
    pending_touches: int
    queued: int
    tokens: int
    soul: int
    diary: int
    relationships: int
    items: int
    procedures: int
    open_goals: int
    waiting: int
    parked: tuple[Watermark, ...]
    counters: Mapping[str, int]
    live: int
    summaries: int
    observation_tokens: int
    self_care_due: bool
    unslept: int
    jobs: tuple[JobState, ...]
    spent: Spent
    store: StoreInfo


@read_again
def stats(desk: Desk, agent_id: str) -> Stats:
    """Return the agent's bank in numbers; zeros for an agent that has never written."""
    view = desk.search.view(agent_id)
    with desk.reading(agent_id) as unit:
        made_by, counts = unit.agents.embedder(), unit.memories.counts()
        episodes = unit.episodes.count(Filter())
        conversations = unit.conversations.count()
        tokens = unit.memories.tokens()
        beside = (len(unit.soul.list()), len(unit.procedures.list()))
        society = (unit.diary.count(), len(unit.relationships.present()), unit.items.count())
        open_goals = unit.goals.count_open()
        waiting, parked = unit.watermarks.count_behind(JOB), tuple(unit.watermarks.failing(JOB))
        load, live = unit.summaries.load(), sum(one.live for one in unit.summaries.rooms())
        summaries = unit.transfer.count("summaries")
        counters, queued = unit.counters.all(), unit.outbox.count()
        unslept, jobs = unit.episodes.count_unconsolidated(), unit.jobs.all()
    with desk.store.read(EVERYONE) as unit:
        spent = sum(unit.usage.since(desk.clock() - DAY).values(), NOTHING_SPENT)
    kinds: dict[str, int] = {}
    states: dict[str, int] = {}
    for (kind, state), count in counts.items():
        kinds[kind] = kinds.get(kind, 0) + count
        states[state.value] = states.get(state.value, 0) + count
    return Stats(
        agent=profile(desk, agent_id),
        memories=sum(counts.values()),
        episodes=episodes,
        conversations=conversations,
        kinds=dict(sorted(kinds.items())),
        states=dict(sorted(states.items())),
        speakers=dict(sorted(view.speakers.items(), key=lambda item: (-item[1], item[0]))),
        rev=view.rev,
        embedder=made_by[0] if made_by else None,
        pending_touches=desk.touches.pending(agent_id),
        queued=queued,
        tokens=tokens,
        soul=beside[0],
        diary=society[0],
        relationships=society[1],
        items=society[2],
        procedures=beside[1],
        open_goals=open_goals,
        waiting=waiting,
        parked=parked,
        counters=counters,
        live=live,
        summaries=summaries,
        observation_tokens=load.tokens,
        self_care_due=load.tokens > desk.settings.self_care.ceiling
        or live > desk.settings.self_care.live_entries,
        unslept=unslept,
        jobs=tuple(one for one in jobs if one.job != WORKER or one.failures),
        spent=spent,
        store=desk.store.info(),
    )
