"""Every number that a user may want to change, with its default; read by ``wiring.settings`` from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from reverie.domain.capture import CapturePattern
from reverie.domain.ids import checked_name
from reverie.domain.llm import check_limit, check_model, checked_prices
from reverie.domain.text import checked_share, checked_switch, checked_text, lowered
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

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

    ``mind``: what extracts, judges, consolidates and compresses: "local", by rules on this machine, "llm", a language
    model, or "none".

    Of a language model: ``llm_model``, such as "anthropic:claude-sonnet-5-5" (openai:, openai-chat:, google:,
    ollama:), asked at ``llm_base_url`` ("" for the provider's own server), for at most ``llm_timeout_seconds`` a
    call. ``llm_send_raw``: one that is away from this machine may read what was said, word for word; else it sees
    only sentences that were chosen and redacted here, and the memory loop and summaries of messages do without it.
    Within an hour and a day at most ``llm_calls_hour`` and ``llm_calls_day`` calls are made, for all agents of the
    bank together, and no more tokens (``llm_tokens_hour``, ``llm_tokens_day``) or US dollars (``llm_dollars_hour``,
    ``llm_dollars_day``) spent; None for no limit. ``llm_prices``: dollars for a million tokens read and written,
    which a limit of money needs.

    ``extract_labels``: topics and entities are found in the text where the caller gives none.

    ``snippet_messages``: what the memory loop reads at once; ``burst_snippets``: of so many at most in one conversation
    and round, the newest; ``loop_floor``: the least importance that it keeps.

    ``capture``: what principals state for good is kept at once, word for word; ``capture_patterns`` are tried before
    the built-in forms. ``redact``: secrets are taken out of whatever is stored; ``redact_pii``: also e-mail addresses,
    telephone numbers (those written as in ``phone_region``, and international ones), IBANs and IP addresses.

    Of sleep: it reads ``sleep_batch`` episodes at once. By itself it comes where ``sleep_least`` wait, nobody has said
    anything for ``sleep_idle_seconds`` and the last one is ``sleep_every_seconds`` ago. What would change more than
    ``sleep_most_share`` of the bank and more than ``sleep_most`` memories is refused. ``soul_path``: the file that
    holds the self-portrait ("{agent}" in it stands for the agent's id), of at most ``soul_tokens`` tokens; None: none.

    Of self-care: the agent needs ``self_care_least`` observations; it reads ``self_care_batch`` at once, and goes on
    until they hold less than ``self_care_target`` tokens; a summary has at most ``self_care_summary`` tokens. By
    itself it comes only with ``self_care_auto``, past ``self_care_ceiling`` tokens. Past ``live_entries`` messages that
    no summary stands for, closing the oldest is due. ``relationship_tokens``: what a context block tells of the people
    who take part.

    Of housekeeping: what has less activation than ``archive_below`` is archived; what ``promote_episodes`` episodes of
    ``promote_days`` days say, each near to one of them by ``promote_cosine``, becomes a memory.

    Of a recall without ``min_score``: ``memory_floor`` and ``episode_floor``, the least relevance of the best hit, else
    nothing is found; ``recall_limit`` hits at most, out of ``candidates`` by meaning and as many by words.

    Of the block for a prompt: ``context_tokens`` in all, ``identity_tokens`` on top of them for the soul entries; of
    the former ``procedure_tokens`` (their share of any other budget) are kept for procedures against what is relevant.
    ``context_relevance``: the least relevance of the best hit for a task, else nothing is relevant to it;
    ``context_threshold``: the least activation × relevance of what enters.

    Of a turn's whole window, ``window_reserve`` stays free for the answer; of the rest, system prompt and soul take
    at most ``window_system`` tokens, memories ``window_memories``, the summary of older messages ``window_summary``,
    recent messages ``window_recent``, and goals, jobs and episodes together ``window_rest`` (more where others leave
    it), all scaled down alike where there is less. ``window_recalled`` memories at most, each as sure as
    ``window_confidence``; ``window_episodes`` of the last 24 hours.

    ``embedder``: "minilm", inside the package, "multilingual", an extra that runs in this process too, or a provider:
    "ollama", "vertex", "openai" (docs/embedders.md). Of providers: ``embed_model`` and ``embed_base_url`` (empty for
    their usual ones), ``embed_dimensions`` (None for the model's own), ``embed_timeout_seconds`` of one request with
    all its tries, and ``embed_send_text``: what is said and asked may be sent to a provider that is not on this
    machine.

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
    memory_floor: float = 0.03
    episode_floor: float = 0.03
    snippet_messages: int = 6
    burst_snippets: int = 4
    loop_floor: float = 0.2
    sleep_batch: int = 100
    sleep_least: int = 10
    sleep_idle_seconds: float = 300.0
    sleep_every_seconds: float = 21_600.0
    sleep_most_share: float = 0.2
    sleep_most: int = 20
    soul_path: str | None = None
    soul_tokens: int = 1_000
    self_care_least: int = 30
    self_care_batch: int = 500
    self_care_ceiling: int = 100_000
    self_care_target: int = 50_000
    self_care_summary: int = 400
    self_care_auto: bool = False
    live_entries: int = 1_000
    relationship_tokens: int = 150
    archive_below: float = 0.1
    promote_episodes: int = 3
    promote_days: int = 2
    promote_cosine: float = 0.85
    context_tokens: int = 800
    identity_tokens: int = 500
    procedure_tokens: int = 150
    context_relevance: float = 0.12
    context_threshold: float = 0.002
    window_reserve: float = 0.85
    window_system: int = 1_500
    window_memories: int = 2_000
    window_summary: int = 1_000
    window_recent: int = 10_000
    window_rest: int = 500
    window_recalled: int = 10
    window_confidence: float = 0.3
    window_episodes: int = 20
    touch_flush_seconds: float = 2.0
    touch_flush_pending: int = 500
    busy_seconds: float = 30.0
    connections: int = 10
    connect_seconds: float = 10.0
    statement_seconds: float = 30.0
    open_banks: int = 256
    cache_mib: int = 32
    synchronous: str = "full"
    embedder: str = "minilm"
    embed_model: str = ""
    embed_base_url: str = ""
    embed_dimensions: int | None = None
    embed_timeout_seconds: float = 30.0
    embed_send_text: bool = False
    embed_compute: str = "int8"
    embed_threads: int | None = None
    emotions: bool = True
    mind: str = "local"
    llm_model: str = ""
    llm_base_url: str = ""
    llm_timeout_seconds: float = 60.0
    llm_send_raw: bool = False
    llm_calls_hour: int | None = 60
    llm_calls_day: int | None = 500
    llm_tokens_hour: int | None = None
    llm_tokens_day: int | None = None
    llm_dollars_hour: float | None = None
    llm_dollars_day: float | None = None
    llm_prices: tuple[float, float] | None = None
    capture: bool = True
    capture_patterns: tuple[CapturePattern, ...] = ()
    redact: bool = True
    redact_pii: bool = False
    phone_region: str = "US"
    batch: int = 256
    extract_labels: bool = True
    channel_trust: Mapping[str, SourceTrust] = field(default_factory=lambda: DEFAULT_CHANNEL_TRUST)

    def __post_init__(self) -> None:
        for name in _SHARES:
            checked_share(getattr(self, name), f"Settings.{name}")
        for name in _FROM_ONE:
            _at_least(getattr(self, name), 1, name, whole=True)
        for name in _FROM_ZERO:
            _at_least(getattr(self, name), 0, name, whole=True)
        for name in _SECONDS:
            _at_least(getattr(self, name), 0, name)
        if self.soul_path is not None:
            _check_soul_path(self.soul_path)
        _at_least(self.connect_seconds, 1, "connect_seconds")
        _at_least(self.connections, 2, "connections", whole=True)
        if self.embed_threads is not None:
            _at_least(self.embed_threads, 1, "embed_threads", whole=True)
        for name in ("extract_labels", "capture", "redact", "redact_pii", "self_care_auto"):
            checked_switch(getattr(self, name), f"Settings.{name}")
        object.__setattr__(self, "capture_patterns", _patterns(self.capture_patterns))
        _check_region(self.phone_region)
        if not isinstance(self.emotions, bool):
            raise InvalidInput(
                "Settings.emotions", f"{shown(self.emotions)} is not true or false", "give True or False"
            )
        checked_switch(self.llm_send_raw, "Settings.llm_send_raw")
        self._check_embedder()
        _one_of(self.mind, ("local", "llm", "none"), "mind")
        self._check_llm()
        _one_of(self.synchronous, ("full", "normal"), "synchronous")
        _one_of(self.embed_compute, ("int8", "f32"), "embed_compute")
        object.__setattr__(self, "channel_trust", _trusts(self.channel_trust))

    def _check_llm(self) -> None:
        check_model(self.llm_model, self.llm_base_url, needed=self.mind == "llm")
        _at_least(self.llm_timeout_seconds, 1, "llm_timeout_seconds")
        object.__setattr__(self, "llm_prices", checked_prices(self.llm_prices))
        for span in ("hour", "day"):
            for name in (f"llm_calls_{span}", f"llm_tokens_{span}"):
                check_limit(getattr(self, name), name, whole=True)
            name = f"llm_dollars_{span}"
            check_limit(getattr(self, name), name, whole=False, priced=self.llm_prices is not None)

    def _check_embedder(self) -> None:
        _one_of(self.embedder, ("minilm", "multilingual", "ollama", "vertex", "openai"), "embedder")
        checked_switch(self.embed_send_text, "Settings.embed_send_text")
        _at_least(self.embed_timeout_seconds, 0.1, "embed_timeout_seconds")
        if self.embed_dimensions is not None:
            _at_least(self.embed_dimensions, 1, "embed_dimensions", whole=True)
        for name in ("embed_model", "embed_base_url"):
            if not isinstance(getattr(self, name), str):  # the URL isn't shown: it may hold a password
                raise InvalidInput(f"Settings.{name}", "it is no text", "give text")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled and copied by its values: worker processes get their settings so, and check them again."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _restored, ({**values, "channel_trust": dict(self.channel_trust)},)


_SHARES = """
    duplicate_cosine stated_confidence inferred_confidence memory_floor episode_floor loop_floor archive_below
    promote_cosine sleep_most_share context_relevance context_threshold window_reserve window_confidence
