"""model_check: asks the configured language model one tiny question, for whoever sets it up."""

from __future__ import annotations

from dataclasses import replace

from reverie.domain.model_check import ModelCheck
from reverie.errors import InvalidInput
from reverie.ports.mind import ChecksModel
from reverie.services.runtime.desk import Desk


def check_model(desk: Desk) -> ModelCheck:
    """What works, what it cost, and what a night would send. Raises InvalidInput where no model is configured,
    CapReached.
    """
    if not isinstance(desk.mind, ChecksModel):
        raise InvalidInput(
            "Settings.mind",
            "no language model is configured",
            'set mind="llm" and Settings.llm.model, or REVERIE_MIND and REVERIE_LLM_MODEL (docs/llm.md)',
        )
    return replace(desk.mind.check(), is_priced=desk.settings.llm.prices is not None)
