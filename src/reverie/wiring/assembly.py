"""The one room that names concrete classes: from a place, a key and settings to a desk that works."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

from reverie.domain.address import ServerUrl
from reverie.domain.database import DatabaseStatus, MovedAgent, Prepared, Scoured
from reverie.domain.ids import Ids
from reverie.domain.settings import Settings
from reverie.domain.text import checked_call
from reverie.domain.time import Clock
from reverie.embedders.minilm import MiniLM
from reverie.embedders.multilingual import MultilingualEmbedder
from reverie.errors import InvalidInput, NoBank, NotEncrypted
from reverie.errors.extras import install
from reverie.errors.showing import shown, typed
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.judges import JudgeNetwork
from reverie.ports.embedder import Embedder
from reverie.ports.mind import Mind
from reverie.ports.search import Search
from reverie.ports.store import Store
from reverie.services.runtime import (
    Desk,
    DirtyAgents,
    Feel,
    Mood,
    RecentEmbedder,
    Touches,
    YieldingEmbedder,
    name_of,
)
from reverie.store.sqlite.drafts import draft as draft
from reverie.store.sqlite.engine import SqliteStore
from reverie.store.sqlite.place import PLAIN_HEADER, header
from reverie.store.sqlite.place import checked_path as checked_path
from reverie.store.sqlite.place import refuse_side as refuse_side
from reverie.store.sqlite.search import SqliteSearch
from reverie.wiring.embedding import HERE, embedder_of
from reverie.wiring.keys import KEYRING, Key, environment_key, file_key, given_key, keyring_key
from reverie.wiring.languages import stop_words
from reverie.wiring.rekeying import opened
from reverie.wiring.settings import (
    KEY_FILE_VARIABLE,
    KEY_VARIABLE,
    Surroundings,
    bank_place,
    settings_from,
    surroundings,
)
from reverie.wiring.soulfile import SoulFiles
from reverie.wiring.sources import MonotonicIds, checked_clock, new_secret, system_clock
from reverie.wiring.thinking import Minds, access_of, host_mind, minds_of

_PARTS = {
    "embedder": ("id", "dimensions", "embed", "embed_query", "count_tokens"),
    "mind": ("id", "is_local"),
}
_EXTRA = ("pgvector", "psycopg", "psycopg_pool")


def assemble(
    where: str | Path | None,
    *,
    key: bytes | str | Path | None,
    encrypted: bool,
    create: bool,
    settings: Settings | None,
    embedder: Embedder | None,
    mind: Mind | None,
    clock: Clock | None,
    ids: Ids | None,
    actor: str,
) -> Desk:
    """Open the bank file or database, and put everything that the services need on a desk. Raises ReverieError."""
    if not isinstance(encrypted, bool):  # what merely counts as false must not open a plain file
        raise InvalidInput("encrypted", f"{shown(encrypted)} is not true or false", "give True or False")
    if settings is not None and not isinstance(settings, Settings):
        raise InvalidInput("settings", f"{typed(settings)} is no Settings", "give Settings(…)")
    _check_parts(embedder=embedder, mind=mind)
    checked_call(ids, "ids")
    around = surroundings()
    chosen = settings or settings_from()
    name_of(chosen, actor, "actor")
    access = access_of(chosen) if mind is None else None
    place = place_of(where, around, create=create)
    if isinstance(place, ServerUrl):
        store, search = _on_server(place, key, chosen)
    else:
        store, search = _in_file(place, key, around, chosen, create=create, encrypted=encrypted)
    model = embedder or embedder_of(chosen)
    if isinstance(model, MiniLM):
        model = RecentEmbedder(model)
    stops = stop_words if isinstance(model, MultilingualEmbedder) else None
    feeling: _Feeling = _feeling(model) if chosen.remember.emotions else {}
    judges = _judges(model)
    dirty, now = DirtyAgents(), checked_clock(checked_call(clock, "clock") or system_clock)
    minds = Minds()
    if mind is None:
        here = (
            embedder is not None or chosen.embed.provider in HERE
        )  # else it takes no time of this machine's
        thinking = YieldingEmbedder(model, dirty) if here else model
        minds = minds_of(chosen, access, store=store, clock=now, embedder=thinking, judges=judges)
    return Desk(
        store=store,
        search=search,
        embedder=model,
        clock=now,
        ids=ids or MonotonicIds(),
        secret=new_secret,
        settings=chosen,
        touches=Touches(
            store, seconds=chosen.store.touch_flush_every, pending=chosen.store.touch_flush_pending
        ),
        mind=mind or minds.mind,
        home=minds.home,
        soul_file=SoulFiles(chosen.soul.file) if chosen.soul.file is not None else None,
        judges=judges,
        host=host_mind(model),
        dirty=dirty,
        stops=stops,
        **feeling,
    )


def prepare_database(
    url: str, *, app_role: str | None = None, owner_role: str | None = None, password: str | None = None,
    partitions: int | None = None, dimensions: Sequence[int] = (384,), citus: bool | None = None,
    shards: int | None = None, dry_run: bool = False,
) -> Prepared:  # fmt: skip
    """Prepare an empty PostgreSQL database for banks, or bring it up to date; see ``docs/postgres.md``.

    Raises ReverieError.
    """
    with _needs_postgres():
        from reverie.store.postgres.roles import prepare
    return prepare(
        _server(url).url, app_role=app_role, owner_role=owner_role, password=password, partitions=partitions,
        dimensions=dimensions, citus=citus, shards=shards, dry_run=dry_run,
        connect_seconds=settings_from().store.connect_timeout,
    )  # fmt: skip


def scour_database(url: str) -> Scoured:
    """Take what was deleted out of a PostgreSQL database's files. Raises ReverieError."""
    with _needs_postgres():
        from reverie.store.postgres.scour import scour
    return scour(_server(url).url, connect_seconds=settings_from().store.connect_timeout)


