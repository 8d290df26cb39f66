"""Every number and choice that you may change, in groups, each with its default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from reverie.domain.capture import CapturePattern
from reverie.domain.ids import checked_name
from reverie.domain.llm import check_model, checked_limit, checked_prices
from reverie.domain.text import checked_share, checked_switch, checked_text, member
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

Compute: TypeAlias = Literal["int8", "f32"]
EmbedProvider: TypeAlias = Literal["minilm", "multilingual", "ollama", "vertex", "openai"]
MindName: TypeAlias = Literal["local", "llm", "none"]
Synchronous: TypeAlias = Literal["full", "normal"]

DEFAULT_CHANNEL_TRUST: Mapping[str, SourceTrust] = MappingProxyType(
    {
        "terminal": SourceTrust.PRINCIPAL,
        "telegram": SourceTrust.PRINCIPAL,
        "api": SourceTrust.PRINCIPAL,
        "chatgpt": SourceTrust.PRINCIPAL,
        "claude": SourceTrust.PRINCIPAL,
        "heartbeat": SourceTrust.AGENT,
        "cron": SourceTrust.AGENT,
        "room": SourceTrust.OTHER,
        "whatsapp": SourceTrust.OTHER,
        "tool": SourceTrust.EXTERNAL,
        "web": SourceTrust.EXTERNAL,
        "file": SourceTrust.EXTERNAL,
        "import": SourceTrust.EXTERNAL,
        "link": SourceTrust.EXTERNAL,
    }
)
"""How far a message in role user is trusted, by channel. A channel that isn't listed is EXTERNAL."""


def _checked(default: object, check: Callable[[Any, str], object]) -> Any:
    return field(default=default, metadata={"check": check})


def _share(default: float) -> Any:
    return _checked(default, checked_share)


def _switch(default: bool) -> Any:
    return _checked(default, checked_switch)


def _whole(default: int | None, *, least: int = 1) -> Any:
    """Declare a whole number of at least ``least``. It may be None where that is its default."""
    return _checked(
        default,
        lambda value, name: None if value is default is None else _at_least(value, least, name, whole=True),
    )


def _seconds(default: float, *, least: float = 0) -> Any:
    return _checked(default, lambda value, name: _at_least(value, least, name))


def _choice(choices: object) -> dict[str, object]:
    return {"check": lambda value, name: _one_of(value, get_args(choices), name)}


def _limit(default: float | None, *, whole: bool) -> Any:
    return _checked(default, lambda value, name: checked_limit(value, name, whole=whole))


def _at_least(value: object, least: float, name: str, *, whole: bool = False) -> object:
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value < 1e9:
        wanted = f"give a {'whole ' if whole else ''}number of at least {least}"
        raise InvalidInput(name, f"{shown(value)} is out of range", wanted)
    return value


def _one_of(value: object, choices: tuple[str, ...], name: str) -> object:
    if value not in choices:
        raise InvalidInput(name, f"{shown(value)} is not a choice", f"choose from {', '.join(choices)}")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):  # it isn't shown: a URL may hold a password
        raise InvalidInput(name, "it is no text", "give text")
    return value


def _soul_path(value: object, name: str) -> str | None:
    if value is None:
        return None
    path = checked_text(value, name, most_bytes=4_096)
    if any(brace in path.replace("{agent}", "") for brace in "{}"):
        raise InvalidInput(
            name, "only {agent} stands for something in it", "write {agent}, and no other braces"
        )
    return path


def _region(value: object, name: str) -> str:
    if not (isinstance(value, str) and len(value) == 2 and value.isascii() and value.isalpha()):
        raise InvalidInput(name, f"{shown(value)} is no country", 'give two letters such as "US"')
    return value


def _patterns(values: object, name: str) -> tuple[CapturePattern, ...]:
    if not isinstance(values, tuple | list) or not all(isinstance(one, CapturePattern) for one in values):
        raise InvalidInput(name, "it is no list of patterns", "give CapturePattern(…) values")
    return tuple(values)


def _trusts(table: object, name: str) -> Mapping[str, SourceTrust]:
    if not isinstance(table, Mapping):
        raise InvalidInput(name, f"{typed(table)} is no table", "give a mapping from channels")
    trusts = {}
    for raw, trust in table.items():
        channel = checked_name(raw, name)
        trusts[channel] = member(SourceTrust, trust, name)
    return MappingProxyType(trusts)


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingsGroup:
    """Check each field as it is declared. ``path`` is what stands before a field's name in an error."""

    path: ClassVar[str]

    def __post_init__(self) -> None:
        for one in fields(self):
            if check := one.metadata.get("check"):
                value = check(getattr(self, one.name), f"{self.path}.{one.name}")
                object.__setattr__(self, one.name, value)


