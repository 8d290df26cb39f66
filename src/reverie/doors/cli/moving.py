"""Banks and their files: backup, rekey, export, import, copy, reembed."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

from reverie.domain.import_report import ImportKind
from reverie.domain.imported import Counted, OnConflict
from reverie.domain.outcome import Copied, Reembedded
from reverie.domain.text import member
from reverie.doors.cli import words
from reverie.doors.cli.caring import of_each
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import OF_BANK, Door, command
from reverie.doors.cli.files import is_a_name, private_file, read_file
from reverie.doors.cli.options import Agents, DryRun, Force, argument, option
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent

_KEYRING = "keyring"
_COUNTS = ("added", "known", "replaced", "kept", "forgotten", "left_out")


@command("backup", shared=OF_BANK)
def backup(
    door: Door, to: Annotated[Path, argument("FILE", "A new file for the backup.")],
    key: Annotated[
        Path | None, option("--key-file", "Encrypt it with this key instead of the bank's own.", "PATH")
    ] = None,
) -> Code:  # fmt: skip
    """Write an encrypted copy of every bank, as of one moment, and verify it by reading it back.

    For example:
      reverie backup mama-2026-11-20.bank
      reverie --bank postgresql://db.example/memory backup memory.bank --key-file backup.key

    Others may go on reading and writing. The copy is a bank: open it with --bank. It has the bank's own key; the
    backup of a server gets the key that a new bank would. It still holds what is forgotten later: the receipt of a
    forget names the backups.
    """
    done = door.reverie().backup(to, key=key)
    sealed = "encrypted" if done.encrypted else "not encrypted, as the bank is not"
    agents, size = words.counted(done.agents, "agent"), words.size(done.bytes)
    return door.tell(done, f"{done.where}: {agents}, {size}, {sealed}; every page was read back")


@command("rekey", shared=("bank", "keyring", "as_json"))
def rekey(
    door: Door,
    new_key_file: Annotated[
        Path | None, option("--new-key-file", "The new key; made, for you alone, if the file is missing.", "PATH")
    ] = None,
    new_keyring: Annotated[bool, option("--new-keyring", "Keep the new key in the system's keyring.")] = False,
) -> Code:  # fmt: skip
    """Encrypt a bank's file with another key. Nobody may have it open meanwhile.

    For example:
      reverie rekey --bank mama.bank --new-key-file mama.key

    Every page is read first, then written in one transaction. If it is interrupted, the file opens with the old key
    or the new one: the next command finds out and says with which, and the same rekey again finishes. No key is ever
    deleted. Backups keep the key that they were made with. Afterwards name the new key to every command:
    REVERIE_KEY_FILE (its path), or --keyring.
    """
    if (new_key_file is None) == (not new_keyring):
        remedy = "give --new-key-file or --new-keyring"
        raise InvalidInput("--new-key-file", "exactly one new key is needed", remedy)
    from reverie.client import rekey as change

    done = change(
        door.bank, key=_KEYRING if door.keyring else None, new_key=_KEYRING if new_key_file is None else new_key_file
    )  # fmt: skip
    told = "give --keyring"
    if new_key_file is not None:
        told = f"set REVERIE_KEY_FILE={shlex.quote(str(new_key_file.resolve()))}"
    return door.tell(
        done,
        f"{done.where} opens with {done.key_source} now ({words.counted(done.agents, 'agent')});"
        f" every command needs it from now on: {told}",
    )


@command("export")
def export(
    door: Door,
    file: Annotated[str, argument("[FILE]", "Where to; - is standard output.")] = "-",
    vectors: Annotated[
        bool, option("--vectors", "With the embeddings: larger, and an import needn't compute them.")
    ] = False,
    no_log: Annotated[bool, option("--no-log", "Without the audit log and the records of sleeps.")] = False,
    force: Force = False,
) -> Code:
    """Write one agent's bank to a file from which `reverie import` makes an equal bank.

    For example:
      reverie export mama.jsonl --agent mama
      reverie export --no-log | grep '"type":"memory"'

    The file is plain text: whoever has it can read all that was said and learned. Only you can read it (mode 0600).
    It is written whole or not at all.
    """
    agent = door.opened()
    lines = agent.export(log=not no_log, vectors=vectors)
    if file == "-":
        sys.stdout.flush()
        for _ in _written(lines, sys.stdout.buffer):
            pass
        sys.stdout.buffer.flush()
        return Code.DONE
    with private_file(Path(file), overwrite=force) as stream:
        *_, end = _written(lines, stream)
    found = end["counts"]
    assert isinstance(found, dict)
    counts = {name: count for name, count in found.items() if name != "reverie"}
    return door.tell(
        {"file": file, "agent_id": agent.id, "counts": counts},
        f"{file}: {words.counted(sum(counts.values()), 'line')} of agent {agent.id}"
        f" ({words.tally(counts)}); plain text, readable by you alone",
    )


def _written(lines: Iterable[Mapping[str, object]], stream: BinaryIO) -> Iterator[Mapping[str, object]]:
    for one in lines:
        stream.write(json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        yield one


@command("import")
def import_(
    door: Door,
    file: Annotated[str, argument("FILE", "An export, a folder or a zip; - is standard input.")],
    as_: Annotated[
        str | None,
        option("--as", f"Its kind: {', '.join(ImportKind)}. Default: told by its content.", "KIND"),
    ] = None,
    dry_run: DryRun = False,
    on_conflict: Annotated[
        str | None,
        option(
            "--on-conflict",
            "Of Reverie's own exports: what stays where both have an id and differ: "
            f"{', '.join(OnConflict)}. Default: {OnConflict.REFUSE}.",
            "RULE",
        ),
    ] = None,
    untrusted: Annotated[
        bool, option("--untrusted", "The file is not your own: what it says enters as external text.")
    ] = False,
    speaker: Annotated[
        str | None,
        option(
            "--speaker", "Whose export it is. Default: the agent's principal, where it has only one.", "NAME"
        ),
    ] = None,
    name: Annotated[
        str | None,
        option("--name", "Of a chat that is named by its file alone. Default: the file's.", "NAME"),
    ] = None,
) -> Code:
    """Bring an export into an agent's bank: Reverie's own, or what other programs wrote down.

    For example:
      reverie import mama.jsonl --agent mama
      reverie import mama.jsonl --agent mama --dry-run --on-conflict newer
      reverie import somebodys.jsonl --agent guest --untrusted
      reverie import chatgpt-export.zip --speaker Anna
      reverie import ~/.claude/projects --dry-run
      reverie import notes/ --as markdown

    An export of Reverie enters whole or not at all. An agent that has never written becomes the exported one, under its
    new name. Into a bank that isn't empty only what is new enters: what it has stays, and what was forgotten there
    stays forgotten. Every line is checked before the first is stored; a new bank is made whole, or not at all. Import
    files of others only with --untrusted: an export carries rules for the agent, too.

    Everything else enters as far as it can be read: chats and transcripts as messages, what other memories hold as
    external memories. Each is known by its own id there, so the same import again adds nothing, and goes on where one
    was interrupted. What is left out is counted, what can't be read is named, and then the command ends with 2. From
    standard input only Reverie's own exports are told by their content: name other kinds with --as.
    """
    kind = _kind(file, as_)
    if kind is not ImportKind.REVERIE:
        if on_conflict is not None:
            problem = f"it is for Reverie's own exports, and this is of the kind {kind}"
            raise InvalidInput("--on-conflict", problem, "leave it out: what the bank has stays")
        with _of_file():
            return _import_from(
                door, file, kind=kind, dry_run=dry_run, untrusted=untrusted, speaker=speaker, name=name,
                given=as_,
            )  # fmt: skip
    with (
        read_file(file, door, "lines that `reverie export` wrote") as stream,
        _target(door, make=not dry_run) as agent,
    ):
        with door.out.progress("embedding") as advance:
            done = agent.import_bank(
                stream,
                on_conflict=OnConflict.REFUSE if on_conflict is None else on_conflict,
                untrusted=untrusted,
                dry_run=dry_run,
                on_progress=advance,
            )
        used = [name for name in _COUNTS if any(getattr(one, name) for one in done.counts.values())]
        columns = {"": lambda one: one[0]} | {name.replace("_", " "): _count(name) for name in used}
        said = "would change" if done.dry_run else "changed"
        place = f"agent {done.agent_id}" + (" (new)" if done.new else "")
        result = f"{words.counted(done.changed, 'line')} of {done.source}'s export {said} {place}"
        table = door.rows([*done.counts.items()], columns) if done.counts and not door.out.as_json else []
        code = door.tell(done, *table, result)
        if done.embedded:
            embedded = "to embed" if done.dry_run else "embedded"
            door.out.say(f"{embedded}: {words.counted(done.embedded, 'text')}")
        if done.redacted:
            door.out.say(f"redacted: {words.tally(done.redacted)}")
        if any(one.forgotten for one in done.counts.values()):
            door.out.say("What was forgotten here on purpose does not come back by an import.")
    return code


def _kind(file: str, given: str | None) -> ImportKind:
    """Return the kind that is given, or that the content tells. Raises InvalidInput."""
    if given is not None:
        return member(ImportKind, given, "--as", "is no kind")
    if file == "-":
        return ImportKind.REVERIE
    from reverie.client import import_kind

    with _of_file():
        kind = import_kind(file)
    if kind is None:
        problem = (
            "it holds no file whose kind can be told" if Path(file).is_dir() else "its kind can't be told"
        )
        raise InvalidInput("FILE", problem, f"name the kind: --as {'|'.join(ImportKind)}")
    return kind


@contextmanager
def _of_file() -> Iterator[None]:
    """Let an error that is about the source be about FILE."""
    try:
        yield
    except InvalidInput as error:
        field = "FILE" if error.field == "source" else error.field
        raise InvalidInput(field, error.problem, error.remedy) from None


def _import_from(
    door: Door, file: str, *, kind: ImportKind, given: str | None, dry_run: bool, untrusted: bool,
    speaker: str | None, name: str | None,
) -> Code:  # fmt: skip
    with ExitStack() as stack:
        source: str | Iterator[bytes] = file
        if file == "-":
            source = stack.enter_context(read_file(file, door, f"an export of the kind {kind}"))
        agent = door.opened(make=not dry_run)
        advance = stack.enter_context(door.out.progress("reading"))
        done = agent.import_from(
            source,
            kind=given,
            speaker=speaker,
            name=name,
            untrusted=untrusted,
            dry_run=dry_run,
            on_progress=advance,
        )
    counts = {"messages": done.messages, "memories": done.memories}
    rows = [(what, one) for what, one in counts.items() if one.total]
    used = [name for name in _COUNTS if any(getattr(one, name) for _, one in rows)]
    columns = {"": lambda one: one[0]} | {name.replace("_", " "): _count(name) for name in used}
    table = door.rows(rows, columns) if rows and not door.out.as_json else []
    said = "would be new to" if dry_run else "new to"
    read = {"conversation": done.conversations, "memory": done.memories.total}
    new = {"message": done.messages.added, "memory": done.memories.added}
    result = f"{', '.join(done.kinds)}: {_amount(read)} read; {_amount(new)} {said} agent {done.agent_id}"
    door.tell(done, *table, result)
    for is_so, note in (
        (done.skipped, f"left out: {words.tally(done.skipped)}"),
        (done.captured, f"kept of it at once: {words.memories(done.captured)}"),
        (done.redacted, f"redacted: {words.tally(done.redacted)}"),
        (done.queued, f"waiting until the embedder works again: {done.queued:,}; import it again then"),
        (done.unreadable, f"could not be read: {done.unreadable:,}"),
    ):
        if is_so:
            door.out.say(note)
    for problem in done.problems:
        door.out.say(f"  {problem}")
    return Code.BAD_INPUT if done.unreadable else Code.DONE


def _amount(counts: Mapping[str, int]) -> str:
    """Return ``1 conversation and 2 memories``; ``nothing`` where all are 0."""
    return " and ".join(words.counted(count, noun) for noun, count in counts.items() if count) or "nothing"


def _count(name: str) -> Any:
    def cell(row: tuple[str, Counted]) -> str:
        count = getattr(row[1], name)
        return f"{count:,}" if count else ""

    return cell


@contextmanager
def _target(door: Door, *, make: bool) -> Iterator[Agent]:
    """Yield the agent to import into. A new bank is made as a draft, and gets its name once the import has ended:
    else it would be another process's bank as well by the time that this import fails, and must go again.
    """
    path = door.path if make else None
    if path is None or path.exists() or not is_a_name(path):
        yield door.opened(make=make)
        return
    if door.bank is None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK | os.X_OK)):
        yield door.opened(make=True)  # which says why there can be no bank
        return
    from reverie.client import draft

    with draft(path) as place, door.reverie(make=True, bank=str(place)) as reverie:
        try:
            yield reverie.agent(door.agent_id)
        finally:
            if reverie.agents():
                try:
                    reverie.backup(path)
                except InvalidInput:
                    if not path.exists():
                        raise
                    problem = f"another process made {path} meanwhile"
                    remedy = "nothing was brought in: import into that bank"
                    raise InvalidInput("--bank", problem, remedy) from None


_SOURCE, _TARGET = "The source's key", "The destination's key"
_KEY_FILE = "The key file. Default: REVERIE_KEY, or your key file."


@dataclass(frozen=True, kw_only=True)
class Keys:
    """Where the key of each side is; the client's own default where nothing is given."""

    source_key_file: Annotated[Path | None, option("--source-key-file", _KEY_FILE, "PATH", _SOURCE)] = None
    source_keyring: Annotated[bool, option("--source-keyring", "The system's keyring.", None, _SOURCE)] = (
        False
    )
    source_unencrypted: Annotated[
        bool, option("--source-unencrypted", "No key: a plain SQLite file.", None, _SOURCE)
    ] = False
    dest_key_file: Annotated[
        Path | None, option("--dest-key-file", f"{_KEY_FILE} Made for a new file.", "PATH", _TARGET)
    ] = None
    dest_keyring: Annotated[bool, option("--dest-keyring", "The system's keyring.", None, _TARGET)] = False
    dest_unencrypted: Annotated[
        bool, option("--dest-unencrypted", "No key: a plain SQLite file.", None, _TARGET)
    ] = False


