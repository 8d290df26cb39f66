"""One tree of errors; catch ``ReverieError`` to catch them all.

::

    ReverieError
    ├── InvalidInput          a value that the caller gave can't be used (also a ValueError)
    ├── NotFound              no such memory, episode or conversation (also a LookupError)
    ├── RefConflict           a message's ref was seen before with other words
    ├── Forgotten             the text was forgotten on purpose and may not be learned again
    ├── EmbedderMismatch      the bank's vectors were made by another embedder
    ├── DamagedModel          the embedding model's files are missing or broken
    ├── Closed                the Reverie was closed, or is used in a forked process
    ├── MindFailed            a mind gave no usable answer; nothing was changed
    ├── CapReached            a limit of calls, tokens or money forbids asking a model now
    ├── EmbedderFailed        an embedding provider gave no vectors; nothing was lost
    ├── Paused                the agent's jobs and capture are paused
    ├── JobRunning            the job runs already, here or in another process
    ├── NotRevertible         later changes depend on what was to be undone
    ├── LinkRefused           a neural link can't be asked for, accepted or revoked now
    └── StoreError            the bank file or database
        ├── NoBank            there is no file, and none was to be made
        ├── WrongKey          the key doesn't open this file
        ├── KeyProblem        no key, a malformed key, or one kept where others can read it
        ├── NotEncrypted      an encrypted bank was expected and the file is plain SQLite
        ├── Encrypted         a plain bank was expected and the file is not one
        ├── NotABank          a database, but not one of ours
        ├── DamagedFile       the file's pages don't verify
        ├── NewerSchema       a later Reverie wrote this file
        ├── ReadOnly          the file or its folder can't be written
        ├── DiskFull          no space left; the write was undone
        ├── Busy              another process held the write lock for too long
        ├── Unreachable       the database server can't be reached, or went away
        ├── TimedOut          a statement took longer than its limit
        ├── AccessRefused     the server refuses the password, the role or an act
        ├── NotPrepared       the database has no Reverie schema yet
        └── OlderSchema       the database's schema is older than this Reverie

Every message says what was wrong and what to do. No message holds a key or the contents of a memory.
"""

from __future__ import annotations


class ReverieError(Exception):
    """The root of all errors that Reverie raises on purpose. They can be pickled, as process pools do."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, dict(self.__dict__))


def _restored(
    kind: type[ReverieError], args: tuple[object, ...], attributes: dict[str, object]
) -> ReverieError:
    """An error as it was, without running an __init__ that would write its message anew."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(attributes)
    return error


class InvalidInput(ReverieError, ValueError):
    """A value given by the caller can't be used; nothing was stored.

    Attributes: ``field`` (which value), ``problem`` (what is wrong), ``remedy`` (what to do).
    """

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        self.field = field
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{field}: {problem}; {remedy}")


class NotFound(ReverieError, LookupError):
    """The agent's bank holds no such thing. Attributes: ``kind`` and ``id``."""

    def __init__(self, kind: str, id: str) -> None:
        self.kind = kind
        self.id = id
        shown = "reverie sleeps" if kind == "sleep" else "reverie list"
        super().__init__(f"no {kind} {id!r} in this agent's bank; `{shown}` shows what is there")


class RefConflict(ReverieError):
    """A message carries a ref that its conversation already holds with other words."""

    def __init__(self, ref: str, conversation: str) -> None:
        self.ref = ref
        self.conversation = conversation
        super().__init__(
            f"ref {ref!r} in conversation {conversation!r} was observed before with other words;"
            " a ref names one message for good: give the changed message a ref of its own"
        )


class Forgotten(ReverieError):
    """The text was forgotten on purpose; learning it again needs a deliberate override."""

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(
            f"{field}: this text was forgotten on purpose and is not learned again;"
            " pass override=True to remember(…) if that is what you want"
        )


