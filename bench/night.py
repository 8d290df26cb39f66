"""What a language model understood of a life's nights, and what of it lands: a recorded model's answers, applied again.

The life is lived as it was recorded (slept on every so many days, the memory loop off), and at each sleep the answers
that the model gave to that night's episodes are proposed once more, whatever a question looks like today
(``bench/night_mind.py``). No model is asked. `python -m bench record` makes such recordings.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import night_cassette, night_languages, places, sleep_life
from bench.night_ledger import Ledger
from bench.night_mind import ReplayingMind
from bench.report import rounded, show
from bench.sleep import NOTES as LIFE_NOTES
from bench.vectors import kept_vectors
from reverie import Settings
from reverie.ports.embedder import Embedder

LIVES = Path(__file__).with_name("lives")
NOTES = {
    "updates_landed": "of updates of memories that are there; wanted ≥ 0.98",
    "new_landed": "of new memories; one that confirms a known memory has landed; wanted ≥ 0.97",
    "lessons_landed": "of lessons; wanted ≥ 0.9",
    "reinforce_landed": "of reinforcements whose episodes are new to the memory; wanted ≥ 0.8",
    "policies_landed": "of new policies and workflows: they are kept as such; wanted 1",
    "review_share": "of what was learned and reworded: our checks doubt it, and a person should look",
    "retire_landed": "of memories to be retired, and of those to be superseded",
    "fades_landed": "of confidences to be lowered",
    "missing": "entries whose memory isn't in this bank, as something recorded was refused here",
    "already": "entries that this bank had so already; they count nowhere",
    "sources_not_shown": "named episodes that tonight's night doesn't show; left out of what names others",
    **{name: note for name, note in LIFE_NOTES.items() if name in (
        "current_first", "as_of_right", "controls_first", "in_context", "in_context_controls", "stale_only", "n",
    )},
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cassette", type=Path, help="a folder of NNN.txt and NNN.answer.json")
    parser.add_argument(
        "--languages",
        action="store_true",
        help="right memories of talk in five languages, proposed to a night",
    )
    parser.add_argument(
        "--life", type=Path, help="the life (else the cassette's life.jsonl, or the one of the folder's name)"
    )
    parser.add_argument("--every", type=int, help="nights from sleep to sleep (else about.json's, or 6)")
    parser.add_argument("--refused", action="store_true", help="print every refused entry, not only how many")
    parser.add_argument("--keep", type=Path, help="a folder that keeps vectors for the next run")
    parser.add_argument("--url", help="on this PostgreSQL instead, in databases that are dropped at the end")


def run(
    json_output: bool = False, *, cassette: Path | None = None, languages: bool = False, life: Path | None = None,
    every: int | None = None, refused: bool = False, keep: Path | None = None, url: str | None = None,
) -> dict[str, float]:  # fmt: skip
    """Replay or propose, print, and give the metrics."""
    if languages:
        with kept_vectors(Settings(), keep) as embedder:
            found = rounded(dict(night_languages.metrics(embedder)))
        show("Right memories of talk in five languages", found, json_output=json_output)
        return found
    if cassette is None:
        raise SystemExit("give --cassette or --languages")
    path, nights = life_and_pace(cassette, life, every)
    with kept_vectors(Settings(), keep) as embedder:
        metrics, ledger = replayed(cassette, path, nights, embedder=embedder, url=url)
    for (section, why), count in ledger.reasons.most_common():
        print(f"  {count:4} × {section}: {why}")
    if refused:
        print(*(f"  {line}" for line in ledger.lines), sep="\n")
    show(
        f"Recorded nights of {path.name}, slept on every {nights} days", metrics, json_output=json_output,
        notes=NOTES,
    )  # fmt: skip
    return metrics


def life_and_pace(cassette: Path, life: Path | None = None, every: int | None = None) -> tuple[Path, int]:
    """The life that a cassette was recorded of, and the nights from sleep to sleep, where they aren't given."""
    path = life or night_cassette.life_of(cassette) or LIVES / f"{cassette.name}.jsonl"
    return path, every or int(night_cassette.about(cassette).get("every", 6))


def replayed(
    cassette: Path,
    life_path: Path,
    every: int,
    *,
    embedder: Embedder,
    url: str | None = None,
    ask: sleep_life.Ask | None = None,
) -> tuple[dict[str, float], Ledger]:
    """The figures of a life lived with a cassette's answers, and what became of each; ``ask`` asks in our stead."""
    life, ledger = sleep_life.read(life_path), Ledger()
    calendar = sleep_life.begun(life)
    mind = ReplayingMind(night_cassette.read(cassette), embedder, floor=Settings().loop.floor)
    with places.empty(url, embedder=embedder, clock=calendar, mind=mind) as reverie:
        agent = reverie.agent("life", time_zone=life.zone.key)
        mind.agent = agent
        lived = sleep_life.lived(
            life, agent, calendar, loop=False, every=every,
            slept=lambda reports: ledger.slept(mind, reports), ask=ask,
        )  # fmt: skip
    made = ledger.tally("new").landed + ledger.tally("update").landed
    metrics: dict[str, float] = {
        f"{name}_landed": ledger.tally(section).share
        for name, section in (
            ("updates", "update"), ("new", "new"), ("lessons", "lessons"), ("reinforce", "reinforce"),
            ("policies", "policies"), ("fades", "decay"), ("contradict", "contradict"), ("connect", "connect"),
        )
    }  # fmt: skip
    away = [ledger.tally(name) for name in ("retire", "supersede")]
    asked = sum(one.asked for one in away)
    metrics["retire_landed"] = sum(one.landed for one in away) / asked if asked else 1.0
    metrics["review_share"] = ledger.review / made if made else 0.0
    metrics |= {
        "updates": ledger.tally("update").asked, "new": ledger.tally("new").asked,
        "lessons": ledger.tally("lessons").asked, "reinforcements": ledger.tally("reinforce").asked,
        "missing": ledger.missing, "already": ledger.old, "sources_not_shown": ledger.dropped,
        "sleeps": len(mind.nights),
    }  # fmt: skip
    wanted = {"rewritten", "messages"}
    return rounded(metrics | {name: value for name, value in lived.items() if name not in wanted}), ledger
