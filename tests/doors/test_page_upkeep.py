"""The page's audit log, upkeep and tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.client import Reverie, Right
from reverie.embedders.hashing import HashingEmbedder
from tests.doors.page_site import PageSite, found, page_site, text_of


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


def test_the_audit_log_is_read_newest_first_and_filtered(site: PageSite) -> None:
    tea, map_ = site.kept("Anna likes tea"), site.kept("The keeper has a map")
    site.mama.revise(tea.id, essence="Anna likes green tea", reason="she said so")
    browser = site.browser()
    page = browser.get("audit")
    assert page.index("she said so") < page.index("The keeper has a map")
    assert "essence: Anna likes green tea" in page
    assert "The keeper" not in browser.get("audit", target=tea.id)
    assert "she said so" not in browser.get("audit", action="remember")
    assert "Nothing like that was done" in browser.get("audit", target=map_.id, action="revise")
    browser.get("audit", action="nothing", status=422)


def test_the_log_tells_what_was_done_on_the_page(site: PageSite) -> None:
    tea = site.kept("Anna likes tea")
    site.browser().post("memories", tea.id, "pin")
    assert [one.actor for one in site.mama.audit(target=tea.id)] == ["caller", "page"]


def test_a_long_log_comes_in_pages(site: PageSite) -> None:
    site.mama.remember_many([f"Guest {n} drinks tea" for n in range(50)])
    browser = site.browser()
    first = browser.get("audit")
    older = found(first, r'href="([^"]+)" rel="next"').replace("&amp;", "&")
    assert "Guest 49" in first
    assert "Guest 0 " not in first
    assert "Guest 0 " in browser.client.get(older).text


def test_the_background_is_paused_and_resumed(site: PageSite) -> None:
    site.kept("Anna likes tea")
    browser = site.browser()
    assert "Paused" in browser.post("upkeep", "pause")
    assert site.mama.profile.paused_at is not None
    assert "Paused since" in browser.get("numbers")
    assert "It goes on" in browser.post("upkeep", "resume")
    assert site.mama.profile.paused_at is None
    assert {one.action.value for one in site.mama.audit(actions=["pause", "resume"])} == {"pause", "resume"}


def test_jobs_and_what_waits_are_shown(site: PageSite) -> None:
    site.mama.observe({"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."})
    browser = site.browser()
    assert browser.url("upkeep", "state") in browser.get("upkeep")
    assert "No job has run yet" in browser.part("upkeep", "state")
    site.mama.sleep()
    part = text_of(browser.part("upkeep", "state"))
    assert "sleep just now 0" in part
    assert "hashing-for-tests" in part


def test_what_failed_is_tried_again(site: PageSite) -> None:
    site.kept("Anna likes tea")
    assert "0 jobs are tried again" in site.browser().post("upkeep", "retry")


def test_the_profile_is_changed(site: PageSite) -> None:
    site.kept("Anna likes tea")
    browser = site.browser()
    fields: dict[str, Any] = {
        "time_zone": "Europe/Lisbon",
        "home": "Lisbon",
        "location": "",
        "principals": "Anna, Ben",
    }
    site.browser(Right.WRITE).post("upkeep", status=403, **fields)  # it says whose word is policy
    assert "Saved." in browser.post("upkeep", **fields)
    profile = site.mama.profile
    assert (profile.time_zone, profile.home, profile.principals) == (
        "Europe/Lisbon",
        "Lisbon",
        ("Anna", "Ben"),
    )
    assert 'class="told bad"' in browser.post("upkeep", **{**fields, "time_zone": "Moon/Sea"})
    assert site.mama.audit(actions="profile")


def test_the_bank_is_exported_whole(site: PageSite) -> None:
    site.kept("Anna likes tea")
    browser = site.browser()
    answer = browser.client.get(browser.url("upkeep", "export"))
    assert answer.headers["content-disposition"] == 'attachment; filename="bank.jsonl"'
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[1:-1] == [*site.mama.export()][1:-1]
    site.browser(Right.WRITE).get("upkeep", "export", status=403)


def test_a_backup_is_made_where_the_server_runs(site: PageSite, tmp_path: Path) -> None:
    site.kept("Anna likes tea")
    to = tmp_path / "copy.bank"
    browser = site.browser()
    assert "1 agent backed up" in browser.post("upkeep", "backup", to=str(to))
    with Reverie.open(to, encrypted=False, embedder=HashingEmbedder.for_tests()) as copy:
        assert [one.essence for one in copy.agent("mama").memories()] == ["Anna likes tea"]
    assert site.mama.audit(actions="backup")
    assert 'class="told bad"' in browser.post("upkeep", "backup", to="~nobody-of-that-name/a.bank")
    assert 'class="told bad"' in browser.post("upkeep", "backup", to=str(tmp_path))
    assert 'class="told bad"' in browser.post("upkeep", "backup", to="")
    admin = site.browser(Right.ADMIN)
    assert "Where to" not in admin.get("upkeep")
    admin.post("upkeep", "backup", status=403, to=str(tmp_path / "other.bank"))
    assert not (tmp_path / "other.bank").exists()


def test_a_token_is_made_shown_once_and_revoked(site: PageSite) -> None:
    site.kept("Anna likes tea")
    browser = site.browser()
    assert "No token yet" in browser.get("tokens")
    made = browser.post("tokens", name="phone", right="read", agents="mama", banks="")
    text = found(made, r"<code>(reverie_[^<]+)</code>")
    token = site.tokens.of(text)
    assert token is not None
    assert (token.name, token.right, token.agents, token.banks) == ("phone", Right.READ, ("mama",), ())
    assert text not in browser.get("tokens")
    assert "Revoked: phone" in browser.post("tokens", token.id, "revoke")
    assert site.tokens.list() == []
    assert 'class="told bad"' in browser.post("tokens", name="", right="read")
    assert 'class="told bad"' in browser.post("tokens", name="x", right="all")
    assert site.tokens.list() == []


@pytest.mark.parametrize(
    ("right", "given", "allowed"),
    [
        (Right.READ, {}, False),
        (Right.WRITE, {}, False),
        (Right.ADMIN, {"agents": ["mama"]}, False),
        (Right.ADMIN, {"banks": ["main"]}, False),
        (Right.ADMIN, {}, True),
    ],
)
def test_tokens_are_for_who_may_do_everything(
    site: PageSite, right: Right, given: dict[str, list[str]], allowed: bool
) -> None:
    site.kept("Anna likes tea")
    browser = site.browser(right, **given)
    status = 200 if allowed else 403
    browser.get("tokens", status=status)
    browser.post("tokens", status=status, name="x", right="admin")
    assert len(site.tokens.list()) == (2 if allowed else 1)
