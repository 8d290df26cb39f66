"""Whatever text a caller gives is stored and comes back exactly normalized, or is refused and nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reverie import Agent, Episode, Memory, Reverie, ReverieError, Settings, StoreSettings
from reverie.domain.text import normalized
from reverie.language.topics import labels
from reverie.services.runtime.tombstones import first_forgotten
from tests.services.bench import Clock, opened, state_of

pytestmark = pytest.mark.slow

# Every plane, lone surrogates, control characters, and what FTS, SQL and LIKE might trip over.
texts = (
    st.text(st.characters(), max_size=40)
    | st.text(st.characters(categories=("Cc", "Cs", "Cf", "Co", "Mn", "Zs")), max_size=10)
    | st.sampled_from(
        ['"', "'", "%_*", "NEAR(a b)", "a\x00b", "\ufeff", "\ud83d\ude00", "é" * 9000, "\U0010ffff"]
    )
)
fields = st.fixed_dictionaries(
    {},
    optional={
        "lesson": texts,
        "tags": st.lists(texts, max_size=2),
        "topics": st.lists(texts, max_size=2),
        "entities": st.lists(texts, max_size=2),
        "scope": st.lists(texts, max_size=2),
    },
)
FEW = settings(max_examples=50)


@pytest.fixture(scope="module")
def bank(lasting_place: str) -> Iterator[Agent]:
    """One bank for all examples: they pile up in it, as in life."""
    # Touches of a recall must not be written in the middle of a comparison, and no mind fills what is left open.
    slow = Settings(mind="none", store=StoreSettings(touch_flush_every=3600))
    with opened(lasting_place, clock=Clock(), settings=slow) as reverie:
        yield reverie.agent("mama")


def _counts(agent: Agent) -> tuple[int, int, int, int]:
    stats = agent.stats()
    return stats.memories, stats.episodes, stats.conversations, stats.rev


@FEW
@given(essence=texts, given_fields=fields)
def test_a_memory_is_as_given_or_nowhere(bank: Agent, essence: str, given_fields: dict[str, object]) -> None:
    before = _counts(bank)
    try:
        made = bank.remember(essence, **given_fields).memory  # type: ignore[arg-type]
    except ReverieError as refused:
        assert _counts(bank) == before
        str(refused).encode()
        return
    stored = bank.get(made.id)
    assert isinstance(stored, Memory)
    assert stored == made
    if stored.reinforcement_count == 1:
        assert stored.essence == normalized(essence)
        assert stored.lesson == (
            normalized(str(given_fields["lesson"])) if "lesson" in given_fields else None
        )
        found = labels(stored.essence)
        for name in ("tags", "topics", "entities", "scope"):
            given = tuple(dict.fromkeys(given_fields.get(name, ())))  # type: ignore[call-overload]
            assert getattr(stored, name) == given or (
                not given and getattr(stored, name) == getattr(found, name)
            )


@FEW
@given(
    content=texts,
    given_fields=st.fixed_dictionaries(
        {}, optional={"speaker": texts, "ref": texts, "outcome": texts, "tags": st.lists(texts, max_size=2)}
    ),
    conversation=texts | st.just("main"),
    channel=texts | st.just("api"),
)
def test_any_message_comes_back_as_given_or_leaves_nothing(
    bank: Agent, content: str, given_fields: dict[str, object], conversation: str, channel: str
) -> None:
    before = _counts(bank)
    try:
        seen = bank.observe({"content": content, **given_fields}, conversation=conversation, channel=channel)
    except ReverieError as refused:
        assert _counts(bank) == before
        str(refused).encode()
        return
    stored = bank.get(seen.episode_ids[0])
    assert isinstance(stored, Episode)
    assert (stored.content, stored.conversation) == (normalized(content), conversation)
    if seen.stored:
        assert stored.channel == channel
        assert (stored.speaker, stored.ref) == (given_fields.get("speaker"), given_fields.get("ref"))


@FEW
@given(
    query=texts, name=texts, strategy=st.sampled_from(["semantic", "lexical", "topic", "temporal", "hybrid"])
)
def test_a_question_is_answered_or_refused(bank: Agent, query: str, name: str, strategy: str) -> None:
    before = _counts(bank)
    for ask in (
        lambda: bank.recall(query, strategy=strategy, max_tokens=50),
        lambda: bank.recall_episodes(query, strategy=strategy),
        lambda: bank.recall("tea", scope=name),
        lambda: bank.recall("tea", tags=name, conversation=name),
        lambda: bank.recall_episodes("tea", speakers=[name], conversations=name),
        lambda: bank.memories(match=query, tags=name),
        lambda: bank.episodes(match=query, after=name),
        lambda: bank.get(name),
        lambda: bank.audit(target=name),
    ):
        try:
            ask()
        except ReverieError as refused:
            str(refused).encode()
    assert _counts(bank) == before


@FEW
@given(text=texts)
def test_any_text_is_found_by_itself_and_can_be_forgotten(bank: Agent, text: str) -> None:
    assume(normalized(text).strip() and len(normalized(text).encode()) < 16_000)
    memory = bank.remember(text, kind="goal", override=True).memory
    assert memory.id in {hit.id for hit in bank.recall(text, kinds="goal", limit=1000, min_score=0).hits}
    bank.forget(memory.id)
    before = state_of(bank)
    with pytest.raises(ReverieError, match="forgotten on purpose"):
        bank.remember(text, kind="goal")
    assert state_of(bank) == before
    assert bank.memories(kinds="goal") == []


def _came_over(bank: Agent, kade: Agent, link_id: str) -> None:
    """All of kade's came as it was, but for what the bank had itself, and what it has forgotten (other examples do)."""
    with bank._desk.store.read(bank.id) as unit:
        for corpus, given in (
            ("memories", kade.memories(deep=True, limit=1000)),
            ("episodes", kade.episodes(limit=1000)),
        ):
            came = {one.source_id: one for one in unit.links.items(link_id, corpus=corpus)}
            for one in given:
                text = one.essence if isinstance(one, Memory) else one.content
                if one.id not in came:
                    sources = one.source_episodes if isinstance(one, Memory) else ()
                    assert sources or first_forgotten(unit, [text]) is not None
                elif not came[one.id].own:
                    here = bank.get(came[one.id].id)
                    assert text == (here.essence if isinstance(here, Memory) else here.content)


