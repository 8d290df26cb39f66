"""The labelled talks can be read, and their labels fit together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.judges.talks import KINDS, TALKS, read

FILES = sorted(TALKS.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_talk_reads_and_its_labels_fit(path: Path) -> None:
    lines = [line for said in read(path) for line in said.lines]
    assert len(lines) > 150
    assert all(line.whose == "o" for line in lines if line.lasting)
    assert all(line.kind in KINDS and line.importance for line in lines if line.lasting)
    assert {line.replaces for line in lines if line.replaces} <= {line.id for line in lines}


def test_each_line_is_a_slice_of_its_message() -> None:
    said = [one for one in read(FILES[0]) if one.lines]
    assert said
    assert all(one.text[line.start : line.end] == line.text for one in said for line in one.lines)


def test_what_breaks_the_format_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("@ person: Ann | of a test\nU\no 0 | hello\nq 1 | what\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"odd\.txt, line 4"):
        read(path)