def database_status(url: str) -> DatabaseStatus:
    """Return how the banks of a PostgreSQL database lie, and on a cluster where. Raises ReverieError."""
    with _needs_postgres():
        from reverie.store.postgres.balance import status
    return status(_server(url).url, connect_seconds=settings_from().store.connect_timeout)


def move_agent(url: str, agent_id: str, *, to: str | None = None) -> MovedAgent:
    """Give an agent of a Citus cluster a shard of its own, on the node ``to`` ("host:port") or the emptiest one.

    Raises ReverieError.
    """
    with _needs_postgres():
        from reverie.store.postgres.balance import move
    return move(_server(url).url, agent_id, to=to, connect_seconds=settings_from().store.connect_timeout)


def _check_parts(**given: object) -> None:
    """Raise InvalidInput for what can't be one of the ports."""
    for name, part in given.items():
        needed = _PARTS[name]
        if part is not None and not all(hasattr(part, one) for one in needed):
            raise InvalidInput(name, f"{shown(part)} is none", f"give one with {', '.join(needed)}, or None")


class _Feeling(TypedDict, total=False):
    feel: Feel
    mood: Mood


def _feeling(embedder: Embedder) -> _Feeling:
    """Return what judges emotions. It reads the built-in model's vectors; another embedder's are no use to it."""
    if _is_built_in(embedder):
        judge = EmotionClassifier(embedder.embed)
        return {"feel": judge.emotions, "mood": judge.mood}
    return {
        "feel": lambda texts, _vectors: _own_judge(os.getpid()).emotions(texts),
        "mood": lambda texts, _vectors: _own_judge(os.getpid()).mood(texts),
    }


@lru_cache(1)
def _own_judge(_process: int) -> EmotionClassifier:
    return EmotionClassifier(_own_model(_process).embed)


def _judges(embedder: Embedder) -> JudgeNetwork:
    """Return what judges sentences. It reads the built-in model's vectors too."""
    if _is_built_in(embedder):
        return JudgeNetwork(embedder.embed)
    return JudgeNetwork(lambda texts: _own_model(os.getpid()).embed(texts), given=False)


def _is_built_in(embedder: Embedder) -> bool:
    return embedder.id in (MiniLM("int8").id, MiniLM("f32").id)


@lru_cache(1)
def _own_model(_process: int) -> Embedder:
    """Return the built-in model for use beside another embedder: one a process, loaded when first needed."""
    # Capture and the mind judge the same sentences: 8.7 and 10.6 messages a second observed, without it 5.9 and 6.5.
    return RecentEmbedder(MiniLM())


def _on_server(place: ServerUrl, key: object, chosen: Settings) -> tuple[Store, Search]:
    if key is not None:
        raise InvalidInput(
            "key",
            "a server's database is encrypted by no key of ours, only by what the server's disks are",
            "leave the key out; docs/postgres.md says what is encrypted there",
        )
    with _needs_postgres():
        from reverie.store.postgres.engine import PostgresStore
        from reverie.store.postgres.search import PostgresSearch
    store = PostgresStore(
        place.url,
        busy_seconds=chosen.store.busy_timeout,
        statement_seconds=chosen.store.statement_timeout,
        connect_seconds=chosen.store.connect_timeout,
        connections=chosen.store.connections,
        synchronous=chosen.store.synchronous,
    )
    return store, PostgresSearch(store)


