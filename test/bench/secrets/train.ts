/**
 * `npm run bench:secrets [-- --write] [FOLDER…]`: trains the model of models/secrets on the sets of this folder and on those of
 * each folder, one writer's `planted.jsonl` and `ordinary.jsonl`. Prints what is found in each writer's messages by a
 * model that was trained without them. `--write` writes the weights of a model that was trained on all.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { logistic } from "../../../shared/kernel/math.ts";
import { type Candidate, candidatesIn } from "../../../shared/language/secrets/candidates.ts";
import { featuresOf, MAX_FEATURES, messageOf, WEIGHTS } from "../../../shared/language/secrets/features.ts";
import { findExact } from "../../../shared/language/secrets/find-secrets.ts";
import type { FoundSecret } from "../../../shared/language/secrets/found-secret.ts";
import { withoutOverlaps } from "../../../shared/language/secrets/learned.ts";
import { FORM, tokensOf } from "../../../shared/language/secrets/tokens.ts";
import { codesWithoutSecrets, leakedMessages, ordinaryMessages, plantedMessages, unsaidMessages } from "./sets.ts";

const FILE = fileURLToPath(new URL("../../../models/secrets/weights.json", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const OWN = "own";
/** Every so many messages of the reader's corpus are ordinary messages. */
const EVERY = 15;
const SEEDS = [20_000, 30_000];
const ROUNDS = 6;
const FITS = 3;
const RATE = 0.15;
/** Share of the features that a round leaves out, so that no single one decides. */
const LEFT_OUT = 0.3;
const BIAS = -1;
/** Share of ordinary messages with a false alarm that the threshold allows in writers who were left out. */
const MAX_ALARMS = 0.009;
const STEP = 0.1;
const MAX_WEIGHT = 127;

interface Marked {
  writer: string;
  text: string;
  secrets: string[];
}

interface Example extends Marked {
  candidates: { candidate: Candidate; features: Uint16Array; isSecret: boolean | undefined }[];
  exact: FoundSecret[];
}

const { values, positionals } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });

/** The sets of this folder, whose measured ones have a name, and the same messages with other values. */
function ownMessages(): Marked[] {
  const withSecrets = (seed?: number) => [
    ...plantedMessages("planted.test-set.txt", seed).map(({ text, secret = "" }) => ({ text, secrets: [secret] })),
    ...["leaks.set.txt", "leaks-later.set.txt"].flatMap((file) => leakedMessages(file, seed)),
  ];
  const ordinary = [
    ...ordinaryMessages("ordinary.test-set.txt").map(({ text }) => text),
    ...codesWithoutSecrets("ordinary-codes.set.txt"),
  ];
  const measured = [...withSecrets(), ...ordinary.map((text) => ({ text, secrets: [] }))];
  const more = SEEDS.flatMap((seed) => [
    ...withSecrets(seed),
    ...leakedMessages("said.set.txt", seed),
    ...unsaidMessages("unsaid.set.txt", seed).map((text) => ({ text, secrets: [] })),
  ]);
  return [...measured.map((each) => ({ ...each, writer: OWN })), ...more.map((each) => ({ ...each, writer: "" }))];
}

function messagesOf(folder: string): Marked[] {
  return ["planted.jsonl", "ordinary.jsonl"].flatMap((file) =>
    readFileSync(path.join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { text: string; secrets?: string[] })
      .map(({ text, secrets = [] }) => ({ writer: folder, text, secrets })),
  );
}

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
    text.length > 30 && text.length < 900 && !/passw|secret|\bpin\b|code|kod|token/i.test(text);
  return [...paragraphs, ...messages].filter(isNoSecret).map((text) => ({ writer: "", text, secrets: [] }));
}

function exampleOf(message: Marked): Example {
  const { text, secrets } = message;
  const tokens = tokensOf(text);
  const shared = messageOf(text, tokens);
  const exact = findExact(text);
  const places = secrets.map((secret) => ({ start: text.indexOf(secret), end: text.indexOf(secret) + secret.length }));
  const buffer = new Uint16Array(MAX_FEATURES);
  const candidates = candidatesIn(text, tokens)
    .filter(({ start, end }) => !exact.some((found) => start < found.end && found.start < end))
    .map((candidate) => {
      const features = buffer.slice(0, featuresOf(shared, candidate, buffer));
      return { candidate, features, isSecret: isSecret(candidate, places) };
    });
  return { ...message, candidates, exact };
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
  const secretsOf = ({ text, candidates }: Example) =>
    candidates
      .filter((each) => each.isSecret)
      .map(({ candidate }) => ({ kind: kindOf(candidate), value: text.slice(candidate.start, candidate.end) }));
  const valuesOf = Map.groupBy(examples.flatMap(secretsOf), ({ kind }) => kind);
  const changed = examples.flatMap((example) => {
    let { text } = example;
    let secrets = example.secrets;
    for (const { kind, value } of secretsOf(example)) {
      const others = kind === undefined ? [] : (valuesOf.get(kind) ?? []);
      const other = others[Math.floor(random() * others.length)]?.value;
      if (other === undefined || text.includes(other) || text.split(value).length !== 2 || !secrets.includes(value))
        continue;
      text = text.replace(value, () => other);
      secrets = secrets.map((each) => (each === value ? other : each));
    }
    return text === example.text ? [] : [exampleOf({ ...example, text, secrets })];
  });
  return [...examples, ...changed];
}

