"""A life's nights with a language model that somebody plays, recorded for `python -m bench night`.

The life is lived and slept on with the mind of `Settings(mind="llm")`, whose model is a server on this machine that
writes each question into a folder and waits there for the answer (``bench/record_server.py``). Nothing is asked of the
bank meanwhile; the figures come from the replay at the end.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from bench import night, places, sleep_life
from bench.night_cassette import ABOUT, LIFE
from bench.record_server import MODEL, PROTOCOL, Played, serving
from bench.vectors import kept_vectors
from reverie import LLMSettings, Settings, SleepReport, __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = PROTOCOL
    parser.add_argument("--life", type=Path, required=True, help="a scripted life (bench/lives/README.md)")
    parser.add_argument("--into", type=Path, required=True, help="the folder of requests and answers")
    parser.add_argument("--every", type=int, default=3, help="nights from sleep to sleep (default 3)")
    parser.add_argument(
        "--wait",
        type=float,
        default=3_600.0,
        help="seconds for one answer; the run ends without (default 3600)",
    )
    parser.add_argument(
        "--port", type=int, default=0, help="of the server on this machine (default: a free one)"
    )
    parser.add_argument("--keep", type=Path, help="a folder that keeps vectors for the next run")


def run(
    json_output: bool = False, *, life: Path, into: Path, every: int = 3, wait: float = 3_600.0, port: int = 0,
    keep: Path | None = None,
) -> dict[str, float]:  # fmt: skip
    """Record, replay, print, and give the metrics of the replay."""
    _begin(life, into, every)
    played = Played(into, wait=wait)
    record(into / LIFE, played, every, port=port, keep=keep)
    left = len([*into.glob("[0-9]*.txt")]) - len({*played.asked})
    print(f"\n  {len(played.asked)} requests; {left} that lie in {into} were of other runs", flush=True)
    return night.run(json_output, cassette=into, every=every, keep=keep)


def record(life_path: Path, played: Played, every: int, *, port: int = 0, keep: Path | None = None) -> None:
    """Lives the life with a model that is played."""
    life = sleep_life.read(life_path)
    calendar = sleep_life.begun(life)
    with serving(played, port) as url:
        model = f"openai-chat:{MODEL}"
        llm = LLMSettings(model=model, base_url=url, send_raw=True, timeout=played.seconds + 60)
        settings = Settings(mind="llm", llm=llm)
        with (
            kept_vectors(settings, keep) as embedder,
            places.empty(None, settings=settings, embedder=embedder, clock=calendar) as reverie,
        ):
            agent = reverie.agent("life", time_zone=life.zone.key)
            sleep_life.lived(life, agent, calendar, loop=False, every=every, asks=False, slept=_tell)


def _tell(reports: Sequence[SleepReport]) -> None:
    for one in reports:
        told = [*one.sleep.notes, *([one.refused] if one.refused else [])]
        print(
            f"  slept on {len(one.sleep.episodes)} messages: {len(one.changes)} changes,"
            f" {len(one.sleep.rejected)} refused {'; '.join(told)}".rstrip(),
            flush=True,
        )


def _begin(life: Path, into: Path, every: int) -> None:
    """Makes the folder, or goes on in one of the same life. Raises SystemExit where it is another's."""
    into.mkdir(parents=True, exist_ok=True)
    kept, about = into / LIFE, into / ABOUT
    told = {"life": sleep_life.read(life).name, "every": every}
    if kept.exists() and kept.read_bytes() != life.read_bytes():
        raise SystemExit(f"{into} holds the recording of another life")
    if about.exists() and {**json.loads(about.read_text("utf-8")), **told} != json.loads(
        about.read_text("utf-8")
    ):
        raise SystemExit(f"{into} was recorded otherwise: see {about}")
    if not kept.exists():
        shutil.copyfile(life, kept)
    if not about.exists():
        about.write_text(json.dumps({**told, "reverie": __version__}) + "\n", "utf-8")
