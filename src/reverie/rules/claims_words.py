"""Words that tell claims apart: who can be meant, what is used for what, what a value ends before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

KIN = (
    r"(?:(?:mother|father|sister|brother|son|daughter)-in-law|wife|husband|partner|spouse|girlfriend|boyfriend|fianc\u00e9e?|fiancee?|mother|mom|mum|father|dad|parents?"
    r"|sister|brother|son|daughter|kids?|child|children|grand(?:mother|ma|father|pa|son|daughter)|aunt|uncle|cousin"
    r"|niece|nephew|friend|flatmate|roommate|neighbou?r|boss|manager|colleague|coworker|teacher|doctor|dentist"
    r"|landlord|landlady|therapist|trainer|coach|dog|cat|puppy|kitten|horse|rabbit|parrot|in-laws)"
)
"""Who belongs to somebody, and is a subject of their own."""

_USED: Mapping[str, str] = MappingProxyType(
    {
        "front end": "react vue angular svelte solidjs preact ember nextjs next.js nuxt sveltekit htmx jquery",
        "back end": "django flask fastapi rails laravel express spring nestjs phoenix actix",
        "language": (
            "python rust golang java kotlin scala ruby typescript javascript c++ c# haskell elixir php swift"
        ),
        "editor": (
            "vscode vim neovim nvim emacs pycharm intellij webstorm sublime zed atom "
            "helix notepad++ jetbrains cursor"
        ),
        "operating system": "windows macos ubuntu fedora debian arch linux nixos mint",
        "shell": "bash zsh fish powershell",
        "database": "postgres postgresql mysql mariadb sqlite mongodb redis dynamodb cassandra oracle duckdb",
        "cloud": "aws gcp azure hetzner digitalocean linode heroku netlify vercel fly.io render",
        "forge": "github gitlab bitbucket gitea codeberg",
        "notes": "notion obsidian evernote onenote logseq roam joplin anytype",
        "tasks": "todoist trello asana jira linear clickup things ticktick basecamp",
        "chat": "slack discord teams mattermost zulip",
        "messenger": "whatsapp signal telegram threema",
        "music": "spotify tidal deezer qobuz pandora",
        "browser": "firefox chrome safari edge brave opera vivaldi chromium",
        "search": "google duckduckgo kagi ecosia bing",
        "phone": "iphone pixel galaxy fairphone oneplus xiaomi nokia motorola android samsung",
        "laptop": "thinkpad macbook xps chromebook zenbook surface",
        "mail": "gmail outlook protonmail proton fastmail thunderbird posteo",
        "bank": (
            "n26 revolut monzo sparkasse comdirect ing barclays hsbc commerzbank dkb wise "
            "lloyds natwest santander chase bunq starling"
        ),
        "operator": "vodafone telekom o2 verizon t-mobile",
        "camera": "fuji fujifilm x100 nikon leica canon olympus pentax lumix hasselblad",
        "passwords": "1password bitwarden lastpass keepass keepassxc dashlane",
        "drawing": "figma sketch photoshop procreate krita inkscape affinity illustrator penpot",
        "shop": "aldi lidl rewe edeka tesco sainsbury's waitrose",
        "running": "strava garmin komoot runkeeper",
        "learning": "duolingo anki babbel memrise busuu",
        "streaming": "netflix disney+ hulu mubi",
        "packages": "npm yarn pnpm pip poetry uv conda",
        "tests": "pytest unittest jest vitest mocha cypress playwright selenium",
        "build": "webpack vite rollup parcel esbuild gradle maven bazel",
        "infrastructure": "terraform pulumi ansible kubernetes docker podman nomad",
    }
)
USED: Mapping[str, str] = MappingProxyType(
    {word: category for category, words in _USED.items() for word in words.split()}
    | {
        "visual studio code": "editor", "vs code": "editor", "apple music": "music", "youtube music": "music",
        "google docs": "documents", "apple notes": "notes", "google calendar": "calendar", "ms teams": "chat",
        "microsoft teams": "chat", "deutsche bank": "bank",
    }
)  # fmt: skip
"""What things are used for that one has one of, mostly."""
USED_FOR_SURE = re.compile(
    r"\b(?:uses?|using|switched (?:back )?to|moved (?:back |over )?to|migrated to|changed to"
    r"|(?:from|with|in|on) \S+ (?:over )?to"
    r"|ported (?:\w+ ){1,3}to|ditched|uninstalled|deleted|cancelled|codes? in|writes? in|phone "
    r"is an?|now)(?: the| an?| our)?\s$"
)
"""Before a thing whose name is an everyday word."""
USED_WORDS = re.compile(
    r"visual studio code|vs code|apple music|youtube music|google docs|apple notes|google calendar"
    r"|ms teams|microsoft teams"
    r"|deutsche bank|[\w+#.-]+"
)
"""A word of a text in small letters, or several that are one name."""

CARS = frozenset(
    "vw volkswagen golf polo passat tiguan tesla bmw audi mercedes toyota yaris corolla prius "
    "rav4 honda civic jazz ford "
    "fiesta focus mazda skoda \u0161koda octavia fabia seat ibiza leon renault clio zoe twingo "
    "peugeot citroen citro\u00ebn "
    "fiat panda volvo kia hyundai ioniq kona nissan leaf micra opel corsa astra mini dacia sandero duster subaru "
    "outback forester suzuki swift jeep porsche lexus cupra polestar saab chevrolet chevy van campervan "
    "motorbike motorcycle vespa scooter e-bike ebike cargo".split()
)
DIETS = (
    r"(?:vegan|vegetarian|veggie|pescatarian|pescetarian|flexitarian|omnivore|keto|paleo|carnivore"
    r"|plant-based|halal|kosher)"
)
OCCUPATIONS = (
    r"(?:(?:(?:software|hardware|data|product|project|team|shop|store|office|key account|account"
    r"|sales|marketing|design"
    r"|security|hotel|restaurant|branch|ux|ui|web|front-end|back-end|full-stack|senior|junior"
    r"|lead|head|assistant|primary"
    r"|secondary|school|music|truck|bus|taxi|train|paediatric|pediatric|veterinary|graphic"
    r"|game|research|social|care"
    r"|construction|police|freelance|principal|staff|chief|deputy|executive|technical|creative"
    r"|art|managing|clinical)[ -])*"
    r"(?:developer|engineer|manager|teacher|designer|worker|leader|lead|writer|driver|baker"
    r"|painter|builder|photographer"
    r"|programmer|researcher|lecturer|professor|farmer|gardener|plumber|carpenter|joiner|welder"
    r"|miner|barber|butcher"
    r"|hairdresser|waiter|waitress|bartender|barista|officer|lawyer|solicitor|doctor|actor"
    r"|actress|editor|translator"
    r"|interpreter|tutor|instructor|director|operator|tailor|surgeon|dentist|therapist|pharmacist"
    r"|florist|journalist"
    r"|scientist|chemist|biologist|physicist|psychologist|geologist|economist|artist|receptionist"
    r"|specialist|stylist"
    r"|optician|electrician|technician|librarian|musician|physician|politician|mathematician|statistician|dietician"
    r"|nurse|vet|chef|cook|student|coach|clerk|architect|accountant|consultant|midwife|pilot|judge|intern|assistant"
    r"|analyst|au pair|postman|fireman|firefighter|policeman|soldier|apprentice|freelancer|cto|ceo|cfo|principal"
    r"|paramedic|mechanic|postdoc|dj|trainer|supervisor|caretaker|cleaner|cashier|secretary|administrator|planner"
    r"|recruiter|banker|broker|auditor|inspector|surveyor|animator|illustrator|producer|composer"
    r"|singer|dancer|model"
    r"|footballer|entrepreneur|owner|partner|founder|broker|investigator|detective|guard|porter"
    r"|courier|sailor|captain))"
)
EVERYDAY = frozenset(
    "things linear edge atom wise ing signal render teams sketch brave opera spring express "
    "cursor swift rust java python "
    "julia arch mint things notion pages surface galaxy pixel orange cassandra bear arc phoenix "
    "safari sway slack zoom jest "
    "make go scala ember clickup asana fish bash google wise santander chase tidal pandora "
    "anki helix poetry parcel nomad "
    "framework copilot origin windows".split()
)
"""Names of things that are used, and words of any talk."""
TIMEISH = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m\b|noon|midnight|o'clock"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|mornings?|afternoons?"
    r"|evenings?|half past|quarter (?:past|to)|\d{1,2}(?:st|nd|rd|th)|weekends?|at (?:\d{1,2}"
    r"|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve)\b)",
    re.IGNORECASE,
)
VALUE_ENDS = re.compile(
    r",(?!(?<=\d,)\d{3}(?!\d))|[;!?()\u2013\u2014]|(?<!\b[DM]r)(?<!\bSt)(?<!\bMrs)(?<!\b[dm]r)\.(?:\s|$)|:\s|\s-\s"
    r"|\s(?:and|but|so|because|since|when|while|which|who|where|that|after|before|until|if|though|although|as of"
    r"|these days|now|again|any ?more|instead|at the moment|right now|at last|from now on|already|finally|currently"
    r"|then|too|as well|rather than|over|for (?:good|now|work|the (?:first|last|next|past)"
    r"|\d)|on the \w+ of|by the way"
    r"|the (?:week|weekend|month|morning|afternoon|evening|night|day)s? (?:of|after|before)"
    r"|in (?:\d{4}|january|february"
    r"|march|april|may|june|july|august|september|october|november|december|the (?:week|month"
    r"|spring|summer|autumn|fall|winter|year))"
    r"|(?:last|next|this) \w+|on (?:\d{1,2} \w+|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
    r"|\s(?:on|by|from|since|until|around) \d",
    re.IGNORECASE,
)
"""Where a value that is no time ends."""
TIME_ENDS = re.compile(
    r"[;!?()\u2013\u2014]|\.(?:\s|$)|,\s(?!\d|at\b|on\b)|\s(?:and|but|so|because|since|when|while|which|instead|now"
    r"|rather than|not|with|for|this time|these days|again|from now on|due to)\b",
    re.IGNORECASE,
)
NOT_YET = re.compile(
    r"\b(?:will|won't|'ll|going to|gonna|plan(?:s|ned|ning)?|want(?:s|ed|ing)?|hop(?:e|es|ing"
    r"|ed)|might|(?<!\d )(?<!in )(?<!of )(?<!since )(?<!until )(?<!last )(?<!this )(?<!by )(?-i:may)(?! "
    r"\d)|could|would"
    r"|wouldn't|couldn't|think(?:s|ing)? (?:of|about|that|[A-Z]\w+ should)|considering|dream(?:s"
    r"|t|ed|ing)?|wish(?:es|ed)?"
    r"|maybe|perhaps|if|unless|suppos\w+|should|need(?:s|ed)? to|about to|wonder\w*|tempted"
    r"|looking (?:to|into|at|for)"
    r"|almost|nearly|used to|'d (?:like|love|rather)|appl(?:y|ies|ied|ying)|interview\w*|tr(?:y"
    r"|ies|ied|ying) to|imagin\w+"
    r"|pretend\w*|unlikely|whether|as if|like to|love to|someday|one day|toying|offered|offers"
    r"|offer|invited|allowed"
    r"|able|learned that|refuse[sd]?|decid\w+ against|thought|hypothetically|rumou?r\w*|heard|apparently|supposedly"
    r"|someone|somebody|joked?|jokes|thinks|believes|assumes|says? that|claims?|reckons?|convinced"
    r"|told (?:\w+ ){1,4}(?:to|that)|asked|tempting"
    r"|character|novel|story|film|movie|game|episode)\b",
    re.IGNORECASE,
)
"""Before a claim: it is a plan, a wish, a rumour or gone by, and no claim of how it is."""
NO_LONGER = re.compile(
    r"\b(?:no longer|not|never|doesn't|don't|isn't|aren't|didn't|stopped|quit|gave up|giv(?:en|ing) up|cannot|can't"
    r"|ain't|cut out|done with)(?:\s\w+){0,2}\s*$",
    re.IGNORECASE,
)
"""Right before a claim: it is not so, or no longer."""


EVENTS = frozenset(
    "appointment meeting class lesson lessons session training practice rehearsal call standup "
    "stand-up review retro exam test "
    "interview deadline checkup check-up appt flight party wedding concert date dinner lunch "
    "brunch visit course workshop match game "
    "yoga pilates choir therapy physio dentist report thesis release launch demo presentation "
    "talk delivery surgery operation rent "
    "tutoring club reunion trip event ceremony hearing viewing inspection sync planning webinar "
    "conference shift book group "
    "haircut vet doctor gym football tennis swimming piano guitar violin spanish german french band boxing "
    "climbing".split()
)
"""What has its time."""
NO_PEOPLE = EVENTS | frozenset(
    "rent budget deadline password project codename podcast blog app startup company shop "
    "team phone car laptop editor "
    "bank home work wifi lunch dinner breakfast flight train".split()
)
"""Words that may open a sentence with a capital, and are no names."""
