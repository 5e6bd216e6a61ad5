/**
 * `npm run bench:asked [-- --write | --languages | FOLDER]`: fits which slot a question asks for, and whether it asks about the
 * user, by the query's vector, on models/asked/questions.tsv. Prints how often both are right for the same lines; with
 * `--languages` for each language by a fit without it; with a folder for the lines of its .tsv files by the weights in use. `--write` writes
 * the fit to shared/domain/retrieval/ranking/asked.json.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createOnnxEmbedder } from "../../shared/domain/models/onnx/onnx-embedder.ts";
import fitted from "../../shared/domain/retrieval/ranking/asked.json" with { type: "json" };
import { type Asked, askedBy, type Head } from "../../shared/domain/retrieval/ranking/asked.ts";
import { inBatches } from "../../shared/kernel/parallel.ts";
import { askedSlotsOf } from "../../shared/language/questions/asked-slots.ts";
import { Query } from "../../shared/language/questions/query.ts";
import { fitSoftmax } from "./ranking/softmax.ts";

const FILE = fileURLToPath(new URL("../../shared/domain/retrieval/ranking/asked.json", import.meta.url));
const MODEL = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));
const QUESTIONS = fileURLToPath(new URL("../../models/asked", import.meta.url));
const NONE = "none";
/** Factor on vectors, whose deviations are small, and weight of the squares of the weights. */
const SCALE = 10;
const RIDGE = 0.0003;
const BATCH = 32;
/** Largest quantized weight. */
const MAX_BYTE = 127;

interface Line {
  lang: string;
  slot: string;
  /** Whom it asks about: "me", the words for somebody else, or "-". */
  whom: string;
  text: string;
  vector: Float32Array;
}

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false }, languages: { type: "boolean", default: false } },
});
const embedder = createOnnxEmbedder({ folder: MODEL });
const [folder] = positionals;
try {
  const lines = await readLines(folder ?? QUESTIONS);
  if (folder !== undefined) {
    print(lines.map((line) => ({ line, asked: askedBy(fitted, line.vector) })));
  } else if (options.languages) {
    const judged = [...Map.groupBy(lines, ({ lang }) => lang)].flatMap(([lang, own]) => {
      const head = fit(lines.filter((line) => line.lang !== lang));
      return own.map((line) => ({ line, asked: askedBy(head, line.vector) }));
    });
    print(judged);
  } else {
    const head = fit(lines);
    print(lines.map((line) => ({ line, asked: askedBy(head, line.vector) })));
    if (options.write) writeFileSync(FILE, `${JSON.stringify(head, undefined, 2)}\n`);
  }
} finally {
  embedder.close();
}

async function readLines(from: string): Promise<Line[]> {
  const files = readdirSync(from).filter((name) => name.endsWith(".tsv"));
  const rows = files.flatMap((name) => readFileSync(path.join(from, name), "utf8").trim().split("\n"));
  const read: Line[] = [];
  for (const batch of inBatches(rows, BATCH)) {
    const cells = batch.map((row) => row.split("\t"));
    const vectors = await embedder.embed(
      cells.map(([, , , text = ""]) => text),
      { purpose: "query" },
    );
    for (const [index, [lang = "", slot = "", whom = "", text = ""]] of cells.entries())
      read.push({ lang, slot, whom, text, vector: vectors[index] ?? new Float32Array() });
  }
  return read;
}

/** Returns weights in bytes, one row for each slot, for none, and for whether it asks about somebody else. */
function fit(lines: Line[]): Head {
  const slots = [...new Set(lines.map(({ slot }) => slot))].filter((slot) => slot !== NONE).sort();
  const mean = meanOf(lines.map(({ vector }) => vector));
  const scaled = ({ vector }: Line) => Float64Array.from(vector, (value, i) => (value - (mean[i] ?? 0)) * SCALE);
  const rows = fitSoftmax(
    lines.map(scaled),
    lines.map(({ slot }) => slots.indexOf(slot) + 1),
    RIDGE,
  );
  const asking = lines.filter(({ slot }) => slot !== NONE);
  const [ofUser, ofOthers] = fitSoftmax(
    asking.map(scaled),
    asking.map(({ whom }) => (whom === "me" ? 0 : 1)),
    RIDGE,
  );
  const difference = (ofOthers ?? new Float64Array()).map((value, i) => value - (ofUser?.[i] ?? 0));
  const quantized = [...rows, difference].map((row) => quantize(row, mean));
  return {
    embedder: embedder.id,
    slots,
    biases: quantized.map(({ bias }) => Number(bias.toFixed(4))),
    scales: quantized.map(({ scale }) => Number(scale.toPrecision(6))),
    weights: Buffer.concat(quantized.map(({ bytes }) => Buffer.from(bytes.buffer))).toString("base64"),
  };
}

/** Returns a row of weights for vectors as they are, its last weight as the bias, in bytes. */
function quantize(row: Float64Array, mean: Float64Array) {
  const own = row.subarray(0, -1);
  const scale = (Math.max(...own.map(Math.abs)) * SCALE) / MAX_BYTE;
  const bytes = Int8Array.from(own, (weight) => Math.round((weight * SCALE) / scale));
  const atMean = bytes.reduce((sum, byte, i) => sum + byte * scale * (mean[i] ?? 0), 0);
  return { bytes, scale, bias: (row.at(-1) ?? 0) - atMean };
}

function meanOf(vectors: Float32Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (const [i, value] of vector.entries()) mean[i] = (mean[i] ?? 0) + value / vectors.length;
  return mean;
}

function print(judged: { line: Line; asked: Asked }[]): void {
  const rows = [["all", judged] as const, ...Map.groupBy(judged, ({ line }) => line.lang)];
  console.table(Object.fromEntries(rows.map(([name, own]) => [name, sharesOf(own)])));
}

function sharesOf(judged: { line: Line; asked: Asked }[]) {
  const asking = judged.filter(({ line }) => line.slot !== NONE);
  const others = judged.filter(({ line }) => line.slot === NONE);
  const best = ({ slots, none }: Asked, count: number) =>
    [...slots, [NONE, none] as const]
      .sort(([, one], [, other]) => other - one)
      .slice(0, count)
      .map(([slot]) => slot);
  return {
    questions: judged.length,
    "slot right": share(asking, ({ line, asked }) => best(asked, 1).includes(line.slot)),
    "among three": share(asking, ({ line, asked }) => best(asked, 3).includes(line.slot)),
    "none right": share(others, ({ asked }) => best(asked, 1).includes(NONE)),
    "whom right": share(asking, ({ line, asked }) => (line.whom === "me") === asked.ofUser > 0.5),
    "by rules: slot": share(asking, ({ line }) => byRules(line.text) === line.slot),
    "none by rules": share(others, ({ line }) => byRules(line.text) === undefined),
  };
}

/** Returns the first slot that the words of a question name. */
function byRules(text: string): string | undefined {
  return askedSlotsOf(new Query(text))[0]?.split("|")[1];
}

function share<One>(all: One[], isRight: (one: One) => boolean): number {
  return Number((all.filter(isRight).length / all.length).toFixed(3));
}
