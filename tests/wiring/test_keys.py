"""The key: from the caller, the environment, a file of one's own, or a keyring that encrypts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest

import reverie
from reverie import KeyProblem
from reverie.wiring.keys import Key, environment_key, file_key, given_key, keyring_key

RAW = bytes(range(32))
posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


def test_a_caller_gives_32_bytes_or_64_hexadecimal_digits() -> None:
    assert given_key(RAW).raw == RAW
    assert given_key(RAW.hex()).raw == RAW
    assert given_key(f"  {RAW.hex().upper()}\n").raw == RAW


@pytest.mark.parametrize(
    "key", [b"", b"short", bytes(33), "", "ab", "zz" * 32, "ab" * 33, "passphrase", 5, RAW.hex() + "g"]
)
def test_a_malformed_key_is_refused_without_being_quoted(key: object) -> None:
    with pytest.raises(KeyProblem) as refused:
        given_key(key)
    assert not isinstance(key, str) or len(key) < 4 or key not in str(refused.value)


def test_the_environments_key_is_named_by_its_variable() -> None:
    assert environment_key(RAW.hex(), "REVERIE_KEY").source == "REVERIE_KEY"
    with pytest.raises(KeyProblem, match="REVERIE_KEY is not 64 hexadecimal digits") as refused:
        environment_key("topsecretpassphrase", "REVERIE_KEY")
    assert "topsecret" not in str(refused.value)


def test_a_key_is_in_no_repr() -> None:
    key = Key(raw=RAW, source="the caller")
    for shown in (repr(key), str(key), f"{key}"):
        assert "the caller" in shown
        assert RAW.hex() not in shown
        assert repr(RAW) not in shown


def test_a_key_file_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "key"
    first = file_key(path, make=True)
    assert len(first.raw) == 32
    assert file_key(path, make=True).raw == file_key(path, make=False).raw == first.raw
    assert path.read_text() == first.raw.hex() + "\n"
    assert [*path.parent.iterdir()] == [path]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700


def test_two_key_files_are_two_keys(tmp_path: Path) -> None:
    assert file_key(tmp_path / "a", make=True).raw != file_key(tmp_path / "b", make=True).raw


def test_without_leave_no_key_is_made(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(KeyProblem, match=r"there is no key.*put that file back"):
        file_key(path, make=False)
    assert not path.exists()


@posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o666, 0o610, 0o601])
def test_a_key_file_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    path.write_text(RAW.hex())
    path.chmod(mode)
    with pytest.raises(KeyProblem, match="can be read by others; run: chmod 600") as refused:
        file_key(path, make=False)
    assert RAW.hex() not in str(refused.value)
    path.chmod(0o400)
    assert file_key(path, make=False).raw == RAW


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"ab", b"zz" * 32, b"\xff\xfe" * 20, RAW, RAW.hex().encode() * 2]
)
def test_a_key_file_that_holds_no_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    for make in (False, True):
        with pytest.raises(KeyProblem):
            file_key(path, make=make)
    assert path.read_bytes() == content


def test_a_folder_or_a_file_in_the_way_is_no_key_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "file" / "key"):
        (tmp_path / "file").write_text("in the way")
        with pytest.raises(KeyProblem):
            file_key(path, make=True)


@pytest.mark.parametrize("name", ["a\x00b", "\ud800"])
def test_a_path_that_no_file_can_have_is_a_key_problem(tmp_path: Path, name: str) -> None:
    with pytest.raises(KeyProblem):
        file_key(tmp_path / name, make=True)


def test_eight_threads_that_make_the_first_key_make_one(tmp_path: Path) -> None:
    for n in range(20):
        path = tmp_path / f"key{n}"
        barrier = threading.Barrier(8)
        found: list[bytes] = []

        def work(path: Path = path, barrier: threading.Barrier = barrier, found: list[bytes] = found) -> None:
            barrier.wait(30)
            found.append(file_key(path, make=True).raw)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert len(set(found)) == 1
    assert len([*tmp_path.iterdir()]) == 20  # and no draft is left


def test_processes_that_make_the_first_key_make_one(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from reverie.wiring.keys import file_key; sys.stdin.read(1);"
        "print(file_key(pathlib.Path(sys.argv[1]), make=True).raw.hex())"
    )
    path = tmp_path / "key"
    environment = {**os.environ, "PYTHONPATH": str(Path(reverie.__file__).parents[1])}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(4)
    ]
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go")
        worker.stdin.flush()
    said = {worker.communicate(timeout=300)[0] for worker in workers}
    assert len(said) == 1
    assert re.fullmatch(r"[0-9a-f]{64}\n", said.pop())


class _Keyring(ModuleType):
    """A keyring package with one back end and a drawer of passwords."""

    def __init__(self, backend: object, drawer: dict[tuple[str, str], str]) -> None:
        super().__init__("keyring")
        self.backend, self.drawer = backend, drawer
        self.refuses: Exception | None = None

    def get_keyring(self) -> object:
        return self.backend

    def get_password(self, service: str, account: str) -> str | None:
        if self.refuses:
            raise self.refuses
        return self.drawer.get((service, account))

    def set_password(self, service: str, account: str, password: str) -> None:
        self.drawer[service, account] = password


def _backend(module: str, **members: object) -> object:
    return type("Keyring", (), {"__module__": module, **members})()


class _Refused(Exception):
    pass


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> _Keyring:
    """The operating system's keyring, as if the package were installed."""
    package = _Keyring(_backend("keyring.backends.SecretService"), {})
    errors = ModuleType("keyring.errors")
    errors.KeyringError = _Refused  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", package)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return package


