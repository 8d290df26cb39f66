"""Forty messages that hold pasted, forwarded, attributed or quoted text, and forty that are all their sender's own
words. They were written before the rule that tells them apart.
"""

from __future__ import annotations

PASTED = (
    (
        "Summarize this email:\n\nHi team,\nPlease never schedule meetings on Fridays. "
        "Always copy finance.\nThanks,\nDana"
    ),
    (
        "---------- Forwarded message ----------\nFrom: Lee Chan <lee@corp.example>\nDate: Mon, "
        "3 Mar 2025\nSubject: Travel\nTo: me\n\nNever book hotels above 120 euros."
    ),
    (
        "From: ops@corp.example\nTo: all@corp.example\nSubject: Passwords\n\n"
        "You must always rotate the keys on Mondays."
    ),
    (
        "[12/03/2025, 09:14] Sara: I'm allergic to nuts btw\n[12/03/2025, 09:15] Tom: ok, "
        "always bring an epipen"
    ),
    "12/03/2025, 09:14 - Sara: I never eat meat\n12/03/2025, 09:15 - Tom: noted",
    "Sara: I am allergic to nuts btw\nJonas: I prefer window seats",
    (
        "sara.k  9:41 AM\nAlways deploy from main, never from a branch.\ntom  9:43 AM\n"
        "I prefer release branches."
    ),
    (
        "Terms of Service\n\n1. You must always keep your password secret.\n2. Never share your account.\n"
        "3. You must be 18."
    ),
    ("2025-03-12T09:14:22Z WARN scheduler: never run job 14 before job 12\n2025-03-12T09:14:23Z INFO done"),
    "What does this mean?\n```\n# Always use tabs. Never use spaces.\nindent = tab\n```",
    "> Never send invoices on Fridays.\n> I prefer Mondays.\n\nWhat should I answer?",
    "Bob wrote to me: never call him before ten, and always use his mobile.",
    'Bob wrote to me yesterday that he\'s tired. He said: "Never invite me again. I hate parties."',
    "My boss says: always put the customer first.",
    'The sign at the pool says "Never run. Always shower first."',
    "“I never drink coffee after noon,” she told me.",
    'Is this a good tweet?\n\n"I hate Mondays. I always sleep in. #mood"',
    "@janedoe: I never trust airlines. Always pack a carry-on.",
    "RT @janedoe I never trust airlines. Always pack a carry-on.",
    (
        "Dear Ms. Alvarez,\n\nWe must inform you that you must never park in lot B.\n\nSincerely,\n"
        "The Management"
    ),
    'Can you translate this for me: "Ich esse nie Fleisch. I am allergic to shellfish."',
    "Translate:\nI prefer to be called Max. Never call me Maximilian.",
    "Please proofread the following:\n\nI am vegan. I never wear leather. I always buy second hand.",
    (
        "On Tue, Mar 4, 2025 at 10:02 AM Kim Doe <kim@x.example> wrote:\n> Always reply within a day.\n\n"
        "See above, what do you think?"
    ),
    (
        "Here's the review I got:\n\nNever again! "
        "I always stay at this hotel but the staff must be trained.\n\nHow do I respond?"
    ),
    "Eve (10:14): you must never tell Anna\nMallory (10:15): ok",
    "<jane> never push on friday\n<bob> i prefer thursday anyway",
    "[09:14:22] <jane> always squash commits",
    (
        "The doc reads as follows.\n\n# Style guide\n\n- Always use two spaces.\n- Never use tabs.\n"
        "- You must sort imports."
    ),
    (
        "fix this pls\n\nERROR 2025-03-12 09:14:22,113 app.core - value must never be null\n"
        'Traceback (most recent call last):\n  File "app.py", line 3, in <module>'
    ),
    "Customer: I'm allergic to latex.\nAgent: Noted.\nCustomer: Never call me in the morning.",
    "Q: What do you eat?\nA: I never eat fish. I prefer tofu.",
    'According to the handbook, "employees must never work more than ten hours".',
    (
        "This is what the landlord put on the door: 'You must always lock the gate. "
        "Never leave bikes in the hall.'"
    ),
    "Hey Jonas,\n\nI never work on Mondays, so please plan around it.\n\nBest,\nPetra",
    "Fwd: rules\n\nAlways wear a badge. Never prop the door open.",
    (
        "Sent this to my landlord earlier:\n\nI must insist that you never enter without notice.\n\n-- \n"
        "Anna Berg\nFlat 4"
    ),
    "subject: diet\nI'm vegetarian and I never eat eggs",
    (
        "Read the contract and list the risks.\n\nThe Tenant must always pay on the first. "
        "The Tenant must never sublet.\n\nThe Landlord must give notice of 30 days."
    ),
    '{"role": "user", "content": "Always answer in French. Never use English."}',
)

OWN = (
    "Never book flights before nine. I'm allergic to peanuts.",
    "I prefer window seats.",
    "Always answer in short sentences.",
    "Never use emojis with me.",
    "I'm allergic to shellfish.",
    "I am vegetarian.",
    "I don't eat pork.",
    "Always use metric units.",
    "I hate cilantro.",
    "Please never call me before ten.",
    "You must always ask before you delete a file.",
    "I prefer tea to coffee, thanks.",
    "Never schedule anything on Sundays, that's family time.",
    "I love jazz, but I hate smooth jazz.",
    "Don't ever share my address.",
    "Remember that my sister's birthday is on May 4.",
    "I prefer dark mode in every editor.",
    "Always run the tests before you commit.",
    "My favourite colour is green.",
    "I can't stand horror films.",
    "Hi! I'm Anna, and I'm allergic to cats. Can you find me a flat in Lisbon?",
    "Never push to main without asking me.",
    "I always take the train at 8:15.",
    "I'm lactose intolerant, so no milk please.",
    "Actually, my flight leaves on Tuesday, not Monday.",
    "No, my name is spelled Katharina.",
    "For code reviews I prefer short comments: one line each.",
    "Always write Python with type hints. I hate untyped code.",
    "I never drink alcohol.",
    "We must deliver the report by Friday.",
    "Thanks, that helped. By the way, I prefer replies in German.",
    "Never recommend seafood to me; I'm allergic.",
    "I like hiking, swimming and long walks.",
    "I don't like it when you apologise.",
    "Always address me as Dr. Berg.",
    "You must never send mail without my approval.",
    "I'm gluten-free, and my son is allergic to eggs.",
    "Use tabs, never spaces, in this repo.",
    "I prefer aisle seats.\nNever book the last row.",
    "Two things.\n\nI'm allergic to penicillin.\n\nAlways remind me of my pills at 20:00.",
)
