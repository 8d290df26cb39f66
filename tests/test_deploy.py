"""deploy/: what its files promise about safety, and that they fit together. No container runtime is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from reverie.doors.cli.program import program

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
KINDS = {
    "Deployment", "Job", "CronJob", "Service", "ConfigMap", "PodDisruptionBudget", "NetworkPolicy",
    "PersistentVolumeClaim", "Kustomization", "postgresql",
}  # fmt: skip
OURS = "reverie:0.1.0"


def _documents() -> Iterator[dict[str, Any]]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text("utf-8"))


def _pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for one in _documents():
        spec = one.get("spec", {})
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if template is not None:
            yield one["metadata"]["name"], template


PODS = dict(_pods())


class _Composed(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """Reads compose files, whose `!override` says that a list isn't added to."""


_Composed.add_constructor("!override", lambda loader, node: loader.construct_sequence(node, deep=True))


def _composed(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load((DEPLOY / name).read_text("utf-8"), Loader=_Composed)
    return found


COMPOSE, CITUS = _composed("compose.yaml"), _composed("compose.citus.yaml")


def test_every_manifest_is_of_a_known_kind_and_named_once() -> None:
    named = [(one["kind"], one["metadata"]["name"]) for one in _documents() if one["kind"] != "Kustomization"]
    assert {one["kind"] for one in _documents()} == KINDS
    assert len(named) == len(set(named))
    listed = next(one for one in _documents() if one["kind"] == "Kustomization")["resources"]
    assert sorted([*listed, "kustomization.yaml"]) == [path.name for path in MANIFESTS]


@pytest.mark.parametrize("name", PODS)
def test_a_pod_is_no_root_writes_to_no_root_file_system_and_has_limits(name: str) -> None:
    spec = PODS[name]["spec"]
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["runAsUser"] > 0
    assert not spec["automountServiceAccountToken"]
    for one in spec["containers"]:
        inside = one["securityContext"]
        assert inside["readOnlyRootFilesystem"]
        assert not inside["allowPrivilegeEscalation"]
        assert inside["capabilities"] == {"drop": ["ALL"]}
        assert one["resources"]["limits"]["memory"]
        assert set(one["resources"]["requests"]) == {"cpu", "memory"}
        assert ":" in one["image"]
        assert not one["image"].endswith(":latest")
        mounted = {mount["name"] for mount in one["volumeMounts"]}
        assert mounted == {volume["name"] for volume in spec["volumes"]}


def test_what_serves_is_probed_and_every_deployment_has_a_budget() -> None:
    for name, pod in PODS.items():
        for one in pod["spec"]["containers"]:
            ports = {port["name"] for port in one.get("ports", [])}
            assert ({"readinessProbe", "livenessProbe"} <= one.keys()) == bool(ports), name
    deployments = {one["metadata"]["name"] for one in _documents() if one["kind"] == "Deployment"}
    budgets = {one["metadata"]["name"] for one in _documents() if one["kind"] == "PodDisruptionBudget"}
    assert budgets == deployments


def test_services_and_policies_name_pods_that_there_are() -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    for one in _documents():
        spec = one.get("spec", {})
        chosen = {
            "Service": spec.get("selector"),
            "PodDisruptionBudget": spec.get("selector", {}).get("matchLabels"),
            "NetworkPolicy": spec.get("podSelector", {}).get("matchLabels"),
        }.get(one["kind"])
        if chosen and "cluster-name" not in chosen:
            assert any(chosen.items() <= one.items() for one in labels), one


def test_no_file_holds_a_secrets_value() -> None:
    assert "Secret" not in {one["kind"] for one in _documents()}
    for path in [*MANIFESTS, *DEPLOY.glob("compose*.yaml")]:
        text = path.read_text("utf-8")
        assert not re.search(r"postgresql://[^@\s]*:[^@\s]*@", text), path
    for pod in PODS.values():
        for one in pod["spec"]["containers"]:
            for variable in one.get("env", []):
                assert "PASSWORD" not in variable["name"] or "secretKeyRef" in variable["valueFrom"]
    for name, service in COMPOSE["services"].items():
        for variable in service.get("environment", {}):
            assert "PASSWORD" not in variable or variable.endswith("_FILE"), name
        assert set(service.get("secrets", [])) <= COMPOSE["secrets"].keys()
    assert all(one["file"].startswith("secrets/") for one in COMPOSE["secrets"].values())
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text("utf-8")


def test_composed_services_of_ours_are_no_root_and_publish_to_this_machine_alone() -> None:
    for name, service in COMPOSE["services"].items():
        assert "no-new-privileges:true" in service["security_opt"], name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
        assert set(service.get("depends_on", {})) <= COMPOSE["services"].keys()
        if name != "database":  # its image begins as root and drops that itself
            assert service["read_only"], name
            assert not service["user"].startswith("0"), name
            assert service["cap_drop"] == ["ALL"], name


def test_a_cluster_replaces_the_database_and_lets_nobody_but_its_nodes_in_without_a_password() -> None:
    known = COMPOSE["services"].keys() | CITUS["services"].keys()
    networks = COMPOSE["networks"].keys() | CITUS["networks"].keys()
    on_nodes = {name for name, one in CITUS["services"].items() if "nodes" in one.get("networks", ())}
    assert on_nodes == {"database", "node1", "node2", "join"}
    assert CITUS["networks"]["nodes"]["internal"]
    (subnet,) = CITUS["networks"]["nodes"]["ipam"]["config"]
    trusted = re.findall(r"^host all all (\S+) trust$", CITUS["configs"]["hba"]["content"], re.MULTILINE)
    assert trusted == ["127.0.0.1/32", subnet["subnet"]]
    for name, service in CITUS["services"].items():
        assert set(service.get("depends_on", {})) <= known, name
        assert set(service.get("networks", ())) <= networks, name
        assert "ports" not in service, name
        assert set(service.get("secrets", [])) <= COMPOSE["secrets"].keys(), name
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in CITUS["volumes"], name
    assert "postgres init" in CITUS["services"]["prepare"]["command"][0]
    assert "--citus" in CITUS["services"]["prepare"]["command"][0]


def _commands() -> Iterator[list[str]]:
    for pod in PODS.values():
        yield from (
            one["args"] for one in pod["spec"]["containers"] if one["image"] == OURS and "command" not in one
        )
    for service in COMPOSE["services"].values():
        if service["image"] == OURS and "entrypoint" not in service:
            yield service["command"]


@pytest.mark.parametrize("command", [*_commands()], ids=" ".join)
def test_each_command_is_one_that_reverie_has(command: list[str]) -> None:
    found = program().commands[command[0]]
    options = {name for parameter in found.params for name in parameter.opts}
    assert {word.partition("=")[0] for word in command if word.startswith("--")} <= options


def test_the_image_ends_as_no_root() -> None:
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("USER ")][-1] == "USER 10001:10001"
    assert all(":" in line and "latest" not in line for line in lines if line.startswith("FROM "))
    copied = [
        word
        for line in lines
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    ]
    assert [word for word in copied if not (ROOT / word).exists()] == []
