"""English words that say what an utterance does: plans, prefers, decides, thanks, proposes."""

from __future__ import annotations

FIRST = frozenset("i i'm i've i'll i'd me my mine myself".split())
TOGETHER = frozenset("we we're we've we'll we'd us our ours ourselves let's".split())
SECOND = frozenset("you you're you've you'll you'd your yours yourself".split())

INTENT = frozenset(
    "plan plans planned planning will going i'll we'll want wants wanted need needs needed aim aiming goal goals "
    "schedule scheduled book booking start starting begin beginning focus target intend hoping deadline let's "
    "ready next would i'd proceed continue explore exploring tackle".split()
)
DECISION = frozenset(
    "decide decided decision choose chose chosen choosing pick picked confirm confirmed confirming agree agreed "
    "settled finalize finalized approved approve opt opted definitely selected select accept accepted switch "
    "switched instead option stick adopt move postpone cancel cancelled".split()
)
PREFERENCE = frozenset(
    "prefer prefers preferred preference like love loves enjoy hate dislike favorite favourite avoid always never "
    "rather allergic vegan vegetarian priority prioritize important crucial essential value values committed "
    "comfortable must can't cannot requirement constraint budget".split()
)
STATE = frozenset(
    "am is are have has had was were got been work working live living study studying finished completed started "
    "done bought found received added updated set sent booked tried used made built moved".split()
)
FEELING = frozenset(
    "feel feels feeling felt worried worry anxious anxiety stressed stress overwhelmed tired exhausted drained happy "
    "sad afraid scared angry frustrated frustrating guilt guilty proud relieved lonely nervous excited upset hurt "
    "struggle struggling hard difficult pressure fear hopeless despair".split()
)
COURTESY = frozenset(
    "thanks thank you're welcome great glad perfect excellent wonderful fantastic awesome amazing absolutely "
    "appreciate helpful sounds good nice cool hello hi hey bye sorry okay ok yes yeah exactly looks love best luck "
    "fine understood certainly course happy".split()
)
META = frozenset(
    "here here's below above following let know would like could please feel free questions question help assist "
    "anything else shall ready share provide tell moment".split()
)
SETTLED = frozenset(
    "updated confirmed noted added scheduled recorded marked saved set logged created established finalized adjusted "
    "revised secured complete completed officially structure plan draft proposed summary schedule current based "
    "understand you've your we'll i've".split()
)
LEANING = frozenset(
    "it it's its this that that's these those they they're them he she his her him there such both which so then "
    "one ones another".split()
)
ASSENTS = frozenset(
    "yes yeah yep sure okay ok absolutely definitely agreed right exactly sounds perfect".split()
)
HEDGED = frozenset(
    "maybe perhaps might could if would wonder guess probably suppose hypothetically imagine".split()
)
ORDERS = frozenset(
    "write give make create explain tell list generate rewrite act provide show find translate summarize describe "
    "add use include ignore continue help please can could what how why who when where which is are do does "
    "implement fix draft suggest expand edit cleanup extract elaborate".split()
)
"""What begins a request."""
