"""`python -m bench COMMAND`: what Reverie does well and how fast, measured.

With --json the last line is one flat JSON object, metric name → number.
"""

from __future__ import annotations

import argparse
import importlib
import sys

COMMANDS = {
    "locomo": "how well recall_episodes finds the evidence of LoCoMo's questions",
    "beam": "how well recall_episodes finds what BEAM's probing questions need, beside plain rankings",
    "realmem": "how well recall finds the facts that RealMem's queries need, each asked at its moment of a life",
    "languages": "how well questions in German, Spanish and French find what answers, by embedder",
    "activation": "how much of what RealMem's queries need is inside the block for the prompt",
    "context": "how long the block for the prompt takes in a bank of n memories",
    "window": "how long a turn's whole window takes, the first time and once its summaries are there",
    "fit": "the weights and the relevance of the ranking, fitted across domains and judged on those left out",
    "emotions": "the emotion classifier on a split of GoEmotions: macro F1, top-3 hit, cost",
    "capture": "pattern capture: stated preferences caught, firings in ordinary talk, their precision, speed",
    "secrets": "how many planted secrets redaction finds, what it takes out of ordinary texts, and what it costs",
    "dedup": "what the duplicates' guard gives and costs on MRPC, SICK and PAWS",
    "quotes": "what is kept of real talk: is each memory a quotation, how many are there, does any text fail",
    "sleep": "what a sleep makes of RealMem and of scripted lives, and what it costs",
    "night": "what a language model proposed in recorded nights: how much of it lands, and what recall makes of it",
    "record": "a life's nights with a language model that somebody plays, recorded for `night`",
    "speed": "observe, remember and recall in a bank of n memories; --mixed: while two processes write",
    "society": "agents that live among each other for weeks, and whether anything is lost, leaked or slower by then",
    "loop": "what the memory loop costs a caller who observes, back to back and at a chat's pace",
    "growth": "how recall's time grows with the bank, drawn from what speed printed at several sizes",
    "engines": "SQLite, PostgreSQL and mem0 on the same memories: adds, searches, recall against exact",
    "scale": "many agents on one PostgreSQL and on a cluster: filling, recalls of many clients, workers' nights",
    "failover": "a PostgreSQL primary killed under load: acknowledged writes lost, seconds without writes",
    "peers": "Reverie against mem0, Chroma, LangGraph, txtai and FTS5 on LoCoMo, with the same vectors",
    "link": "what a neural link over a whole bank takes: the copy, taking it back, memory, readers",
    "switch": "PostgreSQL: from how many rows on HNSW is faster than scanning them all",
    "banks": "what 200 open banks of 500 memories cost in memory",
    "hooks": "what a coding agent waits for a hook, as a whole process, beside Python's own start",
    "cold": "whole-process times: import, and `reverie recall` from nothing",
    "mcp": "what memory_recall over stdio takes beside the client's own recall",
    "rest": "what `reverie serve` takes with many clients at once, beside a bare FastAPI route",
    "pages": "how long each page of `reverie serve` takes in a large bank",
    "size": "what the core weighs once installed",
    "embed": "the embedder against plain onnxruntime float32",
}


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; only the module of that command is imported."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=about)
        command.add_argument("--json", action="store_true", dest="json_output", help="end on one JSON object")
        if given[:1] == [name]:
            importlib.import_module(f"bench.{name}").add_arguments(command)
    options = vars(parser.parse_args(given))
    importlib.import_module(f"bench.{options.pop('command')}").run(**options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
