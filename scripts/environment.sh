# Sourced by the other scripts, which have set `root`. Finds a Python, then `environment KIND` makes .venv ready.

# What a shell may carry that would lead our interpreter or pip astray.
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONWARNINGS PYTHONOPTIMIZE PYTHONSAFEPATH PYTHONUSERBASE
unset VIRTUAL_ENV __PYVENV_LAUNCHER__
unset PIP_TARGET PIP_PREFIX PIP_ROOT PIP_CONSTRAINT PIP_REQUIREMENT PIP_NO_BINARY PIP_PYTHON
PIP_USER=0
export PIP_USER

venv_python=$root/.venv/bin/python

find_python() {
    for candidate in "$venv_python" python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    echo "Reverie needs Python 3.11 or newer with its venv and ensurepip modules, and none is on the PATH." >&2
    echo "Install it (on Debian and Ubuntu: apt install python3 python3-venv), then run this again." >&2
    exit 1
}

# environment run|dev|docs: a .venv with that set of pinned requirements and the project itself.
environment() {
    found=$(find_python) || exit 1
    "$found" "$root/scripts/environment.py" "$1"
}
