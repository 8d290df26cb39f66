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
TEXTS = (
    r"newsletter|quotes?|quotation|poem|lyrics?|song|chorus|verse|prayer|psalm|hymn|horoscope|star sign|tarot|fortune"
    r"(?: cookie)?|article|headline|advert|ad|listing|caption|tweet|post|meme|proverb|motto|slogan|e-?mail|letter"
    r"|message"
    r"|msg|voicemail|transcript|dialogue|monologue|script|scene|excerpt|passage|paragraph|extract|essay|character"
    r"|blurb"
    r"|testimonial|cv|r\u00e9sum\u00e9|resume|bio|biography|cover letter|profile|obituary|eulogy|speech|sms"
    r"|whatsapp|fwd"
    r"|fw|forwarded|pasted?|copied|leaflet|brochure|sample text|(?<='s )(?:texts?|note|story)|texts? from"
    r"|note from|spam|scam|statement from"
    r"|dear diary entry of|interview|novel|memoir|legend|sticker|graffiti|placard|poster|screenshot|chat log|comment"
)
OWN_TEXTS = (
    r"bio|biography|cv|r\u00e9sum\u00e9|resume|cover letter|profile|letter|e-?mail|message|text|post|essay|speech"
    r"|statement|ad"
    r"|advert|listing|caption|tweet|application|story|diary|poem|song|lyrics"
)
"""Texts that may be about oneself, where one says that they are one's own."""
WORKS_ON = (
    r"translate|proof-?read|rewrite|re-write|rephrase|paraphrase|summari[sz]e|correct|edit|polish|fix|shorten|expand"
    r"|spell-?check|punctuate|transcribe|annotate|(?:improve|simplify|format|analy[sz]e|grade|rate|critique|read"
    r"|repeat"
    r"|explain|check|review|turn|make|what does) (?:this|that|it|these|the (?:following|text|below)|what follows)"
)
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
    " i i'm my we our question: time place reality truth disclaimer caveat verdict option default example"
    " situation".split()
)
"""Words before a colon that announce what is spoken of, and no speaker."""
