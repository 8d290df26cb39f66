"""Rows of the capture table in which people tell of themselves: likes, dislikes, habits, diets, troubles."""

from __future__ import annotations

from reverie.domain.kinds import Priority
from reverie.rules.patterns_lists import GAP, marked
from reverie.rules.patterns_row import Row, Subject


def _mine(words: str, between: str = "absolute all-time time") -> str:
    """Each of the words with "my" before it, at once or before a word between."""
    before = ["my", *between.split()]
    return " ".join(f"{word}+my+{one}_{word}" for word in words.split() for one in before)


SPEAKER = (
    Row(
        name="dislikes",
        subject=Subject.SPEAKER,
        heads=(
            "dislike hate detest despise loathe abhor avoid shun refuse oppose distrust mistrust boycott disapprove"
            " object steer"
            " stay keep have need must"
        ),
        words=(
            "dislike hate detest despise loathe abhor avoid shun refuse oppose distrust mistrust boycott disapprove"
            " object"
            " steer away"
        ),
        says=(
            r"(?:I|we)\s+{adverbs}(?:(?:have to|need to|must)\s+)?"
            r"(?:dislike|hate|detest|despise|loathe|abhor|avoid|shun|refuse|oppose|distrust|mistrust|boycott"
            r"|disapprove of"
            r"|object to|steer clear of|stay away from|keep away from)\b"
        ),
    ),
    Row(
        name="cannot",
        subject=Subject.SPEAKER,
        heads="can't cannot cant can",
        words="stand bear tolerate abide eat drink consume can't+have cannot+have cant+have fly swim drive",
        says=(
            r"(?:I|we)\s+{adverbs}(?:can't|cannot|can not|cant)\s+{adverbs}"
            r"(?:stand|bear|tolerate|abide|eat|drink|consume|have|fly|swim|drive)\b"
        ),
    ),
    Row(
        name="likes",
        subject=Subject.SPEAKER,
        heads=(
            "prefer like love enjoy adore favor favour prioritize prioritise value gravitate lean opt seek will i'll"
            " we'll"
        ),
        words="prefer like love enjoy adore favor favour prioritize prioritise value gravitate lean opt+for seek+out",
        says=(
            r"(?:I|we)(?:(?:\s+will|'ll)\s+always)?\s+{adverbs}(?:prefer|like|love|enjoy|adore|favou?r|prioriti[sz]e"
            r"|value"
            r"|gravitate towards?|lean towards?|opt for|seek out)\b"
        ),
    ),
    Row(
        name="has always liked",
        subject=Subject.SPEAKER,
        heads="have i've",
        words=(
            "loved liked enjoyed preferred hated disliked avoided into+been passionate+been fond+been fan+been"
            " interested+been"
        ),
        says=(
            r"I(?:'ve| have)\s+been\s+{very}(?:into|passionate about|fond of)\b"
            r"|I(?:'ve| have)\s+(?:always|long|never)\s+(?:really\s+)?(?:loved|liked|enjoyed|preferred|hated|disliked"
            r"|avoided"
            r"|been (?:{very}fond of|{very}into|{very}passionate about|{very}fan of|{very}interested in))\b"
        ),
    ),
    Row(
        name="does not",
        subject=Subject.SPEAKER,
        heads="don't do dont won't will",
        words=(
            "like enjoy eat drink wear drive fly consume buy support use own play ride swim watch"
            " read listen"
            " travel stay don't+want dont+want want+not care believe tolerate smoke participate attend engage well"
        ),
        gate=(
            rf"n(?:['\u2019\u02bc]?t|ot){GAP}(?:ever{GAP})?{marked('adverbs')}(?:like|enjoy|eat|drink|wear|drive|fly"
            r"|consume|buy|support|use|own|play|ride|swim|watch|read|listen|travel|stay|want|care|believe|tolerate"
            r"|smoke|participate|attend|engage|do)"
        ),
        says=(
            r"(?:I|we)\s+{adverbs}{not}\s+(?:ever\s+)?{adverbs}(?:like|enjoy|eat|drink|wear|drive|fly"
            r"|consume"
            r"|buy|support|use|own|play|ride|swim|watch|read|listen to|travel|stay (?:at|in)|want (?:a|an)\b"
            r"|care for"
            r"|believe in|tolerate|smoke|participate|attend|engage|want any (?:form|kind|type|sort)s? of"
            r"|do well with)\b"
        ),
    ),
    Row(
        name="has",
        subject=Subject.SPEAKER,
        heads="have i've suffer",
        words=(
            "aversion dislike distaste hatred disdain allergy allergies intolerance intolerances sensitivity fear"
            " phobia"
            " claustrophobia arachnophobia acrophobia agoraphobia preference fondness spot tolerance interest desire"
            " condition"
            " disability deficiency difficulty trouble hard+time dyslexia asthma diabetes vertigo sickness arthritis"
            " migraine"
            " migraines insomnia adhd autism ibs epilepsy pain injury problem problems skin stomach hearing disease"
            " policy rule"
        ),
        says=(
            r"I(?:\s+(?:also\s+)?have|'ve got|\s+suffer from)\s+(?!to\b|been\b|dealt\b"
            r"|seen\b)(?:[a-z'-]+[\s,]+){{0,5}}?{trait}"
            r"(?=\s+(?:of|to|for|against|with|in|when|about|towards?)\b|\s*(?:[.,;!]|and\b|so\b|$))"
        ),
    ),
    Row(
        name="is",
        subject=Subject.SPEAKER,
        heads="i'm am",
        words=(
            "allergic vegan vegetarian pescatarian pescetarian flexitarian kosher halal intolerant lactose-intolerant"
            " gluten-intolerant dairy-intolerant celiac coeliac diabetic blind colorblind colourblind color-blind"
            " colour-blind"
            " sensitive averse opposed against skeptical sceptical wary put+off turned+off bothered interested"
            " comfortable"
            " uncomfortable afraid scared terrified fan keen fond passionate into particular picky person owl bird"
            " learner"
        ),
        gate=(
            rf"i(?:['\u2019\u02bc]m|{GAP}am){GAP}"
            rf"(?:{marked('very')}{marked('being')}|not{GAP}{marked('very')}{marked('unkeen')})"
        ),
        says=r"I{am}(?:{very}{being}|not\s+{very}{unkeen})\b",
    ),
    Row(
        name="diet",
        subject=Subject.SPEAKER,
        words="diet diets",
        says=(
            r"I(?:\s+{adverbs}(?:follow|adhere to|stick to|eat|observe|maintain|keep)|{am}(?:on|committed to"
            r"|following))"
            r"\s+(?:a|an|my)?\s*(?:[\w,'-]+\s+){{0,6}}diets?\b"
        ),
    ),
    Row(
        name="only",
        subject=Subject.SPEAKER,
        heads="only exclusively solely strictly",
        words="only exclusively solely strictly",
        says=r"(?:I|we)\s+(?:only|exclusively|solely|strictly)\s+(?:ever\s+)?{habit}\b",
        priority=Priority.HIGH,
    ),
    Row(
        name="habit",
        subject=Subject.SPEAKER,
        heads="always never almost",
        words="always never",
        gate=rf"\b(?:always|never){GAP}{marked('habit')}",
        says=r"(?:I|we)\s+(?:almost\s+)?(?:always|never)\s+{habit}\b",
        priority=Priority.HIGH,
    ),
    Row(
        name="uses",
        subject=Subject.SPEAKER,
        heads="use",
        words="use+not use+instead use+rather",
        says=(
            r"(?:I|we)\s+use\s+(?!the\b|this\b){thing}(?:,?\s+not|\s+instead\s+of|\s+rather\s+than)\s+(?!the\b|this\b)"
        ),
    ),
    Row(
        name="finds",
        subject=Subject.SPEAKER,
        heads="find",
        words=(
            "unsettling boring annoying irritating off-putting overwhelming distracting tedious depressing relaxing"
            " soothing"
            " uncomfortable unpleasant disturbing repulsive disgusting stressful exhausting dull cringe cringey tacky"
            " distasteful unbearable intolerable nauseating calming comforting"
        ),
        says=r"I\s+{adverbs}find\s+(?:[\w'-]+\s+){{1,8}}?{felt}\b",
    ),
    Row(
        name="gets",
        subject=Subject.SPEAKER,
        heads="get struggle",
        words=(
            "sick carsick seasick airsick sickness motion-sick car-sick anxious overwhelmed bored claustrophobic dizzy"
            " migraines nauseous nervous struggle"
        ),
        says=(
            r"I\s+{adverbs}(?:get\s+{very}(?:easily\s+)?(?:(?:motion|car|sea|air)[- ]?sick(?:ness)?|anxious"
            r"|overwhelmed|bored"
            r"|claustrophobic|dizzy|migraines|nauseous|nervous)|struggle with)\b"
        ),
    ),
    Row(
        name="works best",
        subject=Subject.SPEAKER,
        heads="learn work focus sleep study concentrate",
        words="best better",
        says=r"I\s+(?:learn|work|focus|sleep|study|concentrate)\s+(?:best|better)\b",
    ),
)