@contextmanager
def _needs_postgres() -> Iterator[None]:
    """Turn the absence of the engine's packages, which are an extra, into InvalidInput."""
    try:
        yield
    except ImportError as error:
        if (error.name or "psycopg").partition(".")[0] not in _EXTRA:
            raise
        raise InvalidInput(
            "where",
            "the packages for PostgreSQL are not installed",
            install("postgres"),
        ) from None


def _in_file(
    path: Path, key: bytes | str | Path | None, around: Surroundings, chosen: Settings, *, create: bool,
    encrypted: bool,
) -> tuple[Store, Search]:  # fmt: skip
    if not encrypted and key is not None:
        raise InvalidInput("key", "a key was given, and the bank is to be unencrypted", "give one of the two")
    _look(path, create=create, encrypted=encrypted)

    def opening(the_key: Key | None) -> SqliteStore:
        return SqliteStore(
            path,
            key=the_key.raw if the_key else None,
            key_source=the_key.source if the_key else "nowhere",
            busy_seconds=chosen.store.busy_timeout,
            cache_mib=chosen.store.cache_mib,
            synchronous=chosen.store.synchronous,
        )

    store = opened(path, lambda: _key(key, path, around), opening)[0] if encrypted else opening(None)
    return store, SqliteSearch(store, open_banks=chosen.store.open_banks)


def place_of(where: str | Path | None, around: Surroundings, *, create: bool = False) -> Path | ServerUrl:
    """Return the file or database that is meant; ``create`` makes the default file's folder. Raises InvalidInput."""
    if where is None:
        if around.bank_is_default and create and isinstance(around.bank, Path):
            around.bank.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return around.bank
    if isinstance(where, Path):
        bank_place(str(where), "where")  # a URL makes no path
        return where
    return bank_place(_text(where), "where")


def _server(url: str) -> ServerUrl:
    place = bank_place(_text(url), "where")
    if not isinstance(place, ServerUrl):
        raise InvalidInput("where", "it is no postgresql:// URL", "give postgresql://user@host:port/database")
    return place


def _look(path: Path, *, create: bool, encrypted: bool) -> None:
    """Refuse a file that can't be opened, before a key is looked for, let alone made."""
    with suppress(OSError, ValueError):  # a name that no file can have is checked_path's to explain
        if not create and (not path.exists() or (path.is_file() and path.stat().st_size == 0)):
            raise NoBank(str(path))
    resolved = checked_path(path)
    if encrypted and resolved.exists() and header(resolved) == PLAIN_HEADER:
        raise NotEncrypted(str(path))


def _text(where: object) -> str:
    if not isinstance(where, str):
        raise InvalidInput("where", f"{typed(where)} is not a path", "give the path of a bank file")
    return where


def file_place(path: Path, key: Key, chosen: Settings, *, create: bool = True) -> tuple[Store, Search]:
    """Return the bank file at ``path`` under this key. With ``create``, make it. Raises ReverieError."""
    _look(path, create=create, encrypted=True)
    store = SqliteStore(
        path, key=key.raw, key_source=key.source, busy_seconds=chosen.store.busy_timeout,
        cache_mib=chosen.store.cache_mib, synchronous="full",
    )  # fmt: skip
    return store, SqliteSearch(store, open_banks=chosen.store.open_banks)


def rekey_file(path: Path, old: Key, new: Callable[[], Key], chosen: Settings) -> None:
    """Encrypt a file that nobody has open with another key; see ``SqliteStore.rekey``. Raises ReverieError."""

    def begin() -> tuple[bytes, str]:
        key = new()
        return key.raw, key.source

    SqliteStore.rekey(
        path, key=old.raw, key_source=old.source, new=begin, busy_seconds=chosen.store.busy_timeout
    )


def key_for(key: bytes | str | Path | None, path: Path, *, make: bool | None = None) -> Key:
    """Return the key that opens this file, or is to open it. ``make`` (None: where there is no bank yet): whether a key
    file or an entry in the keyring may be made. Raises KeyProblem.
    """
    return _key(key, path, surroundings(), make)


def _key(key: bytes | str | Path | None, path: Path, around: Surroundings, make: bool | None = None) -> Key:
    """Return the key. It is made only for a bank that isn't there yet: a lost key is an error, never a new key."""
    new = make if make is not None else not path.exists() or (path.is_file() and path.stat().st_size == 0)
    if isinstance(key, Path):
        refuse_side(key, "key", path)
        return file_key(key, make=new)
    if key == KEYRING:
        return keyring_key(make=new)
    if key is not None:
        return given_key(key)
    if around.key_text is not None:
        return environment_key(around.key_text, KEY_VARIABLE)
    refuse_side(around.key_file, KEY_FILE_VARIABLE, path)
    return file_key(around.key_file, make=new)
