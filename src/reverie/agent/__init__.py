"""One agent's memory, with every verb for it. Thin: a verb reads its parameters and calls the service that works."""

from __future__ import annotations

from reverie.agent.agent import Agent as Agent
from reverie.agent.agent import Portrait as Portrait
from reverie.agent.agent import Stats as Stats
from reverie.agent.base import DataclassMessage as DataclassMessage
from reverie.agent.base import Date as Date
from reverie.agent.base import Labels as Labels
from reverie.agent.base import Messages as Messages
from reverie.agent.base import Moment as Moment
from reverie.agent.base import Names as Names
from reverie.agent.base import Progress as Progress
from reverie.agent.base import PydanticMessage as PydanticMessage
from reverie.agent.base import Said as Said
