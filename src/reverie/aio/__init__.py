"""The verbs of ``Reverie`` and ``Agent`` for asyncio: each runs in a worker thread, so that no event loop waits for a
disk. Cancelling a task stops the waiting, not the verb: a write that has begun is finished.
"""

from reverie.aio.client import AsyncAgent as AsyncAgent
from reverie.aio.client import AsyncDiary as AsyncDiary
from reverie.aio.client import AsyncGoals as AsyncGoals
from reverie.aio.client import AsyncHost as AsyncHost
from reverie.aio.client import AsyncItems as AsyncItems
from reverie.aio.client import AsyncJobs as AsyncJobs
from reverie.aio.client import AsyncLink as AsyncLink
from reverie.aio.client import AsyncProcedures as AsyncProcedures
from reverie.aio.client import AsyncRelationships as AsyncRelationships
from reverie.aio.client import AsyncReverie as AsyncReverie
from reverie.aio.client import AsyncRoom as AsyncRoom
from reverie.aio.client import AsyncSociety as AsyncSociety
from reverie.aio.client import AsyncSoul as AsyncSoul
from reverie.aio.client import AsyncSummaries as AsyncSummaries
from reverie.aio.client import Opening as Opening
