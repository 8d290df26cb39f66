"""Every number that a user may want to change, with its default; read by ``wiring.settings`` from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from reverie.domain.ids import checked_name
from reverie.domain.text import checked_share, checked_switch, lowered, shown
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput

DEFAULT_CHANNEL_TRUST: Mapping[str, SourceTrust] = MappingProxyType(
    {
        "terminal": SourceTrust.PRINCIPAL,
        "telegram": SourceTrust.PRINCIPAL,
        "api": SourceTrust.PRINCIPAL,
        "heartbeat": SourceTrust.AGENT,
        "cron": SourceTrust.AGENT,
        "room": SourceTrust.OTHER,
        "tool": SourceTrust.EXTERNAL,
        "web": SourceTrust.EXTERNAL,
        "file": SourceTrust.EXTERNAL,
        "import": SourceTrust.EXTERNAL,
        "link": SourceTrust.EXTERNAL,
    }
)
"""What a message in role user is trusted as, by channel; an unlisted channel is EXTERNAL."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Numbers and choices, each with the default that DOMAIN.md gives. Raises InvalidInput where one is out
    of range.

    ``extract_labels``: topics and entities are found in the text where the caller gives none.

    Of PostgreSQL alone: ``connections`` (the most at once, 2 or more), ``connect_seconds`` (until a server counts as
    away) and ``statement_seconds`` (the limit of one statement; 0 for none). Of files alone: ``open_banks`` and
    ``cache_mib``. ``emotions`` False: memories and questions are not judged, as where another embedder is used and
    the built-in model, which the classifier looks through, shall not be loaded beside it.
    """

    duplicate_cosine: float = 0.92
    stated_confidence: float = 0.9
    inferred_confidence: float = 0.6
    recall_limit: int = 10
    candidates: int = 100
    memory_floor: float = 0.02
    episode_floor: float = 0.001
    snippet_messages: int = 6
    touch_flush_seconds: float = 2.0
    touch_flush_pending: int = 500
    busy_seconds: float = 30.0
    connections: int = 10
    connect_seconds: float = 10.0
    statement_seconds: float = 30.0
    open_banks: int = 256
    cache_mib: int = 32
    synchronous: str = "full"
    embed_compute: str = "int8"
    embed_threads: int | None = None
    emotions: bool = True
    batch: int = 256
    extract_labels: bool = True
    channel_trust: Mapping[str, SourceTrust] = field(default_factory=lambda: DEFAULT_CHANNEL_TRUST)

    def __post_init__(self) -> None:
        for name in (
            "duplicate_cosine",
            "stated_confidence",
            "inferred_confidence",
            "memory_floor",
            "episode_floor",
        ):
            checked_share(getattr(self, name), f"Settings.{name}")
        for name in (
            "recall_limit",
            "candidates",
            "snippet_messages",
            "touch_flush_pending",
            "open_banks",
            "cache_mib",
            "batch",
        ):
            _at_least(getattr(self, name), 1, name, whole=True)
        for name in ("touch_flush_seconds", "busy_seconds", "statement_seconds"):
            _at_least(getattr(self, name), 0, name)
        _at_least(self.connect_seconds, 1, "connect_seconds")
        _at_least(self.connections, 2, "connections", whole=True)
        if self.embed_threads is not None:
            _at_least(self.embed_threads, 1, "embed_threads", whole=True)
        checked_switch(self.extract_labels, "Settings.extract_labels")
        if not isinstance(self.emotions, bool):
            raise InvalidInput(
                "Settings.emotions", f"{shown(self.emotions)} is not true or false", "give True or False"
            )
        _one_of(self.synchronous, ("full", "normal"), "synchronous")
        _one_of(self.embed_compute, ("int8", "f32"), "embed_compute")
        object.__setattr__(self, "channel_trust", _trusts(self.channel_trust))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled and copied by its values: worker processes get their settings so, and check them again."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _restored, ({**values, "channel_trust": dict(self.channel_trust)},)


def _restored(values: dict[str, object]) -> Settings:
    return Settings(**values)  # type: ignore[arg-type]  # Settings checks each value


def _at_least(value: object, least: int, name: str, *, whole: bool = False) -> None:
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value < 1e9:
        raise InvalidInput(
            f"Settings.{name}",
            f"{shown(value)} is out of range",
            f"give a {'whole ' if whole else ''}number of at least {least}",
        )


def _trusts(table: object) -> Mapping[str, SourceTrust]:
    name, choices = "Settings.channel_trust", ", ".join(SourceTrust)
    if not isinstance(table, Mapping):
        raise InvalidInput(name, f"a {type(table).__name__} is no table", "give a mapping from channels")
    trusts = {}
    for raw, trust in table.items():
        channel = checked_name(raw, name)
        try:
            trusts[channel] = SourceTrust(lowered(trust))
        except ValueError:
            raise InvalidInput(name, f"{shown(trust)} is unknown", f"choose from {choices}") from None
    return MappingProxyType(trusts)


def _one_of(value: object, names: tuple[str, ...], name: str) -> None:
    if value not in names:
        raise InvalidInput(
            f"Settings.{name}", f"{shown(value)} is not a choice", f"choose from {', '.join(names)}"
        )
