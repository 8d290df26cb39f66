"""The worker: when things happen in the background. What happens is the client's to say."""

from reverie.worker.worker import Worker

__all__ = ["Worker"]