/** The mean of some fits, which differ by the order of the examples. */
function fit(examples: readonly Example[]): Float32Array {
  const weights = new Float32Array(WEIGHTS);
  for (let seed = 1; seed <= FITS; seed++)
    for (const [index, weight] of fitOnce(examples, seed).entries())
      weights[index] = (weights[index] ?? 0) + weight / FITS;
  return weights;
}

/** Fits a logistic regression by stochastic gradients with rates of their own for each weight. */
function fitOnce(examples: readonly Example[], seed: number): Float32Array {
  const weights = new Float32Array(WEIGHTS);
  const squares = new Float32Array(WEIGHTS).fill(0.01);
  const random = randomFrom(seed);
  const rows = examples.flatMap(({ candidates }) => candidates.filter((each) => each.isSecret !== undefined));
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

interface Counts {
  found: number;
  secrets: number;
  alarms: number;
  ordinary: number;
}

function measured(examples: readonly Example[], weights: Float32Array, threshold: number): Counts {
  const counts = { found: 0, secrets: 0, alarms: 0, ordinary: 0 };
  for (const { secrets, text, candidates, exact } of examples) {
    const scored = candidates
      .map(({ candidate, features }) => ({ ...candidate, score: BIAS + sumOf(weights, features) - threshold }))
      .filter(({ score }) => score > 0);
    const found = [...exact, ...withoutOverlaps(scored)];
    if (secrets.length === 0) {
      counts.ordinary += 1;
      if (found.length > 0) counts.alarms += 1;
    }
    for (const secret of secrets) {
      const [start, end] = [text.indexOf(secret), text.indexOf(secret) + secret.length];
      let covered = 0;
      for (let at = start; at < end; at++) if (found.some((each) => each.start <= at && at < each.end)) covered += 1;
      counts.secrets += 1;
      if (covered >= secret.length * 0.99) counts.found += 1;
    }
  }
  return counts;
}

const examples = [...ownMessages(), ...positionals.flatMap(messagesOf), ...otherTexts()].map(exampleOf);
const writers = [...positionals, ...(positionals.length === 0 ? [OWN] : [])];
const left = writers.map((writer) => ({
  writer,
  tested: examples.filter((each) => each.writer === writer),
  weights: fit(withOtherValues(examples.filter((each) => each.writer !== writer))),
}));
let threshold = -2;
for (; threshold < 6; threshold += STEP) {
  const counts = left.map(({ tested, weights }) => measured(tested, weights, threshold));
  const alarms = counts.reduce((sum, { alarms: each }) => sum + each, 0);
  if (alarms <= MAX_ALARMS * counts.reduce((sum, { ordinary }) => sum + ordinary, 0)) break;
}
for (const { writer, tested, weights } of left) {
  const { found, secrets, alarms, ordinary } = measured(tested, weights, threshold);
  process.stdout.write(
    `${path.basename(path.dirname(writer))}/${path.basename(writer)}: ${(found / secrets).toFixed(3)} of ${secrets} secrets, ${((100 * alarms) / ordinary).toFixed(1)} % of ${ordinary} ordinary messages, left out\n`,
  );
}
if (values.write) {
  const weights = fit(withOtherValues(examples));
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const scale = largest / MAX_WEIGHT;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  const model = { scale, threshold: threshold - BIAS, weights: Buffer.from(bytes.buffer).toString("base64") };
  writeFileSync(FILE, `${JSON.stringify(model, null, 2)}\n`);
  const own = measured(
    examples.filter(({ writer }) => writer === OWN),
    bytes.reduce((kept, weight, index) => kept.fill(weight * scale, index, index + 1), new Float32Array(WEIGHTS)),
    threshold,
  );
  process.stdout.write(`threshold ${threshold.toFixed(1)}; own sets after training on all: ${JSON.stringify(own)}\n`);
}
