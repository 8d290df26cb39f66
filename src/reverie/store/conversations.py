"""The conversations and participants tables: they follow the episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import cast

from reverie.domain.episode import Episode
from reverie.domain.message import Conversation
from reverie.domain.relationship import Meetings
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row, chunks, padded
from reverie.store.table import BankRows

_COLUMNS = "id, channel, started_at, last_at, episodes"
_LINK = "link"
_NOBODY = "('tool', 'system')"  # roles
_MEETINGS = f"""SELECT p.speaker, SUM(p.episodes), COUNT(*), MIN(c.started_at), MAX(c.last_at)
FROM participants p JOIN conversations c ON c.agent_id = p.agent_id AND c.id = p.conversation_id
WHERE p.agent_id = ? AND c.channel <> ?{{}} AND EXISTS (SELECT 1 FROM episodes e WHERE e.agent_id = p.agent_id
AND e.conversation_id = p.conversation_id AND e.speaker = p.speaker AND e.role NOT IN {_NOBODY}) GROUP BY p.speaker"""
# From one name to the next by the index: as many look-ups as there are names, however many conversations
_SPEAKERS = """WITH RECURSIVE names (name) AS (SELECT MIN(speaker) FROM participants WHERE agent_id = ?
UNION ALL SELECT (SELECT MIN(speaker) FROM participants WHERE agent_id = ? AND speaker > names.name) FROM names
WHERE names.name IS NOT NULL) SELECT name FROM names WHERE name IS NOT NULL"""
_MEETINGS_UNTIL = f"""WITH spoken AS (SELECT speaker, conversation_id, COUNT(*) AS said FROM episodes
WHERE agent_id = ? AND time <= ? AND role NOT IN {_NOBODY}{{}} GROUP BY speaker, conversation_id),
lasted AS (SELECT conversation_id, MAX(time) AS last_at FROM episodes WHERE agent_id = ? AND time <= ?
GROUP BY conversation_id)
SELECT s.speaker, SUM(s.said), COUNT(*), MIN(c.started_at), MAX(l.last_at) FROM spoken s
JOIN lasted l ON l.conversation_id = s.conversation_id
JOIN conversations c ON c.agent_id = ? AND c.id = s.conversation_id
WHERE c.channel <> ? AND s.speaker IS NOT NULL GROUP BY s.speaker"""


class ConversationRows(BankRows):
    """``ports.store.Conversations`` over an executor."""

    def get(self, conversation: str) -> Conversation | None:
        rows = self.run(f"SELECT {_COLUMNS} FROM conversations WHERE agent_id = ? AND id = ?", conversation)
        return self._conversations(rows)[0] if rows else None

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Conversation]:
        sql = f"SELECT {_COLUMNS} FROM conversations WHERE agent_id = ? AND id > ? ORDER BY id LIMIT ?"
        return self._conversations(self.run(sql, after or "", limit))

    def own(
        self, *, among: Collection[str] | None = None, channels: Collection[str] = (), since: datetime | None = None,
        until: datetime | None = None, limit: int = 100, after: str | None = None, latest_first: bool = False,
    ) -> Sequence[Conversation]:  # fmt: skip
        given: list[tuple[str, Sequence[object]]] = [("channel <> ?", (_LINK,))]
        if channels:
            marks, named = padded(sorted(channels))
            given.append((f"channel IN ({marks})", named))
        if since is not None:
            given.append(("last_at >= ?", (micros(since),)))
        if until is not None:
            given.append(("started_at < ?", (micros(until),)))
        if after is not None and latest_first:
            place = "SELECT last_at, id FROM conversations WHERE agent_id = ? AND id = ?"
            given.append((f"(last_at, id) < ({place})", (self.agent_id, after)))
        elif after is not None:
            given.append(("id > ?", (after,)))
        order = "last_at DESC, id DESC" if latest_first else "id"
        rows: list[Row] = []
        for some in [()] if among is None else chunks(sorted(among)):
            marks, ids = padded(some) if among is not None else ("", ())
            told = [*given, (f"id IN ({marks})", ids)] if among is not None else given
            sql = f"SELECT {_COLUMNS} FROM conversations WHERE agent_id = ?{''.join(f' AND {one}' for one, _ in told)}"
            rows += self.run(
                f"{sql} ORDER BY {order} LIMIT ?", *(value for _, values in told for value in values), limit
            )
        rows.sort(
            key=(lambda row: (row[3], row[0])) if latest_first else lambda row: row[0], reverse=latest_first
        )
        return self._conversations(rows[:limit])

    def count(self) -> int:
        return cast(int, self.run("SELECT COUNT(*) FROM conversations WHERE agent_id = ?")[0][0])

    def next_positions(self, conversations: Collection[str]) -> Mapping[str, int]:
        sql = "SELECT id, next_position FROM conversations WHERE agent_id = ? AND id IN ({})"
        return dict.fromkeys(conversations, 0) | dict(self.run_among(sql, conversations))

    def meetings(
        self, speakers: Collection[str] | None = None, *, until: datetime | None = None
    ) -> Sequence[Meetings]:
        if speakers is None:
            rows = [*self._met("", (), until)]
        else:
            rows = []
            for some in chunks(sorted(set(speakers))):
                marks, params = padded(some)
                rows += self._met(f" AND {'p.' if until is None else ''}speaker IN ({marks})", params, until)
        return [
            Meetings(
                other=speaker, messages=int(messages), conversations=conversations,
                first_at=from_micros(first_at), last_at=from_micros(last_at),
            )
            for speaker, messages, conversations, first_at, last_at in sorted(rows)
        ]  # fmt: skip

    def _met(self, condition: str, params: Sequence[object], until: datetime | None) -> Sequence[Row]:
        if until is None:
            return self.run(_MEETINGS.format(condition), _LINK, *params)
        own = (self.agent_id, micros(until))
        return self.run(_MEETINGS_UNTIL.format(condition), own[1], *params, *own, self.agent_id, _LINK)

    def speakers(self) -> Sequence[str]:
        return sorted(row[0] for row in self.run(_SPEAKERS, self.agent_id))

    def with_speakers(self, speakers: Collection[str]) -> Sequence[str]:
        sql = "SELECT conversation_id FROM participants WHERE agent_id = ? AND speaker IN ({})"
        return sorted({row[0] for row in self.run_among(sql, speakers)})

    def arrived(self, episodes: Sequence[Episode]) -> None:
        """Make or widen the rooms of new episodes."""
        rooms: dict[str, list[Episode]] = {}
        for episode in episodes:
            rooms.setdefault(episode.conversation, []).append(episode)
        spans = [
            (
                id, inside[0].channel, micros(min(episode.time for episode in inside)),
                micros(max(episode.time for episode in inside)), len(inside),
                max(episode.position for episode in inside) + 1,
            )
            for id, inside in rooms.items()
        ]  # fmt: skip
        self.widen(spans, _speakers((one.conversation, one.speaker) for one in episodes))

    def widen(
        self, rooms: Sequence[tuple[str, str, int, int, int, int]], speakers: Mapping[tuple[str, str], int]
    ) -> None:
        self.executor.many(
            "INSERT INTO conversations (agent_id, id, channel, started_at, last_at, episodes, next_position)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, id) DO UPDATE SET"
            " started_at = CASE WHEN excluded.started_at < conversations.started_at"
            " THEN excluded.started_at ELSE conversations.started_at END,"
            " last_at = CASE WHEN excluded.last_at > conversations.last_at"
            " THEN excluded.last_at ELSE conversations.last_at END,"
            " episodes = conversations.episodes + excluded.episodes,"
            " next_position = CASE WHEN excluded.next_position > conversations.next_position"
            " THEN excluded.next_position ELSE conversations.next_position END",
            [(self.agent_id, *room) for room in rooms],
        )
        self.executor.many(
            "INSERT INTO participants (agent_id, conversation_id, speaker, episodes) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (agent_id, conversation_id, speaker)"
            " DO UPDATE SET episodes = participants.episodes + excluded.episodes",
            [(self.agent_id, room, speaker, count) for (room, speaker), count in speakers.items()],
        )

    def left(self, gone: Sequence[tuple[str, str | None, int]]) -> Sequence[str]:
        """Narrow rooms by deleted episodes (conversation, speaker, time). Return the rooms that are empty now."""
        times: dict[str, list[int]] = {}
        for room, _, time in gone:
            times.setdefault(room, []).append(time)
        for (room, speaker), count in _speakers((room, speaker) for room, speaker, _ in gone).items():
            self.executor.run(
                "UPDATE participants SET episodes = episodes - ?"
                " WHERE agent_id = ? AND conversation_id = ? AND speaker = ?",
                (count, self.agent_id, room, speaker),
            )
        empty = []
        for room, moments in times.items():
            if not self._narrow(room, moments):
                empty.append(room)
            self.run(
                "DELETE FROM participants WHERE agent_id = ? AND conversation_id = ? AND episodes <= 0", room
            )
        return sorted(empty)

    def _narrow(self, room: str, gone: Sequence[int]) -> bool:
        """Take episodes with these times out of the room. Return False if none is left and the room went."""
        rows = self.executor.run(
            "UPDATE conversations SET episodes = episodes - ? WHERE agent_id = ? AND id = ?"
            " RETURNING episodes, started_at, last_at",
            (len(gone), self.agent_id, room),
        )
        left, started_at, last_at = rows[0]
        if left <= 0:
            for table, column in (("watermarks", "conversation_id"), ("conversations", "id")):
                self.run(f"DELETE FROM {table} WHERE agent_id = ? AND {column} = ?", room)
        elif min(gone) <= started_at or max(gone) >= last_at:
            [(first, last)] = self.run(
                "SELECT MIN(time), MAX(time) FROM episodes WHERE agent_id = ? AND conversation_id = ?", room
            )
            self.executor.run(
                "UPDATE conversations SET started_at = ?, last_at = ? WHERE agent_id = ? AND id = ?",
                (first, last, self.agent_id, room),
            )
        return bool(left > 0)

    def _conversations(self, rows: Sequence[Row]) -> Sequence[Conversation]:
        speakers: dict[str, list[str]] = {row[0]: [] for row in rows}
        sql = (
            "SELECT conversation_id, speaker FROM participants WHERE agent_id = ? AND conversation_id IN ({})"
        )
        for room, speaker in self.run_among(sql, speakers):
            speakers[room].append(speaker)
        return [
            Conversation(
                id=id, channel=channel, started_at=from_micros(started_at), last_at=from_micros(last_at),
                episodes=episodes, participants=tuple(sorted(speakers[id])),
            )
            for id, channel, started_at, last_at, episodes in rows
        ]  # fmt: skip


def _speakers(pairs: Iterable[tuple[str, str | None]]) -> Counter[tuple[str, str]]:
    return Counter((room, speaker) for room, speaker in pairs if speaker is not None)
