"""Who may know whom. Layers are .importlinter's, which scripts/check reads; here stands what it can't say."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "reverie"
SRC = sorted(PACKAGE.rglob("*.py"))

CONCRETE_ROOMS = ("store", "minds", "embedders")
ASSEMBLING = {f"wiring/{name}.py" for name in ("assembly", "embedding", "thinking")}
SILENCER = (
    "embedders/minilm/runtime.py"  # tells onnxruntime, which listens to nothing else, to report nothing
)
HOOKS = "doors/hooks/places.py"  # a hook's process can't wait for what settings import
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def _imports(path: Path) -> Sequence[str]:
    """Every module that a file may import, with `from a import b` counted as both a and a.b."""
    package = ["reverie", *path.relative_to(PACKAGE).parent.parts]
    found = list[str]()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found += (module, *(f"{module}.{alias.name}" for alias in node.names))
    return found


def _within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


def test_the_innermost_rooms_import_the_standard_library_alone() -> None:
    files = [*sorted((PACKAGE / "domain").rglob("*.py")), *sorted((PACKAGE / "errors").rglob("*.py"))]
    foreign = {
        f"{_name(path)}: {module}"
        for path in files
        for module in _imports(path)
        if module.partition(".")[0] not in {*sys.stdlib_module_names, "reverie"}
    }
    assert foreign == set()


def test_only_assembly_names_what_is_concrete() -> None:
    rooms = [f"reverie.{room}" for room in CONCRETE_ROOMS]
    outside = [
        path
        for path in SRC
        if path.relative_to(PACKAGE).parts[0] not in CONCRETE_ROOMS and _name(path) not in ASSEMBLING
    ]
    named = {
        f"{_name(path)}: {module}"
        for path in outside
        for module in _imports(path)
        if any(_within(module, room) for room in rooms)
    }
    assert named == set()


def test_no_door_reaches_past_the_client() -> None:
    rooms = [
        f"reverie.{room}" for room in ("wiring", "services", "ports", "memory", "language", *CONCRETE_ROOMS)
    ]
    past = {
        f"{_name(path)}: {module}"
        for path in sorted((PACKAGE / "doors").rglob("*.py"))
        for module in _imports(path)
        if any(_within(module, room) for room in rooms)
    }
    assert past == set()


def test_what_the_engines_share_knows_no_engine() -> None:
    engines = ("reverie.store.sqlite", "reverie.store.postgres")
    known = {
        f"{_name(path)}: {module}"
        for path in sorted((PACKAGE / "store").glob("*.py"))
        for module in _imports(path)
        if any(_within(module, engine) for engine in engines)
    }
    assert known == set()


def test_only_settings_reads_the_environment() -> None:
    readers = {
        f"{_name(path)}:{node.lineno}"
        for path in SRC
        if _name(path) not in ("wiring/settings.py", SILENCER, HOOKS)
        and any(word in path.read_text(encoding="utf-8") for word in ENVIRONMENT)
        for node in ast.walk(_tree(path))
        if (isinstance(node, ast.Attribute) and node.attr in ENVIRONMENT and ast.unparse(node.value) == "os")
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and any(alias.name in ENVIRONMENT for alias in node.names)
        )
    }
    assert readers == set()


HEAVY = ["apsw", "keyring", "numkong", "numpy", "onnxruntime", "pydantic", "rich", "typer"]
NETWORK = ["http.client", "ssl", "urllib.request"]
EXTRA = ["pgvector", "psycopg", "psycopg_pool"]
LLM = ["anthropic", "google.genai", "httpx2", "openai", "pydantic_ai"]
SERVER = ["anyio", "mcp", "mcp_types", "starlette", "uvicorn"]


def test_importing_reverie_loads_nothing_heavy() -> None:
    code = "import reverie, sys; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], cwd=PACKAGE.parent, text=True).split()
    assert "reverie" in loaded
    assert {*HEAVY, *NETWORK, *EXTRA, *LLM, *SERVER}.intersection(loaded) == set()


@pytest.mark.slow
def test_a_bank_in_a_file_needs_nothing_of_the_extra_postgres(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({EXTRA!r}))  # as if they weren't installed: to import one fails\n"
        "from reverie import Reverie\n"
        f"with Reverie.open({str(tmp_path / 'one.bank')!r}, encrypted=False) as bank:\n"
        "    agent = bank.agent('mama')\n"
        "    agent.remember('The stove is on the left.')\n"
        "    print(len(agent.recall('Where is the stove?').hits))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "1", done.stderr


@pytest.mark.slow
def test_the_command_line_needs_nothing_of_the_extra_server() -> None:
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({SERVER!r}))\n"
        "from reverie.doors.cli import main\n"
        "main(['--version'])\n"
        "sys.exit(main(['mcp']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout[:8]) == (2, "reverie ")
    assert "pip install '.[server]' in a checkout of Reverie" in done.stderr


FRONTS = {
    path.parent: ".".join(["reverie", *path.parent.relative_to(PACKAGE).parts])
    for room in ("language", "memory", "services")
    for path in sorted((PACKAGE / room).rglob("__init__.py"))
}
"""The packages that have one public face, and their names."""


def _face(package: Path) -> set[str]:
    """What a package's `__init__` lists as public."""
    lists = [
        ast.literal_eval(node.value)
        for node in _tree(package / "__init__.py").body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    return {name for names in lists for name in names}


def test_packages_are_entered_by_their_face() -> None:
    """From outside a package of the domain, only what its `__init__` lists is imported."""
    faces = {name: _face(package) for package, name in FRONTS.items()}
    behind = set[str]()
    for path in SRC:
        for node in ast.walk(_tree(path)):
            if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
                continue
            package = node.module if node.module in faces else node.module.rpartition(".")[0]
            if not faces.get(package) or path.parent == PACKAGE.joinpath(*package.split(".")[1:]):
                continue
            if node.module != package:
                behind.add(f"{_name(path)}: {node.module}")
            else:
                unlisted = {alias.name for alias in node.names} - faces[package]
                behind |= {f"{_name(path)}: {package}.{name}" for name in unlisted}
    assert behind == set()


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module(path): path for path in SRC}


def _needed(path: Path) -> set[str]:
    """The modules that a file imports, those for type checkers included, but none that is imported in a function."""
    needed = set[str]()
    open_: list[ast.AST] = [_tree(path)]
    while open_:
        node = open_.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        open_ += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            needed |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            needed |= {name if name in MODULES else str(node.module) for name in names}
    return needed & MODULES.keys() - {_module(path)}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports for type checkers alone count. Those in a function don't: they load what is heavy late."""
    TopologicalSorter({name: _needed(path) for name, path in MODULES.items()}).prepare()
