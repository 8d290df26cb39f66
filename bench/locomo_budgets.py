"""Evidence recall within so many tokens of recalled text: ours beside plain BM25 and plain dense, in the same bank.

Each budget is asked for by itself (`recall_episodes(max_tokens=…)`, counted by the built-in estimate), without a floor:
what doesn't fit is passed over for a later, shorter turn, so a smaller budget isn't the beginning of a larger one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.locomo_data import ANSWERABLE, Dialogue
from bench.metrics import mean, recall_at
from reverie import Agent

BUDGETS = (500, 1000, 2000)
PLAIN = ("lexical", "semantic")


def within_budgets(
    agents: Sequence[Agent], dialogues: Sequence[Dialogue], strategy: str = "hybrid"
) -> Mapping[str, float]:
    """``recall_500_tokens`` and so on; the plain strategies' under their names; and how many turns came back."""
    found: dict[str, float] = {}
    for name in dict.fromkeys((strategy, *PLAIN)):
        prefix = "" if name == strategy else f"{name}_"
        for budget in BUDGETS:
            shares, turns = _asked(agents, dialogues, name, budget)
            found[f"{prefix}recall_{budget}_tokens"] = mean(shares)
            found[f"{prefix}turns_{budget}_tokens"] = mean(turns)
    return found


def _asked(
    agents: Sequence[Agent], dialogues: Sequence[Dialogue], strategy: str, budget: int
) -> tuple[list[float], list[int]]:
    shares, turns = [], []
    for agent, dialogue in zip(agents, dialogues, strict=True):
        for question in dialogue.questions:
            if question.category not in ANSWERABLE or not question.evidence:
                continue
            hits = agent.recall_episodes(
                question.text, max_tokens=budget, min_score=0, strategy=strategy
            ).hits
            refs = [hit.ref for hit in hits]
            shares.append(recall_at(len(refs), refs, question.evidence))
            turns.append(len(refs))
    return shares, turns
