"""Say how the packages of an extra are installed. No index has this package yet, so it is from a checkout."""


def install(extra: str) -> str:
    """Return what to do where the packages of an extra are missing."""
    return f"pip install '.[{extra}]' in a checkout of Reverie"
