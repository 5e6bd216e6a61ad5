import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packOnnx } from "../../onnx-files.ts";
import { resourcesOf, type Synthesized, synthesize } from "./synth.ts";

/** Maximum unpacked size of a Lambda function with all layers; the code is a tenth of it. */
const LAMBDA_LIMIT_BYTES = 250 * 1024 * 1024;

describe("embedder=onnx", () => {
  let synthesized: Synthesized;

  beforeAll(async () => {
    synthesized = await synthesize({ embedder: "onnx" }, { standInsOnly: true });
  }, 120_000);

  it("gives the layer, the model and enough memory only to the functions that embed or search", () => {
    const { api, workers } = synthesized.templates;
    expect(synthesized.remarks).toEqual([]);
    const functions = resourcesOf("AWS::Lambda::Function", api, workers).filter(
      ([, { Properties }]) => Properties.Environment?.Variables.PLATFORM === "aws",
    );
    const withModel = functions.filter(([, { Properties }]) => Properties.Environment.Variables.EMBEDDER === "onnx");
    expect(withModel).toHaveLength(2);
    expect(withModel.length).toBeLessThan(functions.length);
    for (const [, { Properties }] of functions) {
      const { EMBEDDER, EMBEDDING_MODEL_DIR } = Properties.Environment.Variables;
      expect(Properties.Layers?.length ?? 0).toBe(EMBEDDER === "onnx" ? 1 : 0);
      expect(EMBEDDING_MODEL_DIR).toBe(EMBEDDER === "onnx" ? "/opt/models/multilingual-e5-small" : undefined);
      if (EMBEDDER === "onnx") expect(Properties.MemorySize).toBeGreaterThanOrEqual(1024);
    }
    expect(resourcesOf("AWS::Lambda::LayerVersion", api, workers)).toHaveLength(2);
  });
});

it.each([
  { embedder: "bedrock", formerEmbedder: "onnx" },
  { embedder: "onnx", formerEmbedder: "bedrock" },
])(
  "keeps $formerEmbedder available to the functions after a change to $embedder",
  async (context) => {
    const { api, workers } = (await synthesize(context, { standInsOnly: true })).templates;
    const functions = resourcesOf("AWS::Lambda::Function", api, workers).flatMap(([, { Properties }]) =>
      Properties.Environment?.Variables.EMBEDDER === context.embedder ? [Properties] : [],
    );
    expect(functions).toHaveLength(2);
    for (const { Environment, Layers } of functions) {
      expect(Layers).toHaveLength(1);
      expect(Environment.Variables.EMBEDDING_MODEL_DIR).toBe("/opt/models/multilingual-e5-small");
      expect(Environment.Variables.EMBEDDING_MODEL).toBe("amazon.titan-embed-text-v2:0");
    }
    const policies = JSON.stringify(resourcesOf("AWS::IAM::Policy", api, workers));
    expect(policies).toContain("foundation-model/amazon.titan-embed-text-v2:0");
  },
  120_000,
);

describe("the layer", () => {
  let folder: string;
  let paths: string[];

  beforeAll(() => {
    folder = packOnnx(mkdtempSync(path.join(tmpdir(), "onnx-layer-")));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    paths = files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("contains the model, its licence, and binaries of the functions' platform only", () => {
    const binaries = paths.filter((file) => file.includes("/bin/"));
    expect(binaries.length).toBeGreaterThan(0);
    expect(binaries.filter((file) => !file.includes("/linux/arm64/"))).toEqual([]);
    for (const name of ["model.onnx", "tokenizer.json", "manifest.json", "LICENSE"])
      expect(paths).toContain(`models/multilingual-e5-small/${name}`);
  });

  it("takes at most 60 % of what Lambda unpacks", () => {
    const bytes = paths.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(0.6 * LAMBDA_LIMIT_BYTES);
  });
});
