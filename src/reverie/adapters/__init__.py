"""Adapters: Reverie in the frameworks of others. Each is a module that imports its framework when it is imported.
An adapter speaks to the framework by its own interface, and to the bank by the verbs of the client.
"""

from __future__ import annotations