class EmbedderMismatch(ReverieError):
    """The agent's vectors come from another embedder; vectors of two embedders never mix."""

    def __init__(self, agent_id: str, bank: str, given: str) -> None:
        self.agent_id = agent_id
        self.bank = bank
        self.given = given
        super().__init__(
            f"the bank of agent {agent_id!r} was made with embedder {bank!r}, this Reverie uses {given!r};"
            f" open it with embedder {bank!r}, or move it with `reverie reembed` (agent.reembed())"
        )


class DamagedModel(ReverieError):
    """A file of the built-in embedding model is missing or isn't what was shipped."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(
            f"the built-in embedding model is damaged ({file} {problem}); reinstall reverie-memory"
        )


class Closed(ReverieError):
    """This Reverie can't be used any more (closed), or not here (after a fork)."""

    def __init__(self, reason: str, remedy: str = "open it again with Reverie.open(…)") -> None:
        super().__init__(f"{reason}; {remedy}")


class MindFailed(ReverieError):
    """A mind could not be asked, or gave nothing usable; nothing was changed. ``why`` holds no contents."""

    def __init__(self, mind: str, why: str) -> None:
        super().__init__(f"the mind {mind} failed: {why}; try again, or choose another mind")
        self.mind = mind
        self.why = why


class CapReached(ReverieError):
    """A limit of calls, tokens or money (``Settings.llm_*``) forbids asking a model now; nothing was changed.

    Attributes: ``limit`` (which), ``free_at`` (ISO 8601: when some of it is free again).
    """

    def __init__(self, limit: str, free_at: str) -> None:
        super().__init__(f"the limit {limit} is reached until {free_at}; wait, or raise it in the settings")
        self.limit = limit
        self.free_at = free_at


class EmbedderFailed(ReverieError):
    """An embedding provider gave no vectors. ``why`` holds no contents."""

    def __init__(self, embedder: str, why: str) -> None:
        super().__init__(f"the embedder {embedder} failed: {why}; see that its server answers, and try again")
        self.embedder = embedder
        self.why = why


class Paused(ReverieError):
    """The agent's jobs and capture are paused."""

    def __init__(self, agent: str) -> None:
        super().__init__(f"agent {agent!r} is paused: nothing is consolidated or captured; resume() lifts it")
        self.agent = agent


class JobRunning(ReverieError):
    """The job runs already, here or in another process; never two at once on one agent."""

    def __init__(self, agent: str, job: str, until: str) -> None:
        super().__init__(
            f"a {job} of agent {agent!r} runs already; wait for it (should it have died, it is free at {until})"
        )
        self.agent = agent
        self.job = job


class NotRevertible(ReverieError):
    """Later changes depend on what was to be undone, or what it changed was forgotten; nothing was changed.

    ``why``: one line for each; ``is_lost``: ``force`` doesn't help.
    """

    def __init__(self, job_id: str, why: tuple[str, ...], *, is_lost: bool = False) -> None:
        super().__init__(
            f"{job_id} can't be undone alone: {'; '.join(why[:5])}{'; …' if len(why) > 5 else ''};"
            f" {'nothing restores that' if is_lost else 'force=True drops these changes too'}"
        )
        self.job_id = job_id
        self.why = why
        self.is_lost = is_lost


class LinkRefused(ReverieError):
    """A neural link can't be asked for, accepted, declined or revoked as it stands. Attributes: ``link_id`` (None where
    there is none yet) and ``problem``.
    """

    def __init__(self, link_id: str | None, problem: str, remedy: str) -> None:
        self.link_id = link_id
        self.problem = problem
        super().__init__(f"{'neural link' if link_id is None else f'neural link {link_id}'}: {problem}; {remedy}")


class StoreError(ReverieError):
    """Something about the bank file or database; subclasses say what."""


class WrongKey(StoreError):
    """The key does not open this file."""

    def __init__(self, where: str, key_source: str) -> None:
        super().__init__(
            f"{where} can't be opened with the key from {key_source}: it is encrypted with another key,"
            " or is no bank at all; give the key that it was made with (key=…, REVERIE_KEY or the key file)"
        )