""".split()
_SECONDS = """
    touch_flush_seconds busy_seconds statement_seconds sleep_idle_seconds sleep_every_seconds
""".split()
_FROM_ONE = """
    recall_limit candidates snippet_messages burst_snippets promote_episodes promote_days touch_flush_pending
    open_banks cache_mib batch context_tokens sleep_batch sleep_least soul_tokens
    self_care_least self_care_batch self_care_summary live_entries
""".split()
_FROM_ZERO = """
    identity_tokens procedure_tokens window_system window_memories window_summary window_recent window_rest
    window_recalled window_episodes sleep_most self_care_ceiling self_care_target relationship_tokens
""".split()


def _restored(values: dict[str, object]) -> Settings:
    return Settings(**values)  # type: ignore[arg-type]  # Settings checks each value


def _at_least(value: object, least: float, name: str, *, whole: bool = False) -> None:
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value < 1e9:
        raise InvalidInput(
            f"Settings.{name}",
            f"{shown(value)} is out of range",
            f"give a {'whole ' if whole else ''}number of at least {least}",
        )


def _check_soul_path(value: object) -> None:
    path = checked_text(value, "Settings.soul_path", most_bytes=4_096)
    if any(brace in path.replace("{agent}", "") for brace in "{}"):
        raise InvalidInput(
            "Settings.soul_path",
            "only {agent} stands for something in it",
            "write {agent}, and no other braces",
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


def _check_region(value: object) -> None:
    if not (isinstance(value, str) and len(value) == 2 and value.isascii() and value.isalpha()):
        raise InvalidInput(
            "Settings.phone_region", f"{shown(value)} is no country", 'give two letters such as "US"'
        )


def _patterns(values: object) -> tuple[CapturePattern, ...]:
    name = "Settings.capture_patterns"
    if not isinstance(values, tuple | list) or not all(isinstance(one, CapturePattern) for one in values):
        raise InvalidInput(name, "it is no list of patterns", "give CapturePattern(…) values")
    return tuple(values)


def _one_of(value: object, names: tuple[str, ...], name: str) -> None:
    if value not in names:
        raise InvalidInput(
            f"Settings.{name}", f"{shown(value)} is not a choice", f"choose from {', '.join(names)}"
        )
