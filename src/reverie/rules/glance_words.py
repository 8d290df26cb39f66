"""Words by which a text is known at a glance: closed classes, names, relatives, and what is said in several ways."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reverie.rules.terms import terms

MONTHS = frozenset(
    "january feb february march apr april june jul july aug august sept september october november december".split()
)
"""Words that can hardly be anything else."""
DAYS = frozenset(
    """monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday
    sundays weekdays weekends""".split()
)
_UNITS = "one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
NUMBERS = {word: str(number) for number, word in enumerate(_UNITS, 1)} | {
    word: str(number) for number, word in enumerate(_ORDINALS, 1)
}
_CLASSES = {
    "colour": """
    red blue green yellow black white grey gray orange purple pink brown beige turquoise teal navy cream mustard sage
    maroon lilac violet silver gold ochre terracotta mint olive""",
    "job": """
    developer engineer manager teacher designer worker writer driver baker painter builder photographer programmer
    researcher lecturer professor farmer gardener plumber carpenter joiner welder miner barber butcher hairdresser
    waiter waitress bartender barista officer lawyer solicitor doctor actor actress editor translator interpreter
    tutor instructor director operator tailor surgeon dentist therapist pharmacist florist journalist scientist
    chemist biologist physicist psychologist economist artist receptionist electrician technician librarian musician
    physician politician nurse vet chef cook student coach clerk architect accountant consultant midwife pilot judge
    intern analyst postman firefighter policeman soldier apprentice freelancer paramedic mechanic postdoc trainer
    supervisor caretaker cleaner cashier secretary planner recruiter banker broker auditor inspector animator
    illustrator producer composer courier sailor captain owner retired unemployed""",
    "drink": """
    coffee tea espresso cappuccino latte macchiato cortado americano mocha matcha rooibos chai cocoa kombucha kefir
    sencha oolong chicory smoothie""",
    "meal": """
    porridge eggs toast muesli granola cereal yoghurt yogurt pancakes croissant oats fruit bagel""",
    "language": """
    english french german spanish italian portuguese dutch danish swedish norwegian finnish icelandic polish czech
    slovak hungarian romanian bulgarian greek turkish russian ukrainian arabic hebrew persian farsi hindi urdu bengali
    tamil japanese chinese mandarin cantonese korean vietnamese thai indonesian malay swahili welsh irish gaelic
    basque catalan croatian serbian slovenian lithuanian latvian estonian esperanto latin""",
    "instrument": """
    piano guitar violin viola cello drums bass flute clarinet oboe saxophone trumpet trombone harp ukulele banjo
    mandolin accordion recorder keyboard organ harmonica concertina ukelele lute bagpipes fiddle melodica xylophone
    marimba bassoon tuba horn soprano alto tenor baritone mezzo""",
    "sport": """
    football soccer rugby cricket tennis badminton squash padel hockey basketball netball volleyball handball judo
    karate aikido taekwondo boxing kickboxing fencing wrestling gymnastics ballet ballroom salsa tango swimming diving
    rowing kayaking canoeing sailing surfing climbing bouldering running jogging cycling skating skateboarding
    snowboarding skiing curling bowling yoga pilates crossfit archery golf darts athletics trampolining parkour
    lacrosse baseball softball horseriding riding dance dancing zumba capoeira triathlon powerlifting weightlifting
    hiking""",
    "pet": """
    whippet labrador poodle terrier spaniel collie beagle dachshund greyhound lurcher bulldog pug corgi husky
    retriever boxer dalmatian schnauzer chihuahua cockapoo labradoodle alsatian dog puppy cat kitten hamster gerbil
    rabbit bunny parrot budgie canary cockatiel tortoise turtle snake gecko lizard ferret rat mouse goldfish horse
    pony chinchilla hedgehog axolotl""",
    "subject": """
    law medicine physics chemistry biology mathematics maths architecture engineering economics psychology history
    philosophy linguistics nursing journalism geography sociology astronomy statistics dentistry pharmacy theology
    archaeology accounting""",
    "diet": """
    carnivore flexitarian halal keto kosher omnivore paleo pescatarian pescetarian vegan vegetarian veggie""",
    "car": """
    vw volkswagen golf polo passat tiguan tesla bmw audi mercedes toyota yaris corolla prius honda civic jazz ford
    fiesta focus mazda skoda octavia fabia seat ibiza leon renault clio zoe twingo peugeot citroen fiat panda volvo
    kia hyundai ioniq kona nissan leaf micra opel corsa astra mini dacia sandero duster subaru outback forester suzuki
    swift jeep porsche lexus cupra polestar saab chevrolet chevy van campervan motorbike motorcycle vespa scooter
    ebike cargo""",
    "tool": """
    react vue angular svelte solidjs preact ember nextjs nuxt sveltekit htmx jquery django flask fastapi rails laravel
    express spring nestjs phoenix actix python rust golang java kotlin scala ruby typescript javascript haskell elixir
    php swift vscode vim neovim nvim emacs pycharm intellij webstorm sublime zed atom helix jetbrains cursor windows
    macos ubuntu fedora debian arch linux nixos mint bash zsh fish powershell postgres postgresql mysql mariadb sqlite
    mongodb redis dynamodb cassandra oracle duckdb aws gcp azure hetzner digitalocean linode heroku netlify vercel
    render github gitlab bitbucket gitea codeberg notion obsidian evernote onenote logseq roam joplin anytype todoist
    trello asana jira linear clickup things ticktick basecamp slack discord teams mattermost zulip whatsapp signal
    telegram threema spotify tidal deezer qobuz pandora firefox chrome safari edge brave opera vivaldi chromium google
    duckduckgo kagi ecosia bing iphone pixel galaxy fairphone oneplus xiaomi nokia motorola android samsung thinkpad
    macbook xps chromebook zenbook surface gmail outlook protonmail proton fastmail thunderbird posteo revolut monzo
    sparkasse comdirect ing barclays hsbc commerzbank dkb wise lloyds natwest santander chase bunq starling vodafone
    telekom verizon fuji fujifilm nikon leica canon olympus pentax lumix hasselblad bitwarden lastpass keepass
    keepassxc dashlane figma sketch photoshop procreate krita inkscape affinity illustrator penpot aldi lidl rewe
    edeka tesco waitrose strava garmin komoot runkeeper duolingo anki babbel memrise busuu netflix hulu mubi npm yarn
    pnpm pip poetry uv conda pytest unittest jest vitest mocha cypress playwright selenium webpack vite rollup parcel
    esbuild gradle maven bazel terraform pulumi ansible kubernetes docker podman nomad""",
}
CLASSES: Mapping[str, frozenset[str]] = {sort: frozenset(words.split()) for sort, words in _CLASSES.items()}
"""Closed classes: another word of the same class is another value."""
NAME = re.compile(r"[A-Z](?<!\w.)(?<!^.)(?<![.!?:\u201c\"] .)[\w'-]*[a-z0-9][\w-]*\b")
OPENING = re.compile(r"(?:^|[.!?:] )([A-Z][\w-]+)(?= (?:is|was|sings|quit|left|it is)\b)")
"""Words in a capital: within a sentence, and as its beginning where a verb follows."""
NO_NAMES = frozenset(
    "i i'm i've monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays "
    "saturdays sundays january february march april may june july august september october november december the user "
    "assistant mr mrs ms dr miss professor prof it its our my we he she they this that".split()
)
_KIN = {
    "mother": "mum mam mom ma mama mummy mother", "father": "dad daddy pa papa father", "sister": "sister sis",
    "brother": "brother bro", "son": "son boy", "daughter": "daughter girl", "wife": "wife", "husband": "husband",
    "grandmother": "gran grandma granny nan nana grandmother", "grandfather": "grandad grandpa grandfather",
    "aunt": "aunt auntie", "uncle": "uncle", "cousin": "cousin", "niece": "niece", "nephew": "nephew",
    "inlaw": "in-laws", "child": "kid kids child children baby", "parents": "parents", "partner": "partner",
    "boyfriend": "boyfriend", "girlfriend": "girlfriend", "friend": "friend", "colleague": "colleague",
}  # fmt: skip
KIN = {word: kin for kin, words in _KIN.items() for word in words.split()}
_FAMILIES = {
    "boss": "boss manager supervisor", "job": "job title role position", "operation": "operation op surgery",
    "flat": "flat apartment", "doctor": "doctor gp", "stand": "standup", "phone": "phone mobile cell",
    "alarm": "alarm", "wage": "salary wage pay", "dose": "dose dosage mg microgram micrograms milligrams "
        "tablet tablets pill pills", "bank": "bank account banking money", "mail": "email mail",
    "wedding": "wedding marry married", "exam": "exam test", "practice": "practice rehearsal rehearse rehearses",
    "holiday": "holiday vacation", "colour": "colour color", "neighbour": "neighbour neighbor",
    "live": "live lives living lived home based residing settled", "shop": "shop store",
    "gym": "gym", "car": "car", "bike": "bike bicycle",
}  # fmt: skip
FAMILY = {
    stem: terms(family)[0]
    for family, words in _FAMILIES.items()
    for word in words.split()
    for stem in terms(word)
}
"""Stems that say the same, by the one that stands for all of them."""
EMPTY = frozenset(
    """also even just only still already really quite very much more less lot bit sort kind anyway always usually mostly
    never now then today tonight tomorrow yesterday currently finally actually basically instead again back since
    until soon later ago last next this these those every each all some any other another new old same different good
    bad great nice lovely big little small long short be been being am is are was were do does did have has had get
    gets got getting gotten go goes going went gone come comes came make makes made take takes took taken put puts set
    sets let lets say says said tell tells told know knows think thinks thought want wants wanted need needs like
    likes love loves keep keeps kept give gives gave given move moves moved change changes changed switch switches
    switched rename renamed start starts started stop stops stopped begin begins began begun use uses used thing
    things one ones way people everyone everybody somebody someone something anything nothing yes no ok okay well oh
    so too not n't don't isn't doesn't can't won't user assistant there here they them their theirs its from with
    about into onto over under off out up down for and but or because while week weeks month months year years day
    days morning mornings evening evenings night nights time times mine yours ours""".split()
)
