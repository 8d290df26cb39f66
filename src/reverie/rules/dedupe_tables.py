"""English words that the duplicates' guard knows of, by hand: groups stand between bars.

No such list is complete. They are used so that a gap errs to the safe side: a word in no group says nothing but
itself.
"""

from __future__ import annotations

SAME = """
about approximately around roughly | aeroplane airplane plane aircraft | afraid scared frightened |
africa african | after following | alike similar | allow permit let | also too | annual yearly |
answer reply respond response | anybody anyone | apartment flat | argue quarrel | arrange organise |
asia asian | ask request | assist help aid | attempt try | attorney lawyer | august aug |
australia australian | austria austrian | automobile car auto | autumn fall | award prize | bag sack |
battle fight | beach shore seaside | beautiful pretty lovely | because since as | begin start commence |
belgium belgian | believe think | bicycle bike cycle | big large huge | boulder rock stone | boy lad |
brazil brazilian | brief short | build construct | bunny rabbit | but however though although yet |
buy purchase acquire | call phone telephone | call refer | canada canadian | car vehicle |
center central | center middle | chief boss | china chinese | choose pick select | cinema theater |
clever smart intelligent | close near nearby | close shut | cloth fabric | clothes clothing garments |
company firm corporation business | complete finish conclude | conversation talk discussion | couch sofa
| create make | cup mug | customer client | cut slice chop | dad father | daily everyday | damp moist |
december dec | decrease reduce lower | defend protect | delay postpone | denmark danish | depart leave |
desire want wish | discover find | doctor physician | dress gown | drop fall decline | during amid |
employee worker staff | end finish conclude | england english | enormous huge vast | enough sufficient |
error mistake | europe european | everybody everyone | examine inspect | exit leave | expect anticipate
| expensive costly | explain clarify | february feb | feeling emotion | female woman | film movie |
finland finnish | fix repair mend | folder directory | follow chase pursue | forbid prohibit ban |
forest woods | france french | frequent often | friday fri | frolic play romp | fun enjoy |
garbage rubbish trash | germany german | get obtain receive | gift present | glad happy | goal aim |
grab seize grasp | grass lawn | greece greek | group bunch | guest visitor | gun firearm | handle manage
| hard difficult | hispanic latino | hit strike | hold keep | holiday vacation | home house |
hop jump leap | hungary hungarian | hurt injure wound | idea notion | ill sick | important significant |
india indian | inform tell notify | inside within indoors | investor shareholder | iran iranian |
iraq iraqi | ireland irish | israel israeli | issue problem | italy italian | january jan |
japan japanese | job position | journal diary | journey trip | kid child children | kill slay |
kind type sort | korea korean | lady woman | last final | law legislation | lawsuit suit | lead head |
lift elevator | lift raise | listen hear | little small tiny | location place site | look watch |
luggage baggage | mad angry | main primary chief | mainly mostly largely | male man | material stuff |
mean signify | meeting appointment | method way | mexico mexican | mobile cellphone cellular cell |
mom mother mum | monday mon | motorbike motorcycle | mutual shared | nation country | need require |
netherlands dutch | noisy loud | norway norwegian | november nov | now currently presently | october oct
| oil petroleum | onto on | outcome result | outdoor outside outdoors | over above | pants trousers |
past previous prior earlier | people persons | percent % | permit allow | picture photo photograph image
| place put | plan intend | plead beg | pleased glad happy | poland polish | police cops | policeman cop
| portugal portuguese | possess own | powerful strong | practise exercise | price cost | prison jail |
proposal offer | pull tug | pupil student | quick fast rapid swift | quiet silent | rate pace |
reach arrive | refuse decline | remember recall | remove delete erase | rent lease | reply answer |
reside live dwell | respond react | rise climb increase | road street | rock stone | run operate |
runner jogger | russia russian | sad unhappy | safe secure |
say state add note announce declare comment remark | scotland scottish | sea ocean | seaside coast shore
| security safety | sell vend | seller vendor | senator sen | send dispatch | september sept sep |
shade sunglass | share stock | shop store | show display exhibit | show reveal indicate | sick ill |
sleep slumber | slope hillside | smart clever | smile grin | soldier troop | somebody someone person |
spain spanish | speak talk | stay remain | stop cease halt | stopped quit | story tale |
strange odd weird | street road | study research | suggest propose | sum total | supper dinner |
supply provide | sweden swedish | switzerland swiss | talk chat | teacher instructor | team squad |
teen teenager | television tv | tell inform | thief robber burglar | thin slim | throw toss hurl |
tidy neat | tired exhausted | truck lorry | turkey turkish | uk britain british | ukraine ukrainian |
under beneath underneath below | understand comprehend | us usa america american | use utilise employ |
versus against | view opinion | wage salary pay | walk stroll | war conflict | warn caution |
wealthy rich | website site | while whereas | wide broad | will shall | win victory | wood timber lumber
| work function | worker labourer | wrong incorrect | youth youngster
"""
"""Words that can say the same, a country and what is of it among them. A word may be in several groups."""