THEIRS = (
    Row(
        name="favourite",
        subject=Subject.THEIRS,
        words=_mine("favorite favourite fave go-to preferred"),
        says=(
            r"my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rite|fave|go-to|preferred)\s+"
            r"(?!(?:ones?|things?|parts?|memor\w+|moments?)\b)(?:(?!when\b|that\b|if\b|I\b)[\w'-]+\s+){{1,5}}?(?:is"
            r"|are)\b"
        ),
    ),
    Row(
        name="is my favourite",
        subject=Subject.THEIRS,
        words=(
            _mine("favorite favourite favorites favourites fave faves passion passions thing jam go-to")
            + " passion+passion_of_mine "
            + _mine("priority passion", "one top first main biggest")
        ),
        says=(
            r"{start}(?:[\w'-]+\s+){{0,6}}?[\w-]+(?:'s|\s+(?:is|are|has always been))\s+"
            r"(?:(?:pretty much|always|definitely|still|also|mostly)\s+)*(?:(?:one|some) of\s+)?"
            r"(?:my\s+(?:all[- ]time\s+|absolute\s+)?(?:favou?rites?|faves?|passions?|thing|jam|go-to"
            r"|(?:number one|top|first|main|biggest)\s+(?:priority|passion))|an?\s+passion of mine)\b"
        ),
    ),
    Row(
        name="troubles",
        subject=Subject.THEIRS,
        words=(
            "bothers_me bother_me annoys_me annoy_me irritates_me irritate_me disgusts_me disgust_me terrifies_me"
            " terrify_me scares_me scare_me bores_me bore_me overwhelms_me overwhelm_me depresses_me depress_me"
            " nauseates_me nauseate_me stresses_me stress_me important+me+important_to_me"
            " sick+me nauseous+me anxious+me uncomfortable+me nervous+me dizzy+me sleepy+me itchy+me headache+me"
            " headaches+me anxiety+me migraine+me migraines+me heartburn+me hives+me nightmares+me"
            " deal+me dealbreaker+me deal-breaker+me must-have+me peeve+mine priority+me"
        ),
        says=(
            r"{start}(?:[\w'-]+\s+){{1,6}}?(?:(?:really|always|just)\s+)?"
            r"(?:(?:bothers?|annoys?|irritates?|disgusts?|terrif(?:y|ies)|scares?|bores?|overwhelms?|depress(?:es)?"
            r"|nauseates?)\s+me\b"
            r"|makes?\s+me\s+(?:feel\s+)?(?:sick|nauseous|anxious|uncomfortable|nervous|dizzy|sleepy|itch\w*)\b"
            r"|gives?\s+me\s+(?:a\s+|really\s+|bad\s+)*(?:headaches?|anxiety|migraines?|heartburn|hives|nightmares)\b"
            r"|stress(?:es)?\s+me\s+out\b"
            r"|(?:is|are)\s+(?:(?:very|really|so|super|extremely|most)\s+)*important to me\b"
            r"|(?:is|are)\s+an?\s+(?:deal[- ]?breaker|must[- ]have|pet peeve|top priority)\s+(?:for me|of mine)\b)"
        ),
    ),
)
