"""Capture: how many stated preferences it catches, how often it fires in ordinary talk, how often rightly.

Whether a firing is right was judged by somebody who did not write the forms: ``--sample`` prints firings with their
contexts for a judge, ``capture_verdicts.json`` keeps the verdicts by id, without any text. An id names the turn. Most
verdicts are of November 2026, of what an earlier capture made of the same turns.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.capture_data import CONVERSATIONS, HARD, SOURCES, Firing, Turn, captures, firings, judges, turns
from bench.report import rounded, show
from reverie.domain.capture import Capture
from reverie.domain.kinds import Kind, default_priority
from reverie.embedders.minilm import MiniLM
from reverie.memory.prompt.activation import BASELINE_KINDS, BASELINE_PRIORITIES
from reverie.ports.judges import Heard, Judges
from reverie.services.observe.stated import read_closely, stated, with_form

VERDICTS = Path(__file__).with_name("capture_verdicts.json")
ROUNDS = 3
NOTES = {
    "n": "stated preferences (PrefEval, explicit)",
    "captured": "share of them of which anything is captured",
    "right_kind": "share of them of which a preference is captured; wanted ≥ 0.9",
    "standing": "share of them of which something is captured that enters every prompt",
    "firing_rate": "share of LoCoMo's and RealMem's user turns of which anything is captured",
    "standing_per_1000": "captures that enter every prompt, of a thousand of those turns",
    "precision": "share of judged firings that still fire and are right; wanted ≥ 0.85",
    "judged": "firings of LoCoMo, RealMem and PrefEval with a verdict that still fire",
    "precision_goemotions": "comments to strangers, names masked, half of them jokes: told apart",
    "gone": "turns with a verdict that don't fire any more",
    "unjudged": "firings in LoCoMo and RealMem without a verdict",
    "messages_per_s": "user turns of LoCoMo and RealMem captured in a second of processor time, vectors at hand",
}
ASKED = """\
Judge each line by itself: {"id", "verdict": "right" or "wrong"}. Right is a firing where a careful assistant, with
nothing but this message and the one before it, would keep the statement for good: the speaker means it and says it of
themselves (or orders it, or corrects a fact, or asks to remember it); it will still hold and still be understood in
another conversation; it says no more than was said; and the kind fits (preference: likes, dislikes, habits, diets,
standing wishes about how to work or answer; policy: a rule or constraint; fact: a corrected fact, or what was to be
remembered). Wrong is the rest: reactions to what lies on the table, encouragement, irony, fiction, quotations, pasted
text, wishes of the moment, a statement that is garbled or misses the point. Grammar alone makes nothing wrong.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder that holds locomo, realmem, prefeval, …"
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="print N firings for a judge instead of measuring"
    )
    parser.add_argument(
        "--hard", type=int, metavar="N", help="print N firings of GoEmotions for a judge: counted apart"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default 1)")
    parser.add_argument(
        "--verdicts", type=Path, default=VERDICTS, help="ids with verdicts (default: the repo's)"
    )