class KeyProblem(StoreError):
    """There is no key, it is malformed, or it is kept where others can read it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")


class NotEncrypted(StoreError):
    """A plain SQLite file stands where an encrypted bank was expected."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is a plain SQLite file, not an encrypted bank; choose another path,"
            " or open it with encrypted=False if it is a bank that you made plain on purpose"
        )


class Encrypted(StoreError):
    """``encrypted=False`` was asked for, but the file is not plain SQLite."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is not a plain SQLite file (it is probably an encrypted bank);"
            " open it without encrypted=False, with its key"
        )


class NoBank(StoreError):
    """There is no bank file where one should be opened."""

    def __init__(self, where: str) -> None:
        super().__init__(f"there is no bank at {where}; check the path, or make one with `reverie init`")


class NotABank(StoreError):
    """A readable database that Reverie did not make."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is a database, but not one that Reverie made; nothing was changed: choose another path"
        )


class DamagedFile(StoreError):
    """Pages of the file don't verify, or their structure is broken."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is damaged (its pages don't verify); keep a copy of the file as it is,"
            " restore the last backup, and open that"
        )


class NewerSchema(StoreError):
    """A later Reverie wrote this file."""

    def __init__(self, where: str, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            f"{where} has schema {found} and this Reverie knows up to {known};"
            " nothing was changed: upgrade reverie-memory, or open the file with the version that wrote it"
        )


class ReadOnly(StoreError):
    """The file or its folder, or the server, can't be written."""

    def __init__(
        self, where: str, remedy: str = "make the file and its folder writable, or choose another path"
    ) -> None:
        super().__init__(f"{where} can't be written; {remedy}")


class DiskFull(StoreError):
    """No space was left; the write was undone as a whole."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"no space left for {where}; this write was undone and nothing else was lost:"
            " free space and repeat it"
        )


class Busy(StoreError):
    """Others held what was needed for longer than the waiting time: the write lock, or all connections."""

    def __init__(
        self, where: str, seconds: float, *, connections: int | None = None, alone: bool = False
    ) -> None:
        """``connections``: all of so many were in use; ``alone``: nobody else may have the file open."""
        if alone:
            super().__init__(
                f"{where}: somebody has it open; nothing was changed: close it everywhere, and repeat"
            )
            return
        held, remedy = "it is being written by another process", "Settings.busy_seconds"
        if connections is not None:
            held, remedy = (
                f"all {connections} connections were in use",
                "Settings.connections or Settings.busy_seconds",
            )
        super().__init__(
            f"{where}: {held} and did not come free in {seconds:g} s; nothing was changed: repeat it, or raise {remedy}"
        )


class Unreachable(StoreError):
    """The database server can't be reached, or went away. ``in_doubt``: a write was being confirmed, and may have been
    made.
    """

    def __init__(self, where: str, problem: str, *, in_doubt: bool = False) -> None:
        super().__init__(
            f"{where}: {problem}; see that the server runs and that the address is right, then try again"
        )
        self.in_doubt = in_doubt


class TimedOut(StoreError):
    """A statement took longer than its limit and was undone."""

    def __init__(self, where: str, seconds: float) -> None:
        super().__init__(
            f"{where}: a statement took longer than {seconds:g} s and was undone; ask for less at once,"
            " or raise Settings.statement_seconds"
        )


class AccessRefused(StoreError):
    """The server refuses the password, the role or what it was asked to do."""

    def __init__(
        self,
        where: str,
        problem: str,
        remedy: str = "check user and password, and that `reverie postgres init` gave the role its rights",
    ) -> None:
        super().__init__(f"{where}: {problem}; {remedy}")


class NotPrepared(StoreError):
    """The database has no Reverie schema yet."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} has no Reverie schema; make it with `reverie postgres init URL`, as a role that may create roles"
        )


class OlderSchema(StoreError):
    """The database's schema is older than this Reverie, and only the schema's owner may change it."""

    def __init__(self, where: str, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            f"{where} has schema {found} and this Reverie needs {known}; nothing was changed:"
            " run `reverie postgres init URL` again, with the rights it had the first time"
        )
