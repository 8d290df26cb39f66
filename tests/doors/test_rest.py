"""REST: every verb, who may call it, and what comes back."""

from __future__ import annotations

import inspect
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

import reverie.agent.facets
import reverie.agent.items
import reverie.agent.jobs
from reverie.client import Agent, Repeats, Reverie, Right, Tokens
from reverie.doors.rest.app import make_app
from reverie.doors.rest.guard import Limits
from reverie.doors.rest.routes import ELSEWHERE, ROUTES
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import NotFound

MAMA = "/v1/banks/main/agents/mama"
PROBLEM = "application/problem+json"
_THREADS = 40  # as many as Starlette has
JSON = {"content-type": "application/json"}


@dataclass(kw_only=True)
class Site:
    """A server in this process, and its clients."""

    tokens: Tokens
    app: Any
    banks: dict[str, Reverie]

    def client(self, right: Right = Right.ADMIN, **given: Any) -> TestClient:
        _, text = self.tokens.create("test", right, **given)
        return TestClient(
            self.app, headers={"authorization": f"Bearer {text}"}, raise_server_exceptions=False
        )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """One application for all tests, since making its descriptions takes a second; each test has its own bank."""
    return made_site(tmp_path_factory.mktemp("rest"))


def made_site(folder: Path, limits: Limits | None = None, **given: Any) -> Site:
    tokens = Tokens(folder / "tokens.json")
    banks: dict[str, Reverie] = {}
    return Site(tokens=tokens, app=make_app(banks, tokens, limits=limits, **given), banks=banks)


@pytest.fixture
def site(served: Site, tmp_path: Path) -> Iterator[Site]:
    with Reverie.open(tmp_path / "a.bank", encrypted=False, embedder=HashingEmbedder.for_tests()) as reverie:
        served.banks["main"] = reverie
        yield served


@pytest.fixture
def client(site: Site) -> TestClient:
    return site.client()


def kept(client: TestClient, text: str = "Anna likes tea", **given: Any) -> dict[str, Any]:
    made: dict[str, Any] = client.post(f"{MAMA}/memories", json={"text": text, **given}).json()["memory"]
    return made


def test_each_verb_has_a_route_or_a_reason() -> None:
    modules = (reverie.agent.facets, reverie.agent.items, reverie.agent.jobs)
    classes = [one for module in modules for _, one in inspect.getmembers(module, inspect.isclass)
               if one.__module__ == module.__name__]  # fmt: skip
    verbs = {
        f"{cls.__name__}.{name}"
        for cls in (Agent, Reverie, *classes)
        for name, one in inspect.getmembers(cls)
        if not name.startswith("_") and (inspect.isfunction(one) or inspect.ismethod(one))
    }
    served = {route.verb.__qualname__ for route in ROUTES}
    assert verbs - served == ELSEWHERE.keys() - {"Agent.profile"}
    assert served <= verbs


def test_the_description_names_each_call_once_and_says_what_it_does(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    calls = [call for path in described["paths"].values() for call in path.values()]
    names = [call["operationId"] for call in calls]
    assert len(names) == len(set(names)) == len(ROUTES) + 7
    assert all(call["summary"] and call["description"] for call in calls)
    assert not any(">>>" in call["description"] for call in calls)
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)))
    assert referred == described["components"]["schemas"].keys() & referred


def test_strangers_cant_have_the_description_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers: list[threading.Thread] = []
    monkeypatch.setattr(
        "reverie.doors.rest.app._openapi", lambda _app: makers.append(threading.current_thread())
    )
    with TestClient(made_site(tmp_path).app) as client:
        assert [client.get("/openapi.json").status_code for _ in range(3)] == [200] * 3
        loop = client.portal
        assert loop is not None
        assert len(makers) == 1
        assert makers[0] is not loop.call(threading.current_thread)  # other requests go on meanwhile


