"""The table of what lasts and what passes: rows in the order in which they are tried.

What matters most stands first, so that an allergy told among plans is an allergy; what is asked and what passes stands
before wishes and possessions, so that "I need a coffee" and "I love it!" are neither.
"""

from __future__ import annotations

from reverie.rules.lasting_row import row

_GRAVE = (
    row(
        "health",
        0.85,
        """allergic allergy allergies intolerant intolerance coeliac celiac vegan vegetarian pescatarian halal kosher
        diabetes diabetic asthma asthmatic epilepsy epileptic adhd autism autistic dyslexia dyslexic bipolar cancer
        tumor tumour chemo chemotherapy stroke surgery operated diagnosed diagnosis pregnant pregnancy miscarriage
        insulin migraine migraines arthritis deaf blind wheelchair sober alcoholic addicted rehab therapist
        medication epipen antidepressants insomnia hospitalized hospitalised disabled disability lithium pacemaker
        depression dementia alzheimer's parkinson's anemia anaemia thyroid gluten-free""",
    ),
    row(
        "health",
        0.82,
        """heart blood panic anxiety hospital doctor broke broken sprained tore fractured eat gluten dairy
        nuts pills""",
        r"""heart (?:attack|condition|disease|surgery)|blood (?:pressure|sugar|clot)|(?:panic
        |anxiety) (?:attacks?|disorder)|in (?:the )?hospital|doctor (?:told|said|says|put|prescribed
        |wants)|(?:broke|broken|sprained|tore|fractured) (?:{my}|an?) (?:\w+ )?(?:ankle|arm|leg|wrist
        |foot|toe|hip|rib|back|neck|knee|nose|collarbone|shoulder|hand|finger|elbow|ligament|tendon)
        |(?:don't|doesn't|can't|cannot|never|not|stopped|avoid) eat(?:ing)?|(?:gluten|dairy
        |nuts) (?:\w+ ){0,2}(?:ill|sick|bad|free)|take (?:\w+ )?pills""",
    ),
    row(
        "loss",
        0.85,
        """died death funeral widow widower widowed suicide bankrupt evicted robbed stolen burgled passed
        lost laid fired burned burnt""",
        r"""died|{is} dead|death of|funeral|widow(?:er|ed)?|suicide|bankrupt|{is} (?:evicted|robbed|stolen
        |burgled|fired)|passed (?:away|on\b)|laid (?:{my} \w+ |me |us |him |her |them )?off|fired (?:me
        |us|him|her|them)|lost (?:{my} (?:\w+ )?(?:{kin}|job|house|home|flat|dog|cat|horse|savings
        |company)|the (?:house|baby|home|farm))|burn(?:ed|t) down""",
        of_anyone=True,
    ),
)
_NOT_SO = (
    row(
        "supposed",
        0.06,
        "if",
        r"^if .*\b(?:would|could|might|\w+'d)\b|\b(?:would|could|might|\w+'d) .* if (?:i|we)\b",
    ),
    row(
        "asked",
        0.05,
        "you",
        r"(?:want|need|like|love|expect|ask(?:ed)?) you to|you (?:are|will be) an? ",
    ),
)
_PEOPLE = (
    row(
        "identity",
        0.75,
        "name call called",
        r"(?:my name(?:'s| is)|(?:call|calls|called) me|i(?:'m| am) called) (?!you\b|when|if|back|later)\w+",
    ),
    row(
        "home",
        0.7,
        """live lives lived living move moves moved moving grew born raised hometown address rent rents
        rented renting mortgage relocate relocated relocating house flat apartment cottage from since""",
        r"""(?:liv(?:e|es|ed|ing)) (?:\w+ ){0,4}?(?:in|at|on|near|with|alone|next|here|by|together)\b
        |mov(?:e|es|ed|ing) (?:(?:back|out|over|up|down|abroad|away|home|here|there
        |together) )?(?:to (?!the (?:next|following|other|second|third|final|actual)|next|step|phase
        |section|chapter|part|a (?:more|different))|in\b|into|out\b|back|house|away|abroad)|grew up
        |born and raised|raised in|hometown|relocat(?:e|ed|ing)|{my} (?:\w+ )?address|rent(?:s|ed
        |ing)? {an}|mortgage|(?:bought|buying|sold|selling|building|built) {an} (?:\w+ ){0,2}(?:house
        |flat|apartment|cottage|place|home)|(?:i'm|i am|we're|we are) (?:originally |all )?from (?!here)
        |(?:have|has|'ve) been in \w+ since""",
    ),
    row(
        "family",
        0.74,
        """married marry marrying divorced divorce divorcing engaged wedding anniversary separated split
        broke dating together expecting adopted adopting dad mum mom father mother proposed single twins
        kids children brother brothers sister sisters son sons daughter daughters relationship""",
        r"""married|marry(?:ing)?|divorc(?:e|ed|ing)|(?:got|{is}) (?:engaged|separated)|engaged to|(?:our
        |{my}) wedding|anniversary|split up|broke up|{is} dating|been together|together for
        |expecting (?:a|our)|adopt(?:ed|ing) (?:a|our|{my}) (?:baby|child|son|daughter|boy|girl)
        |going to be (?:a|an) (?:dad|mum|mom|father|mother|parent|aunt|uncle|grand\w+)|proposed to
        |in a relationship|single (?:mom|mum|dad|parent|mother|father)|(?:have|has|got|have got|'ve got
        |'ve|raise|raising) (?:\w+ ){0,2}(?:twins|kids|children|brothers?|sisters?|sons?|daughters?
        |siblings)""",
    ),
    row(
        "job",
        0.7,
        """work works worked working job jobs quit boss manager employer company colleague colleagues career
        salary promoted promotion hired retired retire retires retiring resigned freelance freelancer
        self-employed unemployed intern internship shift i'm being teach teaches teaching taught start
        starts started starting run runs own owns opened founded as""",
        r"""work(?:s|ed|ing)? (?:\w+ ){0,1}?(?:as an?|at|for (?!me|you|us|now)\w+|in (?:a|an|the) \w+
        |with (?:the|kids|children)|part-time|full-time|remotely|nights|from home)|{my} (?:(?:new|old
        |current|first|last) )?(?:job|boss|manager|employer|company|colleagues?|career|salary|shift)
        |(?:got|get|getting|offered|quit|left|leaving|lost|take|took|applied for|starting|started
        |start) (?:\w+ ){0,2}(?:job|position|promotion|internship)
        |(?:i|we|he|she)(?:'ve| have| just| finally)? quit\b|promoted|{is} hired|hired me
        |retir(?:e|ed|es|ing)|resigned|self-employed|unemployed|freelanc(?:e|er|ing)|(?:run|runs|own
        |owns|opened|founded|started) (?:a|an|{my}) (?:\w+ ){0,2}(?:shop|store|company|pharmacy|bakery
        |business|restaurant|studio|firm|clinic|school|caf\u00e9|cafe|farm|startup|hotel|bar|agency
        |salon)|start(?:s|ed|ing)? (?:\w+ )?at \w+|(?:teach|teaches|teaching|taught) \w+|(?:i'm|i am
        |being|as) an? (?:\w+ ){0,3}?(?!(?:beginner|number|matter|bigger|better|lover|reader|believer
        |newcomer|member|fighter)\b)(?:\w{2,}(?:er|or|ist|ian|eer)|nurse|vet|chef|cook|student|coach
        |clerk|architect|accountant|consultant|midwife|pilot|judge|postman|fireman|au pair|intern)\b""",
    ),
    row(
        "joy",
        0.7,
        "won passed graduated graduate scholarship award accepted birth born acquitted remission",
        r"""won (?:{an}|first|second|third|gold|silver)|passed (?:{my}|the|all)|graduat(?:e|ed|ing|es)
        |scholarship|award|(?:got|{is}) accepted|gave birth|{is} born|in remission""",
    ),
    row(
        "birthday",
        0.7,
        "birthday birthdays turn turns turned turning born age years-old old",
        r"""(?<!happy )birthdays?|turn(?:s|ed|ing)? (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten
        |eleven|twelve|\w+teen|\w+ty)\b|born (?:on|in)|(?:years|months) old""",
    ),
)
_LIGHT = (
    row(
        "asked",
        0.05,
        """like love want need needs wondering wonder could please question questions help let's act pretend
        do here can advice""",
        r"""(?:like|love|want|need) (?:you to|to (?:know|see|ask|understand|hear|check|discuss|talk
        |learn more))|wonder(?:ing)? (?:if|how|what|why|whether)|(?:could|can|do|would) you\b|please
        |question about|(?:a|another|one more|some|two) (?:\w+ )?questions?\b|help (?:me|us)|^let's
        |act as|pretend|^here(?:'s| is| are)|(?:want|need|like) (?:some |a bit of )?(?:help|advice|ideas
        |tips|suggestions|information)|(?:want|need|like|prefer) (?:a|an|the|some|two|three
        |\d+) (?:\w+ ){0,2}(?:synonyms?|table|list|summary|word|poem|script|version|title|examples?
        |explanation|function|code|image|picture|letter|email|draft|template|outline|sentence
        |options?)\b""",
        most=22,
    ),
    row(
        "passing",
        0.05,
        """tired sleepy hungry thirsty bored busy cold late stuck back home here exhausted ready done out
        outside free awake fine ok okay good great alright sure sorry glad kidding joking curious confused
        train bus way plane road sofa meeting traffic coffee eating drinking heading bed now moment brb
        gotta go call know think lunch breakfast dinner slept weather raining rain snowing freezing sunny
        hot battery phone wifi connection keys later today mondays today works""",
        r"""{is} (?:\w+ ){0,2}?(?:tired|sleepy|hungry|thirsty|bored|busy|cold|hot|late|stuck|back|home|here
        |exhausted|ready|done|outside|free|awake|fine|ok|okay|good|great|alright|not sure|sure|sorry
        |glad|kidding|joking|curious|confused)(?:[,.!]|$| (?:today|now|again|tonight|to hear|in traffic
        |for you|if|that|about|at|with|right))|(?:on|in|at) (?:the|my|a) (?:\w+ )?(?:train|bus|way|plane
        |road|sofa|couch|meeting|car|queue)\b|on my way|stuck in|(?:having|eating|drinking|heading
        |grabbing) (?:\w+ )?\w+(?:[,.!]|$)|going to (?:bed|sleep|the (?:shop|store|toilet))|right now
        |at the moment|\bbrb\b|gotta|have to (?:go|run)\b(?! to)|right back|got home|good night|call you
        |let you know|think about it|don't know(?:[,.!]|$)|(?:had|have|having|just had
        |ate) (?:\w+ ){0,3}(?:lunch|breakfast|dinner|coffee|sandwich)|for (?:lunch|breakfast|dinner)
        |need an? (?:coffee|drink|nap|break|shower|minute)|slept|the weather|(?:it's|is) (?:raining
        |snowing|freezing|sunny|hot|cold)|(?:battery|phone|wifi|connection) (?:is|died|was)
        |find {my} (?:keys|phone|glasses)|running (?:\w+ ){0,3}late|ugh|works now""",
        most=14,
    ),
    row(
        "reaction",
        0.05,
        """agree see understand understood guess imagine feel get love like hate believe know mean meant
        appreciate about that's that it's hope forward congratulations congrats sorry you you're your
        you'll proud whatever lovely sounds looks mind happy same cool nice what can't didn't don't earned
        it works worries""",
        r"""(?:i|we)(?:'ll|'d)? (?:\w+ )?(?:agree|guess|can imagine|doubt|get it|get that|see (?:what|that
        |why|how|it)|understand|hear you|think so|hope so|believe (?:it|you|that)|mean\b|meant
        |appreciate|feel (?:the same|you)|know(?:[,.!]|$| what| that| right| how you))|(?:love|like|hate
        |want|get|got|tried|know|mean|see) (?:it|that|this|those|these|when|how|what|your|the (?:idea
        |sound|second|first|last))\b|can(?:'t|not) (?:imagine|wait|believe)|don't mind|(?:didn't
        |don't) (?:understand|get|know|mean|follow)|^(?:that|that's|it's|it|this|sounds|looks|you|you're
        |your|you'll|hope|happy|congrat\w+|well done|good for|poor|same|what an?|so)\b|looking forward
        |(?:happy|sorry|proud|glad|thrilled|excited) (?:for|of|to hear) |was just about|whatever
        |no worries""",
        most=12,
    ),
)
_LASTING = (
    row(
        "family",
        0.66,
        """wife husband partner spouse girlfriend boyfriend fianc\u00e9 fianc\u00e9e mother mom mum mama
        father dad papa parents parent sister brother sisters brothers siblings sibling son daughter sons
        daughters kid kids child children baby twins grandmother grandma grandfather grandpa grandparents
        grandson granddaughter grandkids aunt uncle cousin cousins niece nephew in-laws family friend
        friends flatmate roommate roommates neighbour neighbor mum's mom's dad's sister's brother's wife's
        husband's godmother godfather goddaughter godson stepson stepdaughter""",
        r"{my} (?:\w+ ){0,2}{kin}\b",
    ),
    row(
        "pets",
        0.64,
        """dog dogs cat cats puppy puppies kitten kittens parrot rabbit rabbits hamster horse horses pony
        tortoise turtle budgie canary greyhound labrador poodle terrier retriever dachshund husky pet pets
        hen hens chickens bees goats""",
        r"""(?:{my}|adopted (?:a|an|two|the)|(?:have|has|got|own|owns|keep|keeps) (?:a|an|two|three|four
        |some)) (?:\w+ ){0,3}(?:dogs?|cats?|pupp(?:y|ies)|kittens?|parrot|rabbits?|hamster|horses?|pony
        |tortoise|turtle|budgie|canary|greyhound|labrador|poodle|terrier|retriever|dachshund|husky|pets?
        |hens?|chickens|bees|goats)\b""",
    ),
    row(
        "decisions",
        0.62,
        """decide decided deciding chose chosen settled agreed switched switching opted mind went picked""",
        r"""decid(?:ed|ing)|have chosen|chose|settled on|agreed (?:to|on|that|with)|switch(?:ed
        |ing) (?:\w+ )?(?:to|from)|opted|made up {my} mind|went with|picked (?!up)""",
    ),
    row(
        "failures",
        0.6,
        """failed fails crashed crash crashes broke missed mistake outage because since cause caused wrong
        hard lesson lost""",
        r"""(?:fail(?:ed|s)|crash(?:ed|es)|broke|missed|mistake|outage|wrong|lost).*\b(?:because|since
        |due to|as|caused|so|when|after)\b|because .*(?:fail(?:ed|s)|crash(?:ed|es)|broke|missed|mistake
        |outage|wrong)|lesson learned|the hard way""",
        of_anyone=True,
    ),
    row(
        "appointments",
        0.64,
        """appointment interview exam deadline due promised promise reservation booked flight meeting meet
        comes come arrives arrive leaves leave starts begins visit visiting call date test""",
        r"""(?:appointment|interview|exam|deadline|reservation|flight|test|date)\b.*{when}
        |{when}.*\b(?:appointment|interview|exam|deadline|reservation|flight)|(?:i|we)(?:\'ve
        | have)? promised? (?!you\b)\w+|{is} due|(?:booked|meeting|meet|comes?|coming|arrives?|leaves?
        |starts|begins|visit(?:s|ing)?|call(?:s|ing)?)\b.*{when}""",
        of_anyone=True,
    ),
    row(
        "plans",
        0.58,
        """going plan plans planning planned want wants hope hopes hoping aim aiming intend will i'll we'll
        flying travelling traveling would i'd we'd need must""",
        r"""(?:going|plan(?:s|ning|ned)?|wants?|hop(?:e|es|ing)|aim(?:ing)?|intend|will|\w+'ll|flying
        |travell?ing|would like|need|must)\b.*{when}|{when}.*\b(?:going|plan(?:s|ning|ned)?|wants?
        |hoping|aiming|intend|will|\w+'ll|flying)\b""",
    ),
    row(
        "plans",
        0.52,
        "saving dream dreams dreaming training goal goals marathon bucket resolution",
        r"saving (?:up )?(?:for|to)|dream(?:s|ing)? (?:of|is)|training for|bucket list"
        r"|{my} (?:\w+ )?(?:goal|dream|resolution)s?\b",
    ),
    row(
        "skills",
        0.58,
        """speak speaks fluent native bilingual learning learn learned learnt play plays played playing know
        knows sing sings can good signed lessons classes class course degree phd university college study
        studies studied studying driving licence license orchestra choir band certified practise practice""",
        r"""speaks? \w+|fluent|native|bilingual|(?:{is}|started|start|been) learn(?:ing)? (?!more)
        |(?:learned|learnt) (?:to|how)|plays?(?:ed|ing)? (?:the |in an? )\w+|knows? (?:\w+ ){1,2}(?:well
        |inside out)|can (?:play|speak|sew|drive|juggle|ride|cook|dance|swim|do \w+ language)
        |(?:not )?(?:good|bad|terrible) at|signed up for|(?:take|taking|took
        |takes) (?:\w+ ){0,2}(?:lessons|classes|course)|(?:have|has|finished|got|doing|did|'ve) (?:an?
        |{my}) (?:\w+ )?(?:degree|phd|master's|licence|license)|stud(?:y|ies|ied|ying) (?:at|in|\w+ at
        |law|medicine|\w+ in)|at (?:university|college|uni)|driving licen[cs]e
        |in an? (?:\w+ )?(?:orchestra|choir|band)|certified""",
    ),
    row(
        "projects",
        0.58,
        """project app service server system database tool repo repository product startup pipeline cluster
        site website blog podcast novel book thesis game team called named writing building developing
        codebase script platform library api""",
        r"""{my} (?:\w+ )?(?:project|app|service|server|system|database|tool|repo|repository|product|startup
        |pipeline|cluster|site|website|blog|podcast|novel|book|thesis|game|team|codebase|platform
        |library|api)\b (?:{is}|uses?|runs?|has|have|lives?|releases?|deploys?|needs?|called|named)
        |(?:is|are) {my} (?:\w+ ){0,2}(?:project|app|service|tool|system|product|blog|podcast|site)
        |(?:the|{my}) (?:\w+ )?(?:server|database|service|app|api|cluster|repo|repository) (?:is|are
        |runs?|lives?) (?:at|on|in|with)|(?:writing|building|developing) (?:an?|{my}) \w+|(?:i|we
        |{my} (?:\w+ )?\w+)(?:\'ve)? (?:called|named) (?:it|him|her|them) \w+
        |{my} (?:\w+ )?\w+ {is} (?:called|named) \w+""",
        of_anyone=True,
    ),
    row(
        "likes",
        0.5,
        """love loves adore adores hate hates stand prefer prefers enjoy enjoys dislike dislikes favourite
        favorite favourites favorites into fan obsessed never like likes passion passionate hobby hobbies""",
        r"""(?:loves?|adores?|hates?|enjoys?|dislikes?|prefers?) (?!it\b|that\b|this\b|your\b|you\b
        |to (?:know|see|hear|help|chat|learn)|when\b|how\b)\w+|can(?:'t|not) stand \w+|favou?rites?
        |really into|(?:{is} )(?:\w+ )?into \w+|(?:big|huge) fan|not a fan|fan of|obsessed with
        |never (?:watch|eat|drink|read|drive|fly|use|wear)|(?:i|we) (?:(?:really|also|do
        |always) )?like (?!it\b|that\b|this\b|to (?:know|see|hear|help|chat|learn)|how\b|your\b)\w+
        |don't like \w+|passion(?:ate)?|hobb(?:y|ies)""",
    ),
    row(
        "things",
        0.5,
        """bought own owns drive drives inherited ordered built have has use uses got ride rides restored
        collect collects sold""",
        r"""(?:bought|own|owns|drives?|inherited|ordered|built|rides?|restored|sold
        |collects?) (?:{an} )?(?:\w+ )?\w+|(?:i|we)(?:'ve)? (?:\w+ )?(?:have|got
        |use) an? (?!(?:\w+ )?(?:question|problem|idea|feeling|meeting|headache|coffee|look|bit|lot|few
        |good|great|nice|bad|plan|chance|minute|moment|second|hard|tough|busy|long|better|clear)\b)\w+
        |(?:has|have) (?:a|an) [a-z0-9]+ [a-z0-9]+(?: \w+)? (?:in|at|on) {my}""",
    ),
    row(
        "routines",
        0.46,
        """every usually always each weekly daily mornings evenings weekends tuesdays wednesdays thursdays
        fridays saturdays sundays mondays""",
        r"""every (?:other |single )?(?:day|morning|afternoon|evening|night|week|weekend|month|year|\w+day
        |spring|summer|winter|autumn)|each (?:morning|evening|week|night)|usually|weekly|daily
        |on (?:{when}s|weekends)|mornings|evenings""",
    ),
    row(
        "events",
        0.3,
        """went visited met saw watched attended travelled traveled hosted joined finished completed read ran
        hiked climbed cooked baked painted volunteered organized organised spent took started made been
        tried spoke found planted signed performed recorded wrote published""",
        r"""(?:went|visited|met|saw|watched|attended|travell?ed|hosted|joined|finished|completed|read|ran
        |hiked|climbed|cooked|baked|painted|volunteered|organi[sz]ed|spent|took|started|made|been to
        |tried|spoke|found|planted|performed|recorded|wrote|published)\w* (?!it\b|that\b|this\b|sense
        |me\b|sure|my (?:keys|phone))\w+ \w+""",
    ),
)
ROWS = (*_GRAVE, *_NOT_SO, *_PEOPLE, *_LIGHT, *_LASTING)