@command("copy", shared=("as_json",))
def copy(
    door: Door,
    source: Annotated[str, argument("SOURCE", "A bank file, or a postgresql:// URL.")],
    destination: Annotated[str, argument("DEST", "Another; a missing file is made.")],
    keys: Keys,
    agents: Agents = None,
) -> Code:
    """Copy agents, whole, into another bank file or database.

    For example:
      reverie copy reverie.bank backup.bank
      reverie copy reverie.bank postgresql://db.example/memory
      reverie copy postgresql://db.example/memory mama.bank --agent mama

    Vectors are copied, not computed anew. Every table is compared, by counts and checksums, before an agent appears
    at DEST. If it is interrupted, run it again: it continues. The source stays as it is; what is written there later
    is not copied.
    """
    if door.bank is not None:
        raise InvalidInput("--bank", "copy has two banks", "name them behind the command: SOURCE DEST")
    for name, value in (("unencrypted", door.unencrypted), ("keyring", door.keyring)):
        if value:
            remedy = f"give --source-{name} or --dest-{name}, or both"
            raise InvalidInput(f"--{name}", "copy has two banks", remedy)
    for metavar, where in (("SOURCE", source), ("DEST", destination)):
        if not where.strip():
            raise InvalidInput(metavar, "it is empty", "give the path of a bank file or a postgresql:// URL")
    came_from = _opening("source", keys.source_key_file, keys.source_keyring, keys.source_unencrypted)
    goes_to = _opening("dest", keys.dest_key_file, keys.dest_keyring, keys.dest_unencrypted)
    from reverie.client import Reverie

    old = door.enter(Reverie.open(source, create=False, actor="cli", **came_from))
    chosen = door.chosen(old, agents)  # before a file is made for nothing
    new = door.enter(Reverie.open(destination, actor="cli", **goes_to))
    with door.out.progress("copying") as advance:
        copied = old.copy_to(new, agents=chosen, on_progress=advance)
    columns = {
        "agent": lambda one: one.agent_id,
        "memories": lambda one: f"{one.rows['memories']:,}",
        "messages": lambda one: f"{one.rows['episodes']:,}",
        "all rows": lambda one: f"{one.total:,}",
        "written now": lambda one: f"{one.written:,}",
        "verdict": _verdict,
    }
    where = new.info().where
    told = [f"{words.counted(len(copied), 'agent')} whole at {where}; every table compared equal"]
    if not copied:
        told = ["The source has no agents: there was nothing to copy."]
    table = door.rows(copied, columns) if copied and not door.out.as_json else []
    code = door.tell({"source": old.info().where, "destination": where, "agents": copied}, *table, *told)
    if copied and old.info().encrypted and not new.info().encrypted:
        door.out.say("The destination is not encrypted: these agents lie there as plain rows.")
    return code


