"""Words by which a glimpse is known: who is what to somebody, and what is a sport, a language, a pet, a drink."""

from __future__ import annotations

ROLES = (
    r"(?:(?:line )?manager|boss|supervisor|mentor|team ?lead|(?:piano |guitar |violin |maths |class "
    r"|form |swimming |yoga "
    r"|dance |music |english |french |spanish |german |driving )?(?:teacher|instructor)|girlfriend"
    r"|boyfriend|fianc\u00e9e?"
    r"|wife|husband|partner|dog[- ]?(?:walker|sitter)|cat[- ]?sitter|cleaner|childminder|nanny|au"
    r" pair|babysitter|tutor"
    r"|physio(?:therapist)?|therapist|counsellor|doctor|gp|dentist|vet|optician|hairdresser|barber"
    r"|landlord|landlady"
    r"|(?:next[- ]door |downstairs |upstairs )?neighbou?r|flatmate|housemate|roommate|lodger|coach"
    r"|(?:personal )?trainer"
    r"|accountant|lawyer|solicitor|best (?:friend|mate)|agent|editor|publisher|drummer|singer|bassist|guitarist"
    r"|training partner|running (?:buddy|partner)|gardener|builder|plumber|midwife|professor|advisor|adviser)"
)
"""Who somebody has one of, mostly."""

LANGUAGES = frozenset(
    "english french german spanish italian portuguese dutch danish swedish norwegian finnish icelandic polish czech "
    "slovak hungarian romanian bulgarian greek turkish russian ukrainian arabic hebrew persian farsi "
    "hindi urdu bengali "
    "tamil japanese chinese mandarin cantonese korean vietnamese thai indonesian malay swahili welsh "
    "irish gaelic basque "
    "catalan croatian serbian slovenian lithuanian latvian estonian esperanto latin".split()
)
SPORTS = frozenset(
    "football soccer rugby cricket tennis badminton squash padel hockey basketball netball volleyball handball judo "
    "karate aikido taekwondo boxing kickboxing fencing wrestling gymnastics ballet ballroom salsa tango "
    "swimming diving "
    "rowing kayaking canoeing sailing surfing climbing bouldering running jogging cycling skating skateboarding "
    "snowboarding skiing curling bowling yoga pilates crossfit archery golf darts athletics trampolining "
    "parkour lacrosse baseball "
    "softball horseriding riding dance dancing zumba capoeira triathlon powerlifting weightlifting hiking".split()
)
INSTRUMENTS = frozenset(
    "piano guitar violin viola cello drums bass flute clarinet oboe saxophone trumpet trombone harp ukulele banjo "
    "mandolin accordion recorder keyboard organ harmonica concertina ukelele lute bagpipes fiddle melodica "
    "xylophone marimba bassoon tuba horn".split()
)
BREEDS = frozenset(
    "whippet labrador poodle terrier spaniel collie beagle dachshund greyhound lurcher bulldog pug corgi "
    "husky retriever "
    "boxer dalmatian schnauzer chihuahua cockapoo labradoodle alsatian".split()
)
PETS = BREEDS | frozenset(
    "dog puppy cat kitten hamster gerbil rabbit bunny parrot budgie canary cockatiel tortoise turtle "
    "snake gecko lizard "
    "ferret rat mouse goldfish horse pony chinchilla hedgehog axolotl".split()
)
DRINKS = (
    r"(?:flat white|(?:black |filter |iced |instant |decaf )?coffee|espresso|double espresso"
    r"|cappuccino|latte|oat latte"
    r"|macchiato|cortado|americano|cold brew|mocha|(?:green |black |mint |herbal |peppermint |ginger "
    r"|camomile |chamomile "
    r"|earl grey |rooibos |white |builder's |oolong )?tea|earl grey|rooibos|matcha|chai|yerba mate"
    r"|mate|hot chocolate|cocoa"
    r"|orange juice|kombucha|kefir|hot water(?: (?:and|with) lemon)?|lemon water|smoothie|protein"
    r" shake|chicory)"
)
MEDICINES = (
    r"(?:ibuprofen|naproxen|paracetamol|acetaminophen|tylenol|advil|aspirin|codeine|diclofenac"
    r"|tramadol|amoxicillin"
    r"|antibiotics?|doxycycline|cetirizine|bilastine|fexofenadine|desloratadine|levocetirizine|loratadine"
    r"|antihistamines?|omeprazole|pantoprazole"
    r"|lansoprazole|metformin"
    r"|insulin|statins?|atorvastatin|simvastatin|ramipril|lisinopril|amlodipine|bisoprolol|beta"
    r" blockers?|sertraline"
    r"|fluoxetine|citalopram|escitalopram|venlafaxine|mirtazapine|prednisolone|prednisone|cortisone"
    r"|levothyroxine"
    r"|thyroxine|ventolin|salbutamol|melatonin|magnesium|iron tablets|vitamin d|sumatriptan|triptans?"
    r"|methotrexate"
    r"|gabapentin|pregabalin|warfarin|hydrocortisone)"
)
STYLES = (
    r"(?:bullet(?:ed)?[- ]?(?:points?|lists?)|bullets|(?:short |numbered |plain |full |long"
    r" )*(?:paragraphs?|lists?|prose"
    r"|sentences)|tables?|(?:plain|simple|british|american) english|metric(?: units)?|imperial(?:"
    r" units)?|celsius|fahrenheit"
    r"|one[- ]liners?|one sentence|emojis?|headings?|markdown|plain text|spanish|french|german"
    r"|english|italian|portuguese)"
)
"""Ways in which an agent may be asked to answer."""

