"""llm: whether the configured language model can be used."""

from __future__ import annotations

from dataclasses import asdict

import typer

from reverie.domain.model_check import STEPS, ModelCheck
from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.verb import verb

_HELP = """The language model that the settings name, if any (docs/llm.md)."""
_NAMES = {"server": "server reached", "key": "key taken", "model": "model known", "answer": "answer in JSON"}
_WAYS = {
    "schema": "by the provider's mode for a JSON Schema",
    "tool": "by the call of a tool",
    "words": "as the prompt asks for it",
}
_SENDS = {
    "everything": "everything, to this machine alone",
    "messages": "messages as they were said (Settings.llm.send_raw) and the memories that bear on them, without"
    " secrets",
    "sentences": "the sentences that this machine holds lasting and the memories that bear on them, without secrets,"
    " e-mail addresses and telephone numbers",
}


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    verb(grouped(app, "llm", _HELP), "check", shared=("bank", "unencrypted", "keyring", "as_json"))(check)


def check(door: Door) -> Code:
    """Ask the language model one tiny question: what works, what it cost, and what a night would send.

    For example:
      REVERIE_MIND=llm REVERIE_LLM_MODEL=ollama:qwen3 reverie llm check

    Exit code 3 if it can't be used; nothing of the bank is sent.
    """
    with door.opened(make=True) as reverie:
        found = reverie.check_model()
    if door.out.as_json:
        steps = {step: found.has(step) for step in STEPS}
        door.out.document({**asdict(found), "works": found.works, "steps": steps})
    else:
        door.out.show(*lines(found))
        if found.problem is not None:
            door.out.say(f"{found.model} can't be used: {found.problem}")
    return Code.DONE if found.works else Code.NO_BANK


def lines(found: ModelCheck) -> list[str]:
    """What was found, for people."""
    shown = {True: "yes", False: "no", None: "not found out"}
    rows = [("model", f"{found.model} at {found.server}")]
    rows += [(_NAMES[step], shown[found.has(step)]) for step in STEPS]
    if found.works and found.way is not None:
        rows[-1] = (_NAMES["answer"], f"yes, {_WAYS[found.way]}")
    rows += [("cost", _cost(found)), ("a night sends", _SENDS[found.sends])]
    return [f"{name:<16}{value}" for name, value in rows]


def _cost(found: ModelCheck) -> str:
    spent = found.spent
    told = (
        f"{words.counted(spent.calls, 'call')}, {words.counted(spent.input_tokens, 'token')} read,"
        f" {spent.output_tokens:,} written"
    )
    price = f"${spent.micro_dollars / 1e6:.6f}" if found.is_priced else "price unknown (Settings.llm.prices)"
    return f"{told}, {price}"
