import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { Labels } from "../../../language/reader/labels.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be SHA-256 in hex");

/** `manifest.json` of a sentence embedding model that was exported to ONNX. */
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

/** `manifest.json` of a cross-encoder that was exported to ONNX. */
const RerankerManifest = Manifest.pick({ name: true, license: true, sha256: true }).extend({
  max_tokens: z.int().min(16).max(8192),
});

export type RerankerManifest = z.infer<typeof RerankerManifest>;

/** `manifest.json` of a reader of facts, whose lower layers and tokenizer are those of a model in a folder beside it. */
const ReaderManifest = z.strictObject({
  name: Manifest.shape.name,
  license: z.string().min(1),
  base: z.strictObject({ folder: z.string().regex(/^[a-z0-9.-]+$/), sha256 }),
  labels: Labels,
  sha256: z.strictObject({ "model.onnx": sha256 }),
});

export type ReaderManifest = z.infer<typeof ReaderManifest>;

/** The license file of the weights is in the folder. */
const LICENSE_FILE = /^licen[cs]e(\.(txt|md))?$/i;

/** Bytes that are read at once for a checksum. */
const READ_BYTES = 1_048_576;

type ModelFile = keyof ModelManifest["sha256"];

/** The folder holds no usable model; the message says why and which files are needed. */
export class ModelFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelFolderError";
  }
}

export function unusableFolder(folder: string, problem: string): ModelFolderError {
  return new ModelFolderError(
    `The model folder ${folder} cannot be used: ${problem}. docs/embedders.md says what an embedder's must hold, docs/ranking.md what a reranker's.`,
  );
}

/** Reads `manifest.json` of a model folder. Throws ModelFolderError. */
export function readModelFolder(folder: string): ModelManifest {
  return requireLicense(folder, parse(Manifest, folder, readJson(folder)));
}

/** Reads `manifest.json` of a reader's folder. Throws ModelFolderError. */
export function readReaderFolder(folder: string): ReaderManifest {
  return requireLicense(folder, parse(ReaderManifest, folder, readJson(folder)));
}

/** Reads `manifest.json` of a cross-encoder's folder. Throws ModelFolderError. */
export function readRerankerFolder(folder: string): RerankerManifest {
  return requireLicense(folder, parse(RerankerManifest, folder, readJson(folder)));
}

function requireLicense<Manifest>(folder: string, manifest: Manifest): Manifest {
  if (readdirSync(folder).some((file) => LICENSE_FILE.test(file))) return manifest;
  throw unusableFolder(folder, "it holds no licence of the model, in a file LICENSE, LICENSE.txt or LICENSE.md");
}

function readJson(folder: string): unknown {
  let text: string;
  try {
    text = readFileSync(path.join(folder, "manifest.json"), "utf8");
  } catch (error) {
    throw unusableFolder(folder, `manifest.json cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw unusableFolder(folder, "manifest.json is not JSON");
  }
}

function parse<Content>(schema: z.ZodType<Content>, folder: string, json: unknown): Content {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`);
  throw unusableFolder(folder, `manifest.json is not valid (${problems.join("; ")})`);
}

/** Returns the path of a model file after checking its checksum against the manifest. Throws ModelFolderError. */
export async function verifiedFile<Name extends ModelFile>(
  folder: string,
  manifest: { sha256: Record<Name, string> },
  name: Name,
): Promise<string> {
  const file = path.join(folder, name);
  let found: string;
  try {
    found = await checksumOf(file);
  } catch (error) {
    throw unusableFolder(folder, `${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (found === manifest.sha256[name]) return file;
  throw unusableFolder(folder, `the SHA-256 of ${name} is ${found}, the manifest's is ${manifest.sha256[name]}`);
}

/** Reads through one buffer, because those of a stream would stay in the memory of the process. */
async function checksumOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(READ_BYTES);
  const handle = await open(file);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
