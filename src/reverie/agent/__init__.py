"""Agent: one agent's memory, the door to everything that can be done with it. Thin: each method checks nothing and
decides nothing itself.
"""

from __future__ import annotations

from reverie.agent.base import Moment as Moment
from reverie.agent.base import Names as Names
from reverie.agent.base import Progress as Progress
from reverie.agent.living import Living
from reverie.agent.profile import Profiled
from reverie.agent.prompt import Prompting
from reverie.agent.read import Reading
from reverie.agent.sleeping import Sleeping
from reverie.agent.tend import Tending
from reverie.agent.write import Writing


class Agent(Writing, Reading, Prompting, Sleeping, Living, Tending, Profiled):
    """One agent's memory. Made by ``Reverie.agent``; cheap, holds no state of its own."""