def test_what_is_kept_is_found(client: TestClient) -> None:
    made = client.post(f"{MAMA}/memories", json={"text": "Anna likes tea", "kind": "preference"})
    again = client.post(f"{MAMA}/memories", json={"text": "Anna likes tea.", "kind": "preference"})
    assert [(one.status_code, one.json()["type"]) for one in (made, again)] == [
        (201, "inserted"),
        (201, "reinforced"),
    ]
    found = client.post(f"{MAMA}/memories/recall", json={"query": "what does Anna like?"}).json()
    assert [hit["memory"]["id"] for hit in found["hits"]] == [made.json()["memory"]["id"]]
    assert found["hits"][0]["memory"]["kind"] == "preference"


def test_conversations_become_context(client: TestClient) -> None:
    seen = client.post(
        f"{MAMA}/episodes",
        json={"messages": [{"role": "user", "content": "I moved to Ghent."}], "conversation": "c"},
    )
    assert (seen.status_code, seen.json()["stored"]) == (201, 1)
    assert [one["id"] for one in client.get(f"{MAMA}/conversations").json()["items"]] == ["c"]
    block = client.post(f"{MAMA}/context", json={"task": "I moved to Ghent", "with": ["Anna"]}).json()
    assert "I moved to Ghent." in block["text"]


def test_the_diary_knows_what_day_it_is(client: TestClient) -> None:
    client.patch(
        f"{MAMA}/profile", json={"time_zone": "Pacific/Kiritimati"}
    )  # whose day the server's mostly isn't
    page = client.put(f"{MAMA}/diary/today", json={"body": "Kade kept his word"}).json()
    assert page["date"] == str(datetime.now(ZoneInfo("Pacific/Kiritimati")).date())
    assert (
        client.get(f"{MAMA}/diary/today").json() == page == client.get(f"{MAMA}/diary/{page['date']}").json()
    )
    assert client.get(f"{MAMA}/diary?since=today").json()["items"] == [page]
    assert client.get(f"{MAMA}/diary/months/today").json()["month"] == page["date"][:7]
    assert client.delete(f"{MAMA}/diary/today").json() == page
    assert client.get(f"{MAMA}/diary/today").status_code == 404


def test_a_result_without_value_has_no_body(client: TestClient) -> None:
    blocked = client.put(f"{MAMA}/blocks/ben")
    assert (blocked.status_code, blocked.content) == (204, b"")
    assert client.get(f"{MAMA}/blocks").json() == {"items": ["ben"], "next": None}
    assert client.delete(f"{MAMA}/blocks/ben").json() == {"result": True}


@pytest.mark.parametrize(
    ("call", "status", "title", "told"),
    [
        (lambda c: c.get(f"{MAMA}/memories/nobody"), 404, "NotFound", "no memory"),
        (lambda c: c.get("/v1/banks/other/agents"), 404, "NotFound", "no such bank"),
        (lambda c: c.get("/v2"), 404, "NotFound", "Not Found"),
        (lambda c: c.post(f"{MAMA}/memories", json={"txt": "a"}), 422, "InvalidInput", "txt"),
        (lambda c: c.post(f"{MAMA}/memories", content='{"text": "a"}'), 422, "InvalidInput", "Content-Type: app"),
        (lambda c: c.post(f"{MAMA}/memories", json={"text": "a", "pinned": 1}), 422, "InvalidInput", "pinned"),
        (lambda c: c.post(f"{MAMA}/memories", json={"text": " "}), 422, "InvalidInput", "text"),
        (lambda c: c.post(f"{MAMA}/memories", content=b"\xff", headers=JSON), 400, "Refused", "body"),
        (lambda c: c.get(f"{MAMA}/memories?limt=3"), 422, "InvalidInput", "parameter"),
        (lambda c: c.get(f"{MAMA}/memories?limit=0"), 422, "InvalidInput", "limit"),
        (lambda c: c.post(f"{MAMA}/import-from", json={"source": "/etc/passwd"}), 422, "InvalidInput", "source"),
        (lambda c: c.post(f"{MAMA}/forget", json={}), 422, "InvalidInput", "forget"),
    ],
)  # fmt: skip
def test_a_bad_request_says_what_is_wrong(
    client: TestClient, call: Callable[[TestClient], Any], status: int, title: str, told: str
) -> None:
    answer = call(client)
    problem = answer.json()
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert (problem["status"], problem["title"]) == (status, title)
    assert told in json.dumps(problem)
    assert problem["instance"] == answer.headers["x-request-id"]


