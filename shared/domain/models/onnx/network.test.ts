import { writeFileSync } from "node:fs";
import path from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { MODEL } from "../../../../test/fixtures/model-folder.ts";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { withMappedWeights } from "./mapped-weights.ts";
import { Network } from "./network.ts";

const TOKENS = [0, 1200, 25, 8000, 29_000, 2];

const FILE = path.join(MODEL, "model.onnx");

describe("the network of the model that ships", () => {
  it("returns the same as with its weights in memory", async () => {
    const whole = await InferenceSession.create(FILE, { intraOpNumThreads: 1 });
    const tensor = (values: number[]) => new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
    const inputs = { input_ids: TOKENS, attention_mask: TOKENS.map(() => 1), token_type_ids: TOKENS.map(() => 0) };
    const wanted = Object.entries(inputs).filter(([name]) => whole.inputNames.includes(name));
    const outputs = await whole.run(Object.fromEntries(wanted.map(([name, values]) => [name, tensor(values)])));
    const expected = outputs[whole.outputNames[0]!]!.data;

    const network = await Network.open(FILE);
    expect(await network.run([TOKENS], [1, TOKENS.length, 384])).toEqual(expected);
  });

  it("is read without its large weights", () => {
    expect(withMappedWeights(FILE, "model.onnx").length).toBeLessThan(1_000_000);
  });
});

describe("a file", () => {
  it.each([
    ["of text", "{}"],
    ["that ends within a field", Buffer.from([58, 200, 1, 0])],
    ["of one endless number", Buffer.alloc(40, 255)],
  ])("%s is refused", (_content, bytes) => {
    const file = path.join(temporaryFolder(), "model.onnx");
    writeFileSync(file, bytes);
    expect(() => withMappedWeights(file, "model.onnx")).toThrow("its bytes are not Protocol Buffers");
  });
});
