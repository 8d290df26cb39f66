"""The page's frame: who gets in, what each answer carries, and what stands where nothing is yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from reverie.client import Reverie, Right, Tokens
from reverie.doors.page.app import PAGES, make_page
from reverie.doors.page.gate import MOST_BODY, Gate, cookie
from reverie.doors.page.sessions import IDLE_SECONDS, LINK_SECONDS, Sessions
from reverie.doors.page.urls import address, segment, unsegment
from tests.doors.page_site import PageSite, page_site, text_of


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


# Who gets in


def test_a_login_link_works_once(site: PageSite) -> None:
    code = site.sessions.link()
    first, second = site.stranger(), site.stranger()
    assert first.head("/login", params={"code": code}).status_code == 200  # as a messenger looks at a link
    entered = first.get("/login", params={"code": code})
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert all(part in entered.headers["set-cookie"] for part in ("HttpOnly", "SameSite=Strict", "Path=/"))
    again = second.get("/login", params={"code": code})
    assert again.status_code == 403
    assert "set-cookie" not in again.headers
    assert "used already" in again.text


def test_a_login_link_is_valid_for_minutes(tmp_path: Path) -> None:
    now = 0.0
    sessions = Sessions(Tokens(tmp_path / "tokens.json"), clock=lambda: now)
    early, late = sessions.link(), sessions.link()
    now = LINK_SECONDS - 1
    assert sessions.enter(early) is not None
    now = LINK_SECONDS
    assert sessions.enter(late) is None
    assert sessions.enter("no such code") is None


def test_a_session_that_nobody_uses_ends(tmp_path: Path) -> None:
    now = 0.0
    sessions = Sessions(Tokens(tmp_path / "tokens.json"), clock=lambda: now)
    session = sessions.enter(sessions.link())
    assert session is not None
    for _ in range(3):
        now += IDLE_SECONDS
        assert sessions.of(session.id) is session
    now += IDLE_SECONDS + 1
    assert sessions.of(session.id) is None


def test_without_a_session_only_the_way_in_is_shown(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    stranger = site.stranger()
    for path in ("/", "/b/main/mama", "/b/main/nobody/memories", "/nothing"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.headers["location"], answer.text) == (303, "/login", "")
    part = stranger.get("/b/main/mama/memories", headers={"hx-request": "true"})
    assert (part.status_code, part.headers["hx-redirect"], part.text) == (401, "/login", "")
    told = text_of(stranger.get("/login").text)
    assert "reverie serve" in told
    assert "Anna" not in told


def test_logging_out_ends_the_session(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    browser = site.browser()
    assert "Anna likes tea" in browser.get()
    left = browser.client.post("/logout", data={"csrf": browser.csrf})
    assert "Log in" in left.text
    assert "Log in" in browser.get()


def test_a_token_opens_a_session_with_its_rights(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    reads = site.browser(Right.READ, agents=["mama"])
    assert "Anna likes tea" in reads.get()
    reads.agent = "papa"
    assert "right to read" in reads.get(status=403)
    wrong = site.stranger().post("/login", data={"token": f"reverie_{'0' * 12}_{'x' * 43}"})
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (403, False)


def test_a_revoked_token_ends_its_sessions(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    browser = site.browser(Right.READ)
    site.tokens.revoke(site.tokens.list()[0].id)
    assert "Log in" in browser.get()


# What each request must have, and each answer has


def test_a_change_without_the_sessions_own_form_is_refused(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    mine, other = site.browser(), site.browser()
    for fields in ({}, {"csrf": ""}, {"csrf": "wrong"}, {"csrf": other.csrf}):
        assert mine.client.post("/logout", data=fields).status_code == 403
    assert "Anna likes tea" in mine.get()


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_change_from_another_page_is_refused(site: PageSite, headers: dict[str, str]) -> None:
    site.mama.remember("Anna likes tea")
    browser = site.browser()
    refused = browser.client.post("/logout", data={"csrf": browser.csrf}, headers=headers)
    assert refused.status_code == 403
    assert "Anna likes tea" in browser.get()


def test_a_body_that_is_no_small_form_is_refused(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    client = site.browser().client
    form = {"content-type": "application/x-www-form-urlencoded"}
    json = {"content-type": "application/json"}
    assert client.post("/logout", content=b"x" * (MOST_BODY + 1), headers=form).status_code == 413
    assert client.post("/logout", content=b"{}", headers=json).status_code == 400
    assert client.post("/logout", content=b"csrf=%ff", headers=form).status_code == 400
    assert client.post("/logout", content=b"a=1&" * 200, headers=form).status_code == 400


def test_every_answer_keeps_the_browser_strict(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    browser, stranger = site.browser(), site.stranger()
    paths = (
        "/",
        browser.url(),
        "/assets/page.css",
        "/assets/none.css",
        "/login",
        "/nothing",
        browser.url("x"),
    )
    for client in (browser.client, stranger):
        for path in paths:
            for answer in (client.get(path), client.post(path)):
                policy = answer.headers["content-security-policy"].split("; ")
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe" not in answer.headers["content-security-policy"]
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert answer.headers["referrer-policy"] == "same-origin"
                kept = path == "/assets/page.css" and answer.status_code == 200
                assert answer.headers["cache-control"] == ("private, max-age=86400" if kept else "no-store")


def test_a_server_answers_to_its_own_names_only(tmp_path: Path) -> None:
    app = make_page({}, Sessions(Tokens(tmp_path / "tokens.json")), hosts=["localhost:8766"])
    right = TestClient(app, base_url="http://localhost:8766")
    wrong = TestClient(app, base_url="http://evil.example")
    assert right.get("/login").status_code == 200
    assert wrong.get("/login").status_code == 421


def test_cookies_of_two_servers_on_one_machine_are_two(site: PageSite) -> None:
    session = site.sessions.enter(site.sessions.link())
    one, other = cookie("127.0.0.1:8766", session), cookie("127.0.0.1:9000", session)
    assert one.partition("=")[0] != other.partition("=")[0]
    assert "Secure" not in one
    assert "Secure" in cookie("memory.example", session)


def test_no_page_holds_scripts_or_styles_of_its_own(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    browser = site.browser()
    for page in (browser.get(), browser.client.get("/login").text, browser.get("nothing", status=404)):
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick=" not in page
        assert page.count("<script") == page.count("<script src=") == 2
        assert "http://" not in page
        assert "https://" not in page


def test_the_app_is_never_without_its_gate(site: PageSite) -> None:
    assert isinstance(site.app, Gate)
    assert all(one.method in ("GET", "POST") for one in PAGES)


# Addresses


@pytest.mark.parametrize(
    "name", ["mama", "a/b", "..", ".", "%2F", "a b?c#d", "Noémi", "\\", "<b>", "a%b", "~2F"]
)
def test_any_name_is_one_segment_of_an_address(site: PageSite, name: str) -> None:
    site.reverie.agent(name).remember("Anna likes tea")
    assert "/" not in segment(name)
    browser = site.browser()
    browser.agent = name
    assert "Anna likes tea" in browser.get()
    assert address("main", name) in browser.get()
    chosen = browser.client.get("/go", params={"to": f"main/{name}"})
    assert "Anna likes tea" in chosen.text
    assert unsegment("mama") == "mama"


def test_what_is_not_there_is_told(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    browser = site.browser()
    assert "no such bank" in browser.client.get("/b/other/mama").text
    assert browser.client.get("/b/other/mama").status_code == 404
    assert browser.client.get("/assets/..%2Fapp.py").status_code == 404
    assert browser.client.get("/assets/htmx.LICENSE").status_code == 404


# Where nothing is yet


def test_an_empty_bank_says_what_to_do(site: PageSite) -> None:
    told = text_of(site.browser().client.get("/").text)
    assert "Nothing is remembered yet" in told
    assert "reverie remember" in told


def test_an_agent_that_is_new_says_what_to_do(site: PageSite) -> None:
    browser = site.browser()
    browser.agent = "nobody"
    assert "reverie remember" in browser.get()
    assert site.reverie.agents() == []


def test_the_first_agent_is_shown_at_once(site: PageSite) -> None:
    site.mama.remember("Anna likes tea")
    assert "What mama knows" in site.browser().client.get("/").text


def test_a_failure_of_the_program_itself_is_told_without_its_words(
    site: PageSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("Anna's secret")

    browser = site.browser()
    client = TestClient(site.app, cookies=browser.client.cookies, raise_server_exceptions=False)
    monkeypatch.setattr("reverie.doors.page.times.Times.of", fails)
    answer = client.get(browser.url())
    assert answer.status_code == 500
    assert "RuntimeError" in answer.text
    assert "secret" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_overview_comes_first_and_what_must_be_counted_by_itself(site: PageSite) -> None:
    site.doubted("Anna likes tea")
    site.kept("Ben sails", kind="preference")
    site.mama.observe({"content": "Hello", "speaker": "Anna"})
    browser = site.browser()
    first, part, whole = browser.get(), browser.part("numbers"), browser.get(whole="yes")
    assert f'hx-get="{browser.url("numbers")}" hx-trigger="load"' in first
    assert all("Ben sails" in page for page in (first, whole))
    for told in (part, whole):
        assert re.findall(r"<strong>([^<]*)</strong><span>([^<]*)", told) == [
            ("2", "memories"), ("1", "await review"), ("2", "learned this week"), ("1", "message"),
        ]  # fmt: skip
        assert 'kind=preference"' in told
    assert 'hx-swap-oob="true"' in part
    assert "hx-trigger" not in whole


def test_a_bank_beside_can_be_chosen(site: PageSite, tmp_path: Path) -> None:
    site.mama.remember("Anna likes tea")
    with Reverie.open(tmp_path / "b.bank", encrypted=False) as other:
        other.agent("papa").remember("Paper is bought")
        app = make_page({"main": site.reverie, "work": other}, site.sessions)
        client = TestClient(app)
        client.get("/login", params={"code": site.sessions.link()})
        assert "papa – work" in client.get("/").text
        assert "Paper is bought" in client.get("/go", params={"to": "work/papa"}).text
