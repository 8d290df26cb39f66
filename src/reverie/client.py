"""Open banks, and hand out agents and rooms. Thin: each verb calls the service that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from types import TracebackType

from reverie.agent import Agent as Agent
from reverie.agent import Moment, Names, Progress
from reverie.agent.base import checked_stop, listed, told
from reverie.agent.facets import Room
from reverie.domain.attended import Attended
from reverie.domain.backup import BackedUp
from reverie.domain.housekept import Housekept
from reverie.domain.ids import Ids, checked_name
from reverie.domain.import_report import ImportKind
from reverie.domain.model_check import ModelCheck
from reverie.domain.outcome import Copied, Flushed, Reembedded
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.domain.settings import Settings
from reverie.domain.sleep import SleepReport
from reverie.domain.text import normalized
from reverie.domain.time import Clock
from reverie.domain.turned import Backlog, DeadJobs, Turned
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.language import asks_before as asks_before
from reverie.language import visible as visible
from reverie.memory.quoting import fenced as fenced
from reverie.memory.quoting import shown_name as shown_name
from reverie.ports.embedder import Embedder
from reverie.ports.mind import Mind
from reverie.ports.store import StoreInfo
from reverie.services.exchange import transcripts as transcripts
from reverie.services.exchange import transfer
from reverie.services.loop import loop
from reverie.services.observe import messages_of as messages_of
from reverie.services.observe import outbox
from reverie.services.runtime import Desk, check_model
from reverie.services.runtime import checks as given
from reverie.services.society import relate, rooms
from reverie.services.upkeep import reembed, schedules, turns
from reverie.wiring.access import Right as Right
from reverie.wiring.access import Token as Token
from reverie.wiring.access import Tokens as Tokens
from reverie.wiring.assembly import assemble
from reverie.wiring.assembly import database_status as database_status
from reverie.wiring.assembly import draft as draft
from reverie.wiring.assembly import move_agent as move_agent
from reverie.wiring.assembly import prepare_database as prepare_database
from reverie.wiring.assembly import scour_database as scour_database
from reverie.wiring.care import backup
from reverie.wiring.care import rekey as rekey
from reverie.wiring.repeats import Repeat as Repeat
from reverie.wiring.repeats import Repeats as Repeats
from reverie.wiring.settings import MCP_TOKEN_VARIABLE, surroundings
from reverie.wiring.settings import HostFolders as HostFolders
from reverie.wiring.settings import host_folders as host_folders
from reverie.wiring.settings import memory_variables as memory_variables
from reverie.wiring.tokens import ServerToken, environment_token, file_token, new_token


def default_bank() -> Path | None:
    """Return the file that ``Reverie.open()`` opens: REVERIE_BANK's, or your own; None where that is a server's."""
    bank = surroundings().bank
    return bank if isinstance(bank, Path) else None


def default_key_file() -> Path:
    """Return where ``Reverie.open`` makes and looks for the key: REVERIE_KEY_FILE, or the config folder."""
    return surroundings().key_file


def default_agent() -> str:
    """Return whose bank a command means that names no agent: REVERIE_AGENT, or ``main``."""
    return surroundings().agent


def import_kind(path: str) -> ImportKind | None:
    """Return the kind of what ``Agent.import_from`` would read there; None where it can't be told. Raises InvalidInput
    for what can't be read.
    """
    from reverie.services.exchange.foreign import kind_of

    return kind_of(path)


def server_token(file: Path | None = None) -> ServerToken:
    """Return what a server over HTTP asks of its clients: REVERIE_MCP_TOKEN's, the file's (made where it isn't there),
    or a new one. Raises InvalidInput.
    """
    said = surroundings().mcp_token
    if said is not None:
        return environment_token(said, MCP_TOKEN_VARIABLE)
    return new_token() if file is None else file_token(file)


class Reverie:
    """Agents' banks in one file or database. Open it once in a process, and close it when you are done. You may use it
    from many threads.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     outcome = mama.remember("Péter is allergic to peanuts", kind="fact", importance=0.9)
    ...     mama.recall("what must Péter not eat?").hits[0].text
    'Péter is allergic to peanuts'
    """

    def __init__(self, desk: Desk, *, actor: str) -> None:
        self._desk = desk
        self._actor = actor

    @classmethod
    def open(
        cls, where: str | Path | None = None, *, key: bytes | str | Path | None = None, encrypted: bool = True,
        create: bool = True, settings: Settings | None = None, embedder: Embedder | None = None,
        mind: Mind | None = None, clock: Clock | None = None, ids: Ids | None = None, actor: str = "caller",
    ) -> Reverie:  # fmt: skip
        """Open a bank file, which is made if it isn't there, or a database that ``reverie postgres init`` prepared.

        ``where``: a path (or ``sqlite:///path``) or a ``postgresql://`` URL; None for REVERIE_BANK or the user's
        own data folder. ``key`` (of files alone): 32 bytes, 64 hexadecimal digits, a key file's Path, or
        ``"keyring"``; None for REVERIE_KEY or the user's key file; a key file is made (readable by its owner
        alone) with the first bank. ``encrypted=False`` asks for a plain SQLite file; ``create=False`` opens only
        what is there. ``mind``: one of your own instead of ``Settings.mind``. ``actor`` signs the audit log.

        Raises NoBank, KeyProblem, WrongKey, DamagedFile, NewerSchema, NotEncrypted, NotABank, ReadOnly, InvalidInput;
        of a server NotPrepared, Unreachable, AccessRefused.
        """
        desk = assemble(
            where, key=key, encrypted=encrypted, create=create, settings=settings, embedder=embedder,
            mind=mind, clock=clock, ids=ids, actor=actor,
        )  # fmt: skip
        return cls(desk, actor=actor)

    def agent(
        self, id: str, *, time_zone: str | None = None, principals: Sequence[str] | None = None,
        home: str | None = None, location: str | None = None,
    ) -> Agent:  # fmt: skip
        """Return the agent of that id. It comes into being with its first write. What you give here changes its
        profile. Raises InvalidInput.
        """
        agent = Agent(self._desk, given.agent_of(self._desk, id, "agent"), actor=self._actor)
        if any(value is not None for value in (time_zone, principals, home, location)):
            agent.set_profile(time_zone=time_zone, principals=principals, home=home, location=location)
        return agent

    def room(self, id: str, members: Sequence[str]) -> Room:
        """Return a conversation that these agents share: what is said in it reaches the bank of each, on channel
        "room". Nothing is stored until something is said. Raises InvalidInput.
        """
        ids = tuple(given.agent_of(self._desk, one, "members") for one in rooms.checked_members(members))
        return Room(self._desk, checked_name(id, "room"), ids, actor=self._actor)

    def relationship_graph(
        self, agents: Sequence[str] | None = None, *, as_of: Moment | None = None
    ) -> RelationshipGraph:
        """Return how these agents (None: all) see each other and everyone else, as one graph. Raises InvalidInput."""
        return relate.graph(self._desk, self.agents() if agents is None else agents, as_of=as_of)

    def agents(self) -> Sequence[str]:
        """Return the ids of all agents that have written, sorted."""
        return self._desk.store.agent_ids()

    def info(self) -> StoreInfo:
        """Return where the banks lie, whether they are encrypted, and how large they are."""
        return self._desk.store.info()

    def tokens(self, text: str) -> int:
        """Return what a text costs a language model, by an estimate: max(the embedder's tokens, UTF-8 bytes / 3)."""
        if not isinstance(text, str):
            raise InvalidInput("text", f"{shown(text)} is not text", "give a str")
        return self._desk.tokens(normalized(text))

    def warm(self) -> None:
        """Load the models now, so that the first verb needn't. Raises DamagedModel."""
        vector = self._desk.embedder.embed_query("warm")
        self._desk.felt(["warm"], vector[None])

    def attend(
        self, agent_id: str | None = None, *, everyone: bool = True, stop: Event | None = None
    ) -> Attended:
        """Run one round of the memory loop: read what is new in conversations, and keep what is worth it.

        For that agent; for all; or with ``everyone`` False for those that observed something in this process since
        the last round. A ``Worker`` calls it in the background, with ``stop``: then the round gives way to callers,
        and ends early once that is set. Raises StoreError, EmbedderMismatch (of one agent).
        """
        if agent_id is not None:
            return loop.attend(
                self._desk, checked_name(agent_id, "agent"), actor=self._actor, stop=checked_stop(stop)
            )
        return loop.attend_all(self._desk, everyone=everyone, actor=self._actor, stop=checked_stop(stop))

    def housekeeping(
        self, agent_id: str | None = None, *, stop: Event | None = None
    ) -> Mapping[str, Housekept]:
        """Run the week's housekeeping of that agent, or of all, where it is due, and return the reports by agent.

        A ``Worker`` calls it in the background, with ``stop`` (see ``attend``). What failed or ended early is tried
        again at the next call.
        """
        agents = None if agent_id is None else [checked_name(agent_id, "agent")]
        return schedules.weekly(self._desk, agents, actor=self._actor, stop=checked_stop(stop))

    def flush(self, agent_id: str | None = None, *, stop: Event | None = None) -> Flushed:
        """Store what waits of that agent, or of all, since an embedder failed (``Jobs.flush``). A ``Worker`` calls it
        in the background.
        """
        agents = None if agent_id is None else [checked_name(agent_id, "agent")]
        return outbox.flush_all(self._desk, agents, stop=checked_stop(stop))

    def reembed(
        self, *, agents: Names = None, on_progress: Progress | None = None, stop: Event | None = None
    ) -> tuple[Reembedded, ...]:
        """Move the banks of these agents, or of all, to this Reverie's embedder, one after the other
        (``Jobs.reembed``). ``stop``: end early once that is set; the next call goes on.
        """
        names = None if agents is None else [checked_name(one, "agents") for one in listed(agents, "agents")]
        return reembed.reembed_all(self._desk, names, progress=told(on_progress), stop=checked_stop(stop))

    def sleep(
        self, agent_id: str | None = None, *, stop: Event | None = None
    ) -> Mapping[str, tuple[SleepReport, ...]]:
        """Sleep for that agent, or for all, where it is due (``SleepSettings``), and return the reports by agent.

        A ``Worker`` calls it in the background, with ``stop`` (see ``attend``). What failed is parked with a growing
        pause.
        """
        agents = None if agent_id is None else [checked_name(agent_id, "agent")]
        return schedules.nightly(self._desk, agents, actor=self._actor, stop=checked_stop(stop))

    def check(self) -> Iterator[str]:
        """Verify the file page by page, and yield a line for each fault."""
        return self._desk.store.check()

    def check_model(self) -> ModelCheck:
        """Ask the language model of the settings one tiny question, and return what works, what it cost, and what a
        night would send it. Nothing of a bank is sent. Raises InvalidInput (no model is configured), CapReached.
        """
        return check_model(self._desk)

    def backup(self, to: str | Path, *, key: bytes | str | Path | None = None) -> BackedUp:
        """Copy every bank as it is at one moment into a new, encrypted file, and read it back as proof. Others go on
        meanwhile. Open the copy like any bank.

        Of a file it has the same key; with ``key`` (as ``open`` takes it), and of a server, that one. Each agent's
        audit log tells of it, and receipts of a forget name it; a warning is logged where a log can't be written.
        Raises InvalidInput (something is there), KeyProblem, StoreError; then nothing is left there.
        """
        return backup(self._desk, to, key=key, actor=self._actor)

    def copy_to(
        self, other: Reverie, *, agents: Names = None, on_progress: Progress | None = None
    ) -> tuple[Copied, ...]:
        """Copy these agents, or all, whole and verified into another file or database. Repeat it if it was interrupted.

        Raises InvalidInput (an agent is there already, with other contents), StoreError (so far whole agents are done).
        """
        if not isinstance(other, Reverie):
            raise InvalidInput("other", f"{shown(other)} is no Reverie", "give an open one")
        return transfer.copy(self._desk, other._desk, agents, on_progress=told(on_progress))

    def close(self) -> None:
        """Write pending touches and close the file. You may call it twice."""
        self._desk.dirty.close()
        try:
            self._desk.touches.close()
        finally:
            self._desk.search.close()
            self._desk.store.close()

    def __enter__(self) -> Reverie:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def working(reverie: Reverie, agent_id: str | None = None, *, stop: Event) -> Iterator[Turned]:
    """Do what is due in the background, agent by agent, and yield what was done: for workers. See ``turns.turns``."""
    return turns.turns(reverie._desk, actor=reverie._actor, stop=stop, agent_id=agent_id)  # noqa: SLF001  # as below


def backlog(reverie: Reverie) -> Backlog:
    """Return what waits for workers, over all agents."""
    return turns.backlog(reverie._desk)  # noqa: SLF001  # as below


def dead_jobs(reverie: Reverie, limit: int = 1_000) -> DeadJobs:
    """Return which jobs of which agents failed so often that they aren't tried by themselves any more."""
    return turns.dead_jobs(reverie._desk, limit=limit)  # noqa: SLF001  # as below


def signed(reverie: Reverie, actor: str) -> Reverie:
    """Return the same open banks for another door of this process, which signs the audit log as ``actor``. Whoever
    opened them closes them.
    """
    return Reverie(reverie._desk, actor=actor)  # noqa: SLF001  # as a method it would be a verb
