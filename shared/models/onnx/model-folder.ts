import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be SHA-256 in hex");

/** What `manifest.json` says of a sentence embedding model that was exported to ONNX. */
const Manifest = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/, "must be lower-case letters, digits, dots and hyphens"),
  license: z.string().min(1),
  dimensions: z.int().min(1).max(4096),
  max_tokens: z.int().min(8).max(8192),
  pooling: z.enum(["mean", "cls"]),
  normalize: z.boolean(),
  background: z.strictObject({ mean: z.number().min(-1).max(1), deviation: z.number().positive().max(1) }),
  prefixes: z.strictObject({ query: z.string().max(200), passage: z.string().max(200) }),
  sha256: z.strictObject({ "model.onnx": sha256, "tokenizer.json": sha256 }),
});

export type ModelManifest = z.infer<typeof Manifest>;

type ModelFile = keyof ModelManifest["sha256"];

/** The folder holds no usable model; the message says why and what belongs there. */
export class ModelFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelFolderError";
  }
}

export function unusableFolder(folder: string, problem: string): ModelFolderError {
  return new ModelFolderError(
    `The model folder ${folder} cannot be used: ${problem}. docs/embedders.md says what it must hold.`,
  );
}

/** The licence of the weights comes with them. */
const LICENSE_FILE = /^licen[cs]e(\.(txt|md))?$/i;

/** Reads `manifest.json` of a model folder, which holds a licence as well. Throws ModelFolderError. */
export function readManifest(folder: string): ModelManifest {
  let text: string;
  try {
    text = readFileSync(path.join(folder, "manifest.json"), "utf8");
  } catch (error) {
    throw unusableFolder(folder, `manifest.json cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unusableFolder(folder, "manifest.json is not JSON");
  }
  const parsed = Manifest.safeParse(json);
  if (parsed.success) {
    if (readdirSync(folder).some((name) => LICENSE_FILE.test(name))) return parsed.data;
    throw unusableFolder(folder, "it holds no licence of the model, in a file LICENSE, LICENSE.txt or LICENSE.md");
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`);
  throw unusableFolder(folder, `manifest.json is not valid (${problems.join("; ")})`);
}

/** The path of a file of the model, whose checksum is the manifest's. Throws ModelFolderError. */
export async function verifiedFile(folder: string, manifest: ModelManifest, name: ModelFile): Promise<string> {
  const file = path.join(folder, name);
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw unusableFolder(folder, `${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const found = hash.digest("hex");
  if (found === manifest.sha256[name]) return file;
  throw unusableFolder(folder, `the SHA-256 of ${name} is ${found}, the manifest's is ${manifest.sha256[name]}`);
}
