"""The verbs of ``Reverie`` and ``Agent`` for asyncio: each runs in a worker thread, so that no event loop waits for a
disk. Cancelling a task stops the waiting, not the verb: a write that has begun is finished.
"""

from reverie.aio.client import AsyncAgent as AsyncAgent
from reverie.aio.client import AsyncReverie as AsyncReverie
