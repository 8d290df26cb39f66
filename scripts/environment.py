"""Make .venv fit for the project: `python scripts/environment.py run|dev|docs`.

`run` is what the command needs, `dev` adds what tests and checks need, `docs` what builds the site. Standard
library only, because it runs before anything is installed. A stamp in .venv, written last, names what stands
there: so the second run is quick, a changed pin installs again, and an interrupted install is never taken for a
finished one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
REQUIREMENTS_STAMP = VENV / ".reverie-requirements"
PROJECT_STAMP = VENV / ".reverie-project"
# `dev` holds every pin of `run` (tests/architecture keeps that true); `docs` comes on top of `dev`.
PINS = {"run": ["run"], "dev": ["dev"], "docs": ["dev", "docs"]}


def pins(kind: str) -> list[Path]:
    """The files of pins that this kind of environment has."""
    return [ROOT / "requirements" / f"{name}.txt" for name in PINS[kind]]


def digest(kind: str) -> str:
    """Names a set of pins."""
    return f"{kind} {hashlib.sha256(b''.join(path.read_bytes() for path in pins(kind))).hexdigest()}"


def enough(kind: str) -> set[str]:
    """The digests of the sets that hold what this kind needs."""
    return {digest(one) for one in [*PINS][[*PINS].index(kind) :]}


def project_digest() -> str:
    """Names what an editable install has taken in: metadata, version, and where the tree stands."""
    seen = hashlib.sha256(os.fsencode(ROOT))
    for path in ("pyproject.toml", "src/reverie/_version.py"):
        seen.update((ROOT / path).read_bytes())
    return seen.hexdigest()


def read(stamp: Path) -> str:
    try:
        return stamp.read_text(encoding="utf-8")
    except OSError:
        return ""


def write(stamp: Path, text: str) -> None:
    fresh = stamp.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(stamp)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One maker at a time: two scripts started together must not install into one another."""
    import fcntl

    folder = os.open(ROOT / "requirements", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def works(*code: str) -> bool:
    """Does the interpreter of .venv start, and is it new enough, and can it do that?"""
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    with contextlib.suppress(OSError):
        command = [str(PYTHON), "-c", "\n".join([*code, check])]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


def make_venv() -> None:
    if works("import pip"):
        return
    if VENV.exists():
        say("The interpreter in .venv doesn't work any more: making .venv anew.")
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)


def pip_install(*arguments: str) -> None:
    """Run pip; what it says (warnings about the user's configuration, mostly) is shown only if it fails."""
    # no-compile: Python compiles the modules that are imported, a small part of them, when they first are.
    usual = ("--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--no-compile")
    command = [str(PYTHON), "-m", "pip", "install", *usual, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        say(done.stdout.decode(errors="replace"))
        raise subprocess.CalledProcessError(done.returncode, command)


def install_requirements(kind: str) -> None:
    REQUIREMENTS_STAMP.unlink(missing_ok=True)
    PROJECT_STAMP.unlink(missing_ok=True)
    for path in pins(kind):
        pip_install("--require-hashes", "--only-binary", ":all:", "--requirement", str(path))
    write(REQUIREMENTS_STAMP, digest(kind))


def install_project() -> None:
    PROJECT_STAMP.unlink(missing_ok=True)
    pip_install("--no-build-isolation", "--editable", str(ROOT))
    write(PROJECT_STAMP, project_digest())


def prepare(kind: str) -> None:
    """Do what is missing, and nothing when nothing is."""
    started = Path(sys.prefix).resolve() == VENV.resolve() or works()
    pinned = started and read(REQUIREMENTS_STAMP) in enough(kind)
    if pinned and read(PROJECT_STAMP) == project_digest():
        return
    with alone():
        if not (works() and read(REQUIREMENTS_STAMP) in enough(kind)):
            say("Installing the pinned requirements into .venv: a minute or two, this once.")
            make_venv()
            install_requirements(kind)
        if read(PROJECT_STAMP) != project_digest():
            install_project()


def main() -> int:
    """0 when .venv is ready; else says why not and what to do."""
    try:
        prepare(sys.argv[1])
    except subprocess.CalledProcessError as error:
        step = " ".join(str(part) for part in error.cmd[1:4])
        say(f"Making .venv failed at `{step}`: its own words are above. Mend the cause and run this again.")
        return 1
    except OSError as error:
        say(f"Making .venv failed: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