@dataclass(frozen=True, kw_only=True, slots=True)
class RememberSettings(SettingsGroup):
    """How memories are born.

    A memory whose cosine with another is at least ``duplicate_cosine`` reinforces it. What was stated outright has
    ``stated_confidence``, what was inferred ``inferred_confidence``. ``extract_labels``: find topics and entities in
    the text where the caller gives none. ``emotions``: judge emotions; turn it off where another embedder is used and
    the built-in model, which the classifier needs, must not be loaded too.
    """

    path: ClassVar[str] = "Settings.remember"
    duplicate_cosine: float = _share(0.92)
    stated_confidence: float = _share(0.9)
    inferred_confidence: float = _share(0.6)
    extract_labels: bool = _switch(True)
    emotions: bool = _switch(True)


@dataclass(frozen=True, kw_only=True, slots=True)
class CaptureSettings(SettingsGroup):
    """Pattern capture: what principals state for good is kept at once, verbatim.

    ``patterns`` of your own are tried before the built-in forms.
    """

    path: ClassVar[str] = "Settings.capture"
    enabled: bool = _switch(True)
    patterns: tuple[CapturePattern, ...] = _checked((), _patterns)


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopSettings(SettingsGroup):
    """The memory loop reads ``snippet_messages`` at once, and in one round of one conversation the newest
    ``burst_snippets`` snippets. It keeps what is at least as important as ``floor``.
    """

    path: ClassVar[str] = "Settings.loop"
    snippet_messages: int = _whole(6)
    burst_snippets: int = _whole(4)
    floor: float = _share(0.2)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallSettings(SettingsGroup):
    """A recall gives at most ``limit`` hits, out of ``candidates`` by meaning and as many by words.

    Without ``min_score``, nothing is found where the best hit is less relevant than ``memory_floor``
    (``episode_floor`` for episodes).
    """

    path: ClassVar[str] = "Settings.recall"
    limit: int = _whole(10)
    candidates: int = _whole(100)
    memory_floor: float = _share(0.03)
    episode_floor: float = _share(0.03)


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextSettings(SettingsGroup):
    """The block for a prompt has at most ``tokens``, and ``identity_tokens`` on top of them for the soul entries.

    ``procedure_tokens`` of them (the same share of another budget) are kept for procedures. Nothing is relevant to a
    task where the best hit is less relevant than ``relevance``; what enters has at least ``threshold`` as activation ×
    relevance. ``relationship_tokens``: for the people who take part.
    """

    path: ClassVar[str] = "Settings.context"
    tokens: int = _whole(800)
    identity_tokens: int = _whole(500, least=0)
    procedure_tokens: int = _whole(150, least=0)
    relationship_tokens: int = _whole(150, least=0)
    relevance: float = _share(0.12)
    threshold: float = _share(0.002)


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSettings(SettingsGroup):
    """A turn's whole window keeps the share ``reserve`` free for the answer.

    Of the rest, in tokens: ``system`` for system prompt and soul, ``memories``, ``summary`` of older messages,
    ``recent`` messages, and ``rest`` for goals, jobs and episodes (more where others leave it). All are scaled down
    alike where there is less. At most ``recalled`` memories enter, each with at least ``confidence``, and ``episodes``
    of the last 24 hours.
    """

    path: ClassVar[str] = "Settings.window"
    reserve: float = _share(0.85)
    system: int = _whole(1_500, least=0)
    memories: int = _whole(2_000, least=0)
    summary: int = _whole(1_000, least=0)
    recent: int = _whole(10_000, least=0)
    rest: int = _whole(500, least=0)
    recalled: int = _whole(10, least=0)
    confidence: float = _share(0.3)
    episodes: int = _whole(20, least=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class SleepSettings(SettingsGroup):
    """A sleep reads ``batch`` episodes.

    It comes by itself where ``min_episodes`` wait, nobody has said anything for ``idle`` seconds, and the last sleep
    was ``every`` seconds ago. A sleep that would change more than ``max_share`` of the bank and more than
    ``max_memories`` memories is refused.
    """

    path: ClassVar[str] = "Settings.sleep"
    every: float = _seconds(21_600.0)
    idle: float = _seconds(300.0)
    batch: int = _whole(100)
    min_episodes: int = _whole(10)
    max_share: float = _share(0.2)
    max_memories: int = _whole(20, least=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class SoulSettings(SettingsGroup):
    """The self-portrait has at most ``tokens``. ``file`` is the path where it is written, too; None: nowhere.

    "{agent}" in the path stands for the agent's id.
    """

    path: ClassVar[str] = "Settings.soul"
    file: str | None = _checked(None, _soul_path)
    tokens: int = _whole(1_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class SelfCareSettings(SettingsGroup):
    """Self-care needs ``min_observations`` and reads ``batch`` at once, until they hold less than ``target`` tokens.

    A summary has at most ``summary`` tokens. Self-care comes by itself only with ``auto``, past ``ceiling`` tokens.
    Past ``live_entries`` messages that no summary stands for, closing the oldest is due.
    """

    path: ClassVar[str] = "Settings.self_care"
    auto: bool = _switch(False)
    min_observations: int = _whole(30)
    batch: int = _whole(500)
    ceiling: int = _whole(100_000, least=0)
    target: int = _whole(50_000, least=0)
    summary: int = _whole(400)
    live_entries: int = _whole(1_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class HousekeepingSettings(SettingsGroup):
    """Housekeeping archives what has less activation than ``archive_below``.

    What ``promote_episodes`` episodes of ``promote_days`` days say, each near to one of them by ``promote_cosine``,
    becomes a memory.
    """

    path: ClassVar[str] = "Settings.housekeeping"
    archive_below: float = _share(0.1)
    promote_episodes: int = _whole(3)
    promote_days: int = _whole(2)
    promote_cosine: float = _share(0.85)


@dataclass(frozen=True, kw_only=True, slots=True)
class PrivacySettings(SettingsGroup):
    """``redact``: take secrets out of whatever is stored. ``redact_pii``: also e-mail addresses, telephone numbers
    (as written in ``phone_region``, and international ones), IBANs and IP addresses.
    """

    path: ClassVar[str] = "Settings.privacy"
    redact: bool = _switch(True)
    redact_pii: bool = _switch(False)
    phone_region: str = _checked("US", _region)


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbedSettings(SettingsGroup):
    """``provider``: "minilm", inside the package; "multilingual", an extra that runs in this process too; or
    "ollama", "vertex", "openai" (docs/embedders.md).

    Of the latter: ``model`` and ``base_url`` (empty for their usual ones), ``dimensions`` (None for the model's own)
    and ``timeout``, the seconds for one request with all its tries. ``send_text`` allows a provider that is not on
    this machine to see what is said and asked. Of the former: ``compute`` and ``threads`` (None: one a core).
    """

    path: ClassVar[str] = "Settings.embed"
    provider: EmbedProvider = field(default="minilm", metadata=_choice(EmbedProvider))
    model: str = _checked("", _text)
    base_url: str = _checked("", _text)
    dimensions: int | None = _whole(None)
    timeout: float = _seconds(30.0, least=0.1)
    send_text: bool = _switch(False)
    compute: Compute = field(default="int8", metadata=_choice(Compute))
    threads: int | None = _whole(None)


@dataclass(frozen=True, kw_only=True, slots=True)
class LLMSettings(SettingsGroup):
    """The language model of ``Settings(mind="llm")``: ``model``, such as "anthropic:claude-sonnet-5-5" (openai:,
    openai-chat:, google:, ollama:), asked at ``base_url`` ("" for the provider's own server), for at most ``timeout``
    seconds a call.

    ``send_raw``: a model that is away from this machine may read what was said, verbatim. Else it sees only sentences
    that were chosen and redacted here, and the memory loop and summaries of messages do without it. Within an hour and
    a day at most ``calls_hour`` and ``calls_day`` calls are made, for all agents of the bank together, and no more
    tokens or US dollars are spent; None for no limit. ``prices``: dollars for a million tokens read and written, which
    a limit of money needs.
    """

    path: ClassVar[str] = "Settings.llm"
    model: str = ""
    base_url: str = ""
    timeout: float = _seconds(60.0, least=1)
    send_raw: bool = _switch(False)
    calls_hour: int | None = _limit(60, whole=True)
    calls_day: int | None = _limit(500, whole=True)
    tokens_hour: int | None = _limit(None, whole=True)
    tokens_day: int | None = _limit(None, whole=True)
    dollars_hour: float | None = _limit(None, whole=False)
    dollars_day: float | None = _limit(None, whole=False)
    prices: tuple[float, float] | None = _checked(None, checked_prices)

    def __post_init__(self) -> None:
        SettingsGroup.__post_init__(self)  # super() doesn't work in a dataclass with slots
        check_model(self.model, self.base_url)
        for span in ("hour", "day"):
            if self.prices is None and getattr(self, f"dollars_{span}") is not None:
                raise InvalidInput(
                    f"{self.path}.dollars_{span}",
                    "money can't be counted without prices",
                    "set prices too: dollars for a million tokens",
                )


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerSettings(SettingsGroup):
    """A worker stays with one agent for about ``turn`` seconds, and then goes on to the next that waits.

    What has failed ``tries`` times, one after the other, is dead: it isn't tried by itself any more, until
    `reverie retry`.
    """

    path: ClassVar[str] = "Settings.worker"
    turn: float = _seconds(60.0, least=1)
    tries: int = _whole(14)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreSettings(SettingsGroup):
    """Writes are committed in transactions of ``batch`` items and wait at most ``busy_timeout`` seconds for other
    writers. Touches are stored ``touch_flush_every`` seconds after the first, or once ``touch_flush_pending`` wait.

    Of PostgreSQL alone: ``connections`` (the most at once, 2 or more), ``connect_timeout`` (seconds until a server
    counts as away) and ``statement_timeout`` (seconds for one statement; 0 for no limit). Of files alone:
    ``open_banks`` and ``cache_mib``. ``synchronous``: see docs/keys-and-files.md.
    """

    path: ClassVar[str] = "Settings.store"
    batch: int = _whole(256)
    busy_timeout: float = _seconds(30.0)
    touch_flush_every: float = _seconds(2.0)
    touch_flush_pending: int = _whole(500)
    synchronous: Synchronous = field(default="full", metadata=_choice(Synchronous))
    connections: int = _whole(10, least=2)
    connect_timeout: float = _seconds(10.0, least=1)
    statement_timeout: float = _seconds(30.0)
    open_banks: int = _whole(256)
    cache_mib: int = _whole(32)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings, in groups. Each value is checked when it is given. Raise InvalidInput, which names the group and
    the field.

    ``mind``: what extracts, judges, consolidates and compresses: "local", by rules on this machine; "llm", the language
    model of ``llm``; or "none". ``channel_trust``: how far a message in role user is trusted, by channel; a channel
    that isn't listed is external.

    >>> from reverie import LLMSettings, Settings, SleepSettings
    >>> settings = Settings(mind="llm", llm=LLMSettings(model="ollama:qwen3"), sleep=SleepSettings(every=3600))
    >>> settings.sleep.every, settings.sleep.batch
    (3600, 100)
    """

    mind: MindName = "local"
    channel_trust: Mapping[str, SourceTrust] = field(default_factory=lambda: DEFAULT_CHANNEL_TRUST)
    remember: RememberSettings = RememberSettings()
    capture: CaptureSettings = CaptureSettings()
    loop: LoopSettings = LoopSettings()
    recall: RecallSettings = RecallSettings()
    context: ContextSettings = ContextSettings()
    window: WindowSettings = WindowSettings()
    sleep: SleepSettings = SleepSettings()
    soul: SoulSettings = SoulSettings()
    self_care: SelfCareSettings = SelfCareSettings()
    housekeeping: HousekeepingSettings = HousekeepingSettings()
    privacy: PrivacySettings = PrivacySettings()
    embed: EmbedSettings = EmbedSettings()
    llm: LLMSettings = LLMSettings()
    worker: WorkerSettings = WorkerSettings()
    store: StoreSettings = StoreSettings()

    def __post_init__(self) -> None:
        for one in fields(self):
            group, value = one.default, getattr(self, one.name)
            if isinstance(group, SettingsGroup) and not isinstance(value, type(group)):
                name = type(group).__name__
                raise InvalidInput(f"Settings.{one.name}", f"{shown(value)} is no {name}", f"give {name}(…)")
        _one_of(self.mind, get_args(MindName), "Settings.mind")
        if self.mind == "llm":
            check_model(self.llm.model, self.llm.base_url, needed=True)
        object.__setattr__(self, "channel_trust", _trusts(self.channel_trust, "Settings.channel_trust"))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by value: a frozen table can't be pickled, and a worker process checks its settings again."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return _restored, ({**values, "channel_trust": dict(self.channel_trust)},)


def _restored(values: dict[str, Any]) -> Settings:
    return Settings(**values)