def test_a_wrong_method_is_told_all_that_there_are(client: TestClient) -> None:
    answer = client.patch(f"{MAMA}/memories")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


@pytest.mark.parametrize("name", ["a/b", "mama/memories", "../x", "a%2Fb", "a\\b", "Jürgen?#&", "a.b~"])
def test_a_name_may_hold_anything(client: TestClient, name: str) -> None:
    kept(client)
    encoded = quote(name, safe="")
    path = f"/v1/banks/main/agents/{encoded}"
    made = client.post(f"{path}/memories", json={"text": "The map is burnt"})
    assert made.status_code == 201
    assert client.get("/v1/banks/main/agents").json()["items"] == sorted(["mama", name])
    found = client.post(f"{path}/memories/recall", json={"query": "the map"}).json()["hits"]
    assert [hit["memory"]["essence"] for hit in found] == ["The map is burnt"]
    assert (
        client.put(f"{MAMA}/relationships/{encoded}", json={"type": "ally", "trust": 0.5}).json()["other"]
        == name
    )
    one = f"{path}/memories/{made.json()['memory']['id']}"
    tag = client.get(one).headers["etag"]
    assert client.patch(one, json={"importance": 0.5}, headers={"if-match": tag}).status_code == 200


def test_a_token_for_one_name_is_none_for_names_that_begin_so(site: Site) -> None:
    kept(site.client())
    for agent in (
        "mama%2F..",
        "mama%2Fmemories",
        "papa%2F..%2Fmama",
        "papa%252F..%252Fmama",
        "%2e%2e%2Fmama",
    ):
        path = f"/v1/banks/main/agents/{agent}/memories"
        for client in (site.client(agents=["mama"]), site.client(agents=["papa"])):
            assert client.get(path).status_code == 403, path
            assert client.post(f"{path}/recall", json={"query": "tea"}).status_code == 403, path


def test_a_path_is_one_path(client: TestClient) -> None:
    for path in (f"{MAMA}/memories/", "/v1%2Fbanks", f"/{MAMA}/memories", f"{MAMA}//memories"):
        answer = client.get(path, follow_redirects=False)
        assert (answer.status_code, answer.json()["title"]) == (404, "NotFound"), path


# Who may


