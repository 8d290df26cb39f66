"""What a process keeps in memory with banks open; run as a process of its own.

`python -m bench.footprint encrypted|plain SEED`, with the bank that children.place tells, prints as JSON the resident
MB after a few recalls in the first agent's bank, and after one in each agent's.
"""

from __future__ import annotations

import gc
import json
import sys

from bench.children import place
from bench.filling import opened
from bench.invented import invent
from bench.timing import resident_mb


def main(plain: str, seed: str) -> None:
    questions = [one.question for one in invent(int(seed) + 2, 0, 20)]
    with opened(place(), encrypted=plain != "plain") as reverie:
        agents = [reverie.agent(name) for name in reverie.agents()]
        for question in questions:
            agents[0].recall(question)
        gc.collect()
        one = resident_mb()
        for number, agent in enumerate(agents):
            agent.recall(questions[number % len(questions)])
        gc.collect()
        print(json.dumps([one, resident_mb()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
