/**
 * `npm run bench:secrets [-- --write] [-- FOLDER…]`: trains the model of models/secrets, from the weights of start.json on, on
 * the sets of this folder and of each given one (see `messagesIn`). Prints what is found in the messages of each writer
 * by a model that was trained without them, and in those that nothing is fitted on. `--write` writes the
 * weights of the model that is trained on all others.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { logistic } from "../../../shared/kernel/math.ts";
import type { Candidate } from "../../../shared/language/secrets/candidates.ts";
import { featuresOf, MAX_FEATURES, WEIGHTS } from "../../../shared/language/secrets/features.ts";
import { findExact } from "../../../shared/language/secrets/find-secrets.ts";
import { askedIn, type Model } from "../../../shared/language/secrets/learned.ts";
import { FORM, tokensOf } from "../../../shared/language/secrets/tokens.ts";
import { type Counts, countsOf, described, HELD, type Marked, messagesIn, WRITERS } from "./marked.ts";

const FOLDER = fileURLToPath(new URL("../../../models/secrets", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Every so many messages of the reader's corpus are ordinary messages. */
const EVERY = 15;
/** Seeds of the values with which each set is trained on; measured ones have others. */
const SEEDS = [20_000, 30_000];
const ROUNDS = 6;
const FITS = 3;
const RATE = 0.15;
/** The sum of squares with which the rate of a weight begins: a larger one keeps more of the weights of the start. */
const FROM_NOTHING = 0.01;
const FROM_START = 5;
/** Share of the features that a round leaves out, so that no single one decides. */
const LEFT_OUT = 0.3;
const BIAS = -1;
const FOLDS = 3;
/** Share of ordinary messages with a false alarm that the threshold allows in messages that were left out. */
const MAX_ALARMS = 0.005;
/** The writer on whose messages the weights of the start were trained: without them, training starts from nothing. */
const IN_START = "first";
const MAX_THRESHOLD = 30;
const STEP = 0.2;
const MAX_WEIGHT = 127;

interface Example extends Marked {
  rows: Row[];
  /** The part of a cross-validation that its line belongs to. */
  fold: number;
}

interface Row {
  candidate: Candidate;
  features: Uint16Array;
  /** Absent if the candidate is a part of a secret, or much more than one. */
  isSecret: boolean | undefined;
}

const { values, positionals } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });

/** Paragraphs of the documents and messages of the reader's corpus, which have no secrets: they only train. */
function otherTexts(): Marked[] {
  const paragraphs = globSync("docs/*.md", { cwd: ROOT })
    .sort()
    .flatMap((file) => (file.endsWith("secrets.md") ? [] : readFileSync(path.join(ROOT, file), "utf8").split(/\n\n+/)));
  const messages = globSync("models/reader/corpus/train/*.txt", { cwd: ROOT })
    .sort()
    .flatMap((file) => readFileSync(path.join(ROOT, file), "utf8").split("\n"))
    .filter((line) => line.startsWith("> "))
    .filter((_, index) => index % EVERY === 0)
    .map((line) =>
      line
        .slice(2)
        .replace(/\{([^|{}]*)\|[^{}]*\}/g, "$1")
        .replaceAll("⏎", "\n"),
    );
  const isNoSecret = (text: string) =>
    text.length > 30 && text.length < 900 && !/passw|secret|\bpin\b|code|kod|token|wi-?fi|wlan/i.test(text);
  return [...paragraphs, ...messages].filter(isNoSecret).map((text) => ({ text, secrets: [] }));
}

