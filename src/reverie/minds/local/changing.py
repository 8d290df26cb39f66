"""Words by which somebody says that something has changed: now, no longer, switched."""

from __future__ import annotations

from reverie.language import marks

MARKED = marks(
    "now nowadays anymore instead switched switching changed moved replaced replaces swapped traded ditched quit "
    "stopped dropped canceled cancelled sold actually correction postponed rescheduled became promoted upgraded "
    "renamed converted migrated finally finished raised lowered increased reduced upped shortened extended "
    "lengthened lifted repainted painted begun started again",
    ("longer", "no longer"),
    ("more", "any more"),
    ("these", "these days"),
    ("now", "from now on"),
    ("of", "as of"),
    ("used", "used to"),
    ("gave given", "gave up|given up|given me|gave me"),
    ("called", "called off"),
    ("turns", "turns out"),
    ("back", "went back|back to|pushed back"),
    ("new another", r"(?:new|another) \w+"),
    ("rid", "got rid of"),
    ("brought", "brought forward"),
    ("over", r"that's (?:\w+ ){1,3}over|(?:is|are) over|took over|takes over|taken over"),
    ("broke split", "broke up|split up"),
    ("done", "done with"),
    ("cut", "cut to|cut (?:up|down) to"),
    (
        "pushed put moved shifted brought",
        "(?:pushed|put|moved|shifted|brought) (?:back|forward|up|down|over|on|to|out)",
    ),
    (
        "from",
        (
            "from (?:today|this|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
            r"|\d+ \w+)(?: \w+)? on(?:wards)?|from (?:today|this|next) \w+"
        ),
    ),
    ("has have", "(?:has|have) (?:taken up|gone|turned)"),
    ("first", "first day"),
    ("went gone goes", "(?:went|gone|goes) up|(?:went|gone) (?:up|down) to"),
    ("came", "came down"),
    ("got grew grown", r"(?:got|grew|grown) (?:a )?\w+er"),
    ("not", r"not \w+ but"),
    ("since", "since (?:last|this)"),
    ("learned learnt", "learn(?:ed|t) (?:how )?to"),
    ("rose", "rose to"),
)
TURNED = marks(
    "now nowadays anymore instead changed switched replaced correction dropped ditched sold quit moved raised "
    "lowered wrong",
    ("longer", "no longer"),
    ("more", "any more|no more"),
    ("these", "these days"),
    ("turns", "turns out"),
    ("gave given", "gave up|given up"),
    ("gone", "gone off"),
    ("from", r"from (?:here|today|next \w+|this \w+) on"),
    ("pushed", "pushed (?:back )?to"),
    ("put", "put back to"),
    ("not", r"not \w+ but"),
)