@pytest.mark.parametrize("said", [None, "Bearer no", "Basic abc", f"Bearer reverie_{'0' * 12}_{'x' * 43}"])
def test_without_a_token_nothing_is_told(site: Site, said: str | None) -> None:
    client = TestClient(site.app, headers={} if said is None else {"authorization": said})
    for path in (f"{MAMA}/stats", "/v1/banks", "/metrics", "/nothing"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["title"]) == (401, "Unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert client.get("/healthz").json() == {"status": "ok"}


def test_a_right_includes_those_before_it(site: Site) -> None:
    reads, writes, rules = map(site.client, Right)
    id = kept(rules)["id"]
    for client, allowed in ((reads, (200, 403, 403)), (writes, (200, 200, 403)), (rules, (200, 200, 200))):
        got = (
            client.get(f"{MAMA}/memories/{id}"),
            client.patch(f"{MAMA}/memories/{id}", json={"importance": 0.5}),
            client.post(f"{MAMA}/memories/{id}/approve"),
        )
        assert tuple(one.status_code for one in got) == allowed
    assert rules.get(f"{MAMA}/export").status_code == 200
    assert writes.get(f"{MAMA}/export").status_code == 403


def test_no_route_is_open_to_a_token_for_others(site: Site) -> None:
    other = site.client(agents=["papa"])
    elsewhere = site.client(banks=["work"])
    for route in ROUTES:
        path = re.sub(
            r"\{(\w+)\}", lambda one: {"bank": "main", "agent": "mama"}.get(one[1], "x"), route.path
        )
        body: Any = None if route.method in ("GET", "DELETE") else {}
        for client in (other, elsewhere):
            answer = client.request(route.method, path, json=body)
            assert answer.status_code in (403, 422), path  # 422: the body is checked before the right
    assert site.banks["main"].agents() == []
    room = {"members": ["papa", "mama"], "speaker": "papa", "content": "hi"}
    assert other.post("/v1/banks/main/rooms/r/messages", json=room).status_code == 403
    assert elsewhere.get("/v1/banks").json() == {"items": []}


def test_a_token_is_kept_as_a_hash_and_ends_at_once(site: Site) -> None:
    made, text = site.tokens.create("phone", Right.READ)
    stored = site.tokens.path.read_text()
    assert text.split("_", 2)[2] not in stored
    assert site.tokens.path.stat().st_mode & 0o077 == 0
    client = TestClient(site.app, headers={"authorization": f"Bearer {text}"})
    assert client.get("/v1/banks").status_code == 200
    Tokens(site.tokens.path).revoke(made.id)  # as another process would
    assert client.get("/v1/banks").status_code == 401


def test_a_broken_file_of_tokens_lets_nobody_in(tmp_path: Path) -> None:
    site = made_site(tmp_path)
    client = site.client()
    site.tokens.path.write_text("{}")
    answer = client.get("/v1/banks")
    assert (answer.status_code, answer.json()["title"]) == (503, "NoTokens")


def test_tokens_made_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    makers = [
        threading.Thread(target=lambda: [Tokens(path).create("a", Right.READ) for _ in range(10)])
        for _ in range(4)
    ]
    for one in makers:
        one.start()
    for one in makers:
        one.join()
    assert len(Tokens(path).list()) == 40


# Versions, repetitions, limits


def test_a_version_is_read_once_and_changed_by_who_has_it(client: TestClient) -> None:
    path = f"{MAMA}/memories/{kept(client)['id']}"
    first = client.get(path)
    client.post(f"{MAMA}/memories/recall", json={"query": "tea"})  # a touch is no change
    for tag in (first.headers["etag"], f'"other", W/{first.headers["etag"]}'):  # a proxy makes tags weak
        assert client.get(path, headers={"if-none-match": tag}).status_code == 304
    has = {"if-match": first.headers["etag"]}
    changed = client.patch(path, json={"essence": "Anna likes green tea"}, headers=has)
    assert changed.status_code == 200
    assert changed.headers["etag"] == client.get(path).headers["etag"] != first.headers["etag"]
    for late in (
        client.patch(path, json={"essence": "Anna likes milk"}, headers=has),
        client.delete(path, headers=has),
    ):
        assert (late.status_code, late.json()["title"]) == (412, "Changed")
    assert client.get(path).json()["essence"] == "Anna likes green tea"


def test_a_repeated_key_gets_the_same_answer(client: TestClient) -> None:
    key = {"idempotency-key": "k1"}
    path = f"{MAMA}/episodes"
    first, again = (client.post(path, json={"messages": "I moved"}, headers=key) for _ in range(2))
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert len(client.get(path).json()["items"]) == 1
    other = client.post(path, json={"messages": "I stayed"}, headers=key)
    assert (other.status_code, "another request" in other.json()["detail"]) == (422, True)
    key = {"idempotency-key": "k2"}
    assert client.post(path, json={"messages": ""}, headers=key).status_code == 422
    assert (
        client.post(path, json={"messages": "I stayed"}, headers=key).status_code == 201
    )  # nothing was done yet


def test_a_repeated_key_tells_nothing_that_was_forgotten(client: TestClient) -> None:
    key = {"idempotency-key": "k3"}
    made = client.post(f"{MAMA}/memories", json={"text": "Anna likes tea"}, headers=key).json()
    gone = client.delete(f"{MAMA}/memories/{made['memory']['id']}", headers={"idempotency-key": "k4"})
    again = client.delete(f"{MAMA}/memories/{made['memory']['id']}", headers={"idempotency-key": "k4"})
    assert (gone.status_code, again.json()) == (200, gone.json())
    told = client.post(f"{MAMA}/memories", json={"text": "Anna likes tea"}, headers=key)
    assert (told.status_code, told.json()["title"]) == (409, "AlreadyDone")
    assert "Anna" not in told.text


def test_a_write_that_failed_may_be_tried_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"idempotency-key": "k6"}
    with monkeypatch.context() as patched:
        patched.setattr(Agent, "observe", None)
        assert client.post(f"{MAMA}/episodes", json={"messages": "I moved"}, headers=key).status_code == 500
    assert client.post(f"{MAMA}/episodes", json={"messages": "I moved"}, headers=key).status_code == 201


