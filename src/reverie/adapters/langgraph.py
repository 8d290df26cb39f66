"""LangGraph: ``ReverieStore`` is a ``BaseStore`` over an agent's items, ``memory_node`` gives a graph its memory.

A search ranks by the bank's own embedder. Where a batch reads and writes, it reads first, as LangGraph's stores do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from reverie import Agent, AsyncAgent, ItemChange, ItemHit
from reverie import Item as Kept
from reverie.domain.ids import checked_name
from reverie.errors.extras import install
from reverie.services.observe import signed

try:
    from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage, SystemMessage
    from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
    from langgraph.graph import MessagesState
    from langgraph.graph.message import REMOVE_ALL_MESSAGES
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
    )
except ImportError as error:
    raise ImportError(f"LangGraph is not installed: {install('langgraph')}") from error

_MOST = 1_000_000
_CONTEXT = "reverie-context"


class ReverieStore(BaseStore):
    """A LangGraph store in an agent's bank: encrypted, durable, with search by meaning and filters.

    ``fields``: the paths in a value whose texts are searched, where a put says nothing else ("$": the whole value).
    ``ttl``: LangGraph's defaults for how long items live. ``root``: the namespace of the bank below which all lies. A
    value comes back as it was put, with secrets redacted.
    """

    supports_ttl = True

    def __init__(
        self, agent: Agent | AsyncAgent, *, fields: Sequence[str] = ("$",), ttl: TTLConfig | None = None,
        root: str | Sequence[str] = "langgraph",
    ) -> None:  # fmt: skip
        self._items = (agent.inner if isinstance(agent, AsyncAgent) else agent).items
        self._fields = tuple(fields)
        self._root = (root,) if isinstance(root, str) else tuple(root)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Return each operation's result, in their order."""
        results: list[Result] = []
        puts: dict[tuple[tuple[str, ...], str], ItemChange] = {}
        for op in ops:
            match op:
                case GetOp():
                    found = self._items.get(self._root + op.namespace, op.key, refresh=op.refresh_ttl)
                    results.append(None if found is None else Item(**self._told(found)))
                case SearchOp():
                    results.append(self._search(op))
                case ListNamespacesOp():
                    results.append(self._namespaces(op))
                case PutOp():
                    puts[op.namespace, op.key] = self._change(op)
                    results.append(None)
                case _:
                    raise ValueError(f"Unknown operation type: {type(op)}")
        self._items.write([*puts.values()])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do ``batch`` in a worker thread."""
        return await asyncio.to_thread(self.batch, [*ops])

    def _change(self, op: PutOp) -> ItemChange:
        paths = self._fields if op.index is None else op.index or ()
        return ItemChange(
            namespace=self._root + op.namespace, key=op.key, value=op.value,
            texts=lambda value: [text for path in paths for text in get_text_at_path(value, path)],
            ttl=None if op.ttl is None else timedelta(minutes=op.ttl),
        )  # fmt: skip

    def _search(self, op: SearchOp) -> list[SearchItem]:
        if op.limit < 1:
            return []
        hits: Sequence[ItemHit] = self._items.search(
            self._root + op.namespace_prefix, op.query or None, op.filter, limit=min(op.limit, _MOST),
            offset=op.offset, refresh=op.refresh_ttl,
        )  # fmt: skip
        return [SearchItem(**self._told(hit.item), score=hit.score) for hit in hits]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        found = {*self._below(())}
        for condition in op.match_conditions or ():
            found &= {*self._matching(condition)}
        return sorted({one[: op.max_depth] for one in found})[op.offset : op.offset + op.limit]

    def _matching(self, condition: MatchCondition) -> Iterable[tuple[str, ...]]:
        path = tuple(condition.path)
        if condition.match_type == "prefix":
            return self._below(path)
        if condition.match_type == "suffix":
            return self._below(("*",) * len(path), path)
        raise ValueError(f"Unsupported match type: {condition.match_type}")

    def _below(self, path: tuple[str, ...], suffix: tuple[str, ...] = ()) -> Iterable[tuple[str, ...]]:
        found = self._items.namespaces(prefix=self._root + path, suffix=suffix, limit=_MOST)
        return (one[len(self._root) :] for one in found)

    def _told(self, item: Kept) -> dict[str, Any]:
        return {
            "namespace": item.namespace[len(self._root) :], "key": item.key, "value": item.value,
            "created_at": item.created_at, "updated_at": item.updated_at,
        }  # fmt: skip


def memory_node(
    agent: Agent | AsyncAgent, *, max_tokens: int | None = None, speaker: str | None = None
) -> Runnable[MessagesState, dict[str, Any]]:
    """Return a node to stand before the model and behind it, in one graph or two places of it.

    Where the last message is a person's, it puts the agent's context block for it first among the messages, in place of
    that of the turn before. It observes each message once, by its id, in the conversation ``thread_id``. ``speaker``:
    the person's name, for messages that have none.
    """
    if speaker is not None:
        checked_name(speaker, "speaker")
    mama = agent.inner if isinstance(agent, AsyncAgent) else agent

    def memory(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        thread = str(config.get("configurable", {}).get("thread_id", "langgraph"))
        messages = [one for one in state["messages"] if one.id != _CONTEXT]
        update: dict[str, Any] = {}
        if messages and isinstance(messages[-1], HumanMessage):
            text = str(messages[-1].text)
            block = mama.context(text if text.strip() else None, max_tokens=max_tokens, conversation=thread)
            update = {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *_with(messages, block.text)]}
        mama.observe(
            signed([one for one in messages if not isinstance(one, SystemMessage)], speaker),
            conversation=thread,
        )
        return update

    return RunnableLambda(memory)


def _with(messages: Sequence[AnyMessage], context: str) -> list[AnyMessage]:
    """Return the messages with the context behind the system messages at their beginning."""
    place = next((at for at, one in enumerate(messages) if not isinstance(one, SystemMessage)), len(messages))
    told = [SystemMessage(content=context, id=_CONTEXT)] if context else []
    return [*messages[:place], *told, *messages[place:]]
