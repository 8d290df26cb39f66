"""The answer to a consolidation: s3's JSON, where ``new`` also has s1's lesson, emotions and importance."""

from __future__ import annotations

from pydantic import Field, model_validator

from reverie.minds.llm.schemas.base import Part, Texts, Whole


class New(Part):
    """A new memory."""

    category: str
    content: str
    confidence: float | None = None
    source_episodes: Texts = Field(default_factory=list)
    stated: bool = True
    importance: float | None = None
    lesson: str | None = None
    emotions: Texts = Field(default_factory=list)
    topics: Texts = Field(default_factory=list)
    entities: Texts = Field(default_factory=list)
    since: str | None = None


class Reinforced(Part):
    """A memory that the episodes confirm."""

    memory_id: str
    reason: str = ""
    source_episodes: Texts = Field(default_factory=list)


class Updated(Part):
    """A memory that needs another wording."""

    memory_id: str
    new_content: str
    reason: str = ""
    source_episodes: Texts = Field(default_factory=list)
    stated: bool = True
    lesson: str | None = None
    since: str | None = None


class Contradicted(Part):
    """A memory that conflicts with another one."""

    memory_id: str
    contradicted_by: str
    resolution: str = ""
    source_episodes: Texts = Field(default_factory=list)


class Decayed(Part):
    """A memory of which less is to be thought."""

    memory_id: str
    new_confidence: float
    reason: str = ""
    source_episodes: Texts = Field(default_factory=list)


class Connected(Part):
    """Two memories that have to do with each other."""

    memory_a: str
    memory_b: str
    relationship: str


class Consolidated(Whole):
    """All of it. Lists that are left out are empty, but not all of them: an answer must be one."""

    new: list[New] = Field(default_factory=list)
    reinforce: list[Reinforced] = Field(default_factory=list)
    update: list[Updated] = Field(default_factory=list)
    contradict: list[Contradicted] = Field(default_factory=list)
    decay: list[Decayed] = Field(default_factory=list)
    connect: list[Connected] = Field(default_factory=list)

    @model_validator(mode="after")
    def _says_something(self) -> Consolidated:
        if not self.model_fields_set:
            raise ValueError("give the six lists, empty ones too")
        return self
