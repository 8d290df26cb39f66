"""Kinds of secrets, and what they stand in: sentences, configuration, logs, commands, code. Each kind has two sets of
carriers. The first is for development; the second was written before anything was tuned, and its failures aren't read.

In a carrier ``{}`` is the secret, ``{user}``, ``{host}``, ``{port}`` and ``{name}`` are filled by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from bench import secrets_values as make

HALVES = ("development", "held_out")


@dataclass(frozen=True, slots=True)
class Kind:
    """How a secret is made, and the carriers of either half."""

    name: str
    value: make.Value
    development: Sequence[str]
    held_out: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Planted:
    """A text, and the secret in it."""

    kind: str
    text: str
    secret: str


ANYWHERE = (
    "{}",
    "my key is {}, keep it safe",
    "Use {}. Thanks!",
    "export TOKEN='{}'",
    '{{"key": "{}"}}',
    "first line\n{}\nlast line",
    "(see {})",
    "can you check why {} doesn't work any more?",
)
ANYWHERE_HELD = (
    "I pasted {} into the form by accident",
    "creds\t{}\tprod",
    'const client = new Client("{}");',
    "2026-03-02T10:11:12Z WARN rejected credential {} from 10.1.2.3",
    "Anna: here you go -> {}",
    "`{}` is what the dashboard shows me.",
    "<value>{}</value>",
    "Could you rotate this one?\n\n    {}\n\nIt leaked yesterday.",
)


def _anywhere(name: str, value: make.Value) -> Kind:
    return Kind(name, value, ANYWHERE, ANYWHERE_HELD)


_PROVIDERS = (
    _anywhere("aws-access-key", make.token("AKIA", 16, make.UPPER)),
    _anywhere("github-pat", make.token("gh" + "p_", 36)),
    _anywhere("github-fine-grained", make.token("github" + "_pat_", 82)),
    _anywhere("gitlab-pat", make.token("gl" + "pat-", 20)),
    _anywhere("slack-bot", make.slack),
    _anywhere("slack-webhook", make.token("https://hooks.slack.com/" + "services/", 44, make.ALNUM + "/")),
    _anywhere("stripe", make.token("sk" + "_live_", 24)),
    _anywhere("anthropic", make.token("sk-" + "ant-api03-", 93, make.URLSAFE, "AA")),
    _anywhere("openai", make.openai),
    _anywhere("openai-like", make.token("sk-" + "or-v1-", 48, make.HEX)),
    _anywhere("gcp", make.token("AI" + "za", 35, make.URLSAFE[:-2] + "_")),
    _anywhere("huggingface", make.token("h" + "f_", 34, make.LETTERS)),
    _anywhere("npm", make.token("np" + "m_", 36, make.LOWER)),
    _anywhere("pypi", make.token("pyp" + "i-AgEIcHlwaS5vcmc", 60)),
    _anywhere("sendgrid", make.token("S" + "G.", 66)),
    _anywhere("twilio", make.token("S" + "K", 32, make.HEX)),
    _anywhere("digitalocean", make.token("dop" + "_v1_", 64, make.HEX)),
    _anywhere("shopify", make.token("shp" + "at_", 32, make.HEX)),
    _anywhere("jwt", make.jwt),
    _anywhere("telegram", make.telegram),
    _anywhere("private-key", make.pem("\n")),
    _anywhere("private-key-escaped", make.pem("\\n")),
    _anywhere("private-key-cut-off", make.pem("\n", ends=False)),
    _anywhere("token-with-unseen", make.with_unseen(make.token("gh" + "p_", 36))),
    _anywhere("base64-of-token", make.in_base64(make.token("gl" + "pat-", 20))),
    _anywhere("base64-of-config", make.in_base64(make.config_line)),
)
_CARDS = (
    "{}",
    "my card is {}, valid until 04/29",
    "charge {} please",
    "card: {}\nname: Anna Kiss",
    "paid with {}.",
)
_CARDS_HELD = (
    "Visa or so: {} (exp 11/30, cvc 123)",
    '"pan": "{}"',
    "Here is the number:\n{}\nBill it today.",
    "ok so it's {} and the name on it is A. KISS",
    "PAYMENT;{};EUR;49.90",
)
_NUMBERS = tuple(
    Kind(name, value, _CARDS, _CARDS_HELD)
    for name, value in (
        ("card", make.card),
        ("card-in-fours", make.in_fours(" ")),
        ("card-with-dots", make.in_fours(".")),
        ("card-over-two-lines", make.over_two_lines),
        ("card-in-wide-digits", make.wide),
    )
)
_NAMED = (
    Kind(
        "env-password",
        make.password,
        ("DB_PASSWORD={}", "export DB_PASSWORD='{}'", "PGPASSWORD={} psql -h {host} -U {user}", "SMTP_PASS={}"),
        ("MYSQL_ROOT_PASSWORD={}", "ENV REDIS_PASSWORD {}", "set LDAP_BIND_PW={}", "$env:ADMIN_PWD = \"{}\""),
    ),
    Kind(
        "env-password-word",
        make.word,
        ("DB_PASSWORD={}", "export PGPASSWORD={}", "POSTGRES_PASSWORD: {}\nPOSTGRES_USER: {user}"),
        ("MAIL_PASSWORD={}\nMAIL_PORT={port}", "BACKUP_PASSPHRASE='{}'", "- name: JIRA_PASSWORD\n  value: {}"),
    ),
    Kind(
        "password-in-a-sentence",
        make.password,
        (
            "the password for the router is {}",
            "My password is {} and I forget it all the time",
            "The wifi password at the cabin is {}",
            "btw the password was {} last year",
            "password for {user}: {}",
        ),
        (
            "If you need to log in, the admin password is still {}.",
            "Password of the guest network = {}",
            "the new passphrase for my laptop is {}, don't tell Bob",
            "Her passcode to the alarm app is {}",
            "The root password on {host} is '{}'",
        ),
    ),
    Kind(
        "password-after-a-verb",
        make.password,
        (
            "I changed the password to {}",
            "set the password to {} please",
            "log in as {user} with the password {}",
            "{} is my password for the bank",
        ),
        (
            "We reset her password to {} this morning.",
            "username {user}, password {}",
            "use {} as the password",
            "the login is {user} / the pw is {}",
        ),
    ),
    Kind(
        "short-name",
        make.password,
        ("pass: {}", "user: {user} pass: {}", "pw {}", "pw: {}", "pwd={}", "login {user}, pass {}"),
        ("PW = {}", "usr={user};pwd={};", "wifi: {user}\npass - {}", "user/pw: {user}/{}", "Pass: {}\nThanks"),
    ),
    Kind(
        "password-in-config",
        make.password,
        ('"password": "{}",', "password: {}", 'db_pass = "{}"', "<password>{}</password>", "spring.mail.password={}"),
        (
            "datasource:\n  user: {user}\n  password: '{}'\n",
            '{{"host": "{host}", "userPassword": "{}"}}',
            "requirepass {}",
            '<add key="SmtpPassword" value="{}" />',
            "| admin password | {} |",
        ),
    ),
    Kind(
        "password-in-code",
        make.password,
        (
            'conn = connect(host="{host}", user="{user}", password="{}")',
            "const dbPassword = '{}';",
            'os.environ["DB_PASS"] = "{}"',
            "String password = \"{}\";",
        ),
        (
            'client.login("{user}", password: "{}")',
            "define('DB_PASSWORD', '{}');",
            'let pwd = `{}`',
            "cfg['password'] = '{}'",
            "ALTER USER {user} WITH PASSWORD '{}';",
        ),
    ),
    Kind(
        "curl-user",
        make.simple_password,
        ("curl -u {user}:{} https://{host}/api", "curl -s --user '{user}:{}' https://{host}"),
        ("curl -X POST https://{host}/v1 -u \"{user}:{}\" -d @x.json", "http -a {user}:{} GET https://{host}/me"),
    ),
    Kind(
        "mysql-flag",
        make.simple_password,
        ("mysql -u {user} -p{} shop", "mysqldump -h {host} -u{user} -p{} shop > x.sql"),
        ("mysqladmin -uroot -p{} status", "mariadb --user={user} -p'{}' -e 'select 1'"),
    ),
    Kind(
        "sshpass",
        make.simple_password,
        ("sshpass -p {} ssh {user}@{host}", "sshpass -p '{}' scp x {user}@{host}:"),
        ("RUN sshpass -p \"{}\" rsync -a . {user}@{host}:/srv", "sshpass -p{} ssh -p {port} {user}@{host}"),
    ),
    Kind(
        "long-flag",
        make.simple_password,
        ("tool --password {} --user {user}", "restic --password={} backup", "deploy --token={} --env prod"),
        ("vault login --token {}", "az login --service-principal -u {user} --password \"{}\"", "cli --api-key={} ls"),
    ),
    Kind(
        "netrc",
        make.password,
        ("machine {host} login {user} password {}", "machine {host}\n  login {user}\n  password {}\n"),
        ("default login {user} password {}", "machine {host} password {} login {user}"),
    ),
    Kind(
        "pgpass",
        make.simple_password,
        ("{host}:{port}:shop:{user}:{}", "my .pgpass:\n{host}:{port}:*:{user}:{}\n"),
        ("*:*:*:{user}:{}", "# backups\nlocalhost:5432:app_db:{user}:{}\n"),
    ),
    Kind(
        "url-password",
        make.simple_password,
        ("postgres://{user}:{}@{host}:{port}/app", "see https://{user}:{}@{host}/x", "redis://:{}@{host}:6379/0"),
        ("DATABASE_URL=mysql://{user}:{}@{host}/app?ssl=1", "amqp://{user}:{}@{host}//", "git clone https://{user}:{}@{host}/r.git"),
    ),
    Kind(
        "url-password-with-at",
        make.at_password,
        ("postgres://{user}:{}@{host}:{port}/app", "open ftp://{user}:{}@{host}/pub"),
        ("url = \"mongodb+srv://{user}:{}@{host}/test\"", "smtp://{user}:{}@{host}:587 works for me"),
    ),
    Kind(
        "azure-sas",
        make.signature,
        ("https://acme.blob.core.windows.net/c/f.csv?sv=2024-05-04&se=2026-01-01&sr=b&sp=r&sig={}",),
        ("SharedAccessSignature=sv=2023-11-03&ss=b&srt=sco&sp=rl&sig={}",
         "az copy 'https://{host}/share?sp=rw&sig={}&sv=2022-11-02' ."),
    ),
    Kind(
        "azure-account-key",
        make.token("", 86, make.BASE64, "=="),
        ("DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=core.windows.net",),
        ("Endpoint=sb://{host}/;SharedAccessKeyName=Root;SharedAccessKey={}", "the storage account key is {}"),
    ),
    Kind(
        "session-cookie",
        make.token("", 32, make.LOWER),
        ("Cookie: sessionid={}; theme=dark",
         "Set-Cookie: JSESSIONID={}; Path=/; HttpOnly", "Cookie: lang=en; PHPSESSID={}"),
        ("curl --cookie 'session={}' https://{host}",
         "document.cookie = 'auth_session={}'", "cookie: _ga=GA1.2; connect.sid=s%3A{}"),
    ),
    Kind(
        "authorization-basic",
        make.in_base64(make.user_and_password),
        ("Authorization: Basic {}", "-H 'authorization: basic {}'"),
        ('"Proxy-Authorization": "Basic {}"', "headers={{'Authorization': 'Basic {}'}}"),
    ),
    Kind(
        "authorization-bearer",
        make.token("", 40),
        ("Authorization: Bearer {}", "curl -H \"Authorization: Bearer {}\" https://{host}"),
        ("Authorization: token {}", "it sends `bearer {}` with every request"),
    ),
    Kind(
        "api-key-header",
        make.token("", 32),
        ("X-Api-Key: {}", "curl -H 'x-api-key: {}' https://{host}"),
        ("'X-Auth-Token': '{}'", "apikey: {}", "https://{host}/v2/data?units=m&api_key={}"),
    ),
    Kind(
        "named-key",
        make.token("", 32, make.HEX),
        ("my API key is {}", "api_key: '{}'", "my access token is {}", "SECRET_KEY = '{}'"),
        ("the secret for the webhook is {}", "client_secret\": \"{}\"", "here's the auth token: {}", "apiKey={}"),
    ),
    Kind(
        "aws-secret-key",
        make.token("", 40, make.BASE64),
        ("aws_secret_access_key = {}", "AWS_SECRET_ACCESS_KEY={}"),
        ("secretAccessKey: \"{}\"", "the secret access key is {}"),
    ),
    Kind(
        "ethereum-key",
        make.token("0x", 64, make.HEX),
        ("PRIVATE_KEY={}", "my eth private key is {}", "private key: {}"),
        ("import this wallet's private key: {}", "DEPLOYER_KEY={}", "new ethers.Wallet(privateKey = '{}')"),
    ),
    Kind(
        "seed-phrase",
        make.seed_phrase,
        ("my seed phrase is {}", "Recovery phrase: {}"),
        ("MNEMONIC=\"{}\"", "the wallet's seed words are: {}"),
    ),
    Kind(
        "password-hash",
        make.bcrypt,
        ("{user}:{}:19000:0:99999:7:::", "hash: {}"),
        ("INSERT INTO users VALUES ('{user}', '{}');", "{user}:{}"),
    ),
    Kind(
        "base64-in-config",
        make.in_base64(make.password),
        ("data:\n  password: {}\n", '"auths": {{"{host}": {{"auth": "{}"}}}}'),
        ("kind: Secret\ndata:\n  DB_PASS: {}\n", "echo {} | base64 -d  # the password"),
    ),
)  # fmt: skip
KINDS = (*_PROVIDERS, *_NUMBERS, *_NAMED)


def planted(half: str, seed: int, each: int) -> Iterator[Planted]:
    """Texts with a secret in them: of every kind so many, its carriers in turn."""
    chance = Random(seed)
    for kind in KINDS:
        carriers = kind.development if half == HALVES[0] else kind.held_out
        begun = chance.randrange(len(carriers))
        for place in range(each):
            secret = kind.value(chance)
            fills = {
                "user": chance.choice(["root", "admin", "anna", "deploy", "kovacs"]),
                "host": chance.choice(["db.example.com", "10.0.0.12", "git.acme.io", "mail.example.org"]),
                "port": str(chance.choice([5432, 3306, 2222, 8443])),
            }
            text = carriers[(begun + place) % len(carriers)].format(secret, **fills)
            yield Planted(kind=kind.name, text=text, secret=secret)
