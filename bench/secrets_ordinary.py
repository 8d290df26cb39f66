"""Ordinary texts: what people say to each other and to assistants, from the data that a caller has, and technical talk
of our own, full of numbers, hashes and names of secrets, in two sets like the secrets' carriers.
"""

from __future__ import annotations

import csv
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from bench import locomo_data, realmem_data
from bench import secrets_values as make
from bench.capture_data import turns

MOST = 60_000
OWN = 2_000
SOURCES = ("locomo", "realmem", "beam", "prefeval", "goemotions", "spc")
_TALK = (
    "The password is on the sticky note under the keyboard.",
    "token count is {n}, and the limit is {n} tokens",
    "I forgot my password again, can you reset it? My user name is anna{d}.",
    "commit {sha1} fixes it; the one before was {short}",
    "sha256:{sha256}  dist.tar.gz",
    "UUID {uuid} isn't in the table",
    "Order #{order} shipped on 2024-05-{dd}, tracking number {order}",
    "def login(user, password):\n    token = get_token(user, password)\n    return token",
    "password = request.form['password']",
    'api_key = os.environ["API_KEY"]',
    "const token = localStorage.getItem('token');",
    "interface Login {{ username: string; password: string; token?: string }}",
    "Set the API key in Settings > Developer > API keys.",
    "docker run -p 8080:80 -e POSTGRES_PASSWORD=$DB_PASSWORD postgres:{d}",
    "mkdir -p src/app{d} && cd src/app{d}",
    "The secret to a good risotto is {d} minutes of patience.",
    "pass: 14, fail: {d}, skipped: 2",
    "Passed {n} tests in {d}.31s",
    '<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ{b64}">',
    "integrity sha512-{b64}{b64}==",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64} anna@laptop",
    "the transaction 0x{sha256} went through, block {n}",
    "send it to 0x{sha1}",
    "https://www.example.com/watch?v={id11}&t={d}s",
    "at com.example.Auth.login(Auth.java:{d})",
    "error: invalid token at line {d}, column 7",
    "Your password must have at least {d} characters, one digit and one of !@#$%.",
    "psql -h localhost -p 5432 -U postgres",
    "POSTGRES_PASSWORD=${{POSTGRES_PASSWORD:-postgres}}",
    "ISBN 978-3-16-148410-{d}, page {n}",
    "Call +36 30 123 45{dd} or 06 1 2{n}",
    "The key is to rest; chapter {d} has the key takeaways.",
    "version 3.{d}.{d}-rc1+build.{n}",
    "password: (leave blank)",
    "Password: ********",
    'ETag: "{sha1}"',
    "trace_id={hex32} span_id={hex16}",
    "session {hex32} closed after {n} ms",
    "primary key (id), foreign key user_id -> users.id",
    "1990 1995 2001 2010 2015 2020",
)
_TALK_HELD = (
    "Where did I write down the PIN? The passcode is the one we use for the gym.",
    "With max_tokens={n} the answer is cut off; prompt_tokens: {d}, completion_tokens: {n}",
    "git revert {sha1}\ngit cherry-pick {short}",
    "MD5 ({short}.iso) = {hex32}",
    "request_id: {uuid}, user_id: {n}, status: 401 Unauthorized",
    "Invoice {order} of 2025-03-{dd} over 1,{n}.00 EUR is due.",
    "class Token:\n    def __init__(self, secret: str, ttl: int = {n}) -> None:\n        self.secret = secret",
    "if (password !== confirmPassword) return 'Passwords do not match';",
    "API_KEY: ${{{{ secrets.API_KEY }}}}",
    "headers = {{'Authorization': f'Bearer {{token}}'}}",
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v{d}/me',
    "curl -u $USER:$PASS https://ci.example.com/job/{d}",
    "https://user:password@example.com is the general form of such a URL.",
    "the secret was out after {d} days",
    "cp -p notes{d}.txt build/ && ssh -p 2222 backup@10.0.0.{d}",
    "Please pass {d} plates; we need pw for {d} guests (pw = paper ware)",
    "image: registry.example.com/app@sha256:{sha256}",
    '"resolved": "https://registry.example.com/a/-/a-1.{d}.tgz", "shasum": "{sha1}"',
    "-----BEGIN CERTIFICATE-----\nMIID{b64}\n-----END CERTIFICATE-----",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b64}{b64} deploy@ci",
    "contract 0x{sha1} on mainnet, gas {n}",
    "Tracking: 1Z{order}, arriving {dd}/11",
    'Traceback (most recent call last):\n  File "auth.py", line {d}, in verify\n    raise InvalidToken(token)',
    'The login form has two inputs: type="text" name="user" and type="password" name="password".',
    "passwords are hashed with bcrypt, cost {d}",
    "export PATH=$PATH:$HOME/go/bin:$HOME/app{d}/bin",
    "redis-server --port 6379 --save 60 {n}",
    "measurements: 4021 3987 4102 3876 {n} {n}",
    "lat 47.4979{dd}, lon 19.0402{dd}",
    "build {short} passed: auth 12/12, token 8/8, key-value store {d}/9",
    "My password manager has {n} entries, and the master password is long.",
    "PASSWORD_MIN_LENGTH = {d}",
    "TOKEN_EXPIRY_SECONDS={n}",
    "secret_name: projects/acme/secrets/db-password/versions/{d}",
    'data-key="item-{d}" data-token-index="{d}"',
    "X-Request-Id: {hex32}",
    "cache key user:{n}:profile:v{d}",
    'Etag W/"{hex16}" and blob {hex32}.parquet',
    "room code: {n}, gate B{d}, seat {d}A",
    '{{"type": "string", "format": "password", "minLength": {d}}}',
)