function exampleOf(message: Marked, index: number): Example {
  const { text, secrets } = message;
  const read = { text, tokens: tokensOf(text) };
  const exact = findExact(text);
  const places = secrets.map((secret) => ({ start: text.indexOf(secret), end: text.indexOf(secret) + secret.length }));
  const buffer = new Uint16Array(MAX_FEATURES);
  const rows = [...askedIn(read, false)]
    .filter(({ candidate: { start, end } }) => !exact.some((found) => start < found.end && found.start < end))
    .map(({ candidate, around }) => ({
      candidate,
      features: buffer.slice(0, featuresOf(read, candidate, around, buffer)),
      isSecret: isSecret(candidate, places),
    }));
  return { ...message, rows, fold: index % FOLDS };
}

/** Whether a candidate is a secret; undefined if it is a part of one, or much more than one. */
function isSecret({ start, end, form }: Candidate, places: { start: number; end: number }[]): boolean | undefined {
  let verdict: boolean | undefined = false;
  for (const place of places) {
    const common = Math.min(place.end, end) - Math.max(place.start, start);
    const length = place.end - place.start;
    if (common <= 0) continue;
    if (common >= length * 0.99 && end - start <= length + 3) return true;
    if (common >= length * 0.99 || form !== FORM.phrase) verdict = undefined;
  }
  return verdict;
}

/** Random numbers, the same ones each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What values of other messages may replace one in its message. */
function kindOf({ form, start, end }: Candidate): string | undefined {
  if (form === FORM.phrase || form === FORM.groups || form === FORM.random) return undefined;
  if (form === FORM.upperDigits || form === FORM.upperDigitsSigns || form === FORM.numberSigns) return undefined;
  return form === FORM.digits ? `digits ${end - start}` : form <= FORM.upper ? "word" : "made";
}

/** Adds each message with a secret once more, with the secrets of other messages in the places of its own. */
function withOtherValues(examples: readonly Example[]): Example[] {
  const random = randomFrom(5);
  const secretsOf = ({ text, rows }: Example) =>
    rows
      .filter((each) => each.isSecret)
      .map(({ candidate }) => ({ kind: kindOf(candidate), value: text.slice(candidate.start, candidate.end) }));
  const valuesOf = Map.groupBy(examples.flatMap(secretsOf), ({ kind }) => kind);
  const changed = examples.flatMap((example) => {
    let { text, secrets } = example;
    for (const { kind, value } of secretsOf(example)) {
      const others = kind === undefined ? [] : (valuesOf.get(kind) ?? []);
      const other = others[Math.floor(random() * others.length)]?.value;
      if (other === undefined || text.includes(other) || text.split(value).length !== 2 || !secrets.includes(value))
        continue;
      text = text.replace(value, () => other);
      secrets = secrets.map((each) => (each === value ? other : each));
    }
    return text === example.text ? [] : [exampleOf({ text, secrets }, example.fold)];
  });
  return [...examples, ...changed];
}

/** The mean of some fits, which differ by the order of the examples. */
function fit(messages: readonly Example[], start?: Float32Array): Float32Array {
  const examples = withOtherValues(messages);
  const weights = new Float32Array(WEIGHTS);
  for (let seed = 1; seed <= FITS; seed++)
    for (const [index, weight] of fitOnce(examples, seed, start).entries())
      weights[index] = (weights[index] ?? 0) + weight / FITS;
  return weights;
}

/** Fits a logistic regression by stochastic gradients with rates of their own for each weight. */
function fitOnce(examples: readonly Example[], seed: number, start?: Float32Array): Float32Array {
  const weights = Float32Array.from(start ?? new Float32Array(WEIGHTS));
  const squares = new Float32Array(WEIGHTS).fill(start ? FROM_START : FROM_NOTHING);
  const random = randomFrom(seed);
  const rows = examples.flatMap(({ rows }) => rows.filter((each) => each.isSecret !== undefined));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { features, isSecret: target } of shuffled(rows, random)) {
      const used = features.filter(() => random() > LEFT_OUT);
      const error = logistic(BIAS + sumOf(weights, used) / (1 - LEFT_OUT)) - Number(target);
      if (Math.abs(error) < 1e-4) continue;
      for (const feature of used) {
        const square = (squares[feature] ?? 0) + error * error;
        squares[feature] = square;
        weights[feature] = (weights[feature] ?? 0) - (RATE * error) / Math.sqrt(square);
      }
    }
  }
  return weights;
}

