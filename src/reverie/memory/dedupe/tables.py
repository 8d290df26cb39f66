"""English words that the duplicates' guard knows of, by hand: groups stand between bars.

No such list is complete. A word in no group says nothing but itself, and keeps two texts apart.
"""

from __future__ import annotations

SAME = """
about approximately around roughly | aeroplane airplane plane aircraft | afraid scared frightened | africa african |
after following | alike similar | allow permit let | also too | annual yearly | answer reply respond response |
anybody anyone | apartment flat | argue quarrel | arrange organise | asia asian | ask request | assist help aid |
attempt try | attorney lawyer | august aug | australia australian | austria austrian | automobile car auto | autumn
fall | award prize | bag sack | battle fight | beach shore seaside | beautiful pretty lovely | because since as |
begin start commence | belgium belgian | believe think | bicycle bike cycle | big large huge | boulder rock stone |
boy lad | brazil brazilian | brief short | build construct | bunny rabbit | but however though although yet | buy
purchase acquire | call phone telephone | call refer | canada canadian | car vehicle | center central | center middle
| chief boss | china chinese | choose pick select | cinema theater | clever smart intelligent | close near nearby |
close shut | cloth fabric | clothes clothing garments | company firm corporation business | complete finish conclude |
conversation talk discussion | couch sofa | create make | cup mug | customer client | cut slice chop | dad father |
daily everyday | damp moist | december dec | decrease reduce lower | defend protect | delay postpone | denmark danish
| depart leave | desire want wish | discover find | doctor physician | dress gown | drop fall decline | during amid |
employee worker staff | end finish conclude | england english | enormous huge vast | enough sufficient | error mistake
| europe european | everybody everyone | examine inspect | exit leave | expect anticipate | expensive costly | explain
clarify | february feb | feeling emotion | female woman | film movie | finland finnish | fix repair mend | folder
directory | follow chase pursue | forbid prohibit ban | forest woods | france french | frequent often | friday fri |
frolic play romp | fun enjoy | garbage rubbish trash | germany german | get obtain receive | gift present | glad happy
| goal aim | grab seize grasp | grass lawn | greece greek | group bunch | guest visitor | gun firearm | handle manage
| hard difficult | hispanic latino | hit strike | hold keep | holiday vacation | home house | hop jump leap | hungary
hungarian | hurt injure wound | idea notion | ill sick | important significant | india indian | inform tell notify |
inside within indoors | investor shareholder | iran iranian | iraq iraqi | ireland irish | israel israeli | issue
problem | italy italian | january jan | japan japanese | job position | journal diary | journey trip | kid child
children | kill slay | kind type sort | korea korean | lady woman | last final | law legislation | lawsuit suit | lead
head | lift elevator | lift raise | listen hear | little small tiny | location place site | look watch | luggage
baggage | mad angry | main primary chief | mainly mostly largely | male man | material stuff | mean signify | meeting
appointment | method way | mexico mexican | mobile cellphone cellular cell | mom mother mum | monday mon | motorbike
motorcycle | mutual shared | nation country | need require | netherlands dutch | noisy loud | norway norwegian |
november nov | now currently presently | october oct | oil petroleum | onto on | outcome result | outdoor outside
outdoors | over above | pants trousers | past previous prior earlier | people persons | percent % | permit allow |
picture photo photograph image | place put | plan intend | plead beg | pleased glad happy | poland polish | police
cops | policeman cop | portugal portuguese | possess own | powerful strong | practise exercise | price cost | prison
jail | proposal offer | pull tug | pupil student | quick fast rapid swift | quiet silent | rate pace | reach arrive |
refuse decline | remember recall | remove delete erase | rent lease | reply answer | reside live dwell | respond react
| rise climb increase | road street | rock stone | run operate | runner jogger | russia russian | sad unhappy | safe
secure | say state add note announce declare comment remark | scotland scottish | sea ocean | seaside coast shore |
security safety | sell vend | seller vendor | senator sen | send dispatch | september sept sep | shade sunglass |
share stock | shop store | show display exhibit | show reveal indicate | sick ill | sleep slumber | slope hillside |
smart clever | smile grin | soldier troop | somebody someone person | spain spanish | speak talk | stay remain | stop
cease halt | stopped quit | story tale | strange odd weird | street road | study research | suggest propose | sum
total | supper dinner | supply provide | sweden swedish | switzerland swiss | talk chat | teacher instructor | team
squad | teen teenager | television tv | tell inform | thief robber burglar | thin slim | throw toss hurl | tidy neat |
tired exhausted | truck lorry | turkey turkish | uk britain british | ukraine ukrainian | under beneath underneath
below | understand comprehend | us usa america american | use utilise employ | versus against | view opinion | wage
salary pay | walk stroll | war conflict | warn caution | wealthy rich | website site | while whereas | wide broad |
will shall | win victory | wood timber lumber | work function | worker labourer | wrong incorrect | youth youngster |
in into inside within | on onto upon | to toward towards | near beside by | around round about | until till | among
amongst between | over above | through throughout across | during in | along alongside
"""
"""Words that can say the same, a country and what is of it among them. A word may be in several groups."""

VERBS = """
bear bore borne | beat beaten | become became | begin began begun | bite bit bitten | blow blew blown | break broke
broken | bring brought | build built | buy bought | catch caught | choose chose chosen | come came | dig dug | do did
done | draw drew drawn | drink drank drunk | drive drove driven | eat ate eaten | fall fell fallen | feel felt | fight
fought | find found | fly flew flown | forget forgot forgotten | get got gotten | give gave given | go went gone |
grow grew grown | have had | hear heard | hide hid hidden | hold held | keep kept | know knew known | lead led | lend
lent | lie lay lain | lose lost | make made | meet met | pay paid | ride rode ridden | ring rang rung | rise rose
risen | run ran | say said | see saw seen | sell sold | send sent | shake shook shaken | shoot shot | show shown |
sing sang sung | sit sat | sleep slept | speak spoke spoken | spend spent | stand stood | steal stole stolen | strike
struck | swim swam swum | take took taken | teach taught | tell told | think thought | throw threw thrown | understand
understood | wake woke woken | wear wore worn | win won | write wrote written
"""
"""A base form and its irregular past forms. Not left (leave), since it is a side too."""

OTHERS = "child children | foot feet | man men | mouse mice | tooth teeth | wife wives | woman women"
"""Other irregular forms."""
