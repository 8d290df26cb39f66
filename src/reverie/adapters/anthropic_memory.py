"""Anthropic's memory tool: Claude's files under /memories are items of an agent's bank, encrypted and atomic.

The answers and errors are those of the tool's documentation and of the SDK's own tool for a folder of the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from posixpath import normpath
from threading import Lock
from typing import cast

from reverie import Agent, AsyncAgent, InvalidInput, ItemChange
from reverie.errors.extras import install

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
except ImportError as error:
    raise ImportError(f"Anthropic's SDK is not installed: {install('anthropic')}") from error

_ROOT = "/memories"
_PLACE = "anthropic-memory"
_MOST = 1_000_000
_MOST_LINES = 999_999
_WIDTH = 6
_LEVELS = 2
_AROUND = 2  # lines of a snippet, above and below


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool over an agent's bank, for ``client.beta.messages.run_tools(tools=[MemoryTool(agent)], …)``.

    ``name`` keeps several tools of one agent apart. Secrets are redacted in the files.
    """

    def __init__(
        self, agent: Agent | AsyncAgent, *, name: str = "files",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:  # fmt: skip
        super().__init__(cache_control=cache_control)
        self._files = _Files(agent, name)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return a file with numbered lines, or what is in a folder."""
        return self._files.view(command.path, command.view_range)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file."""
        return self._files.create(command.path, command.file_text)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that stands once in a file."""
        return self._files.str_replace(command.path, command.old_str, command.new_str or "")

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert text behind a line."""
        return self._files.insert(command.path, command.insert_line, command.insert_text)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with all in it."""
        return self._files.delete(command.path)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Rename or move a file or a folder."""
        return self._files.rename(command.old_path, command.new_path)

    def clear_all_memory(self) -> str:
        """Delete every file."""
        return self._files.clear()


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """``MemoryTool`` for asynchronous clients."""

    def __init__(
        self, agent: Agent | AsyncAgent, *, name: str = "files",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:  # fmt: skip
        super().__init__(cache_control=cache_control)
        self._tool = MemoryTool(agent, name=name)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        """See ``MemoryTool``."""
        return await asyncio.to_thread(self._tool.clear_all_memory)


class _Files:
    """Files by their whole path. A folder is there as long as a file is in it."""

    def __init__(self, agent: Agent | AsyncAgent, name: str) -> None:
        self._items = (agent.inner if isinstance(agent, AsyncAgent) else agent).items
        self._place = (_PLACE, name)
        self._lock = Lock()  # a change reads before it writes

    def view(self, path: str, view_range: Sequence[int] | None) -> str:
        place = _checked(path)
        files = self._under(place)
        if place not in files:
            if not files and place != _ROOT:
                raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
            head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
            return "\n".join(
                (head, f"{_size(sum(map(_bytes, files.values())))}\t{path}", *_listed(path, place, files))
            )
        lines = files[place].split("\n")
        if len(lines) > _MOST_LINES:
            raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
        first, last = 0, len(lines)
        if view_range and len(view_range) == 2:
            first = max(1, view_range[0]) - 1
            last = last if view_range[1] == -1 else view_range[1]
        return f"Here's the content of {path} with line numbers:\n{_numbered(lines[first:last], first)}"

    def create(self, path: str, text: str) -> str:
        place = _checked(path)
        with self._lock:
            if self._is_taken(place):
                raise ToolError(f"File {path} already exists")
            self._write([self._put(place, text)])
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old: str, new: str) -> str:
        with self._lock:
            place, text = self._file(path)
            count = text.count(old)
            if count == 0 or not old:
                raise ToolError(
                    f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
                )
            if count > 1:
                pieces = text.split(old)
                places = (
                    text[: len(old.join(pieces[:one]))].count("\n") + 1 for one in range(1, len(pieces))
                )
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines:"
                    f" {', '.join(map(str, places))}. Please ensure it is unique"
                )
            changed = text[: text.index(old)].count("\n")
            lines = text.replace(old, new).split("\n")
            self._write([self._put(place, "\n".join(lines))])
        first = max(0, changed - _AROUND)
        snippet = _numbered(lines[first : changed + _AROUND + 1], first)
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return f"{head}\n{snippet}"

    def insert(self, path: str, line: int, text: str) -> str:
        with self._lock:
            place, held = self._file(path)
            lines = held.removesuffix("\n").split("\n") if held else []
            if not 0 <= line <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(line, text.rstrip("\n"))
            new = "\n".join(lines)
            self._write([self._put(place, new if new.endswith("\n") else f"{new}\n")])
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        place = _checked(path)
        if place == _ROOT:
            raise ToolError("Cannot delete the /memories directory itself")
        with self._lock:
            files = self._under(place)
            if not files:
                raise ToolError(f"The path {path} does not exist")
            self._write([self._gone(one) for one in files])
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        old, new = _checked(old_path), _checked(new_path)
        if old == _ROOT:
            raise ToolError("Cannot rename the /memories directory itself")
        with self._lock:
            if self._is_taken(new):
                raise ToolError(f"The destination {new_path} already exists")
            files = self._under(old)
            if not files:
                raise ToolError(f"The path {old_path} does not exist")
            if new.startswith(f"{old}/"):
                raise ToolError(f"Cannot move {old_path} into itself")
            moved = [self._put(new + one.removeprefix(old), text) for one, text in files.items()]
            self._write([*map(self._gone, files), *moved])
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        with self._lock:
            self._write([self._gone(one) for one in self._under(_ROOT)])
        return "All memory cleared"

    def _under(self, place: str) -> Mapping[str, str]:
        """Return the file of that path, or those of the folder, in order of path."""
        found = {
            hit.item.key: cast("str", hit.item.value["text"])
            for hit in self._items.search(self._place, limit=_MOST)
            if f"{hit.item.key}/".startswith(f"{place}/")
        }
        return dict(sorted(found.items()))

    def _file(self, path: str) -> tuple[str, str]:
        place = _checked(path)
        files = self._under(place)
        if place in files:
            return place, files[place]
        if files or place == _ROOT:
            raise ToolError(f"The path {path} is not a file.")
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.")

    def _is_taken(self, place: str) -> bool:
        """Return whether something is there already, or a file where one of its folders should be."""
        folders = {place[:at] for at, sign in enumerate(place) if sign == "/" and at}
        return place == _ROOT or bool(self._under(place)) or not folders.isdisjoint(self._under(_ROOT))

    def _put(self, place: str, text: str) -> ItemChange:
        return ItemChange(namespace=self._place, key=place, value={"text": text}, texts=text)

    def _gone(self, place: str) -> ItemChange:
        return ItemChange(namespace=self._place, key=place)

    def _write(self, changes: Sequence[ItemChange]) -> None:
        try:
            self._items.write(changes)
        except InvalidInput as error:
            raise ToolError(str(error)) from error