def test_without_a_file_for_keys_a_write_with_one_is_refused(tmp_path: Path) -> None:
    repeats = Repeats(tmp_path / "a.repeats")
    site = made_site(tmp_path, repeats=repeats)
    repeats.close()
    refused = site.client().post(
        f"{MAMA}/episodes", json={"messages": "a"}, headers={"idempotency-key": "k7"}
    )
    assert (refused.status_code, refused.json()["title"]) == (503, "NoKeys")


def test_requests_of_one_key_at_once_are_done_once(client: TestClient) -> None:
    def asked(_number: int) -> Any:
        key = {"idempotency-key": "k5"}
        return client.post(f"{MAMA}/episodes", json={"messages": "I moved"}, headers=key)

    with client, ThreadPoolExecutor(8) as pool:
        titles = {one.json().get("title", "done") for one in pool.map(asked, range(8))}
        assert len(client.get(f"{MAMA}/episodes").json()["items"]) == 1
    assert "done" in titles <= {"done", "InProgress"}


def test_a_key_is_of_its_token_alone(site: Site) -> None:
    key = {"idempotency-key": "k1"}
    for one in (site.client(), site.client()):
        one.post(f"{MAMA}/episodes", json={"messages": "I moved"}, headers=key)
    assert len(site.client().get(f"{MAMA}/episodes").json()["items"]) == 2


