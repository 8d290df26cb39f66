"""The kinds of memory, and the priority that each begins with."""

from __future__ import annotations

from enum import StrEnum

from reverie.domain.text import member


class Priority(StrEnum):
    """The rank at which a memory may enter a prompt, highest first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    NORMAL = "normal"

    @property
    def rank(self) -> int:
        """Its place: 0 is the highest."""
        return tuple(Priority).index(self)


class Kind(StrEnum):
    """What sort of insight a memory is (one taxonomy for all sources)."""

    POLICY = "policy"
    WORKFLOW = "workflow"
    PITFALL = "pitfall"
    ARCHITECTURE = "architecture"
    DECISION = "decision"
    PREFERENCE = "preference"
    GOAL = "goal"
    PROJECT = "project"
    FACT = "fact"
    PATTERN = "pattern"
    RELATIONSHIP = "relationship"
    SKILL = "skill"
    ROUTINE = "routine"
    EMOTIONAL = "emotional"
    OBSERVATION = "observation"


_DEFAULT_PRIORITY = {
    Kind.POLICY: Priority.CRITICAL,
    Kind.WORKFLOW: Priority.HIGH,
    Kind.PITFALL: Priority.HIGH,
    Kind.ARCHITECTURE: Priority.HIGH,
    Kind.DECISION: Priority.MEDIUM,
    Kind.PREFERENCE: Priority.MEDIUM,
    Kind.GOAL: Priority.MEDIUM,
    Kind.PROJECT: Priority.MEDIUM,
}


def default_priority(kind: Kind) -> Priority:
    """Return the priority that a memory of this kind is born with unless the caller or a rule says otherwise."""
    return _DEFAULT_PRIORITY.get(kind, Priority.NORMAL)


def checked_kind(value: object, field: str = "kind") -> Kind:
    """Return a kind by its name. Raise InvalidInput, listing the kinds."""
    return member(Kind, value, field, "is not a kind")


def checked_priority(value: object) -> Priority:
    """Return a priority by its name. Raise InvalidInput, listing the priorities."""
    return member(Priority, value, "priority", "is not a priority")
