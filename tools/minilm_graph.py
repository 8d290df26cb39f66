"""ONNX graphs of all-MiniLM-L6-v2, built node by node with ``onnx.helper``; no torch, no exporter.

``shipped_graph`` gives the two that ship, whose weights are fed from memory at run time: "int8" and "f32"
compute, for one text's embedded tokens (tokens, 384) → the mean of its last hidden states (1, 384).
``plain_graph`` gives the ordinary one that any exporter would write, whole and in float32, for a batch of
ids: the bench's yardstick.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

from tools.minilm_reference import HEAD_SIZE, HEADS, LAYERS, SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tools.minilm_reference import Reference

MICROSOFT = "com.microsoft"
EPSILON = 1e-12
WIDTHS = {
    "attend": (SIZE, 3 * SIZE),
    "merge": (SIZE, SIZE),
    "widen": (SIZE, 4 * SIZE),
    "narrow": (4 * SIZE, SIZE),
}


class Graph:
    """Collects nodes and initializers; every node's output gets a name by number."""

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._initializers: dict[str, TensorProto] = {}

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.nodes(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def nodes(self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any) -> list[str]:
        names = [f"n{len(self._nodes)}.{number}" for number in range(outputs)]
        self._nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names

    def constant(self, name: str, value: NDArray[Any] | np.float32) -> str:
        """An initializer that lies inside the graph."""
        self._initializers[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def external(self, name: str, kind: int, shape: tuple[int, ...]) -> str:
        """An initializer that the session gets from memory when it is made."""
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="memory")
        self._initializers[name] = tensor
        return name

    def finish(self, inputs: list[tuple[str, int, list[str | int]]], output: str) -> bytes:
        given = [helper.make_tensor_value_info(*entry) for entry in inputs]
        made = [helper.make_tensor_value_info(output, TensorProto.FLOAT, [None, SIZE])]
        graph = helper.make_graph(self._nodes, "minilm", given, made, list(self._initializers.values()))
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        return bytes(model.SerializeToString(deterministic=True))


def shipped_graph(compute: Literal["int8", "f32"]) -> bytes:
    """The graph for one text, its weights external under the names of the shipped weights file."""
    g = Graph()
    per_head = g.constant("per_head", np.array([-1, 3 * HEADS, HEAD_SIZE], np.int64))
    together = g.constant("together", np.array([-1, SIZE], np.int64))
    if compute == "int8":
        g.constant("last_axis", np.array([-1], np.int64))
    x = _norm(g, "tokens", "embeddings.norm")
    for layer in range(LAYERS):
        root = f"layer.{layer}"
        # One transposition for queries, keys and values of all heads; the weights of queries hold 1/√32.
        heads = g.node("Reshape", _product(g, compute, x, f"{root}.attend"), per_head)
        heads = g.node("Transpose", heads, perm=[1, 0, 2])
        query, key, value = g.nodes("Split", heads, outputs=3, axis=0, num_outputs=3)
        scores = g.node("FusedMatMul", query, key, domain=MICROSOFT, transB=1)
        mixed = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
        mixed = g.node("Reshape", g.node("Transpose", mixed, perm=[1, 0, 2]), together)
        merged = _product(g, compute, mixed, f"{root}.merge")
        # Add and LayerNormalization: the fused SkipLayerNormalization is several times slower on a CPU.
        x = _norm(g, g.node("Add", merged, x), f"{root}.merge.norm")
        wide = _product(g, compute, x, f"{root}.widen", bias=False)
        wide = g.node("BiasGelu", wide, _floats(g, f"{root}.widen.bias", 4 * SIZE), domain=MICROSOFT)
        narrowed = _product(g, compute, wide, f"{root}.narrow")
        x = _norm(g, g.node("Add", narrowed, x), f"{root}.narrow.norm")
    mean = g.node("ReduceMean", x, g.constant("first_axis", np.array([0], np.int64)), keepdims=1)
    return g.finish([("tokens", TensorProto.FLOAT, ["length", SIZE])], mean)


def _floats(g: Graph, name: str, size: int) -> str:
    return g.external(name, TensorProto.FLOAT, (size,))


def _norm(g: Graph, x: str, name: str) -> str:
    gain, bias = _floats(g, f"{name}.gain", SIZE), _floats(g, f"{name}.bias", SIZE)
    return g.node("LayerNormalization", x, gain, bias, axis=-1, epsilon=EPSILON)


def _product(g: Graph, compute: str, x: str, name: str, *, bias: bool = True) -> str:
    """x · weight (+ bias)."""
    kind = name.rpartition(".")[2]
    rows, columns = WIDTHS[kind]
    if compute == "f32":
        y = g.node("MatMul", x, g.external(f"{name}.weight", TensorProto.FLOAT, (rows, columns)))
    else:
        y = _int8_product(g, x, name, rows, columns, by_row=kind != "attend")
    return g.node("Add", y, _floats(g, f"{name}.bias", columns)) if bias else y


def _int8_product(g: Graph, x: str, name: str, rows: int, columns: int, *, by_row: bool) -> str:
    """Smooths x, rounds it with one scale for the whole text, and multiplies.

    A few tokens have activations ten times as large as the others', which one scale for all would round away;
    ``by_row`` first brings every token's to the same size. For the input of attention that gained nothing.
    """
    if not name.endswith(".merge"):
        x = g.node("Mul", x, _floats(g, f"{name}.smooth", rows))
    weight = g.external(f"{name}.weight", TensorProto.INT8, (rows, columns))
    scale = _floats(g, f"{name}.scale", columns)
    if not by_row:
        return g.node("DynamicQuantizeMatMul", x, weight, scale, domain=MICROSOFT)
    largest = g.node("ReduceMax", g.node("Abs", x), "last_axis", keepdims=1)
    y = g.node("DynamicQuantizeMatMul", g.node("Div", x, largest), weight, scale, domain=MICROSOFT)
    return g.node("Mul", y, largest)


def plain_graph(model: Reference) -> bytes:
    """An ordinary float32 graph of standard operators: ids and mask (batch, length) → (batch, 384)."""
    g = Graph()
    words, positions = g.constant("words", model.words), g.constant("positions", model.positions)
    zero, one = (g.constant(f"c{n}", np.array([n], np.int64)) for n in (0, 1))
    length = g.node("Gather", g.node("Shape", "ids"), one)
    x = g.node("Add", g.node("Gather", words, "ids"), g.node("Slice", positions, zero, length, zero))
    x = _plain_norm(g, x, model, "embeddings")
    mask = g.node("Cast", "mask", to=TensorProto.FLOAT)
    wide_mask = g.node("Unsqueeze", mask, g.constant("c12", np.array([1, 2], np.int64)))
    away = g.node("Sub", g.constant("f1", np.float32(1)), wide_mask)
    away = g.node("Mul", away, g.constant("minus", np.float32(-1e9)))
    for layer in range(LAYERS):
        root = f"encoder.layer.{layer}"
        merged = _plain_product(g, _plain_attention(g, x, away, model, layer), model, layer, "merge")
        x = _plain_norm(g, g.node("Add", merged, x), model, f"{root}.attention.output")
        wide = _plain_product(g, x, model, layer, "widen")
        bent = g.node("Erf", g.node("Div", wide, g.constant("root2", np.float32(math.sqrt(2)))))
        wide = g.node(
            "Mul", g.node("Mul", wide, g.node("Add", bent, "f1")), g.constant("half", np.float32(0.5))
        )
        x = _plain_norm(
            g, g.node("Add", _plain_product(g, wide, model, layer, "narrow"), x), model, f"{root}.output"
        )
    column = g.node("Unsqueeze", mask, g.constant("c2", np.array([2], np.int64)))
    total = g.node("ReduceSum", g.node("Mul", x, column), one, keepdims=0)
    mean = g.node("Div", total, g.node("ReduceSum", column, one, keepdims=0))
    unit = g.node("LpNormalization", mean, axis=-1, p=2)
    shape: list[str | int] = ["batch", "length"]
    return g.finish([("ids", TensorProto.INT64, shape), ("mask", TensorProto.INT64, shape)], unit)


def _plain_norm(g: Graph, x: str, model: Reference, path: str) -> str:
    gain, bias = model.norm(path)
    names = (g.constant(f"{path}.gain", gain), g.constant(f"{path}.bias", bias))
    return g.node("LayerNormalization", x, *names, axis=-1, epsilon=EPSILON)


def _plain_product(g: Graph, x: str, model: Reference, layer: int, name: str) -> str:
    weight, bias = model.product(layer, name)
    y = g.node("MatMul", x, g.constant(f"{layer}.{name}.weight", weight.T))
    return g.node("Add", y, g.constant(f"{layer}.{name}.bias", bias))


def _plain_attention(g: Graph, x: str, away: str, model: Reference, layer: int) -> str:
    weight, bias = model.product(layer, "attend")
    split = g.constant("split", np.array([0, 0, HEADS, HEAD_SIZE], np.int64))
    heads: list[str] = []
    for number, order in enumerate(([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])):
        rows = slice(number * SIZE, (number + 1) * SIZE)
        y = g.node("MatMul", x, g.constant(f"{layer}.attend.{number}.weight", weight[rows].T))
        y = g.node("Add", y, g.constant(f"{layer}.attend.{number}.bias", bias[rows]))
        heads.append(g.node("Transpose", g.node("Reshape", y, split), perm=order))
    scores = g.node(
        "Div", g.node("MatMul", heads[0], heads[1]), g.constant("scale", np.float32(math.sqrt(HEAD_SIZE)))
    )
    weights = g.node("Softmax", g.node("Add", scores, away), axis=-1)
    mixed = g.node("Transpose", g.node("MatMul", weights, heads[2]), perm=[0, 2, 1, 3])
    return g.node("Reshape", mixed, g.constant("joined", np.array([0, 0, SIZE], np.int64)))
