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
    ├── NotOpen               a question to the host's model that can't be answered any more
    ├── NotRevertible         later changes depend on what was to be undone
    ├── LinkRefused           a neural link can't be asked for, accepted or revoked now
    ├── NotHeard              some members of a room have a message, and others could not take it
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

from reverie.errors.root import ReverieError as ReverieError
from reverie.errors.showing import shown
from reverie.errors.stores import AccessRefused as AccessRefused
from reverie.errors.stores import Busy as Busy
from reverie.errors.stores import DamagedFile as DamagedFile
from reverie.errors.stores import DiskFull as DiskFull
from reverie.errors.stores import Encrypted as Encrypted
from reverie.errors.stores import KeyProblem as KeyProblem
from reverie.errors.stores import NewerSchema as NewerSchema
from reverie.errors.stores import NoBank as NoBank
from reverie.errors.stores import NotABank as NotABank
from reverie.errors.stores import NotEncrypted as NotEncrypted
from reverie.errors.stores import NotPrepared as NotPrepared
from reverie.errors.stores import OlderSchema as OlderSchema
from reverie.errors.stores import ReadOnly as ReadOnly
from reverie.errors.stores import StoreError as StoreError
from reverie.errors.stores import TimedOut as TimedOut
from reverie.errors.stores import Unreachable as Unreachable
from reverie.errors.stores import WrongKey as WrongKey
from reverie.errors.unheard import NotHeard as NotHeard


class InvalidInput(ReverieError, ValueError):
    """A value given by the caller can't be used; nothing was stored.

    Attributes: ``field`` (which value), ``problem`` (what is wrong), ``remedy`` (what to do).
    """

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        self.field = field
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{field}: {problem}; {remedy}")


_SHOWN_BY = {
    "agent": "reverie stats", "audit entry": "reverie audit", "conversation": "reverie rooms list",
    "diary page": "reverie diary list", "goal": "reverie goals list", "procedure": "reverie procedures list",
    "neural link": "reverie link list", "relationship": "reverie relationships list", "sleep": "reverie sleeps list",
    "soul entry": "reverie soul list", "token": "reverie token list",
}  # fmt: skip
_HELD_BY = {"agent": "this store", "token": "this file"}


class NotFound(ReverieError, LookupError):
    """The agent's bank holds no such thing. Attributes: ``kind`` and ``id``."""

    def __init__(self, kind: str, id: str) -> None:
        self.kind = kind
        self.id = id
        where = _HELD_BY.get(kind, "this agent's bank")
        lists = _SHOWN_BY.get(kind, "reverie list")
        super().__init__(f"no {kind} {shown(id)} in {where}; `{lists}` shows what is there")


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
            " if that is what you want, use override (`--override`)"
        )


class EmbedderMismatch(ReverieError):
    """The agent's vectors come from another embedder; vectors of two embedders never mix."""

    def __init__(self, agent_id: str, bank: str, given: str) -> None:
        self.agent_id = agent_id
        self.bank = bank
        self.given = given
        super().__init__(
            f"the bank of agent {agent_id!r} was made with embedder {bank!r}, this Reverie uses {given!r};"
            f" open it with embedder {bank!r}, or move it with `reverie reembed` (agent.jobs.reembed())"
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
    """A limit of calls, tokens or money (``Settings.llm``) forbids asking a model now; nothing was changed.

    Attributes: ``limit`` (which), ``free_at`` (ISO 8601: when enough of it is free again; None: never, since what is
    asked for needs more than the limit by itself).
    """

    def __init__(self, limit: str, free_at: str | None, *, needs: str | None = None) -> None:
        """``needs``: what is asked for may need so much, more than the limit allows at any time."""
        if free_at is None:
            super().__init__(
                f"the limit {limit} is too low: what is asked for may need {needs or 'more'} by itself, and waiting"
                " doesn't change that; raise the limit in the settings, or ask for less at once"
                " (Settings.sleep.batch, say)"
            )
        else:
            super().__init__(
                f"the limit {limit} is reached until {free_at}; wait, or raise it in the settings"
            )
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
        super().__init__(
            f"agent {agent!r} is paused: nothing is consolidated or captured;"
            " lift that with `reverie resume` (agent.jobs.resume())"
        )
        self.agent = agent


class JobRunning(ReverieError):
    """The job runs already, here or in another process; never two at once on one agent.

    ``process``: its number, where it is one of this machine that lives; once it is gone the job is free at once.
    """

    def __init__(self, agent: str, job: str, until: str, *, process: int | None = None) -> None:
        if process is None:
            where, freed = "", f"should it have died, it is free at {until}"
        else:
            where, freed = (
                f" in process {process} of this machine",
                "should that be killed, it is free at once",
            )
        super().__init__(f"a {job} of agent {agent!r} runs already{where}; wait for it ({freed})")
        self.agent = agent
        self.job = job
        self.process = process


class NotOpen(ReverieError):
    """A night or an extraction can't be answered any more; nothing was changed.

    Attributes: ``kind`` (night or extraction), ``id``, ``why``.
    """

    def __init__(self, kind: str, id: str, why: str, *, remedy: str | None = None) -> None:
        todo = remedy or f"ask for the next {kind} and answer that"
        super().__init__(f"{kind} {shown(id)}: {why}; nothing was changed: {todo}")
        self.kind = kind
        self.id = id
        self.why = why


class NotRevertible(ReverieError):
    """Later changes depend on what was to be undone, or what it changed was forgotten; nothing was changed.

    ``why``: one line for each; ``is_lost``: ``force`` doesn't help.
    """

    def __init__(self, job_id: str, why: tuple[str, ...], *, is_lost: bool = False) -> None:
        super().__init__(
            f"{job_id} can't be undone alone: {'; '.join(why[:5])}{'; …' if len(why) > 5 else ''};"
            f" {'nothing restores that' if is_lost else 'force (`--force`) drops these changes too'}"
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
        super().__init__(
            f"{'neural link' if link_id is None else f'neural link {link_id}'}: {problem}; {remedy}"
        )