function shuffled<T>(rows: readonly T[], random: () => number): T[] {
  return rows
    .map((row) => ({ row, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ row }) => row);
}

function sumOf(weights: Float32Array, features: Uint16Array): number {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return sum;
}

/** Finds the lowest threshold with few enough false alarms in parts that a model does not know, and prints what they count. */
function thresholdOf(parts: { weights: Float32Array; tested: readonly Marked[] }[]): number {
  const countsAt = (threshold: number) => {
    const total: Counts = { found: 0, secrets: 0, alarms: 0, ordinary: 0 };
    for (const { weights, tested } of parts) {
      const counts = countsOf(tested, modelOf(weights, threshold));
      for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
    }
    return total;
  };
  let [low, high] = [0, MAX_THRESHOLD / STEP];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { alarms, ordinary } = countsAt(middle * STEP);
    if (alarms <= MAX_ALARMS * ordinary) high = middle;
    else low = middle + 1;
  }
  print(`threshold ${(high * STEP).toFixed(1)}: ${described(countsAt(high * STEP))}`);
  return high * STEP;
}

const modelOf = (weights: ArrayLike<number>, threshold: number, scale = 1): Model => ({
  ...{ weights, scale },
  threshold: threshold - BIAS,
});
const print = (line: string) => process.stdout.write(`${line}\n`);

const writers: Record<string, { measured: Marked[]; trained: Marked[][] }> = Object.fromEntries([
  ...Object.entries(WRITERS).map(([writer, sets]) => [
    writer,
    { measured: sets.flatMap((set) => set()), trained: SEEDS.map((seed) => sets.flatMap((set) => set(seed))) },
  ]),
  ...positionals.map((folder) => [folder, { measured: messagesIn(folder), trained: [messagesIn(folder)] }]),
]);
const held = HELD.flatMap((set) => set());
const others = otherTexts().map(exampleOf);
const trained = new Map(
  Object.entries(writers).map(([writer, { trained }]) => [writer, trained.flatMap((set) => set.map(exampleOf))]),
);
const all = [...trained.values()].flat();

const stored = JSON.parse(readFileSync(path.join(FOLDER, "start.json"), "utf8")) as { scale: number; weights: string };
const start = Float32Array.from(
  new Int8Array(Buffer.from(stored.weights, "base64")),
  (weight) => weight * stored.scale,
);

const texts = [...all, ...others];
const folds = Array.from({ length: FOLDS }, (_, part) => ({
  weights: fit(
    texts.filter(({ fold }) => fold !== part),
    start,
  ),
  tested: texts.filter(({ fold }) => fold === part),
}));
print("trained on two thirds of all, measured on the others in turn:");
const threshold = thresholdOf(folds);
for (const [writer, { measured }] of Object.entries(writers)) {
  const known = [...trained].flatMap(([each, examples]) => (each === writer ? [] : examples));
  const weights = fit([...known, ...others], writer === IN_START ? undefined : start);
  print(`trained without the ${writer} writer, who chooses the threshold:`);
  thresholdOf([{ weights, tested: measured }]);
  print(`with the threshold of the other writers: ${described(countsOf(measured, modelOf(weights, threshold)))}`);
}
const weights = fit(texts, start);
const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / MAX_WEIGHT;
const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
print(
  `trained on all, measured on what nothing is fitted on: ${described(countsOf(held, modelOf(bytes, threshold, scale)))}`,
);
if (values.write) {
  const model = { scale, threshold: threshold - BIAS, weights: Buffer.from(bytes.buffer).toString("base64") };
  writeFileSync(path.join(FOLDER, "weights.json"), `${JSON.stringify(model, null, 2)}\n`);
}
