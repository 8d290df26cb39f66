"""The token that a server over HTTP asks of its clients: from REVERIE_MCP_TOKEN, a 0600 file, or made anew."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from reverie.errors import InvalidInput
from reverie.wiring.private import open_to_others, put_once, read, why

FEWEST_CHARACTERS = 32
_NEW_BYTES = 32
# What may stand in a header after "Bearer " (RFC 6750)
_TOKEN = re.compile(rf"[A-Za-z0-9._~+/-]{{{FEWEST_CHARACTERS},}}=*")
_REMEDY = 'make one with: python -c "import secrets; print(secrets.token_urlsafe(32))"'


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerToken:
    """A token and, for messages, where it came from; ``fresh``: it was made now and lies nowhere else."""

    text: str = field(repr=False)
    source: str
    fresh: bool = False


def environment_token(text: str, variable: str) -> ServerToken:
    """Return the token that stands in the environment. Raises InvalidInput."""
    return ServerToken(text=_checked(text, variable), source=variable)


def file_token(path: Path) -> ServerToken:
    """Return the token in a file. A missing file is made, readable by its owner alone. Raises InvalidInput for a file
    that others can read, that can't be read or made, or that holds no token.
    """
    field = "token file"
    try:
        if not path.exists():
            put_once(path, secrets.token_urlsafe(_NEW_BYTES) + "\n")
        exposed = open_to_others(path)
        text = read(path)
    except UnicodeDecodeError:
        raise InvalidInput(field, f"{path} holds no token", _REMEDY) from None
    except (OSError, ValueError) as error:
        raise InvalidInput(
            field, f"{path} can't be read or made ({why(error)})", "name a file of yours"
        ) from None
    if exposed:
        raise InvalidInput(field, f"{path} can be read by others", f"run: chmod 600 {path}")
    return ServerToken(text=_checked(text, str(path)), source=f"the file {path}")


def new_token() -> ServerToken:
    """Return a token for this run alone."""
    return ServerToken(text=secrets.token_urlsafe(_NEW_BYTES), source="this run", fresh=True)


def _checked(text: str, source: str) -> str:
    if not _TOKEN.fullmatch(text.strip()):
        raise InvalidInput(
            "token", f"{source} holds no token of {FEWEST_CHARACTERS} or more characters", _REMEDY
        )
    return text.strip()