def test_more_than_a_body_or_a_rate_allows_is_refused(tmp_path: Path) -> None:
    site = made_site(tmp_path, Limits(body=1_000, rate=0.01, burst=3))
    client = site.client()
    large = client.post(f"{MAMA}/memories", json={"text": "a" * 1_000})
    assert (large.status_code, large.json()["title"]) == (413, "TooLarge")
    answers = [client.get("/v1/banks") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert site.client().get("/v1/banks").status_code == 200


def test_a_page_that_calls_the_server_by_another_name_gets_nothing(tmp_path: Path) -> None:
    client = made_site(tmp_path, hosts=["127.0.0.1:8766"]).client()
    assert client.get("/v1/banks", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/v1/banks", headers={"host": "127.0.0.1:8766"}).status_code == 200


# Lists, streams, figures


@pytest.mark.parametrize(
    "path", ["memories", "episodes", "conversations", "audit", "links", "sleeps", "rooms"]
)
def test_pages_lead_through_a_whole_list(client: TestClient, path: str) -> None:
    for number in range(3):
        kept(client, f"Anna has visited town number {number} once")
        client.post(f"{MAMA}/episodes", json={"messages": f"I saw {number}.", "conversation": f"c{number}"})
        client.post(f"/v1/banks/main/rooms/r{number}/messages", json=ROOM)
        client.post(f"{MAMA}/sleep")
    for number in range(3):
        client.post(f"/v1/banks/main/agents/{number}/memories", json={"text": "Hello"})
        client.post(f"{MAMA}/links", json={"to": str(number)})
    whole = listed(client, f"{path}?limit=100")
    assert len(whole) >= 3
    cursor = "before" if path in ("links", "sleeps") else "after"
    found: list[str] = []
    query = ""
    for _ in range(len(whole)):
        page = client.get(f"{MAMA}/{path}?limit=1{query}").json()
        found += [id_of(one) for one in page["items"]]
        query = f"&{cursor}={page['next']}"
    assert found == whole
    assert client.get(f"{MAMA}/{path}?limit=100").json()["next"] is None


def listed(client: TestClient, path: str) -> list[str]:
    return [id_of(one) for one in client.get(f"{MAMA}/{path}").json()["items"]]


def id_of(one: dict[str, Any]) -> str:
    found: str = one["conversation"]["id"] if isinstance(one.get("conversation"), dict) else one["id"]
    return found


ROOM = {"members": ["mama", "papa"], "speaker": "papa", "content": "Good evening"}


def test_no_more_streams_are_open_than_a_server_can_hold(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reverie.doors.rest.events.MOST_STREAMS", 0)
    answer = client.get(f"{MAMA}/events")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")


def test_items_lead_on_by_their_offset(client: TestClient) -> None:
    for number in range(3):
        client.put(f"{MAMA}/items", json={"namespace": ["a"], "key": str(number), "value": {"n": number}})
    first = client.post(f"{MAMA}/items/search", json={"prefix": ["a"], "limit": 2}).json()
    rest = client.post(
        f"{MAMA}/items/search", json={"prefix": ["a"], "limit": 2, "offset": int(first["next"])}
    ).json()
    assert [one["item"]["key"] for one in (*first["items"], *rest["items"])] == ["0", "1", "2"]
    assert rest["next"] is None


def test_an_export_comes_in_lines_and_can_be_imported(client: TestClient) -> None:
    kept(client)
    lines = [json.loads(line) for line in client.get(f"{MAMA}/export").text.splitlines()]
    assert lines[0]["format"] == "reverie-bank"
    done = client.post("/v1/banks/main/agents/papa/import", json={"lines": lines})
    assert (done.status_code, done.json()["source"]) == (200, "mama")
    assert len(client.get("/v1/banks/main/agents/papa/memories").json()["items"]) == 1


def test_requests_are_counted_without_names(client: TestClient) -> None:
    client.get(f"{MAMA}/stats")
    text = client.get("/metrics").text
    assert 'route="/v1/banks/{bank}/agents/{agent}/stats",status="200"} 1.0' in text
    assert "mama" not in text


def test_strangers_cant_make_the_counters_grow(site: Site) -> None:
    stranger = TestClient(site.app)
    for number in range(3):
        assert stranger.request(f"FROBNICATE{number}", "/v1/banks").status_code == 401
    text = site.client().get("/metrics").text
    assert "FROBNICATE" not in text
    assert 'method="other",route="none",status="401"} 3.0' in text


def test_the_counters_of_all_are_not_for_a_token_of_some(site: Site) -> None:
    for client in (site.client(agents=["mama"]), site.client(banks=["main"])):
        assert client.get("/metrics").status_code == 403


def test_a_failure_of_the_program_is_logged_without_contents(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_given: object, **_more: object) -> None:
        raise KeyError("Anna likes tea")

    monkeypatch.setattr(Agent, "stats", broken)
    answer = client.get(f"{MAMA}/stats")
    assert (answer.status_code, answer.json()["title"]) == (500, "Broken")
    (told,) = caplog.messages
    assert told.startswith(f"request {answer.json()['instance']} failed: KeyError at doors/rest/app.py:")
    assert "Anna" not in answer.text + told


def test_it_says_that_it_lives_while_all_threads_work(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = threading.Event()
    working = threading.Semaphore(0)

    def slow(*_given: object, **_more: object) -> Mapping[str, object]:
        working.release()
        until.wait(30)
        raise NotFound("agent", "mama")

    monkeypatch.setattr(Agent, "stats", slow)
    with client, ThreadPoolExecutor(_THREADS) as pool:
        waiting = [pool.submit(client.get, f"{MAMA}/stats") for _ in range(_THREADS)]
        for _ in range(_THREADS):
            working.acquire(timeout=30)
        assert client.get("/healthz").status_code == 200
        assert not any(one.done() for one in waiting)
        until.set()
        assert {one.result().status_code for one in waiting} == {404}


def test_a_request_keeps_its_callers_id(client: TestClient) -> None:
    assert client.get("/healthz", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert client.get("/healthz", headers={"x-request-id": "a b"}).headers["x-request-id"] != "a b"


def test_each_request_is_a_span_where_opentelemetry_is(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    client.get(f"{MAMA}/stats")
    assert [one.name for one in spans.get_finished_spans()] == ["GET /v1"]
