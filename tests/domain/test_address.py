"""Addresses of servers: told from paths, and shown without passwords."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.address import ServerUrl, is_server, masked

SECRET = "hunter2"


@pytest.mark.parametrize("where", ["postgresql://h/d", "postgres://", " postgresql://h/d"])
def test_an_address_of_postgres_is_a_servers(where: str) -> None:
    assert is_server(where)


@pytest.mark.parametrize("where", ["", "a.bank", "sqlite:///a.bank", "mysql://h/d", "./postgresql://x"])
def test_whatever_else_is_none(where: str) -> None:
    assert not is_server(where)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://anna:{SECRET}@h/d",
        f"no answer from postgres://anna:{SECRET}@h:1,i:2/d?sslmode=require, sorry",
        f"postgresql://anna:p@ss{SECRET}@h/d",
        f"postgresql://anna:p/a:ss#?{SECRET}@h/d",
        f"'postgresql://:{SECRET}@h/d'",
        f"postgresql://h/d?password={SECRET}&sslmode=require",
        f"postgresql://h/d?sslmode=require&sslpassword={SECRET}",
        f"host=h password={SECRET} dbname=d",
    ],
)
def test_no_password_of_an_address_is_shown(text: str) -> None:
    assert SECRET not in masked(text)
    assert SECRET not in f"{ServerUrl(text)} {ServerUrl(text)!r}"
    assert "***" in masked(text)


@given(st.text())
def test_a_text_without_an_address_stays_as_it_is(text: str) -> None:
    assert masked(text) == text or "://" in text or "password=" in text.lower()


def test_an_address_goes_through_a_pickle_whole() -> None:
    assert pickle.loads(pickle.dumps(ServerUrl(f"postgresql://a:{SECRET}@h/d"))).url.endswith(f"{SECRET}@h/d")
