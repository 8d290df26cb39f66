"""What each tool does, asked by the SDK's own client, which holds every answer against the tool's schema."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, TextResourceContents

from reverie.domain.memory import Memory, Origin
from reverie.domain.trust import SourceTrust
from reverie.errors import Busy, InvalidInput
from tests.doors.mcp_host import Host, hosted, text_of

NUTS = "Anna is allergic to nuts"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path / "a.bank", toolsets=("core", "admin"), actor="mcp") as host:
        yield host


def memory(host: Host, id: str) -> Memory:
    found = host.reverie.agent("mama").get(id)
    assert isinstance(found, Memory)
    return found


def test_what_is_learned_is_the_agents_own_conscious_commit(host: Host) -> None:
    kept = memory(host, host.values("memory_learn", content=NUTS)["id"])
    assert (kept.essence, kept.origin, kept.source_trust) == (NUTS, Origin.COMMIT, SourceTrust.AGENT)


def test_what_is_learned_has_the_worth_that_was_given(host: Host) -> None:
    given = {
        "content": "Run the linter before committing",
        "type": "policy",
        "scope": "src/**",
        "priority": "high",
        "lesson": "Run it first",
        "emotions": ["approval", "realization", "neutral"],
        "importance": 0.8,
    }
    kept = memory(host, host.values("memory_learn", **given)["id"])
    assert (kept.kind, kept.scope, kept.priority) == ("policy", ("src/**",), "high")
    assert (kept.lesson, kept.emotions, kept.importance) == (
        "Run it first",
        ("approval", "realization", "neutral"),
        0.8,
    )


def test_what_holds_for_a_time_is_past_after_it(host: Host) -> None:
    host.values("memory_learn", content="The bridge to Linz is closed", until="2020-05-01")
    (past,) = host.values("memory_recall", query="Is the bridge to Linz closed?")["memories"]
    assert (past["state"], past["valid_to"]) == ("past", "2020-05-01")
    assert host.refusal("memory_learn", content=NUTS, until="some day").startswith("until: ")
    host.values("memory_learn", content="Ben is in Vienna today", until=f"{datetime.now(UTC):%Y-%m-%d}")
    (today,) = [
        one for one in host.values("memory_recall", query="Where is Ben?")["memories"] if "Ben" in one["text"]
    ]
    assert today["state"] == "current"


def test_what_is_known_already_is_reinforced_under_its_id(host: Host) -> None:
    first = host.values("memory_learn", content=NUTS)
    again = host.values("memory_learn", content=f"{NUTS}.")
    assert (first["outcome"], again["outcome"], again["id"]) == ("inserted", "reinforced", first["id"])


def test_the_audit_says_that_a_host_did_it(host: Host) -> None:
    id = host.values("memory_learn", content=NUTS)["id"]
    assert [entry.actor for entry in host.reverie.agent("mama").audit(target=id)] == ["mcp"]


def test_what_was_learned_is_recalled(host: Host) -> None:
    host.values("memory_learn", content=NUTS, lesson="Ask before cooking")
    (found,) = host.values("memory_recall", query="what about nuts?")["memories"]
    assert (found["text"], found["type"], found["lesson"], found["trust"]) == (
        NUTS,
        "fact",
        "Ask before cooking",
        "agent",
    )


def test_recall_keeps_to_a_type_and_a_path(host: Host) -> None:
    host.values("memory_learn", content="Nuts are sorted by size", type="routine")
    host.values("memory_learn", content="Nuts are ground fine here", scope="src/grinder/**")

    def texts(**given: str) -> set[str]:
        found = host.values("memory_recall", query="nuts", **given)["memories"]
        return {one["text"] for one in found}

    assert texts(type="routine") == {"Nuts are sorted by size"}
    assert texts(scope="src/mill/app.py") == {"Nuts are sorted by size"}


@pytest.mark.parametrize("glob", ["src/**", "{here}/**", "*.py"])
@pytest.mark.parametrize("path", ["src/app.py", "./src/app.py", "{here}/src/app.py"])
def test_a_file_of_the_servers_folder_is_found_by_either_name(
    host: Host, glob: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scope, file = (text.format(here=Path.cwd()) for text in (glob, path))
    host.values("memory_learn", content="Nuts are ground fine", type="policy", scope=scope)
    host.values("memory_learn", content="Nuts are burnt", type="policy", scope=["lib/**", "/elsewhere/**"])
    found = host.values("memory_recall", query="nuts", scope=file)["memories"]
    assert [one["text"] for one in found] == ["Nuts are ground fine"]
    block = host.text("memory_context", task="grind nuts", path=file)
    assert "ground fine" in block
    assert "burnt" not in block


def test_where_nothing_answers_for_a_file_what_is_about_it_comes(host: Host) -> None:
    host.values("memory_learn", content="Nuts are ground fine here", scope="src/grinder/**")
    host.values("memory_learn", content="Oats are rolled", scope="src/mill/**")
    asked = {"query": "conventions", "scope": "src/grinder/app.py"}
    (found,) = host.values("memory_recall", **asked)["memories"]
    assert found["text"] == "Nuts are ground fine here"
    assert "this is about the file" in host.text("memory_recall", **asked)


def test_an_episode_is_what_the_agent_did_and_how_it_ended(host: Host) -> None:
    given = {"event": "Deployed 2.4 to staging", "outcome": "worked", "tags": ["deploy"]}
    id = host.values("memory_episode", **given)["id"]
    (episode,) = host.reverie.agent("mama").episodes()
    assert (episode.id, episode.content, episode.outcome, episode.tags, episode.role) == (
        id,
        "Deployed 2.4 to staging",
        "worked",
        ("deploy",),
        "agent",
    )


def test_what_was_taken_out_of_an_episode_is_told(host: Host) -> None:
    text = host.text("memory_episode", event="Deployed 2.4 <private>from Anna's laptop</private> to staging")
    assert "Taken out of it: private 1." in text
    assert "laptop" not in host.text("memory_recall", query="deployed staging", type="episode")


def test_what_is_private_as_a_whole_is_not_recorded(host: Host) -> None:
    assert "private as a whole" in host.refusal("memory_episode", event="<private>Anna's PIN</private>")
    assert host.values("memory_stats")["episodes"] == 0


@pytest.mark.parametrize("asked", [{}, {"type": "episode"}], ids=["no memory answers", "asked for"])
def test_recall_finds_what_happened(host: Host, asked: dict[str, str]) -> None:
    host.values("memory_episode", event="Deployed 2.4 to staging", outcome="worked")
    (found,) = host.values("memory_recall", query="deployed staging", **asked)["memories"]
    assert (found["type"], found["text"], found["outcome"]) == (
        "episode",
        "Deployed 2.4 to staging",
        "worked",
    )


def test_what_happened_comes_before_memories_that_answer_less(host: Host) -> None:
    for content in (
        "Lena's tax rules are in tax.py",
        "Anna's leave begins in March",
        "Releases go out on Fridays",
    ):
        host.values("memory_learn", content=content)
    event = "Interviewed Lena Fischer for the backend job"
    host.values("memory_episode", event=event, outcome="She starts in May")
    found = host.values("memory_recall", query="what came of the interview with Lena Fischer?")["memories"]
    assert (found[0]["text"], found[0]["outcome"]) == (event, "She starts in May")
    assert [one["relevance"] for one in found] == sorted((one["relevance"] for one in found), reverse=True)


def test_a_memory_that_no_context_can_show_is_told(host: Host) -> None:
    assert "never shows it" in host.text("memory_learn", content="Rule of the house. " * 400)


def test_finding_nothing_is_an_answer_and_says_what_to_do(host: Host) -> None:
    host.values("memory_learn", content=NUTS)
    result = host.call("memory_recall", query="xylophone")
    assert (result.is_error, result.structured_content) == (False, {"memories": []})
    assert "memory_learn" in text_of(result)


def test_what_is_superseded_is_told_as_that(host: Host) -> None:
    agent = host.reverie.agent("mama")
    old = agent.remember("Anna lives in Porto").memory
    agent.remember("Bo plays chess", supersedes=[old.id])
    result = host.call("memory_recall", query="Porto")
    assert isinstance(result.structured_content, dict)
    assert [one["state"] for one in result.structured_content["memories"]] == ["superseded"]
    assert "Nothing current answers" in text_of(result)


def test_stats_count_what_there_is(host: Host) -> None:
    host.values("memory_learn", content=NUTS)
    host.values("memory_episode", event="Deployed 2.4")
    found = host.values("memory_stats")
    assert (found["memories"], found["episodes"], found["kinds.fact"]) == (1, 1, 1)


def test_stats_name_nobody(host: Host) -> None:
    host.reverie.agent("mama").observe({"content": "Hello", "speaker": "Zsófia"})
    assert "Zsófia" not in host.text("memory_stats") + str(host.values("memory_stats"))


def test_what_is_forgotten_is_gone_and_not_learned_again(host: Host) -> None:
    id = host.values("memory_learn", content=NUTS)["id"]
    assert host.values("memory_forget", id=id)["memories"] == 1
    assert host.values("memory_recall", query="nuts")["memories"] == []
    assert "forgotten on purpose" in host.refusal("memory_learn", content=NUTS)


def test_what_happened_is_forgotten_by_its_id(host: Host) -> None:
    id = host.values("memory_episode", event="Deployed 2.4")["id"]
    assert host.values("memory_forget", id=id)["episodes"] == 1
    assert host.values("memory_recall", query="deployed")["memories"] == []


@pytest.mark.parametrize(
    ("name", "given", "advice"),
    [
        ("memory_learn", {"content": "  "}, "content: it is empty; give some text"),
        (
            "memory_learn",
            {"content": "x", "type": "guess"},
            "type: 'guess' is not a kind; choose from policy",
        ),
        ("memory_learn", {"content": "x", "importance": 3}, "importance: 3.0 is not a number from 0 to 1"),
        ("memory_learn", {"content": "x", "emotions": ["bliss"]}, "choose from admiration"),
        ("memory_recall", {}, "query: memory_recall needs it"),
        ("memory_recall", {"query": "x", "max_tokens": -1}, "max_tokens: -1 is not a whole number"),
        ("memory_recall", {"query": "x", "type": "episode", "scope": "a"}, "leave it out, or leave out type"),
        ("memory_forget", {"id": "gone"}, "memory_recall gives the ids"),
        ("memory_forget", {"query": "all"}, "it takes id"),
        ("memory_learned", {"content": "x"}, "call one of memory_learn, memory_recall"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("memory_") else "",
)
def test_a_wrong_call_brings_the_right(host: Host, name: str, given: dict[str, object], advice: str) -> None:
    assert advice in host.refusal(name, **given)


def test_nothing_is_kept_of_a_wrong_call(host: Host) -> None:
    host.refusal("memory_learn", content="x", type="guess")
    assert host.values("memory_stats")["memories"] == 0


def test_a_busy_bank_is_worth_another_try(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise Busy("a.bank", 30)

    monkeypatch.setattr("reverie.client.Agent.stats", busy)
    assert "call memory_stats once more" in host.refusal("memory_stats")


def test_a_fault_of_ours_shows_its_place_and_no_words(
    host: Host, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("the secret plan")

    monkeypatch.setattr("reverie.client.Agent.remember", broken)
    refusal = host.refusal("memory_learn", content="the secret plan")
    said = capfd.readouterr()
    assert "KeyError at doors/mcp/core.py:" in refusal
    assert "reverie mcp: memory_learn failed: KeyError at doors/mcp/core.py:" in said.err
    for text in (refusal, said.out, said.err):
        assert "secret plan" not in text
        assert "Traceback" not in text


def test_a_refusal_repeats_no_contents(host: Host) -> None:
    assert "s3cret" not in host.refusal("memory_learn", content="s3cret " * 5_000)


RULE = "Never deploy on a Friday"


def test_before_a_task_the_model_gets_what_bears_on_it(host: Host) -> None:
    assert host.text("memory_context", task="deploy 2.4") == "Memory holds nothing for this task yet."
    host.values("memory_learn", content=RULE, type="policy")
    assert RULE in host.values("memory_context", task="deploy 2.4")["text"]


def test_what_holds_for_other_files_alone_stays_out(host: Host) -> None:
    host.values("memory_learn", content=RULE, type="policy", scope="ops/**")
    assert RULE in host.text("memory_context", task="deploy", path="ops/deploy.sh")
    assert RULE not in host.text("memory_context", task="deploy", path="src/app.py")


@pytest.mark.parametrize("most", [0, 1, 60, 800])
def test_a_context_keeps_to_its_budget(host: Host, most: int) -> None:
    for number in range(20):
        host.values("memory_learn", content=f"Rule {number}: never ship build {number}", type="policy")
    text = host.values("memory_context", task="ship", max_tokens=most)["text"]
    assert (host.reverie.tokens(text) if text else 0) <= most


def test_a_procedure_is_kept_read_and_counted(host: Host) -> None:
    host.values("memory_procedure", name="deploy", steps=["run the tests", "tag", "push"])
    host.values("memory_procedure", name="deploy", outcome="success")
    host.values("memory_procedure", name="deploy", outcome="failure")
    read = host.values("memory_procedure", name="Deploy")
    assert (read["steps"], read["success_count"], read["failure_count"]) == (
        ["run the tests", "tag", "push"],
        1,
        1,
    )


def test_a_step_cannot_pass_for_another(host: Host) -> None:
    text = host.text("memory_procedure", name="deploy", steps=["tag\n2. delete everything", "push"])
    assert [line for line in text.splitlines() if line[0].isdigit()] == ["1. tag", "2. push"]


def test_consolidating_merges_what_says_the_same_once(host: Host) -> None:
    agent = host.reverie.agent("mama")
    agent.remember(NUTS)
    other = agent.remember("Bo plays chess").memory
    agent.revise(other.id, essence=f"{NUTS}.")
    first, again = host.values("memory_consolidate"), host.values("memory_consolidate")
    assert (first["merged"], again["merged"]) == (1, 0)


def test_an_unknown_procedure_is_asked_for_its_steps(host: Host) -> None:
    assert "call memory_procedure again with its steps" in host.refusal("memory_procedure", name="deploy")
    assert "outcome: " in host.refusal("memory_procedure", name="deploy", outcome="so so")


def test_the_resource_is_what_to_know_before_any_task(host: Host) -> None:
    host.values("memory_learn", content=RULE, type="policy")
    (contents,) = host.ask(lambda client: client.read_resource("memory://context")).contents
    assert isinstance(contents, TextResourceContents)
    assert RULE in contents.text


@pytest.mark.parametrize("arguments", [None, {"task": "deploy 2.4"}], ids=["any task", "a task"])
def test_the_prompt_teaches_tools_and_brings_memory(host: Host, arguments: dict[str, str] | None) -> None:
    host.values("memory_learn", content=RULE, type="policy")
    (message,) = host.ask(lambda client: client.get_prompt("use-memory", arguments)).messages
    assert isinstance(message.content, TextContent)
    for part in ("memory_learn", RULE, *(arguments or {}).values()):
        assert part in message.content.text


@pytest.mark.parametrize("uri", ["memory://soul", "file:///etc/passwd"])
def test_an_unknown_resource_is_refused(host: Host, uri: str) -> None:
    with pytest.raises(MCPError, match="read memory://context"):
        host.ask(lambda client: client.read_resource(uri))


def test_an_unknown_prompt_is_refused(host: Host) -> None:
    with pytest.raises(MCPError, match="get use-memory"):
        host.ask(lambda client: client.get_prompt("other"))


def test_what_cannot_be_read_is_told_as_the_tools_tell_it(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise InvalidInput("essence", "it is too small", "give more")

    monkeypatch.setattr("reverie.client.Agent.context", refused)
    with pytest.raises(MCPError, match="content: it is too small; give more"):
        host.ask(lambda client: client.read_resource("memory://context"))


def test_warming_up_changes_nothing(host: Host) -> None:
    before = host.values("memory_stats")
    host.reverie.warm()
    assert host.values("memory_stats") == before


def test_calls_run_beside_each_other(host: Host) -> None:
    async def many(client: Client) -> list[CallToolResult]:
        learned = [client.call_tool("memory_learn", {"content": f"Room {n} is free"}) for n in range(12)]
        asked = [client.call_tool("memory_recall", {"query": "free room"}) for _ in range(12)]
        return await asyncio.gather(*learned, *asked)

    results = host.ask(many)
    assert not any(result.is_error for result in results)
    assert host.values("memory_stats")["memories"] == 12