def run(
    json_output: bool = False, *, data: Path, sample: int | None = None, hard: int | None = None, seed: int = 1,
    verdicts: Path = VERDICTS,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics; with ``sample`` print firings for a judge."""
    ours = judges()
    if sample is not None or hard is not None:
        chosen = (
            sampled(ours, data, sample, seed)
            if sample
            else _drawn(firings(ours, turns(data, HARD)), hard or 0, seed)
        )
        print(ASKED)
        for firing in chosen:
            print(json.dumps(for_judge(firing), ensure_ascii=False))
        return {"sampled": len(chosen)}
    caught = captures(ours, turns(data, "prefeval"))
    talk = {source: turns(data, source) for source in CONVERSATIONS}
    metrics: dict[str, float] = {
        "n": len(caught),
        "captured": sum(map(bool, caught)) / len(caught),
        "right_kind": sum(any(one.kind is Kind.PREFERENCE for one in each) for each in caught) / len(caught),
        "standing": sum(any(map(_stands, each)) for each in caught) / len(caught),
    }
    found = {source: firings(ours, talk.get(source) or turns(data, source)) for source in (*SOURCES, HARD)}
    metrics |= rates(talk, found)
    known = json.loads(verdicts.read_text("utf-8")) if verdicts.exists() else {}
    metrics |= judged([one for some in found.values() for one in some], known)
    metrics["messages_per_s"] = speed(ours, [turn for listed in talk.values() for turn in listed])
    metrics = rounded(metrics)
    show("Capture", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _stands(capture: Capture) -> bool:
    priority = capture.priority or default_priority(capture.kind)
    return capture.kind in BASELINE_KINDS and priority in BASELINE_PRIORITIES


def sampled(ours: Judges, data: Path, count: int, seed: int) -> list[Firing]:
    """Firings of LoCoMo and RealMem; where they are fewer than wanted, all of them and the rest of PrefEval."""
    found = [firing for source in CONVERSATIONS for firing in firings(ours, turns(data, source))]
    if len(found) < count:
        found += _drawn(firings(ours, turns(data, "prefeval")), count - len(found), seed)
    return sorted(_drawn(found, count, seed), key=lambda firing: firing.id)


def _drawn(found: Sequence[Firing], count: int, seed: int) -> list[Firing]:
    """So many of them by chance; which ones hangs on each alone, so another pattern doesn't deal them all anew."""
    return sorted(
        found,
        key=lambda firing: hashlib.sha256(f"{seed} {firing.id}#{firing.capture.start}".encode()).digest(),
    )[:count]


def for_judge(firing: Firing) -> dict[str, object]:
    """What a judge sees of a firing."""
    capture = firing.capture
    return {
        "id": firing.id,
        "statement": capture.essence,
        "kind": str(capture.kind),
        "priority": str(capture.priority or "default"),
        "standing": _stands(capture),
        "form": capture.pattern,
        "speaker": firing.turn.speaker,
        "message": firing.turn.text[:1500],
        "before": firing.turn.before[-400:],
    }


def rates(talk: Mapping[str, Sequence[Turn]], found: Mapping[str, Sequence[Firing]]) -> dict[str, float]:
    """How many turns fire, of each source and of all."""
    fired = {source: len({firing.id for firing in found[source]}) for source in talk}
    many = {source: len(listed) for source, listed in talk.items()}
    rated = {f"firing_rate_{source}": fired[source] / max(1, many[source]) for source in talk}
    rated |= {f"n_{source}": many[source] for source in talk}
    every = max(1, sum(many.values()))
    standing = sum(_stands(one.capture) for source in talk for one in found[source])
    return rated | {
        "firing_rate": sum(fired.values()) / every,
        "standing_per_1000": 1000 * standing / every,
    }


def judged(found: Sequence[Firing], verdicts: Mapping[str, bool]) -> dict[str, float]:
    """Precision by the verdicts, of each source and of all but the hard one, and what has no verdict."""
    known = [firing for firing in found if firing.id in verdicts]
    ordinary = [verdicts[firing.id] for firing in known if firing.turn.source != HARD]
    metrics: dict[str, float] = {
        "judged": len(ordinary),
        "gone": len(verdicts.keys() - {firing.id for firing in known}),
    }
    metrics["unjudged"] = sum(
        firing.id not in verdicts for firing in found if firing.turn.source in CONVERSATIONS
    )
    if ordinary:
        metrics["precision"] = sum(ordinary) / len(ordinary)
    for source in (*SOURCES, HARD):
        of_source = [verdicts[firing.id] for firing in known if firing.turn.source == source]
        if of_source:
            metrics[f"judged_{source}"] = len(of_source)
            metrics[f"precision_{source}"] = sum(of_source) / len(of_source)
    return metrics


def speed(ours: Judges, listed: Sequence[Turn]) -> float:
    """Messages that are read in a second."""
    vectors = MiniLM().embed([turn.text for turn in listed])
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for turn, vector in zip(listed, vectors, strict=True):
            heard = Heard(text=turn.text, vector=vector, asked=turn.asked, apart=with_form(turn.text, ()))
            (judged,) = read_closely(ours.judge, [heard])
            stated(turn.text, judged, ())
        best = min(best, time.process_time() - start)
    return len(listed) / best
