"""Times as people read them: in the agent's zone, so that what is shown can be given back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.time import to_utc
from reverie.doors.cli.recalling import _to_its_end
from reverie.doors.cli.watch import Watch
from tests.doors.commands import Cli

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ZONES = ("UTC", "Europe/Budapest", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati")


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(ZONES))
def test_what_is_shown_means_the_same_when_it_is_given_back(moment: datetime, name: str) -> None:
    zone = ZoneInfo(name)
    watch = Watch(now=NOW, zone=zone)
    whole = moment.replace(microsecond=0)
    assert to_utc(watch.time(moment), zone=zone) == whole
    assert to_utc(watch.day(whole), zone=zone) == whole


def test_a_days_beginning_is_told_by_its_date() -> None:
    watch = Watch(now=NOW, zone=ZoneInfo("Europe/Budapest"))
    assert watch.day(datetime(2026, 2, 28, 23, tzinfo=UTC)) == "2026-03-01"
    assert watch.day(datetime(2026, 3, 1, tzinfo=UTC)) == "2026-03-01T01:00:00+01:00"
    assert (watch.day(None), watch.time(None)) == ("–", "–")


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A bank in Budapest with one message and one memory of a summer night."""
    cli("init", "--time-zone", "Europe/Budapest")
    (source,) = cli.observe({"content": "the nuts", "time": "2025-07-01T00:30", "ref": "m1"})
    cli.remember("Anna is allergic to nuts", "--time", "2025-07-01T00:30", "--source", source)
    return cli


@pytest.mark.parametrize(
    "command", ["list", "list --episodes", "rooms list", "recall nuts", "recall nuts --episodes"]
)
def test_times_are_shown_in_the_zone_of_the_agent(told: Cli, command: str) -> None:
    assert "2025-07-01T00:30:00+02:00" in told(*command.split()).out


def test_show_tells_every_time_in_the_zone_of_the_agent(told: Cli) -> None:
    (memory,) = told("list", "--json").document
    told("revise", memory["id"], "Anna is allergic to peanuts", "--time", "2025-12-01T08:00")
    shown = told("show", memory["id"]).out
    times = re.findall(r"\d{4}-\d\d-\d\d\S*", shown)
    assert {"2025-07-01T00:30:00+02:00)", "2025-12-01T08:00:00+01:00"} <= set(times)
    assert all(re.search(r"\+0[12]:00\)?$", time) for time in times)
    (episode,) = told("list", "--episodes", "--json").document
    assert "(2025-07-01T00:30:00+02:00)" in told("show", episode["id"]).out


def test_a_time_that_was_shown_bounds_a_list(told: Cli) -> None:
    (shown,) = re.findall(r"\((\S+)\)", told("list", "--episodes").out)
    assert told("list", "--episodes", "--since", shown).code == 0
    assert told("list", "--episodes", "--until", shown).code == 1


def test_json_keeps_its_times_in_utc(told: Cli) -> None:
    assert told("list", "--json").document[0]["created_at"] == "2025-06-30T22:30:00+00:00"


@pytest.mark.parametrize("command", ["recall Porto", "list", "show ID"])
def test_a_memory_that_is_no_longer_true_is_shown_as_such(cli: Cli, command: str) -> None:
    cli("init", "--time-zone", "Europe/Budapest")
    id = cli.remember("Bo lives in Porto", "--time", "2026-01-01", "--valid-to", "2026-03-01")
    assert "true until 2026-03-01" in cli(*command.replace("ID", id).split()).out
    then = cli("recall", "Porto", "--as-of", "2026-02-01")
    assert (then.code, "true until" in then.out) == (0, False)


def test_only_a_memory_that_is_not_true_now_is_marked(cli: Cli) -> None:
    now = datetime.now(UTC)
    cli.remember("Bo lives in Porto", "--valid-from", "9000-01-01")
    assert "true from 9000-01-01" in cli("list").out
    cli("forget", "--everything", "--yes")
    cli.remember("Anna sings", "--valid-to", (now + timedelta(days=1)).isoformat())
    cli.remember("Ben has a boat", "--valid-from", (now - timedelta(days=1)).isoformat())
    assert not re.search("true (until|from)", cli("list").out)


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ("2026-11-20T12:38:14+00:00", "2026-11-20T12:38:14.999999+00:00"),
        ("2026-11-20T12:38:14Z", "2026-11-20T12:38:14.999999Z"),
        ("2026-11-20T12:38:14", "2026-11-20T12:38:14.999999"),
        ("2026-11-20T12:38:14.5+00:00", "2026-11-20T12:38:14.5+00:00"),
        ("2026-11-20T12:38+01:00", "2026-11-20T12:38+01:00"),
        ("2026-11-20", "2026-11-20"),
        (None, None),
    ],
)
def test_a_shown_second_pasted_back_as_a_moment_means_all_of_it(shown: str | None, meant: str | None) -> None:
    assert _to_its_end(shown) == meant
