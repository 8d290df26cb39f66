"""Secrets of nobody's, made by seeded chance, in the forms that providers and people give them."""

from __future__ import annotations

import base64
import string
from collections.abc import Callable
from random import Random

from reverie.memory.privacy.accounts import is_luhn

LETTERS = string.ascii_letters
ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
WORDS = (
    "amber anchor apple arrow badger basin beacon birch bottle branch candle canyon carbon castle cedar cherry "
    "cloud cobalt copper coral cotton crater dagger desert dolphin dragon eagle ember falcon feather forest garden "
    "ginger glacier granite hammer harbor hazel hollow island ivory jungle kettle ladder lantern lemon magnet maple "
    "marble meadow mirror monkey needle nickel ocean olive orchid otter paddle panther pepper pillow planet pocket "
    "prairie puzzle rabbit ribbon river rocket saddle salmon shadow silver spider summer sunset temple thunder tiger "
    "timber tomato tulip tunnel turtle valley velvet violet walnut willow window winter wizard yellow zebra"
).split()
Value = Callable[[Random], str]


def some(chance: Random, count: int, signs: str = ALNUM) -> str:
    """So many signs; a digit is among them where the signs have one."""
    made = chance.choices(signs, k=count)
    digits = [sign for sign in signs if sign.isdigit()]
    if digits:
        made[chance.randrange(1, count)] = chance.choice(digits)
    return "".join(made)


def token(before: str, count: int, signs: str = ALNUM, after: str = "") -> Value:
    """Tokens of one provider's form."""
    return lambda chance: before + some(chance, count, signs) + after


def password(chance: Random) -> str:
    """A password as people and their managers make it: it has a digit or a sign."""
    first, second, third = chance.sample(WORDS, 3)
    number = chance.randrange(10, 10_000)
    match chance.randrange(6):
        case 0:
            return f"{first}{chance.randrange(2, 100)}"
        case 1:
            return f"{first.capitalize()}{number}{chance.choice('!#$%&*?+')}"
        case 2:
            return f"{first}-{second}-{third}-{chance.randrange(2, 100)}"
        case 3:
            leet = first.translate(str.maketrans("aeio", "4310"))
            return f"{leet.capitalize()}{chance.choice('&!#*')}{number}"
        case 4:
            return some(chance, chance.randrange(12, 21), ALNUM + "!#$%^&*-_+=")
        case _:
            return some(chance, chance.randrange(10, 17))


def simple_password(chance: Random) -> str:
    """A password of letters and digits: what a shell's flag or a URL holds without quotes."""
    return f"{chance.choice(WORDS).capitalize()}{some(chance, chance.randrange(4, 9), LOWER)}"


def word(chance: Random) -> str:
    """A password that is nothing but a word, or two."""
    return "".join(chance.sample(WORDS, chance.randrange(1, 3)))


def at_password(chance: Random) -> str:
    """A password with @ in it."""
    made = simple_password(chance)
    place = chance.randrange(2, len(made) - 1)
    return f"{made[:place]}@{made[place:]}"


def card(chance: Random, issuer: str = "") -> str:
    """The sixteen digits of a payment card."""
    begun = issuer or chance.choice(["4", "51", "53", "55", "6011"])
    begun += some(chance, 15 - len(begun), string.digits)
    return begun + next(last for last in string.digits if is_luhn(begun + last))


def in_fours(apart: str) -> Value:
    """Cards' numbers in blocks of four."""

    def value(chance: Random) -> str:
        digits = card(chance)
        return apart.join(digits[place : place + 4] for place in range(0, 16, 4))

    return value


def over_two_lines(chance: Random) -> str:
    digits = card(chance)
    apart = chance.choice([" ", "-", ""])
    halves = (digits[:4] + apart + digits[4:8], digits[8:12] + apart + digits[12:])
    return "\n".join(halves)


def wide(chance: Random) -> str:
    """A card's number in full-width digits."""
    return "".join(chr(ord(digit) + 0xFEE0) for digit in card(chance))


def with_unseen(made: Value) -> Value:
    """The value with an invisible character in it."""

    def value(chance: Random) -> str:
        plain = made(chance)
        place = chance.randrange(2, len(plain) - 2)
        return plain[:place] + chance.choice("\u200b\u200c\u200d\u2060\ufeff\u00ad") + plain[place:]

    return value


def in_base64(made: Value) -> Value:
    """The value in base64."""
    return lambda chance: base64.b64encode(made(chance).encode()).decode()


def config_line(chance: Random) -> str:
    name = chance.choice(["DB_PASSWORD", "SMTP_PASS", "ADMIN_PWD", "API_SECRET"])
    return f"{name}={simple_password(chance)}{chance.choice(['', chr(10)])}"


def user_and_password(chance: Random) -> str:
    return f"{chance.choice(WORDS)}:{simple_password(chance)}"


def body(chance: Random, lines: int) -> list[str]:
    """Lines of a key's body."""
    return [some(chance, 64, BASE64) for _ in range(lines - 1)] + [some(chance, 38, BASE64) + "=="]


def pem(apart: str, *, ends: bool = True) -> Value:
    """A private key, its lines apart in one way or another, whole or cut off in its body."""

    def value(chance: Random) -> str:
        name = chance.choice(["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "]) + "PRIVATE KEY"
        lines = [f"-----BEGIN {name}-----", *body(chance, chance.randrange(3, 9))]
        return apart.join([*lines, f"-----END {name}-----"] if ends else [*lines[:-1], lines[-1][:30]])

    return value


def jwt(chance: Random) -> str:
    return f"ey{some(chance, 30)}.ey{some(chance, 60)}.{some(chance, 43, URLSAFE)}"


def seed_phrase(chance: Random) -> str:
    return " ".join(chance.sample(WORDS, chance.choice([12, 15, 24])))


def bcrypt(chance: Random) -> str:
    return f"$2{chance.choice('aby')}${chance.choice(['10', '12'])}${some(chance, 53, ALNUM + './')}"


def telegram(chance: Random) -> str:
    return f"{chance.randrange(10**8, 10**10)}:AA{some(chance, 33, URLSAFE)}"


def slack(chance: Random) -> str:
    return "-".join(
        ["xoxb", some(chance, 12, string.digits), some(chance, 12, string.digits), some(chance, 24)]
    )


def openai(chance: Random) -> str:
    return f"sk-proj-{some(chance, 74)}T3Blbk" + f"FJ{some(chance, 74)}"


def signature(chance: Random) -> str:
    """What signs an Azure address, percent-encoded."""
    return some(chance, 43, BASE64).replace("+", "%2B").replace("/", "%2F") + "%3D"
