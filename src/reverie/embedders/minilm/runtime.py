"""onnxruntime, imported so that it stays silent."""

from __future__ import annotations

import os
from types import ModuleType

TELEMETRY_OFF = "ORT_DISABLE_TELEMETRY"


def load_onnxruntime() -> ModuleType:
    """Return the module, with its telemetry off: from 1.31 on, importing it on any system writes a device id into the
    user's cache folder and reports to its maker unless this variable stands in the environment before.

    ``putenv`` changes what the library sees and leaves ``os.environ`` alone. A program that imports onnxruntime
    itself, before us, must set the variable itself.
    """
    os.putenv(TELEMETRY_OFF, "1")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module
