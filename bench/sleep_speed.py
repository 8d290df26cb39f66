"""What a sleep costs: processor time of a sleep over a hundred episodes, and beside it of embedding their texts."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench import filling, sleep_life
from bench.filling import AGENT, opened
from bench.report import Target
from reverie import Agent
from reverie.embedders.minilm import MiniLM

EPISODES = 100
_LIFE = Path(__file__).parent / "lives" / "one.jsonl"
_SEED = 1
_MOST, _MOST_GROWTH = 1.2, 2.0


def measured(sizes: Sequence[int], rounds: int, *, keep: Path | None = None) -> dict[str, float]:
    """At the first size against the embedding; at the last against the one before it."""
    texts = _texts(rounds)
    found: dict[str, float] = {}
    cost: dict[int, float] = {}
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        for size in dict.fromkeys(sizes):
            path = filling.bank(Path(folder), size, _SEED, keep=keep)
            sleeps, embeddings = _timed(path, texts)
            cost[size] = median(sleeps) / EPISODES
            found |= {
                f"sleep_ms_{size}": 1000 * median(sleeps), f"embedding_ms_{size}": 1000 * median(embeddings),
                f"ratio_{size}": median(one / other for one, other in zip(sleeps, embeddings, strict=True)),
            }  # fmt: skip
    found["sleep_over_embedding"] = found[f"ratio_{sizes[0]}"]
    found["cost_100k_over_1k"] = cost[sizes[2]] / cost[sizes[1]]
    return found


def targets(metrics: dict[str, float]) -> list[Target]:
    """What is wanted of both."""
    return [
        Target(
            name="sleep", what="a sleep over 100 episodes / embedding 100 texts",
            measured=metrics["sleep_over_embedding"], most=_MOST,
        ),
        Target(
            name="growth", what="cost per episode in the largest bank over that in the smallest",
            measured=metrics["cost_100k_over_1k"], most=_MOST_GROWTH,
        ),
    ]  # fmt: skip


def print_json(metrics: dict[str, float]) -> None:
    """The last line."""
    print(json.dumps(metrics), flush=True)


def _texts(rounds: int) -> list[list[dict[str, str]]]:
    """A hundred messages of the first life for each round, told apart where the life is too short."""
    life = sleep_life.read(_LIFE)
    said = [message for day in sorted(life.messages) for message in life.messages[day]]
    return [
        [
            {
                "content": said[(EPISODES * number + place) % len(said)]["content"],
                "role": said[(EPISODES * number + place) % len(said)]["role"],
                "speaker": f"Maya {number}",
            }
            for place in range(EPISODES)
        ]
        for number in range(rounds + 1)
    ]


def _timed(path: Path, texts: Sequence[Sequence[dict[str, str]]]) -> tuple[list[float], list[float]]:
    """Seconds of each sleep and of the embedding beside it; the first pair only warms up."""
    model = MiniLM()
    sleeps, embeddings = [], []
    with opened(path, embedder=model) as reverie:
        agent = reverie.agent(AGENT)
        for number, messages in enumerate(texts):
            agent.observe(messages, conversation=f"round {number}")
            start = time.process_time()
            model.embed([message["content"] for message in messages])
            middle = time.process_time()
            _sleep(agent)
            end = time.process_time()
            if number:
                embeddings.append(middle - start)
                sleeps.append(end - middle)
    return sleeps, embeddings


def _sleep(agent: Agent) -> None:
    report = agent.sleep()
    if len(report.sleep.episodes) != EPISODES:
        raise RuntimeError(f"the sleep read {len(report.sleep.episodes)} episodes, not {EPISODES}")
