"""What each prompt and each answer's schema is, written down beside the tests, so that no change of them goes unseen.

``python -m tests.minds.llm.snapshots`` writes them anew.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "snapshots"
WHOLES = {"compress": "Compressed", "judge": "Judging", "narrate": "Narrated", "portray": "Portrait"}


def taken(name: str) -> dict[str, str]:
    """A prompt and its schema as they are, by the name of the file that tells what they were."""
    from reverie.minds.llm.prompts import prompt

    schema = getattr(import_module("reverie.minds.llm.schemas"), WHOLES[name]).model_json_schema()
    return {
        f"{name}.prompt.txt": prompt(name, words=150),
        f"{name}.schema.json": json.dumps(schema, indent=2, sort_keys=True) + "\n",
    }


def asked() -> str:
    """A night as a model on this machine is asked about it."""
    from reverie.minds.nights import questions
    from tests.minds.llm.life import SAID, mind, night

    here = mind(model="ollama:test-model")
    return "\n---\n".join(one.text for one in questions(night(SAID[:2]), here._outgoing, len, 10_000)) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in WHOLES:
        for file, text in taken(one).items():
            (FOLDER / file).write_text(text, encoding="utf-8")
    (FOLDER / "night.txt").write_text(asked(), encoding="utf-8")