def _checked(path: str) -> str:
    """Return the path as a key. Raise ToolError for one that leads out of the root."""
    if not path.startswith(_ROOT):
        raise ToolError(f"Path must start with /memories, got: {path}")
    place = normpath(path)
    if place != _ROOT and not place.startswith(f"{_ROOT}/"):
        raise ToolError(f"Path {path} would escape /memories directory")
    return place


def _listed(path: str, place: str, files: Mapping[str, str]) -> list[str]:
    """Return a line for each file and folder below a folder, without hidden ones."""
    sizes: dict[tuple[str, ...], int] = {}
    folders: set[tuple[str, ...]] = set()
    for file, text in files.items():
        parts = tuple(file.removeprefix(place).strip("/").split("/"))
        if any(part.startswith(".") for part in parts[:_LEVELS]):
            continue
        for depth in range(1, min(len(parts), _LEVELS) + 1):
            sizes[parts[:depth]] = sizes.get(parts[:depth], 0) + _bytes(text)
        folders.update(parts[:depth] for depth in range(1, min(len(parts), _LEVELS + 1)))
    return [
        f"{_size(size)}\t{path}/{'/'.join(parts)}{'/' if parts in folders else ''}"
        for parts, size in sorted(sizes.items())
    ]


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:{_WIDTH}}\t{line}" for number, line in enumerate(lines, first + 1))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _size(many: int) -> str:
    """Return a size as the SDK's own tool writes it."""
    size, unit = float(many), 0
    while size >= 1024 and unit < len("BKMG") - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.0f}{'BKMG'[unit]}" if size == int(size) else f"{size:.1f}{'BKMG'[unit]}"
