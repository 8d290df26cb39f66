"""REST as it is described: whatever a client sends, the answer is one that the description names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from reverie import Reverie
from reverie.client import Right
from reverie.embedders.hashing import HashingEmbedder
from tests.doors.test_rest import made_site

_MOST = 5
_NOT_HELD = (positive_data_acceptance,)
"""A schema can't say that a memory must be there, or that a text was forgotten: such requests are refused."""


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_each_answer_is_as_described(mode: GenerationMode, tmp_path: Path) -> None:
    """Every call, as the description says it or not (NEGATIVE), with a token and without."""
    site = made_site(tmp_path)
    _, text = site.tokens.create("fuzz", Right.ADMIN)
    headers = {"Authorization": f"Bearer {text}"}
    where = tmp_path / "a.bank"
    with Reverie.open(where, encrypted=False, embedder=HashingEmbedder.for_tests()) as reverie:
        site.banks["main"] = reverie
        reverie.agent("mama").remember("Anna likes tea")
        schema = schemathesis.openapi.from_asgi("/openapi.json", site.app).exclude(operation_id="events")
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            _tried(found.ok(), mode, headers)


def _tried(
    operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode, headers: Mapping[str, str]
) -> None:
    @settings(max_examples=_MOST, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def tried(case: Case[Any]) -> None:
        case.call_and_validate(headers={**headers}, excluded_checks=[*_NOT_HELD])

    try:
        tried()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # nothing of it can be wrong