@FEW
@given(text=texts, conversation=texts | st.just("main"), note=texts, name=texts)
def test_a_shared_text_is_as_given(bank: Agent, text: str, conversation: str, note: str, name: str) -> None:
    kade = Reverie(bank._desk, actor="caller").agent("kade")
    kade.remember("Kade keeps bees")
    for give in (
        lambda: kade.remember(text, tags=["shared"]),
        lambda: kade.observe(text, conversation=conversation),
    ):
        with suppress(ReverieError):  # the tests above say what is refused
            give()
    before = _counts(bank)
    for ask in (lambda: bank.link.request(name), lambda: bank.adopt(name), lambda: bank.link.revoke(name)):
        with pytest.raises(ReverieError) as refused:
            ask()
        str(refused.value).encode()
    assert _counts(bank) == before
    try:
        asked = bank.link.request("kade", message=note)
    except ReverieError:
        asked = bank.link.request("kade")
    for terms in ({"tags": [name]}, {"scope": name}, {"kinds": [name]}, {"include": [name]}):
        if kade.link.pending():
            with suppress(ReverieError):
                kade.link.accept(asked.id, **terms)
    if kade.link.pending():
        kade.link.accept(asked.id)
        _came_over(bank, kade, asked.id)
    bank.link.revoke(asked.id)
    assert [one for one in bank.memories(deep=True, limit=1000) if one.learned_from] == []
    assert [one for one in bank.conversations(limit=1000) if one.channel == "link"] == []