def own(half: int, seed: int, count: int = OWN) -> Iterator[str]:
    """Technical talk without a secret, of one half."""
    chance = Random(seed)
    carriers = (_TALK, _TALK_HELD)[half]
    for place in range(count):
        yield carriers[place % len(carriers)].format(
            n=chance.randrange(100, 9_999), d=chance.randrange(2, 30), dd=chance.randrange(10, 29),
            sha1=make.some(chance, 40, make.HEX), sha256=make.some(chance, 64, make.HEX),
            short=make.some(chance, 8, make.HEX), hex32=make.some(chance, 32, make.HEX),
            hex16=make.some(chance, 16, make.HEX), uuid=uuid.UUID(int=chance.getrandbits(128), version=4),
            order=chance.randrange(10**9, 10**12), id11=make.some(chance, 11, make.URLSAFE),
            b64=make.some(chance, 40, make.BASE64),
        )  # fmt: skip


def read(data: Path, most: int = MOST) -> dict[str, list[str]]:
    """What people said, by source; the last source is cut so that there are no more than ``most`` texts."""
    texts: dict[str, list[str]] = {}
    left = most
    for source in SOURCES:
        texts[source] = list(dict.fromkeys(text for text in _READ[source](data) if text.strip()))[:left]
        left -= len(texts[source])
    return texts


def _locomo(data: Path) -> Iterator[str]:
    for path in sorted((data / "locomo").glob("*.json")):
        for dialogue in locomo_data.read(path):
            yield from (message.content for session in dialogue.sessions for message in session.messages)


def _realmem(data: Path) -> Iterator[str]:
    for persona in realmem_data.read(data / "realmem"):
        for session in persona.sessions:
            yield from (turn.message.content for turn in session.turns if turn.message is not None)


def _beam(data: Path) -> Iterator[str]:
    for path in sorted((data / "beam").glob("*/chat.json")):
        for batch in json.loads(path.read_text("utf-8")):
            for turn in (turn for several in batch["turns"] for turn in several):
                yield turn["content"].partition("->->")[0]


def _spc(data: Path) -> Iterator[str]:
    for path in sorted((data / "spc").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield from (
                    line.partition(": ")[2] for line in row["Best Generated Conversation"].splitlines()
                )


def _turns(source: str) -> Callable[[Path], Iterator[str]]:
    return lambda data: (turn.text for turn in turns(data, source))


_READ: dict[str, Callable[[Path], Iterator[str]]] = {
    "locomo": _locomo,
    "realmem": _realmem,
    "beam": _beam,
    "prefeval": _turns("prefeval"),
    "goemotions": _turns("goemotions"),
    "spc": _spc,
}
