"""Whether a text is English: by the small words that every sentence has, and that no two languages share wholly.

Rules and weights that were made for English half-read another language: they would keep "Ich wohne in Leipzig" and pass
over what ends it. Small words of other languages that are none of English speak against it, and words with letters that
English hasn't; words that both have ("in", "war", "me") count for nothing beside better ones. A word that is unknown
speaks against nothing: terse English is full of them ("Prescribed levothyroxine, metformin").
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum

from reverie.rules.everyday_words import EVERYDAY
from reverie.rules.label_words import WEAK
from reverie.rules.terms import words_of

_READ = 1_000  # characters
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_MORE = """
adopted allergic arrived asked baked born bringing broken buying called cancelled carried changed closed cried
daughter's died diagnosed divorced drew driven driving eating engaged failed fallen feed fired fixed flew flying
forgot grandma grandpa hate hates hired hurt i'm i've i'll i'd i joined kids lately lent lift loving lying married
mine moving named pregnant promoted relocated rented retired returned riding running sold stepped studying swimming
switched teaches teaching turned twins wears won working wrote
"""
_ENGLISH = frozenset({*WEAK, *EVERYDAY, *_MORE.split()})
_OTHERS = """
a i in is so am we of had over an at all have her under der die das den dem des ein eine einen einem einer ich du er
sie wir ihr mein meine meinen meinem meiner mich mir dich ist sind bin bist war waren habe hat haben hatte wird werde
wurde nicht kein keine und oder aber auch nach von vom zu zum zur mit bei seit aus auf noch schon sehr jetzt heute
gestern immer dass weil wenn wie was wo wer man het een de ik jij hij wij zij mijn jouw zijn ben heb hebt heeft niet
geen en maar ook naar van met bij voor nu nog wel om te dat wat ons onze werd wordt gisteren vandaag le la les un une
au aux je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses est sont suis ai as ont avons pas ne et ou
mais aussi dans sur avec pour par chez depuis maintenant hier que qui c'est j'ai n'est qu'il el los las una unos del
al yo ella nosotros mi mis su sus es soy estoy he ha hemos han no y o pero con por para desde ahora ayer hoy muy se lo
me nos como mudado vivo tengo io lui lei noi voi loro mio mia miei mie suo sua sono sei siamo ho hai abbiamo hanno non
e anche gli nel nella della di da per tra fra ora oggi ieri molto che ti ci si eu ele ela meu minha meus minhas seu
sou estou tenho tem mas em na nas do dos ao com agora ontem hoje muito os um uma jeg jag hun hon vi min mitt mina mine
var har hadde hade ikke inte og och men til till med av for som det ett nogle hvor ja ty on ona wy moja moje jestem
jest mam nie ale w z ze od po przy dla to co jak teraz wczoraj dzisiaj bardzo jsem byl byla ve kde minun minulla olen
oli ovat ei mutta kun niin nyt eilen az egy nem hogy volt vagyok nekem most tegnap sunt este are dar cu pe din pentru
mea mele acum foarte sen biz bir bu ile yok ama saya aku kamu dia kami kita yang ke dari dan atau tidak ini itu untuk
dengan sudah akan ako ikaw siya ang ng mga ay ko mo ito hindi
"""
_FOREIGN = frozenset(_OTHERS.split())
_ELIDED = frozenset("l j c n m t qu dell nell all un".split())
"""What stands before an apostrophe in French and Italian."""
_BORROWED = frozenset(
    "cafe cafes fiance fiancee resume naive cliche entree saute puree facade decor creme brulee deja senor".split()
)
"""English words that some write with an accent, here without."""


def is_english(text: str) -> bool:
    """Whether a text (its first 1,000 characters) may be read as English; so may what has no words at all."""
    read = text[:_READ].replace("\u2019", "'")
    found = [(one.group(), _opens(read, one.start())) for one in _WORD.finditer(read)]
    if sum(_is_latin(word) for word, _ in found) < len(found) / 2:
        return False
    # Names count for nothing; of what opens a sentence the capital doesn't say whether it is one
    words = [word for word, opens in found if opens or word.startswith("I") or not word[0].isupper()]
    kinds = Counter(map(_kind, words))
    return kinds[_Kind.FOREIGN] <= kinds[_Kind.ENGLISH]


class _Kind(Enum):
    ENGLISH, FOREIGN, BOTH, UNKNOWN = range(4)


def _kind(word: str) -> _Kind:
    bare = word.lower().removesuffix("'s")
    if word == "I" or (bare in _ENGLISH and bare not in _FOREIGN):
        return _Kind.ENGLISH
    if bare in _ENGLISH:
        return _Kind.BOTH
    elided, apostrophe, _ = bare.partition("'")
    accented = not bare.isascii() and "".join(words_of(bare)) not in _BORROWED
    if bare in _FOREIGN or accented or (apostrophe and elided in _ELIDED):
        return _Kind.FOREIGN
    return _Kind.UNKNOWN


def _opens(text: str, start: int) -> bool:
    """Whether a word opens the text or a sentence."""
    before = text[:start].rstrip(" \"'(\u201c\u2018*-")
    return not before or before[-1] in ".!?\u2026:\n"


def _is_latin(word: str) -> bool:
    return word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00"
