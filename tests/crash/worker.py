"""The program that is killed: ``python -m tests.crash.worker FD`` forks a fresh process for each that a test asks for.

Forking from a process that has imported everything, and has opened nothing, makes a start cost milliseconds. A child
obeys commands, one JSON list a line, and answers each once its work is done: a write's answer is its acknowledgement.
"""

from __future__ import annotations

import codecs
import json
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

from reverie import Forgot, Inserted, Memory, Reverie, ReverieError
from reverie.domain.attended import Attended
from reverie.domain.emotion import Emotion, Emotions
from reverie.domain.snippet import Snippet
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.exchange import transfer
from reverie.services.observe import outbox, storing
from reverie.services.runtime.secrets import clean
from reverie.services.sleep import sleep as sleeping
from reverie.store import transfer as rows
from reverie.store.fresh import FreshRows
from reverie.store.sqlite import connection, engine, schema
from reverie.wiring import assembly, care
from reverie.worker import Worker as BackgroundWorker
from tests.crash import aim as aiming
from tests.crash import ring, story
from tests.services import killed
from tests.services.beds import Dreamer, each_said
from tests.services.moody import Moody
from tests.services.scripted import Scripted, each_new, minded
from tests.services.sure import Sure

Answer = dict[str, Any]


class Worker:
    """One process with one bank; each public method is a command."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._held = ExitStack()
        self._aim = aiming.Aim(self.tell)
        self._reverie: Reverie | None = None
        self._tells = False

    def tell(self, answer: Answer) -> None:
        """Sends a line at once."""
        self._channel.sendall(json.dumps(answer).encode() + b"\n")

    def serve(self) -> None:
        """Obeys until the other side closes."""
        with self._channel.makefile("r") as lines:
            for line in lines:
                verb, *numbers = json.loads(line)
                command: Callable[..., Answer] = getattr(self, verb)
                try:
                    answer = command(*numbers)
                except ReverieError as error:
                    answer = {"error": type(error).__name__, "text": str(error)}
                self.tell({"verb": verb, **answer})

    def watch(self, what: str) -> Answer:
        """What the points are: file operations of SQLite, or system calls that make a key or a file."""
        assembly._own_judge = lambda _process: _Judge()  # type: ignore[assignment]
        assembly._judges = lambda _embedder: Sure()  # type: ignore[assignment,return-value]
        match what:
            case "files":
                self._vfs = aiming.watch_files(self._aim)
            case "key":
                aiming.watch_calls(self._aim, assembly, "file_key")
            case "place":
                aiming.watch_calls(self._aim, engine, "make_private")
            case "rekey":
                self._vfs = aiming.watch_files(self._aim)
                aiming.watch_calls(self._aim, care, "rekey")
        return {}

    def aim(self, at: int, way: str) -> Answer:
        """Kill at a point; 0 only counts."""
        self._aim.take(at, way)
        return {}

    def passed(self) -> Answer:
        """The points that were passed since the aim was taken."""
        return {"passed": self._aim.passed}

    def tell_when_waiting(self) -> Answer:
        """From now on the first try for a lock that another process holds is told."""
        wait = connection.BusyHandler.__call__

        def telling(patience: connection.BusyHandler, attempts: int) -> bool:
            if attempts == 0:
                self.tell({"waiting": True})
            return wait(patience, attempts)

        connection.BusyHandler.__call__ = telling  # type: ignore[method-assign,assignment]
        return {}

    def migrate_further(self) -> Answer:
        """From now on a bank is opened as by a later version."""
        schema.LATER = (*schema.LATER, story.NEXT)
        return {}

    def open(self, bank: str, key_file: str, busy_seconds: float = 30.0) -> Answer:
        """Opens the bank."""
        os.environ["REVERIE_KEY_FILE"] = key_file
        embedder = HashingEmbedder.for_tests()
        self._reverie = Reverie.open(bank, embedder=embedder, settings=story.settings(busy_seconds))
        self._agent = self._reverie.agent(story.AGENT)
        return {}

    def rekey(self, bank: str, key_file: str, new: str = "file") -> Answer:
        """Encrypts the bank with another key: the file ``new`` beside the old one, or the keyring's."""
        os.environ["REVERIE_KEY_FILE"] = key_file
        os.environ["XDG_CONFIG_HOME"] = str(Path(bank).parent)
        ring.install(Path(key_file).with_name("ring"))
        care.rekey(
            Path(bank), key=None, new_key="keyring" if new == "keyring" else Path(key_file).with_name("new")
        )
        return {}

    def remember(self, number: int) -> Answer:
        """Remembers the memory of that number."""
        return {"inserted": isinstance(self._agent.remember(story.essence(number)), Inserted)}

    def remember_range(self, first: int, count: int) -> Answer:
        """Remembers many at once."""
        outcomes = self._agent.remember_many([story.essence(first + number) for number in range(count)])
        return {"inserted": sum(isinstance(outcome, Inserted) for outcome in outcomes)}

    def observe(self, first: int, count: int) -> Answer:
        """Observes messages in one call."""
        messages = [story.message(number) for number in range(first, first + count)]
        return {"stored": self._agent.observe(messages, conversation=story.ROOM).stored}

    def revise(self, number: int) -> Answer:
        """Gives the memory of that number its next wording."""
        memory = self._memory(number)
        return {
            "version": self._agent.revise(
                memory.id, essence=story.essence(number, memory.version + 1)
            ).version
        }

    def forget(self, number: int) -> Answer:
        """Forgets the memory of that number."""
        receipt: Forgot = self._agent.forget(self._memory(number).id)
        return {"memories": len(receipt.memories)}

    def recall(self, number: int) -> Answer:
        """The best hit for the memory's text, and how many there are."""
        return {"best": _best(self._agent.recall(story.essence(number), limit=3).hits)}

    def recall_episode(self, number: int) -> Answer:
        """The best hit for the message's text."""
        return {"best": _best(self._agent.recall_episodes(story.content(number), limit=3).hits)}

    def read_until_told(self) -> Answer:
        """Recalls and lists again and again; says whether the bank ever seemed to go back."""
        rounds, rev, memories, went_back = 0, 0, 0, 0
        self.tell({"reading": True})
        while not select.select([self._channel], [], [], 0)[0]:
            hits = self._agent.recall("kept as", limit=1000).hits
            stats = self._agent.stats()
            went_back += stats.rev < rev or stats.memories < memories or len(hits) < min(memories, 1)
            rounds, rev, memories = rounds + 1, stats.rev, stats.memories
        return {"rounds": rounds, "went_back": went_back, "memories": memories}

    def told(self) -> Answer:
        """Nothing: ends ``read_until_told``."""
        return {}

    def hold(self) -> Answer:
        """Begins a write and keeps the lock."""
        assert self._reverie is not None
        self._held.enter_context(self._reverie._desk.store.write(story.AGENT))
        return {}

    def release(self) -> Answer:
        """Ends the write."""
        self._held.close()
        return {}

    def stop_inside(self, verb: str, *given: str) -> Answer:
        """Does a verb, and stops in its middle."""

        def wait() -> None:
            self.tell({"inside": True})
            threading.Event().wait()

        killed.VERBS[verb](wait, *given)
        return {}

    def copy_to(self, where: str, key_file: str | None, rows_at_once: int) -> Answer:
        """Copies all agents into another file, or a database; tells how far it is after each page."""
        assert self._reverie is not None
        transfer._MANY = rows._PAGE = rows_at_once
        key = None if key_file is None else Path(key_file)
        embedder, settings = HashingEmbedder.for_tests(), story.settings()
        with Reverie.open(where, key=key, embedder=embedder, settings=settings) as other:
            copied = self._reverie.copy_to(
                other, on_progress=lambda done, of: self.tell({"done": done, "of": of})
            )
        return {"written": [one.written for one in copied], "total": [one.total for one in copied]}

    def think(self) -> Answer:
        """From now on the bank has a mind, which makes a memory of each new message, and says so before."""
        assert self._reverie is not None

        def script(snippet: Snippet) -> object:
            self.tell({"reads": [story.number_of(one.content)[0] for one in snippet.new]})
            return each_new(snippet)

        self._reverie, self._agent = minded(self._reverie, Scripted(script if self._tells else each_new))
        return {}

    def tell_what_is_read(self) -> Answer:
        """``think`` is to tell of each snippet."""
        self._tells = True
        return {}

    def attend(self, rounds: int = 1) -> Answer:
        """So many rounds of the memory loop."""
        done = Attended()
        for _ in range(rounds):
            done += self._agent.attend()
        return {
            "snippets": done.snippets, "inserted": len(done.inserted), "reinforced": len(done.reinforced),
            "skipped": done.skipped, "failures": done.failures, "left": done.left,
        }  # fmt: skip

    def dream(self) -> Answer:
        """From now on the bank has a mind that learns what each message says when the agent sleeps."""
        assert self._reverie is not None
        self._reverie, self._agent = minded(self._reverie, Dreamer(dream=each_said))
        return {}

    def sleep(self) -> Answer:
        """Sleeps on what nobody has slept on."""
        assert self._reverie is not None
        done = sleeping.sleep(self._reverie._desk, story.AGENT, actor="child")
        return {"episodes": len(done.sleep.episodes), "changes": len(done.changes)}

    def reembed(self, where: str, at: int) -> Answer:
        """Moves a bank to another embedder, and dies after stage number ``at``."""
        self._die_after(at, (FreshRows, "put"), (FreshRows, "_replace"), (FreshRows, "clear"))
        with story.small(where, HashingEmbedder.for_tests(48)) as reverie:
            return {"moved": reverie.agent(story.AGENT).jobs.reembed().switched}

    def flush(self, where: str, at: int) -> Answer:
        """Stores what waits for its embeddings, and dies after stage number ``at``."""
        self._die_after(at, (outbox, "_take"), (storing, "_append"), (outbox, "_together"))
        with story.small(where, Moody()) as reverie:
            return {"left": reverie.agent(story.AGENT).jobs.flush().left}

    def _die_after(self, at: int, *stages: tuple[Any, str]) -> None:
        passed: list[str] = []

        def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
            def stage(*args: Any, **named: Any) -> Any:
                result = work(*args, **named)
                passed.append(name)
                if len(passed) == at:
                    self.tell({"killed": name})
                    os.kill(os.getpid(), signal.SIGKILL)
                return result

            return stage

        for owner, name in stages:
            setattr(owner, name, counted(name, getattr(owner, name)))

    def work(self) -> Answer:
        """Starts the worker's thread; says whether it runs now."""
        assert self._reverie is not None
        self._background = BackgroundWorker(self._reverie, every=0.01)
        self._background.start()
        return self.works()

    def works(self) -> Answer:
        """Whether the worker's thread runs in this process."""
        return {"works": self._background.is_running}

    def stop_working(self) -> Answer:
        """Stops the thread."""
        return {"stopped": self._background.stop(timeout=60)}

    def close(self) -> Answer:
        """Closes the bank."""
        assert self._reverie is not None
        self._reverie.close()
        return {}

    def fork(self, *numbers: str | int) -> Answer:
        """Forks once: ``in_fork`` then speaks to the forked process, which has the bank from before the fork."""
        ours, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            ours.close()
            self._channel = theirs
            _serve_and_exit(self)
        theirs.close()
        self._forked, self._forked_lines = ours, ours.makefile("r")
        return {}

    def in_fork(self, *step: str | int) -> Answer:
        """Does a command in the forked process, and gives its answer."""
        self._forked.sendall(json.dumps(step).encode() + b"\n")
        answer: Answer = json.loads(self._forked_lines.readline())
        return answer

    def kill_fork(self) -> Answer:
        """Ends the forked process with SIGKILL."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        return {}

    def _memory(self, number: int) -> Memory:
        marked = [m for m in self._agent.memories(limit=1000) if story.number_of(m.essence)[0] == number]
        return marked[0]


class _Judge:
    """Feels the same in every text: each process that dies at a point would load the built-in model anew, as it would
    to judge sentences.
    """

    def emotions(self, texts: Sequence[str]) -> list[Emotions]:
        """Three labels a text, as they are stored."""
        return [(Emotion("neutral"), Emotion("curiosity"), Emotion("joy")) for _ in texts]

    def mood(self, texts: Sequence[str]) -> list[tuple[Emotion, ...]]:
        """None."""
        return [() for _ in texts]


def _best(hits: Any) -> list[int]:
    return list(story.number_of(hits[0].text)) if hits else []


def _serve_and_exit(worker: Worker) -> NoReturn:
    try:
        worker.serve()
        os._exit(0)
    finally:
        traceback.print_exc()
        os._exit(1)


def _spawn(descriptor: int, server: socket.socket) -> int:
    pid = os.fork()
    if pid:
        os.close(descriptor)
        return pid
    server.close()
    _serve_and_exit(Worker(socket.socket(fileno=descriptor)))


def main() -> None:
    """Forks and waits as told; at the end, no child is left."""
    codecs.lookup("ascii")  # else its import would lie inside the making of a key
    clean(story.settings(), "")  # else each child would read the forms of secrets anew
    server = socket.socket(fileno=int(sys.argv[1]))
    living: set[int] = set()
    try:
        while True:
            order, descriptors, _, _ = socket.recv_fds(server, 64, 1)
            if not order:
                break
            if descriptors:
                pid = _spawn(descriptors[0], server)
                living.add(pid)
                server.sendall(b"%d\n" % pid)
            else:
                pid = int(order)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                living.discard(pid)
                server.sendall(b"%d\n" % status)
    finally:
        for pid in living:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
