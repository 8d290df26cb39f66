"""What models are told of all but nights, one prompt a file (``*.md``); what they are asked about comes between
markers, as data.
"""

from __future__ import annotations

from functools import partial

from reverie.minds.nights.prompts import prompt as _prompt

prompt = partial(_prompt, package=__name__)
"""A prompt by its name."""