EXCLUSIVE = """
monday tuesday wednesday thursday friday saturday sunday |
january february march april may june july august september october november december |
morning noon afternoon evening midnight | am pm | day night | spring summer autumn winter |
yesterday today tomorrow | daily weekly fortnightly monthly quarterly yearly |
second minute hour day week fortnight month quarter year decade century | left right | up down |
upstairs downstairs | above below | above under | over under | over below | north south east west |
northern southern eastern western | front behind back | top bottom | in out | inside outside |
indoor outdoor | indoors outdoors | into out | on off | on under | from to | before after | early late |
earlier later | near far | close far | with without | always sometimes rarely never | often rarely never
| usually rarely | all some none | all some few | many few | more less | more fewer | most least |
maximum minimum | max min | everybody nobody | everyone nobody | everything nothing | must may |
must might | he she | him her | his her their my your our | i you | i he | i she | we you | we they |
me you | my your | mine yours | first second third last | former latter | previous next | next last |
man woman | men women | boy girl | male female | father mother | son daughter | brother sister |
husband wife | uncle aunt | nephew niece | grandfather grandmother | king queen | mr mrs | baby adult |
child adult | black white red green blue yellow orange purple pink brown gray grey | big small |
large small | huge small | huge tiny | big little | large little | tall short | long short | high low |
higher lower | wide narrow | thick thin | deep shallow | heavy light | dark light | bright dark |
hot cold | warm cold | warm cool | wet dry | hard soft | fast slow | quick slow | loud quiet |
strong weak | rich poor | old young | old new | clean dirty | full empty | open shut | opened closed |
open closed | good bad | better worse | best worst | true false | correct incorrect | happy sad |
like dislike | like hate | love hate | buy sell | borrow lend | give take | give receive | send receive
| push pull | win lose | arrive leave | arrive depart | come go | enter leave | enter exit | start stop
| start end | begin end | begin finish | begin stop | rise fall | rise drop | gain lose | climb drop |
advance decline | increase decrease | increase reduce | raise lower | grow shrink | accept reject |
accept refuse | accept decline | agree disagree | agree refuse | allow forbid | allow prohibit |
allow ban | permit forbid | allow block | allow deny | grant deny | confirm deny | enable disable |
add remove | add delete | create delete | insert delete | install uninstall | login logout |
upload download | import export | encrypt decrypt | public private | internal external | input output |
client server | read write | reader writer | source target | sender receiver | primary secondary |
production staging development | production test | prod staging dev | local remote | online offline |
synchronous asynchronous | manual automatic | optional required | optional mandatory | include exclude |
included excluded | present absent | pass fail | success failure | successful failed | safe dangerous |
safe unsafe | legal illegal | guilty innocent | alive dead | asleep awake | sleep wake | sit stand lie |
sit walk | stand run | walk run | laugh cry | smile frown | remember forget | find lose | lock unlock |
wear remove | married single divorced | buyer seller | teacher student | parent child |
employer employee | doctor patient | tea coffee | dog cat | beef pork chicken | vegetarian vegan |
euro dollar pound yen franc | dollar cent | kilometre mile | metre foot | kilogram pound | gram kilogram
| celsius fahrenheit | kg g | kb mb gb tb | ton kilogram | liter milliliter gallon |
thousand million billion trillion | million billion | english german french spanish italian |
urban rural | domestic foreign | wooden metal plastic | wood steel | liquid solid | win draw |
minor major | minority majority | temporary permanent | cheap expensive | simple complex |
easy difficult | easy hard | possible impossible | able unable | likely unlikely | usual unusual |
known unknown | positive negative | horizontal vertical | ascending descending | uppercase lowercase |
tabs spaces | even odd | single double | breakfast lunch dinner | breakfast lunch supper | upper lower |
climb fall | jump dip drop | mm cm m km | ms s | right wrong | approve reject
"""
"""Words of which only one can be meant: what is the one is not the other."""

IRREGULAR = """
be am is are was were been being | bear bore borne | beat beaten | become became | begin began begun |
bite bit bitten | blow blew blown | break broke broken | bring brought | build built | buy bought |
catch caught | choose chose chosen | child children | come came | cut cutting | dig dug |
do did done does | draw drew drawn | drink drank drunk | drive drove driven | eat ate eaten |
fall fell fallen | feel felt | fight fought | find found | fly flew flown | foot feet |
forget forgot forgotten | get got gotten | give gave given | go went gone | grow grew grown |
have has had | hear heard | hide hid hidden | hold held | keep kept | know knew known | lead led |
lend lent | lie lay lain lying | lose lost | make made | man men | meet met | mouse mice | pay paid |
ride rode ridden | ring rang rung | rise rose risen | run ran | say said says | see saw seen | sell sold
| send sent | shake shook shaken | shoot shot | show shown | sing sang sung | sit sat | sleep slept |
speak spoke spoken | spend spent | stand stood | steal stole stolen | strike struck | swim swam swum |
take took taken | teach taught | tell told | think thought | throw threw thrown | tooth teeth |
understand understood | wake woke woken | wear wore worn | wife wives | win won | woman women |
write wrote written
"""
"""A base form and its irregular forms. Not left (leave), since it is a side too."""
