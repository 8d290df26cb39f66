"""Words that lead to what others wrote or said."""

from __future__ import annotations

FIRST = r"I|I'm|I've|I'd|I'll|i|i'm|i've|i'd|i'll|im|ive|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Ww]e're|[Ww]e've|[Ww]e'll|[Oo]ur"
SECOND = r"[Yy]ou|[Yy]our|[Yy]ou're|[Yy]ou've|[Yy]ou'll|[Yy]ours"
SAYS = (
    r"says?|said|saying|goes|wrote|writes|writing|texts|texted|messaged|messages|emails|emailed|posts|posted|replies"
    r"|replied|answers|answered|forwards|forwarded|sends|sent|reads|announces|announced|tells|told|tweets|tweeted"
    r"|comments|commented|asks|asked|shouts|shouted|screams|screamed|whispers|whispered|yells|yelled|sings|sang"
    r"|quotes"
    r"|quoted|claims|claimed|muttered|mutters|signed|promises|promised|left a (?:note|voicemail|message)|explained"
)
LIKE = r"(?:was|were|is|are|'s|be|being)(?: all| just)? like"
BEARING = (
    r"quotes?|quotation|poem|lyrics?|chorus|verse|prayer|psalm|hymn|horoscope|star sign|tarot|fortune(?: cookie)?"
    r"|headline"
    r"|meme|proverb|motto|slogan|transcript|dialogue|monologue|excerpt|passage|extract|testimonial|obituary|eulogy|fwd"
    r"|fw|forwarded|pasted?|copied|sample text|(?<='s )(?:texts?|note|story|recipe|message|letter|diary)|texts? from"
    r"|(?:note|message|letter|e-?mail|voicemail|sms|statement|post|comment|recipe) (?:from|by)|dear diary entry of"
    r"|memoir"
    r"|sticker|graffiti|placard|leaflet|brochure|chat log|spam|scam"
)
"""Texts that are another's wherever they are announced."""
TEXTS = (
    r"newsletter|song|article|advert|ad|listing|caption|tweet|post|e-?mail|letter|message|msg|voicemail|script|scene"
    r"|paragraph|essay|character|blurb|cv|r\u00e9sum\u00e9|resume|bio|biography|cover letter|profile|speech|sms"
    r"|whatsapp"
    r"|interview|novel|legend|poster|screenshot|comment|recipe|note|story"
)
"""Texts that may be one's own, or only spoken of: they are another's where they are told to come from him."""
OWN_TEXTS = (
    r"bio|biography|cv|r\u00e9sum\u00e9|resume|cover letter|profile|letter|e-?mail|message|text|post|essay|speech"
    r"|statement|ad"
    r"|advert|listing|caption|tweet|application|story|diary|poem|song|lyrics"
)
"""Texts that may be about oneself, where one says that they are one's own."""
WORKS_ON = (
    r"translate|proof-?read|rewrite|re-write|rephrase|paraphrase|summari[sz]e|polish|shorten|expand|spell-?check|punctuate"
    r"|transcribe|annotate|(?:correct|edit|fix|check|improve|review) (?:the (?:grammar|spelling|language|style"
    r"|following"
    r"|text|english|punctuation)|(?:this|that|these|my|his|her|[\w-]+'s|the following) (?:[\w-]+ )?(?:text|sentences?"
    r"|paragraphs?|essay|letter|e-?mail|message|cv|translation|draft)|[\w-]+(?: [\w-]+)?'s [\w-]+(?: text)?)"
    r"|(?:simplify|format|analy[sz]e|grade|rate|critique|read|repeat|explain|turn|what does)"
    r" (?:this|that|it|these|the (?:following|text|below)|what follows)"
)
"""Orders to work on a text."""
OWN_HEADS = (
    r"\b(?:note to self|long story short|about (?:me|us|myself)|what (?:i|we)\b|my (?:news|plan|plans|answer"
    r"|update|status"
    r"|diet|name|rule|problem|question|point|reason|situation|setup|current)|guess what|remind me|remember"
    r"|keep in mind)\b"
)
"""What may lead to one's own words, though a word for a text or for saying stands there."""
CLOSINGS = (
    r"(?:Lots of |Much |All my |With |Big )?[Ll]ove|(?:Kind |Best |Warm |Kindest |Warmest )?[Rr]egards"
    r"|Best(?: wishes)?|All"
    r" the best|Yours(?: \w+)?|Sincerely(?: yours)?|Cheers|Thanks|Thank you|Many thanks|Hugs|xo+|x{2,}|Kisses"
    r"|Take care"
    r"|Yours faithfully|Warmly|Greetings|Respectfully|See you(?: soon)?"
)
PASTED = (
    r"(?:past(?:e|ed|ing)|cop(?:y|ied|ying)|forward(?:ed|ing)?|here(?:'s| is| comes)|this is|sharing|found|got|read)"
    r"(?: [\w-]+){0,2}? (?:(?:my |our |the )?[\w-]+'s|his|her|their|(?<=ing )(?:the|an?)) (?:[\w-]+ ){0,2}(?:recipe"
    r"|letter"
    r"|e-?mail|text|message|note|post|story|review|cv|bio|profile|speech|diary|poem|lyrics|article|testimonial|answer"
    r"|statement|instructions)"
)
"""What says that somebody else's text stands behind it, all of it."""
TO_KEEP = (
    r"\b(?:so (?:that )?(?:i|we)(?: can|'ll| don't| will)? (?:find|have|keep|remember|lose|forget)|to keep|for later"
    r"|for safekeeping|for (?:my|the|our) (?:records|files|collection))\b"
)
"""Why somebody pastes what he wants to find again."""
GENERIC = frozenset(
    "user human me customer guest owner client admin principal anon anonymous speaker you".split()
)
"""What a speaker is called of whose name nothing is known."""
TITLES = frozenset("mr mrs ms miss dr prof sir dame auntie aunt uncle your the and von van de la".split())
MOST_BEFORE = 160
"""Characters before a colon that may lead to what stands behind it."""
TOPICS = frozenset(
    "update updates news edit ps note notes fyi status today fact twist correction question answer result reminder"
    " confession summary conclusion plan plans goal goals name job work home age diet food drink hobby hobbies"
    " family kids"
    " health allergies allergy budget rent address phone email city country birthday morning evening night"
    " breakfast lunch"
    " dinner story joke point problem reason background context info about bio profile self rule rules tip"
    " warning spoiler"
    " tldr highlight lowlight high low good bad best worst first second third one two three then now before after"
    " pros cons"
    " likes dislikes sport sports pet pets car travel weekend week month year decision idea thought thoughts"
    " feeling mood"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september"
    " october november december step task todo also so and but ok okay yes no well honestly basically anyway"
    " seriously"
    " important big small quick random final last next current new old former past present future request subject"
    " re from to"
    " cc sent date weight height sleep mail hint preference preferences requirement style language languages"
    " skills skill"
    " education experience studies school uni university title role company employer position location hometown"
    " exercise"
    " training gym music film films movie movies book books show shows game games reading watching listening"
    " money finances"
    " i i'm my we our time place reality truth disclaimer caveat verdict option default example"
    " situation reminders interview song speech therapy session appointment meeting".split()
)
"""Words before a colon that announce what is spoken of, and no speaker."""
FILLING = frozenset(
    "a an the of for to on in at with and this that my our it is tomorrow today tonight yesterday later quick short"
    " little brief day days new".split()
)
"""What may stand beside them."""
