"""English words that name nothing: what neither a topic nor a name begins, ends or consists of."""

from __future__ import annotations

from reverie.language.dates import MONTHS, NUMBERS, ORDINALS, UNITS, WEEKDAYS
from reverie.language.lexical_terms import STOP_WORDS

_SAID = """
absolutely actually afterwards ah aha almost already alright also although always amazing another anyone
anything anyway anyways apparently aw awesome aww aye basically besides brilliant bye cheers clearly congrats
congratulations cool crazy currently dear definitely despite eh either else especially even eventually ever
every everybody everyone everything exactly excited exciting fair fantastic finally fortunately gimme glad
gonna good goodbye goodnight gosh gotcha gotta great guess ha haha happy hello hey hi hmm hmmm hooray hope
hopefully however huh indeed inspiring instead interesting kinda last lately later least likewise literally
lol lot lots lovely luckily many maybe me meanwhile might much must nah neither never nevertheless new next
nice nobody none nope nor nothing obviously often oh ok okay omg one ones ooh oops ouch overall perfect
perhaps personally please plus possible pretty probably quick quite rather really recently regarding several
shall short similarly since sincerely somebody somehow someone something sometimes soon sorry special still
such super sure surely sweet tbh thank thankfully thanks therefore though thus today together tomorrow tonight
tons totally true truly ugh um unfortunately unless unlike upon us usually very wanna welcome well whatever
whoa whoever without woah wonderful woo woohoo would wow yay yeah yep yes yesterday yet yikes yo yup
"""
_ORDERS = """
add agree appreciate ask believe bet blue book bring build buy call check come create delete do eat embrace
enjoy excuse explore find fix follow following found get give go going have hear heard help holy imagine
impressive it's keep leave let let's like look looking love make meet miss move need old open pay people play
put read ready remember remind right run same say see seems send set should show small sounds speaking start
stay stop take talk talking tell test that's there's think thought told too try trying turn two update use
visit wait want watch way wish work works write
"""
_WEAK = """
able ago agree agreed ain't alone along amount anymore appreciate appreciated around ate available away back
bad badly be became become becomes been began begin behind believe best bet better big bit blast bought bring
brings broke broken brought built bunch call called calling came cannot case catch catching cause chance
change changes chat chatted chatting check chose close come comes coming completely could couple day days deal
dealing decide decided delicious did difference different does doing done down drank drove each early easier
easy end enjoy enjoyed enough entire etc excite far feel feeling feelings feels fell felt few figure find
finding fine first five flew forward found four full fully fun further gave get gets getting give given gives
giving go goes going gone got grew guy guys had half hand hang happen happened happening happens hard has have
having hear heard hearing held help helped helpful helping helps high hold huge idea ideas important
incredible inside it's its join joined just keen keep keeping keeps kept kind kinds knew know knowing known
knows large late lead learn learned learning leave leaving led left let lets letting life like liked likes
line little live lived lives long longer look looked looking looks lose loss lost love loved loves loving low
lucky made main make makes making man matter may mean meaning means meant meet meeting met middle mind minute
minutes miss missed moment moments month months more most move moved name near need needed needing needs night
number off old once onto open opened order others out outside own paid part parts pass passed past people per
person pick picked piece place places plan planned planning plans play playing point posted powerful prefer
prefers proud put puts quit reach reached reaching ready real realize realized reason remember remind reminded
reminds right rode run said same sang sat save saw say saying says see seeing seem seemed seems seen send sent
set shall share shared sharing she'd show showed showing shows side since sit slept small sort sound sounded
sounds spend spending spent spoke stand start started starting starts stay stayed stick stoked stood stop
stopped stuck stuff style swam take taken takes taking talk talked talking tell telling thankful thing things
think thinking thinks third thought thoughts three throw till time times told took top total touch tough
toward towards tried tries true try trying turn turned turns two type understand unique use used uses using
via view visit visited wait waiting walk want wanted wanting wants watch watched watching way ways week
weekend weeks went whole wish wished within without won wonder wore work worked working works worries worry
worth write wrote year years you're young
"""
_SHOUTED = "ok lol omg btw am pm fyi asap wow tbh imo idk pls thx ps ha yes no not usd eur a i"

OPENERS = frozenset({*_SAID.split(), *_ORDERS.split(), *STOP_WORDS, *NUMBERS, *ORDINALS})
"""Words that open sentences with a capital and are no names."""

DATES = frozenset({*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)})
"""Months and weekdays, which have capitals and are no names here."""

WEAK = frozenset({*_SAID.split(), *_WEAK.split(), *STOP_WORDS, *DATES, *UNITS, *NUMBERS, *ORDINALS})
"""Words that part a text into phrases: stop words, light verbs, praise, times and numbers."""

SHOUTED = frozenset(_SHOUTED.split())
"""What is written in capitals and is no acronym worth keeping."""

FINITE = frozenset(
    "is was has had will can could would should does did said says and isn't wasn't hasn't doesn't won't".split()
)
"""What makes the capitalised word before it a subject."""

TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof", "st"})
"""Short forms whose full stop ends no sentence."""

PARTICLES = frozenset({"of", "de", "del", "der", "di", "du", "la", "le", "van", "von"})
"""Small words inside names."""


_LISTED = """
actual afternoon air animal answer apartment apple area arm assistant baby bag ball bank bar bathroom beach beautiful
bed bedroom beer bike bill bird birthday bit black blue boat body book boss bottle bottom box boy bread breakfast
bridge brother brown building bus business busy cake camera car card case cat center centre certain chair cheap child
children church city class clean clear clothes coat coffee cold color colour company computer cook cooking cost
country course cream cup dad daily dance dark date daughter dead deep desk detail dinner dish doctor dog door dress
drink drive driving dry ear early earth east eat egg email end evening event example exercise eye face fact fall
family fast father favorite favourite feel feet film finger fire fish floor flower follow food foot forest form free
fresh friend fruit funny future game garden general girl glass gold green grey ground group hair hat head health heart
heavy help hill holiday home hospital hot hotel hour house hungry husband ice include information island job juice key
kid kind kitchen lake land language later laugh law leaf leg lesson letter level library light list listen lunch mail
main market meal meat medicine member milk mind mom money moon morning mother mountain mouth movie mr mrs ms mum
museum music name neck neighbor neighbour news noise north nose note noted number office oil orange page paint paper
parent park party pen pencil phone photo picture plan plant plate point pool poor power present price problem program
project purple question quiet rain reason red restaurant result rice rich right ring river road rock room rule salt
sand school sea season seat second sense service set shirt shoe shop shopping short shower sick sign sister situation
size skin sky sleep slow smile smoke snow soft son song soup south spring star state station step stone store storm
story street strong student stuff sugar summer sun sweet swim system table tall tea teacher team term thing ticket
tired tooth topic town train travel tree trip truck uncle update user warm wash water way weather wedding weight west
wet white wife wind window wine winter woman women wood word world wrong yellow
"""
EVERYDAY = frozenset(_LISTED.split())
