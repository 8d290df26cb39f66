"""ModelCheck: what a tiny question to the configured language model showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from reverie.domain.change import NOTHING_SPENT, Spent

Step: TypeAlias = Literal["server", "key", "model", "answer"]
"""What can fail, in the order in which it is found out."""
STEPS: tuple[Step, ...] = ("server", "key", "model", "answer")
Way: TypeAlias = Literal["schema", "tool", "words"]
"""How JSON is asked for: by the provider's mode for a JSON Schema, by the call of a tool, or by the prompt alone."""
Sends: TypeAlias = Literal["everything", "messages", "sentences"]
"""What a night would send: everything, to this machine; messages as they were said, without secrets; or only the
sentences that this machine holds lasting, redacted.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCheck:
    """``model`` as the settings name it, ``server`` its address. ``failed``: the step at which it ended, None where all
    works; ``problem``: why, and what to do, without contents. ``way``: how the answer was asked for. ``spent`` is what
    the question cost; ``is_priced``: whether its dollars are known.
    """

    model: str
    server: str
    sends: Sends
    failed: Step | None = None
    problem: str | None = None
    way: Way | None = None
    spent: Spent = NOTHING_SPENT
    is_priced: bool = False

    @property
    def works(self) -> bool:
        """Whether the model can be used."""
        return self.failed is None

    def has(self, step: Step) -> bool | None:
        """Return whether that step works; None where it wasn't found out."""
        if self.failed is None:
            return True
        places = STEPS.index(step), STEPS.index(self.failed)
        return None if places[0] > places[1] else places[0] < places[1]
