"""Addresses of databases for another user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.store.postgres.place import as_user

SECRET = "hunter2"


@given(st.text(st.characters(blacklist_characters="@/", codec="utf-8"), min_size=8))
def test_another_users_address_holds_no_part_of_a_password(secret: str) -> None:
    url = as_user(f"postgresql://anna:{secret}@db.example/d?sslmode=require&password={SECRET}", "papa")
    assert url == "postgresql://papa@db.example/d?sslmode=require"


@pytest.mark.parametrize(
    ("url", "made"),
    [
        ("postgresql:///d", "postgresql://papa@/d"),
        ("postgresql://h", "postgresql://papa@h"),
        ("postgresql://?host=/run&user=anna", "postgresql://papa@?host=/run"),
        ("postgresql://anna@h1:1,h2:2/d", "postgresql://papa@h1:1,h2:2/d"),
        ("postgresql://h/d@e", "postgresql://papa@h/d@e"),
    ],
)
def test_the_rest_of_an_address_stays_for_another_user(url: str, made: str) -> None:
    assert as_user(url, "papa") == made