def test_a_keyring_keeps_the_key_that_was_made(keyring: _Keyring) -> None:
    with pytest.raises(KeyProblem, match="holds no key"):
        keyring_key(make=False)
    assert keyring.drawer == {}
    made = keyring_key(make=True)
    assert len(made.raw) == 32
    assert keyring_key(make=True).raw == keyring_key(make=False).raw == made.raw
    assert [*keyring.drawer.values()] == [made.raw.hex()]


@pytest.mark.parametrize(
    "backend",
    [
        _backend("keyrings.alt.file"),
        _backend("keyring.backends.null"),
        _backend("keyring.backends.fail"),
        _backend("keyring.backends.chainer", backends=[]),
        _backend(
            "keyring.backends.chainer",
            backends=[_backend("keyring.backends.SecretService"), _backend("keyrings.alt.file")],
        ),
        _backend("keyring.backends.macOSlookalike"),
        _backend("evil.keyring.backends.SecretService"),
    ],
)
def test_a_keyring_that_may_keep_in_clear_is_refused(keyring: _Keyring, backend: object) -> None:
    keyring.backend = backend
    with pytest.raises(KeyProblem, match="not known to encrypt"):
        keyring_key(make=True)
    assert keyring.drawer == {}


@pytest.mark.parametrize(
    "backend",
    [
        _backend("keyring.backends.macOS"),
        _backend("keyring.backends.macOS.api"),
        _backend("keyring.backends.Windows"),
        _backend("keyring.backends.kwallet"),
        _backend("keyring.backends.libsecret"),
        _backend("keyring.backends.chainer", backends=[_backend("keyring.backends.SecretService")]),
    ],
)
def test_the_operating_systems_keyrings_are_trusted(keyring: _Keyring, backend: object) -> None:
    keyring.backend = backend
    assert keyring_key(make=True).source == "the keyring"


def test_a_locked_keyring_is_a_key_problem(keyring: _Keyring) -> None:
    keyring.drawer["reverie", "bank-key"] = "not-a-key-but-secret"
    with pytest.raises(KeyProblem) as refused:
        keyring_key(make=True)
    assert "not-a-key" not in str(refused.value)
    keyring.refuses = _Refused("locked")
    with pytest.raises(KeyProblem, match="refused"):
        keyring_key(make=True)


def test_without_the_package_the_keyring_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(KeyProblem, match=r"pip install '\.\[keyring\]'"):
        keyring_key(make=True)


class _Slow(_Keyring):
    """A keyring in which whoever finds no key is kept until the other has found none too, if that may be."""

    def __init__(self, backend: object) -> None:
        super().__init__(backend, {})
        self.meeting = threading.Barrier(2)
        self.asked = threading.local()

    def get_password(self, service: str, account: str) -> str | None:
        found = super().get_password(service, account)
        if not getattr(self.asked, "once", False):
            self.asked.once = True
            self.meeting.wait(30)
        elif found is None:
            time.sleep(0.1)  # long enough for the other to find none too, were it let in
        return found

    def set_password(self, service: str, account: str, password: str) -> None:
        time.sleep(0.05 * (1 + len(self.drawer)))
        super().set_password(service, account, password)
        self.sets = getattr(self, "sets", 0) + 1


def test_two_that_both_find_no_key_in_the_keyring_get_one(
    keyring: _Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = _Slow(keyring.backend)
    monkeypatch.setitem(sys.modules, "keyring", slow)
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(keyring_key(make=True).raw)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (slow.sets, len(found), len(set(found))) == (1, 2, 1)


_FAKE = '''
"""A keyring in a file, slow to write, that claims to be an operating system's."""
import os, pathlib, sys, time, types
errors = types.ModuleType("keyring.errors"); errors.KeyringError = type("KeyringError", (Exception,), {})
sys.modules["keyring.errors"] = errors
drawer = pathlib.Path(os.environ["FAKE_DRAWER"])
def get_keyring(): return type("Keyring", (), {"__module__": "keyring.backends.SecretService"})()
def get_password(service, account): return drawer.read_text() if drawer.exists() else None
def set_password(service, account, password):
    time.sleep(0.2)
    drawer.write_text(password)
'''


def test_processes_that_make_the_first_key_in_a_keyring_make_one(tmp_path: Path) -> None:
    (tmp_path / "keyring.py").write_text(_FAKE)
    program = (
        "import sys; from reverie.wiring.keys import keyring_key; sys.stdin.read(1);"
        "print(keyring_key(make=True).raw.hex())"
    )
    places = os.pathsep.join([str(tmp_path), str(Path(reverie.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": places, "FAKE_DRAWER": str(tmp_path / "drawer")}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment,
        )
        for _ in range(3)
    ]  # fmt: skip
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go")
        worker.stdin.flush()
    said = {worker.communicate(timeout=300)[0] for worker in workers}
    assert said == {(tmp_path / "drawer").read_text() + "\n"}
