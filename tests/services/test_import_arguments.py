"""What is given to an import by mistake."""

from __future__ import annotations

from typing import Any

import pytest

from reverie import Agent, InvalidInput


@pytest.mark.parametrize("lines", [5, None, 2.5, b"x", "a line", {"type": "reverie"}, [5], [None]], ids=repr)
def test_what_is_no_list_of_lines_is_told_as_that(mama: Agent, lines: Any) -> None:
    with pytest.raises(InvalidInput, match=r"lines|line 1, text"):
        mama.import_bank(lines)
