"""The mind that the settings name, with the key that the environment holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from reverie.domain.llm import model_place
from reverie.domain.settings import Settings
from reverie.domain.time import Clock
from reverie.memory.prompt import estimated_tokens
from reverie.minds.host import OwnModel
from reverie.minds.local import LocalMind
from reverie.ports.embedder import Embedder
from reverie.ports.host import HostMind
from reverie.ports.judges import Judges
from reverie.ports.mind import Mind
from reverie.ports.store import Store
from reverie.services.runtime import StoreMeter, clean
from reverie.wiring.settings import llm_key

if TYPE_CHECKING:
    from reverie.minds.llm.access import Access


@dataclass(frozen=True, kw_only=True, slots=True)
class Minds:
    """``mind`` thinks; ``home`` does what must stay on this machine where that one is away."""

    mind: Mind | None = None
    home: Mind | None = None


def access_of(chosen: Settings) -> Access | None:
    """Return what a language model is asked with; None where none is. Raises InvalidInput if a package or a key is
    missing.
    """
    if chosen.mind != "llm":
        return None
    from reverie.minds.llm.access import Access, check_access  # most programs ask no model

    place = model_place(chosen.llm.model, chosen.llm.base_url)
    access = Access(place=place, key=llm_key(place), seconds=chosen.llm.timeout)
    check_access(access)
    return access


def minds_of(
    chosen: Settings,
    access: Access | None,
    *,
    store: Store,
    clock: Clock,
    embedder: Embedder,
    judges: Judges,
) -> Minds:
    """Return the minds of ``Settings.mind``; ``access`` is ``access_of`` these settings."""
    if chosen.mind == "none":
        return Minds()
    home = LocalMind(embedder, floor=chosen.loop.floor, judges=judges)
    if access is None:
        return Minds(mind=home)
    from reverie.minds.llm import LLMMind
    from reverie.minds.llm.asking import Asker

    secrets = replace(chosen, privacy=replace(chosen.privacy, redact=True, redact_pii=False))
    mind = LLMMind(
        Asker(access, StoreMeter(store, clock, chosen), partial(_tokens, embedder)),
        home,
        clean=lambda text: clean(secrets, text).text,
        retell=home.stated,
        embed=embedder.embed,
        raw=chosen.llm.send_raw,
    )
    return Minds(mind=mind, home=home)


def host_mind(embedder: Embedder) -> HostMind:
    """Return how the model that the agent runs on is asked. It costs nothing, so it is there with any setting."""
    return OwnModel(partial(_tokens, embedder))


def _tokens(embedder: Embedder, text: str) -> int:
    return estimated_tokens(text, embedder.count_tokens)