EVENT = (
    r"(?:(?:hip|knee|eye|heart|back|cataract|heart|c-section|foot|shoulder|dental) )?(?:op|operation"
    r"|surgery|scan|mri|x-ray)"
    r"|(?:dentist|doctor|doctor's|gp|vet|hygienist|physio|eye test|hairdresser|hair|haircut|barber"
    r"|optician|mot|boiler"
    r"|plumber|driving|job|client|budget|team|parents'?|school|board|piano|guitar|violin|swimming"
    r"|dance|book|photo|weekly"
    r"|monthly|sprint|kick-?off|thesis|project|product|final|mid-?term|theory|half) (?:appointment"
    r"|appt|check-?up|visit"
    r"|test|exam|lesson|class|meeting|interview|review|viva|defence|defense|evening|club|group|shoot"
    r"|planning|retro"
    r"|submission|presentation|deadline|launch|release|demo|thing|marathon|concert|service|inspection)"
    r"|stand-?up|dentist|physio|pilates|yoga|choir|rehearsal|band practice|practice|training|ballet"
    r"|judo|swimming"
    r"|release|launch|deadline|wedding|party|exam|viva|interview|retro|demo|appointment|check-?up"
    r"|service|delivery"
    r"|flight|move|book club|therapy|haircut|optician|surgery|concert|gig|conference|marathon|course"
    r"|class|lesson"
    r"|tutoring|bin day|bins|shift|submission|presentation|meeting|sync|planning|one-to-one|1:1"
    r"|catch-?up|hearing"
    r"|inspection|completion|graduation|recital|tournament|match|race|trip|holiday|reunion"
    r"|christening|funeral|scan"
)
"""What has its time: longer names before the shorter ones that they hold."""
SERVICES = {
    r"(?:walks?|walking|takes?|taking) (?:the dog|him|her|(?-i:[A-Z][a-z]+))(?: out| on| mon| every|"
    r" at|,|$)?": "dog walker",
    r"(?:cleans?|cleaning) (?:for us|for me|the (?:flat|house)|our)": "cleaner",
    r"(?:teaches|is teaching|teaching) (?:me|us)\b": "teacher",
    r"(?:minds|looks after|is looking after) (?:the kids?|our|my)\b": "childminder",
    r"(?:cuts|does) my hair\b": "hairdresser",
}
"""What somebody does for the speaker, and what that makes him."""
