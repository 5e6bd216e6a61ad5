"""Writes model.onnx and manifest.json of the reader from what train.py wrote.

    python3 export.py e5-small-q4.bin trained.pkl[,trained.pkl] ../multilingual-e5-small

The word embeddings are references to the bytes of the base model's model.onnx, so that both models share them on disk and in memory.
The trained layers become seven-bit integers as in the base model; the heads stay floats.
"""
import hashlib
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from corpus import ACTS, SLOTS

sys.path.insert(0, str(Path(__file__).parent.parent / "multilingual-e5-small"))
from convert import CONTRIB, WEIGHT_MAX, Graph, Packed  # noqa: E402

MIN_SHARED_BYTES = 65_536


class Trained:
    """Serves the matrices of the trained layers where `Packed` serves the original ones."""

    def __init__(self, packed, model):
        self.packed, self.hidden, self.inner, self.heads = packed, packed.hidden, packed.inner, packed.heads
        self.layers, self.epsilon, self.words = packed.layers, packed.epsilon, packed.words
        self.cut = packed.layers - len(model["layers"])
        self.values = {}
        for n, layer in enumerate(model["layers"]):
            name = f"l{self.cut + n}"
            for key, part in dict(q="q", k="k", v="v", ao="o", fi="i", fo="f").items():
                self.values[f"{name}.{key}.w"], self.values[f"{name}.{key}.b"] = layer[part][0].T, layer[part][1]
            for key, part in dict(aln="n1", oln="n2").items():
                self.values[f"{name}.{key}.w"], self.values[f"{name}.{key}.b"] = layer[part]

    def floats(self, name):
        return self.values[name] if name in self.values else self.packed.floats(name)

    def blocks(self, name):
        return self.packed.blocks(name)


class ReaderGraph(Graph):
    def multiply(self, source, names, inputs, output):
        if f"{names[0]}.w" not in self.packed.values:
            return super().multiply(source, names, inputs, output)
        matrix = np.concatenate([self.packed.values[f"{name}.w"] for name in names]).astype(np.float32)
        scales = np.abs(matrix).max(1) / WEIGHT_MAX
        self.value(f"{output}.bias", np.concatenate([self.packed.floats(f"{name}.b") for name in names]))
        self.value(f"{output}.weights", np.ascontiguousarray(np.rint(matrix / scales[:, None]).astype(np.int8).T))
        self.value(f"{output}.scales", scales)
        return self.product(source, output)

    def product(self, source, output):
        self.node("Abs", [source], f"{output}.sizes")
        self.node("ReduceMax", [f"{output}.sizes", "last_axis"], f"{output}.max")
        self.node("Div", ["input_max", f"{output}.max"], f"{output}.factors")
        self.node("Mul", [source, f"{output}.factors"], f"{output}.scaled")
        self.node("QuantizeLinear", [f"{output}.scaled", "one", "input_zero"], f"{output}.bytes")
        operands = [f"{output}.bytes", f"{output}.weights", "input_step", f"{output}.scales", "input_zero"]
        self.node("MatMulIntegerToFloat", operands, f"{output}.product", CONTRIB)
        return self.node("Mul", [f"{output}.product", f"{output}.max"], output)

    def head(self, hidden, name, weights, output=None):
        self.value(f"{name}.weights", weights[0].astype(np.float32))
        self.value(f"{name}.bias", weights[1].astype(np.float32))
        self.node("MatMul", [hidden, f"{name}.weights"], f"{name}.product")
        return self.node("Add", [f"{name}.product", f"{name}.bias"], output or f"{name}.out")

    def reader(self, heads):
        base = self.model().graph
        inputs = list(base.input)
        tensor, outputs = helper.make_tensor_value_info, []
        for name in ("value", "who", "slot", "act"):
            self.head("last_hidden_state", f"head.{name}", heads[name], name)
            outputs.append(tensor(name, TensorProto.FLOAT, ["texts", "tokens", heads[name][1].size]))
        source = self.head("last_hidden_state", "head.from", heads["from_"])
        target = self.head("last_hidden_state", "head.to", heads["to"])
        self.node("Transpose", [target], "head.to.turned", perm=[0, 2, 1])
        self.node("MatMul", [source, "head.to.turned"], "head.about")
        self.value("head.size", np.float32(heads["from_"][1].size ** 0.5))
        self.node("Div", ["head.about", "head.size"], "about")
        outputs.append(tensor("about", TensorProto.FLOAT, ["texts", "tokens", "tokens"]))
        graph = helper.make_graph(self.nodes, "reader", inputs, outputs, self.values)
        versions = [helper.make_opsetid("", 21), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=10)


def share(model, folder):
    """Replaces the weights that the base model has by references to them; returns how many bytes stay."""
    data, base = (folder / "model.onnx").read_bytes(), onnx.load(folder / "model.onnx").graph
    own = {value.name: value for value in base.initializer}
    for value in model.graph.initializer:
        same = own.get(value.name)
        if same is None or len(value.raw_data) < MIN_SHARED_BYTES or same.raw_data != value.raw_data:
            continue
        offset = data.find(value.raw_data)
        entries = dict(location=f"{folder.resolve().name}/model.onnx", offset=str(offset), length=str(len(value.raw_data)))
        value.ClearField("raw_data")
        for key, text in entries.items():
            value.external_data.add(key=key, value=text)
        value.data_location = TensorProto.EXTERNAL


def mean(models):
    """Returns the mean of the weights of several trainings."""
    first, *others = models
    if isinstance(first, dict):
        return {key: mean([model[key] for model in models]) for key in first}
    if isinstance(first, (list, tuple)):
        return type(first)(mean([model[n] for model in models]) for n in range(len(first)))
    return np.mean(models, axis=0) if others else first


if __name__ == "__main__":
    trained, folder = mean([pickle.load(open(path, "rb")) for path in sys.argv[2].split(",")]), Path(sys.argv[3])
    model = ReaderGraph(Trained(Packed(sys.argv[1]), trained)).reader(trained["heads"])
    share(model, folder)
    Path("model.onnx").write_bytes(model.SerializeToString())
    digest = lambda file: hashlib.sha256(Path(file).read_bytes()).hexdigest()
    labels = json.load(open("labels.json")) if Path("labels.json").exists() else dict(least=0.0, confidence=[[0, 0.5]])
    manifest = dict(
        name="fact-reader",
        license="MIT",
        base=dict(folder=folder.resolve().name, sha256=digest(folder / "model.onnx")),
        labels=dict(slots=SLOTS, acts=ACTS, **labels),
        sha256={"model.onnx": digest("model.onnx")},
    )
    Path("manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf8")
    print(Path("model.onnx").stat().st_size, "bytes")