def _opening(side: str, key_file: Path | None, keyring: bool, unencrypted: bool) -> Mapping[str, Any]:
    if sum((key_file is not None, keyring, unencrypted)) > 1:
        raise InvalidInput(f"--{side}-key-file", "several keys were given", "give at most one a side")
    return {"encrypted": False} if unencrypted else {"key": _KEYRING if keyring else key_file}


def _verdict(copied: Copied) -> str:
    if not copied.written:
        return "there already"
    return "copied" if copied.written == copied.total else "copied to the end"


@command("reembed", shared=OF_BANK)
def reembed(door: Door, agents: Agents = None) -> Code:
    """Move banks to the embedder that the settings name.

    For example:
      REVERIE_EMBED_PROVIDER=ollama reverie reembed
      reverie reembed --agent mama --bank team.bank

    Every text is embedded anew, in batches. Until the last one is done, the bank stays as it is, and others go on
    using it; then it moves in one step. If it is interrupted, run it again: it continues.
    """
    reverie = door.reverie()
    chosen = door.chosen(reverie, agents)
    done = of_each(door, reverie, chosen, "embedding", lambda one, told: one.jobs.reembed(on_progress=told))
    lines = [*map(_moved, done.values())] or ["The bank has no agents: there was nothing to move."]
    return door.tell({"agents": [*done.values()]}, *lines)


def _moved(done: Reembedded) -> str:
    if not done.switched:
        state = f"its vectors are by {done.after} already" if done.before else "no vectors"
        return f"{done.agent_id}: {state}"
    texts = words.counted(done.embedded, "text")
    return f"{done.agent_id}: {texts} embedded, moved from {done.before} to {done.after}"
