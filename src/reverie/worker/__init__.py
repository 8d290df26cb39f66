"""When background work happens. ``Reverie`` does the work; a worker calls it in time."""

from reverie.worker.asynchronous import AsyncWorker
from reverie.worker.worker import Worker

__all__ = ["AsyncWorker", "Worker"]
