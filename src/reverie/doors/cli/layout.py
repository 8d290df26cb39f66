"""Where the nodes of a graph stand in a picture. The same graph always gets the same places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

FEW = 12
"""So many nodes stand in a circle; more are spread by forces."""
_ROUNDS = 400
_TURN = math.pi * (3 - math.sqrt(5))  # the golden angle: no two nodes begin in one line
_PULL = 0.5
"""How strongly the middle draws each node, so that parts without edges between them stay together."""
_SETTLING = 200

Place = tuple[float, float]
_Places = NDArray[np.float64]


def laid_out(count: int, edges: Iterable[tuple[int, int]], *, apart: float) -> Sequence[Place]:
    """Return the places of ``count`` nodes, no two of them closer than ``apart``; the middle is (0, 0), y points down.

    ``edges``: pairs of nodes by number, in either direction. Up to FEW nodes stand in a circle, the first at its top;
    more are drawn together by their edges and pushed apart by each other (Fruchterman and Reingold 1991), from a spiral
    and without chance; those without an edge stand in rows below.
    """
    if count <= FEW:
        return _circle(count, apart)
    pairs = sorted({(min(pair), max(pair)) for pair in edges if pair[0] != pair[1]})
    tied = sorted({node for pair in pairs for node in pair})
    numbers = {node: number for number, node in enumerate(tied)}
    drawn = _spread(len(tied), [(numbers[one], numbers[other]) for one, other in pairs])
    places = _with_rows(_settled(drawn, apart), tied, count, apart)
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    return [(round(float(x), 1), round(float(y), 1)) for x, y in places - middle]


def _with_rows(drawn: _Places, tied: Sequence[int], count: int, apart: float) -> _Places:
    """Return the places of all: the connected nodes as they are drawn, the others in rows below."""
    places = np.zeros((count, 2))
    places[list(tied)] = drawn
    rest = [node for node in range(count) if node not in set(tied)]
    left, low = (drawn.min(axis=0)[0], drawn.max(axis=0)[1] + 1.2 * apart) if tied else (0.0, 0.0)
    wide = drawn.max(axis=0)[0] - left if tied else math.sqrt(count) * apart
    columns = max(1, int(wide // apart) + 1)
    for number, node in enumerate(rest):
        places[node] = (left + number % columns * apart, low + number // columns * apart)
    return places


def _circle(count: int, apart: float) -> Sequence[Place]:
    if count == 1:
        return [(0.0, 0.0)]
    radius = apart / (2 * math.sin(math.pi / max(count, 2)))
    first = math.pi if count == 2 else math.pi * 1.5  # two side by side, else the first at the top
    turns = [first + 2 * math.pi * place / count for place in range(count)]
    return [(round(radius * math.cos(turn), 1), round(radius * math.sin(turn), 1)) for turn in turns]


def _spread(count: int, pairs: Sequence[tuple[int, int]]) -> _Places:
    """Return places in units of the distance that two nodes like to keep."""
    order = np.arange(count, dtype=np.float64)
    reach = np.sqrt(order + 0.5)
    places = np.stack([reach * np.cos(order * _TURN), reach * np.sin(order * _TURN)], axis=1)
    tied = np.zeros((count, count))
    for one, other in pairs:
        tied[one, other] = tied[other, one] = 1
    busy = np.sqrt(np.maximum(tied.sum(axis=1), 1))
    tied /= busy[:, None] * busy[None, :]  # else whoever knows everybody draws everybody into one heap
    for step in range(_ROUNDS):
        places = places + _step(places, tied, math.sqrt(count) * 0.25 * (1 - step / _ROUNDS))
    return places


def _step(places: _Places, tied: _Places, most: float) -> _Places:
    """Return how far each node moves, at most ``most``."""
    between = places[:, None, :] - places[None, :, :]
    far = np.maximum(np.hypot(between[..., 0], between[..., 1]), 1e-3)
    push = 1 / far**2 - tied * far
    force = (between * push[..., None]).sum(axis=1) - _PULL * places
    strength = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
    return np.asarray(force * (np.minimum(strength, most) / strength)[:, None], dtype=np.float64)


def _settled(places: _Places, apart: float) -> _Places:
    """Return the places at their size, with nodes pushed apart until none are too close."""
    if len(places) < 2:
        return places
    near = _distances(places).min(axis=1)
    places = places * (apart * 1.15 / max(float(np.median(near)), 1e-3))
    for _ in range(_SETTLING):
        far = _distances(places)
        short = np.where(far < apart, (apart - far) / 2 + 0.5, 0.0)
        if not short.any():
            return places
        between = places[:, None, :] - places[None, :, :]
        unit = between / np.where(np.isfinite(far), far, 1.0)[..., None]
        places = places + (unit * short[..., None]).sum(axis=1)
    # A heap that won't come apart: all of it grows until its closest two are.
    return places * (apart / float(_distances(places).min()))


def _distances(places: _Places) -> _Places:
    between = places[:, None, :] - places[None, :, :]
    far = np.maximum(np.hypot(between[..., 0], between[..., 1]), 1e-6)
    np.fill_diagonal(far, np.inf)
    return far
