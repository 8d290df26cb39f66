"""What the tests of the engines share."""

from __future__ import annotations

import pytest

from tests.postgres_databases import Databases
from tests.store.postgres_ground import Ground


@pytest.fixture
def ground(empty_postgres_database: str, postgres_databases: Databases) -> Ground:
    """An empty PostgreSQL database and names of roles for it."""
    return Ground(empty_postgres_database, postgres_databases)
