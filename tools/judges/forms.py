"""Measure capture on talks left out, forms and judges together: for the thresholds of
``reverie.services.observe.stated``.

    python -m tools.judges.forms --data FOLDER [--talks FOLDER] [--keep FOLDER]

Each sentence is judged by a network that learned from other people's talks. Printed: of standing rules, and of what
else is worth keeping, how many of the caught are right and how many are caught, at several thresholds, by form.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.ports.judges import OWN
from reverie.services.observe.stated import OWN_STANDING
from reverie.services.observe.statement_forms import Form, forms_of
from tools.emotion_training import Floats
from tools.judges.__main__ import CHATS, Data, calibrated, gathered, left_out, seen_of
from tools.judges.chats import read_chats
from tools.judges.talks import TALKS, read_all

AT = (0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_OWN, _LASTING, _STANDING = range(3)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of development data")
    parser.add_argument("--talks", type=Path, default=TALKS)
    parser.add_argument("--keep", type=Path, help="a folder where embeddings are kept for the next run")
    arguments = parser.parse_args()
    data = gathered([*read_all(arguments.talks), *read_chats(arguments.data)], arguments.keep)
    people = np.isin(data.talk, [CHATS], invert=True)
    logits = left_out(seen_of(data.placed, data.vectors), data)
    slope, shift = calibrated(logits[people], data.gold[people])
    some = people & data.full  # as capture hears those that have a form
    told(1 / (1 + np.exp(-(logits[some] * slope + shift))), data.of(some))


def told(likely: NDArray[np.float64], data: Data) -> None:
    """Print both tables."""
    gold = data.gold
    forms = [forms_of(line.text) for line in data.lines]
    own, sure = likely[:, _OWN] >= OWN, likely[:, _OWN] >= OWN_STANDING
    print("standing: right, recall, caught")
    for form in (Form.CONSTRAINT, Form.RULE, Form.ORDER, Form.REMEMBER, Form.TASTE):
        among = np.array([_first(one) is form for one in forms])
        _rows(str(form), sure & among, likely[:, _STANDING], gold[:, _STANDING])
    print("lasting: right, recall, caught")
    for form in Form:
        among = np.array([form in one for one in forms])
        _rows(str(form), own & among, likely[:, _LASTING], gold[:, _LASTING])


def _first(forms: Sequence[Form]) -> Form | None:
    return next(iter(forms), None)


def _rows(name: str, among: NDArray[np.bool_], said: NDArray[np.float64], gold: Floats) -> None:
    truth = gold > 0
    for least in AT:
        caught = among & (said >= least)
        right = truth[caught].mean() if caught.any() else 0.0
        recall = (caught & truth).sum() / max(truth.sum(), 1)
        print(f"  {name:14} ≥ {least:.1f}: {right:.3f}  {recall:.3f}  {caught.sum():5}")


if __name__ == "__main__":
    main()
