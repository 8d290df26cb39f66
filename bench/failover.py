"""A primary that dies under load: two PostgreSQL nodes under Patroni, one etcd, commits confirmed by the standby.

Threads write, each an agent's memories, by a URL that names both nodes. After some seconds everything of the primary is
killed (SIGKILL), and its Patroni started again as soon as the standby was promoted, as a machine's supervisor would.
"Seconds without writes" are the longest time in which no write of anybody was acknowledged. Then each memory that was
acknowledged is looked for on the new primary. Debian's etcd and Patroni do it: scripts/highly_available.
"""

from __future__ import annotations

import argparse
import itertools
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reverie import Agent, Reverie, Settings, StoreSettings
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import ReverieError, StoreError, Unreachable

if TYPE_CHECKING:
    from tests.patroni_cluster import Cluster

_DIMENSIONS = 16
_PATIENT, _IMPATIENT = 60.0, 1.0
_PAGE = 1000


@dataclass(kw_only=True)
class Writer:
    """One thread's writes to its own agent. ``seconds``: how long each may wait (``busy_timeout``)."""

    agent: str
    seconds: float
    acknowledged: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    others: list[ReverieError] = field(default_factory=list)
    """What was raised and says of no write whether it was made."""
    at: list[float] = field(default_factory=list)
    """When each was acknowledged."""

    def write(self, reverie: Reverie, ended: threading.Event) -> None:
        """Write until the event comes."""
        mama = reverie.agent(self.agent)
        for number in itertools.count(1):
            if ended.is_set():
                return
            text = f"{number} is the number of the house in street {number} of town {number}"
            try:
                mama.remember(text)
            except Unreachable as error:
                (self.doubtful if error.in_doubt else self.refused).append(text)
            except StoreError as error:
                self.refused.append(text)
                self.others.append(error)
            else:
                self.acknowledged.append(text)
                self.at.append(time.monotonic())


@dataclass(kw_only=True)
class Failover:
    """What was seen. ``made``: what of refused writes is there nevertheless; both ``lost`` and it should be empty."""

    writers: list[Writer]
    lost: list[str]
    made: list[str]
    killed_at: float
    promoted_s: float
    rejoined_s: float
    faults: list[str]

    @property
    def acknowledged(self) -> int:
        return sum(len(one.acknowledged) for one in self.writers)

    @property
    def without_writes_s(self) -> float:
        """The longest time without an acknowledged write."""
        moments = sorted(itertools.chain.from_iterable(one.at for one in self.writers))
        return max((later - before for before, later in itertools.pairwise(moments)), default=float("inf"))

    @property
    def written_after(self) -> int:
        return sum(moment > self.killed_at + self.promoted_s for one in self.writers for moment in one.at)


def fail_over(cluster: Cluster, *, writers: int = 4, seconds: float = 3.0) -> Failover:
    """Write for so long, kill the primary, write for so long again once somebody takes writes, and look for all."""
    import psycopg

    from reverie.store.postgres.roles import prepare
    from tests.postgres_databases import in_database

    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE memory")
    url = in_database(cluster.url(), "memory")
    prepare(url, partitions=2, dimensions=(_DIMENSIONS,))
    told = [Writer(agent=f"agent-{number}", seconds=_PATIENT) for number in range(writers - 1)]
    told.append(Writer(agent="impatient", seconds=_IMPATIENT))
    ended = threading.Event()
    with ExitStack() as stack:
        banks = {seconds: stack.enter_context(_opened(url, seconds)) for seconds in (_PATIENT, _IMPATIENT)}
        threads = [threading.Thread(target=one.write, args=(banks[one.seconds], ended)) for one in told]
        for thread in threads:
            thread.start()
        try:
            time.sleep(seconds)
            primary = cluster.wait_for_primary()
            killed_at = time.monotonic()
            primary.kill()
            while cluster.leader() is None:
                time.sleep(0.05)
            promoted_s = time.monotonic() - killed_at
            primary.start()
            cluster.wait_for_primary()
            rejoined_s = time.monotonic() - killed_at
            time.sleep(seconds)
        finally:
            ended.set()
            for thread in threads:
                thread.join()
    lost, made = list[str](), list[str]()
    with _opened(url, _PATIENT) as reverie:
        for one in told:
            there = {*_kept(reverie.agent(one.agent))}
            lost += [text for text in one.acknowledged if text not in there]
            made += [text for text in one.refused if text in there]
        faults = [*reverie.check()]
    return Failover(
        writers=told, lost=lost, made=made, killed_at=killed_at, promoted_s=promoted_s, rejoined_s=rejoined_s,
        faults=faults,
    )  # fmt: skip


def _kept(mama: Agent) -> Iterator[str]:
    """Yield the texts of all memories, page by page."""
    page = mama.memories(limit=_PAGE)
    while page:
        yield from (one.essence for one in page)
        page = mama.memories(limit=_PAGE, after=page[-1].id)


def _opened(url: str, seconds: float) -> Reverie:
    return Reverie.open(
        url,
        embedder=HashingEmbedder.for_tests(_DIMENSIONS),
        settings=Settings(store=StoreSettings(busy_timeout=seconds, connect_timeout=2.0)),
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--writers", type=int, default=4, help="threads, an agent each; the last waits 1 s only"
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="how long before the kill and after")


def run(*, writers: int, seconds: float, json_output: bool) -> None:
    from tests.patroni_cluster import TTL, missing_programs, patroni_cluster

    missing = missing_programs()
    if missing:
        raise SystemExit(f"not installed: {', '.join(missing)}; see scripts/highly_available")
    with patroni_cluster() as cluster:
        seen = fail_over(cluster, writers=writers, seconds=seconds)
    figures = {
        "acknowledged": seen.acknowledged,
        "acknowledged_after": seen.written_after,
        "acknowledged_lost": len(seen.lost),
        "in_doubt": sum(len(one.doubtful) for one in seen.writers),
        "refused": sum(len(one.refused) for one in seen.writers),
        "refused_but_made": len(seen.made),
        "ttl_s": TTL,
        "promoted_s": round(seen.promoted_s, 1),
        "without_writes_s": round(seen.without_writes_s, 1),
        "standby_again_s": round(seen.rejoined_s, 1),
    }
    for name, number in figures.items():
        print(f"{name.replace('_', ' '):22} {number:>8,}")
    if json_output:
        print(json.dumps(figures))
