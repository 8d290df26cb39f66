"""Changes of configuration files: read, shown as a diff, and written whole or not at all."""

from __future__ import annotations

import difflib
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import InvalidInput

_MOST_BYTES = 32 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A file as it is and as it is to be; None where there is none."""

    path: Path
    before: str | None
    after: str | None

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    def diff(self) -> str:
        """Return a unified diff."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        names = [os.devnull if text is None else str(self.path) for text in (self.before, self.after)]
        lines = difflib.unified_diff(old, new, names[0], names[1])
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def text_of(path: Path) -> str | None:
    """Return what stands in a file; None where there is none. Raises InvalidInput."""
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(str(path), f"it can't be read ({error.strerror})", "make it readable") from None
    if len(raw) > _MOST_BYTES:
        raise InvalidInput(str(path), "it is too large for a configuration", "name another folder")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput(
            str(path), "it is not UTF-8 text", "repair it first; nothing was changed"
        ) from None


def apply(changes: Sequence[Change]) -> None:
    """Make the changes, each in one step, with the file's own mode and through a link to where it lies. Raises
    InvalidInput for a file that changed meanwhile or can't be written; those before it are changed then.
    """
    for change in changes:
        if not change:
            continue
        if text_of(change.path) != change.before:
            raise InvalidInput(str(change.path), "it changed meanwhile", "call this again")
        try:
            _write(change.path.resolve(), change.after)
        except OSError as error:
            problem = f"it can't be written ({error.strerror})"
            raise InvalidInput(str(change.path), problem, "make it writable, and call this again") from None


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
