import { cpSync, globSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MODELS_FOLDER = "models";
/** The default model within the layer. */
export const MODEL_FOLDER = `${MODELS_FOLDER}/multilingual-e5-small`;
const PACKAGES_FOLDER = "nodejs/node_modules";

const LAYER_FOLDER = fileURLToPath(new URL("../dist/onnx-layer", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const MODELS = fileURLToPath(new URL("../models", import.meta.url));

/**
 * The files that `require("onnxruntime-node")` loads on the functions' platform; binaries of other platforms are ten
 * times as large.
 */
const PACKAGE_FILES = [
  "onnxruntime-node/package.json",
  "onnxruntime-node/dist/**/*.js",
  "onnxruntime-node/bin/napi-v*/linux/arm64/*",
  "onnxruntime-common/package.json",
  "onnxruntime-common/dist/cjs/**/*.{js,json}",
];

/** Fills a folder with the layer's content: ONNX Runtime for Linux on arm64, and the models of this repository. */
export function packOnnx(folder = LAYER_FOLDER): string {
  rmSync(folder, { recursive: true, force: true });
  for (const pattern of PACKAGE_FILES) {
    const files = globSync(pattern, { cwd: PACKAGES });
    if (files.length === 0) throw new Error(`no file of node_modules is ${pattern}: run npm ci`);
    for (const file of files) copy(path.join(PACKAGES, file), path.join(folder, PACKAGES_FOLDER, file));
  }
  cpSync(MODELS, path.join(folder, MODELS_FOLDER), { recursive: true });
  return folder;
}

function copy(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to);
}
