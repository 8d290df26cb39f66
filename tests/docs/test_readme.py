"""The README's examples keep what they say. (They also run with all others of the docs.)"""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_link_example_prints_its_comment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = [text for text in EXAMPLES if "nova.link" in text]
    exec(example, {})
    (promised,) = re.findall(r"^ *# (.+)$", example, re.MULTILINE)
    assert capsys.readouterr().out == f"{promised}\n"


def test_the_examples_open_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object) -> None:
        raise AssertionError("an example opens a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(AssertionError, match="opens a connection"):
        socket.create_connection(("localhost", 9))
    assert len(EXAMPLES) >= 3
    for example in EXAMPLES:
        exec(example, {})
