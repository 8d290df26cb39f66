"""Messages of any text, and of pieces on which rules have a hold, for the fuzz tests."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

from hypothesis import strategies as st

from reverie import Agent, Reverie
from reverie.domain.text import normalized
from tests.services.bench import NOON, Clock

_PIECES = """
I I's I'm I'd we we've we's you you'd you're Act World War Anna Anna's my mum's her ex she they them US us-east-1 Dr. Mr
moved live lives lived in to from at on with Berlin Lisbon work works as a nurse quit started no longer used
never always
must remember that this prefer prefers hate allergic peanuts vegan forget about the boat instead of rather than not n't
said says told wrote asked answered : ; , . ! ? ... - -- ( ) [ ] { } < > " ' ` ``` > | # * _ / \\ & % $ @ + = ~ ^
yesterday tomorrow today last next month year Monday mondays 31 February 0 1 12 2024 99999 1e309 -1 3.5 1/0 12:61 25:00
0001-01-01 9999-12-31 2024-02-30 since until every other twice a week daily first 1st 22nd IV XIX half past
name is called dog cat sister sister's brother-in-law partner Jonas phone's iPhone 6 two three hundred million
""".split()
_ODD = (
    "\u017f \u0130 \u00df \ufb01 \u00bd \u00b2 \u2167 \u0663 \uff11\uff12 \u201c \u201d \u201e "
    "\u00ab \u00bb \u2019 \u2018 \u2026 \u2013 \u2014 \u3002 \uff01 \uff1f \u4eca\u65e5 \u306f "
    "\u6691\u3044 Ich wohne nie \u0623\u0646\u0627 \u05e9\u05dc\u05d5\u05dd \u200f \u202e \u200b "
    "\ufeff \u00e9 \U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f3b7 "
).split()
_BETWEEN = (" ", " ", " ", " ", "", "\n", "\n\n", "\t", "\u00a0", "\x0b", "\u2028", "\r\n")

any_text = st.text(st.characters(codec="utf-8"), max_size=60)
_piece = st.sampled_from(_PIECES) | st.sampled_from(_ODD) | any_text
_pieces = st.lists(st.tuples(_piece, st.sampled_from(_BETWEEN)), min_size=1, max_size=40).map(
    lambda pairs: "".join(f"{piece}{between}" for piece, between in pairs)
)
said = st.tuples(
    _pieces | st.text(st.characters(codec="utf-8"), max_size=300),
    st.sampled_from(("user", "user", "user", "assistant", "tool")),
    st.sampled_from((None, "Anna", "Act", "I", "user_17", "Émile", "'s")),
)
talks = st.lists(said, min_size=8, max_size=16)
_numbers = count()


def lived(reverie: Reverie, clock: Clock, talk: list[tuple[str, str, str | None]]) -> tuple[Agent, list[str]]:
    """A new agent hears the talk twice more on other days, and does all its jobs; the ids that it could not read."""
    agent = reverie.agent(f"agent {next(_numbers)}")
    for day in (9, 6, 2):
        time = NOON - timedelta(days=day)
        messages: list[dict[str, object]] = [
            {"content": text, "role": role, "speaker": speaker, "time": time + timedelta(seconds=place)}
            for place, (text, role, speaker) in enumerate(talk)
            if normalized(text).strip()
        ]
        agent.observe(messages, conversation=f"day {day}")
    clock.now = NOON
    unread = list(agent.attend().unread)
    for night in agent.jobs.sleep_through():
        unread += [note for note in night.sleep.notes if "could not be read" in note]
    unread += [*agent.self_care().unread, *agent.housekeeping().unread]
    return agent, unread
