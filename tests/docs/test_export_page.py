"""docs/export.md says of every type and field what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reverie.services.aggregates import SHAPES
from reverie.services.codecs.lines import PROCEDURE, VERSIONS
from reverie.services.codecs.shape import Shape

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "export.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \|(?: (.*))?\|$", re.MULTILINE)
DESCRIBED = {**SHAPES, "versions": VERSIONS, "procedure": PROCEDURE}


def test_every_type_has_its_section_in_the_order_of_the_file() -> None:
    assert [name for name, _ in SECTIONS] == [*DESCRIBED]


@pytest.mark.parametrize(("name", "shape"), DESCRIBED.items(), ids=DESCRIBED)
def test_every_field_is_told_as_it_is_read(name: str, shape: Shape) -> None:
    rows = ROW.findall(dict(SECTIONS)[name].replace("\\|", "¦"))
    told = {field: says.replace("¦", "\\|").strip() for field, says, _ in rows}
    assert told == {field: codec.says for field, codec in shape.fields.items()}
    assert {field for field, _, means in rows if "left out where there is none" in means} == shape.optional
