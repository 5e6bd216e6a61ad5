/**
 * `npm run bench:ranking [-- --ablate --write]`: fits the weights of the ranking on the questions beside the project, judges
 * them on stories that were left out, prints with `--ablate` what each feature is worth, and with `--write` puts the
 * weights into shared/retrieval/ranking/weights.json.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { inBatches } from "../../shared/kernel/parallel.ts";
import { createOnnxEmbedder } from "../../shared/models/onnx/onnx-embedder.ts";
import { openLocalSearch } from "../../shared/platform/local/search.ts";
import type { Embedder, SearchIndex } from "../../shared/platform/ports.ts";
import { FEATURES, type Feature, featuresOf } from "../../shared/retrieval/ranking/features.ts";
import { readNeighbours, toCandidates } from "../../shared/retrieval/ranking/rank.ts";
import { type Example, fit, judge, product, toVector, type Weights } from "./ranking/fit.ts";
import { NO_QUESTIONS, type Question, type QuestionSet, readQuestionSets, type Stored } from "./ranking/questions.ts";

/** What published experiments on other conversations suggest; the fit starts here and is pulled back to it. */
const PRIOR: Weights = {
  keyword: 3.3,
  meaning: 3.5,
  previousKeyword: 2,
  nextKeyword: 0.5,
  nextMeaning: 0.2,
  fartherKeyword: 1,
  session: 4,
  question: -0.8,
  assistant: -1,
  assistantAsked: 2,
  subject: 2,
  length: 2,
  short: 0,
  recent: 0,
  recentNow: 0,
};
const PULL = 0.01;
/** Each story is left out alone; to tell what a feature is worth, a quarter of them at a time. */
const FOLDS = 12;
const ABLATION_FOLDS = 4;
const POOL = 100;
const BATCH = 64;
/** Score from which a memory is worth showing, and the share of the evidence in conversations that may be below it. */
const CONVERSATIONS = "life";
const THRESHOLD = 0.7;
const BELOW = 0.02;
/** How fast scores come near 1: slow enough that the best of an answer stay apart. */
const SLOPE = 0.3;
const WEIGHTS_FILE = fileURLToPath(new URL("../../shared/retrieval/ranking/weights.json", import.meta.url));
const MODEL = fileURLToPath(new URL("../../models/minilm-bge-small", import.meta.url));

const { values: options } = parseArgs({
  options: { write: { type: "boolean", default: false }, ablate: { type: "boolean", default: false } },
});
const sets = readQuestionSets();
if (sets.length === 0) console.log(`skipped: ${NO_QUESTIONS}`);
else await main();

async function main(): Promise<void> {
  const bySet = new Map<string, Example[]>();
  for (const set of sets) bySet.set(set.name, await examplesOf(set));
  console.log("| Features | Set | hit@1 | hit@5 | recall@5 | recall@10 |\n|---|---|---|---|---|---|");
  report("keyword alone", bySet, () => only("keyword"));
  report("meaning alone", bySet, () => only("meaning"));
  report("all", bySet, leavingOut(bySet, FOLDS));
  for (const name of options.ablate ? FEATURES : []) {
    report(`without ${name}`, without(bySet, name), leavingOut(without(bySet, name), ABLATION_FOLDS));
  }
  const all = [...bySet.values()].flat();
  const weights = fit(all, PRIOR, PULL);
  const rounded = Object.fromEntries(FEATURES.map((name) => [name, round(weights[name])])) as Weights;
  const middle = round(
    lowEvidence(bySet.get(CONVERSATIONS) ?? all, rounded) - Math.log(THRESHOLD / (1 - THRESHOLD)) / SLOPE,
  );
  const fitted = { weights: rounded, slope: SLOPE, middle };
  console.log(JSON.stringify(fitted, undefined, 2));
  if (options.write) writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fitted, undefined, 2)}\n`);
}

/** Each question's candidates with their features, as a search of an index that holds the set's texts finds them. */
async function examplesOf({ stored, questions, share }: QuestionSet): Promise<Example[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "ranking-"));
  const embedder = createOnnxEmbedder({ folder: MODEL });
  const index = openLocalSearch({ folder, embedder, embedsLater: false, clock: Date.now, logger: silentLogger });
  try {
    for (const batch of inBatches(stored, BATCH)) await store(index, embedder, batch);
    const examples: Example[] = [];
    for (const question of questions) {
      examples.push({ ...(await exampleOf(index, embedder, question)), weight: share / questions.length });
    }
    return examples;
  } finally {
    index.close();
    embedder.close();
    rmSync(folder, { recursive: true });
  }
}

async function store(index: SearchIndex, embedder: Embedder, batch: Stored[]): Promise<void> {
  const contents = batch.map(({ content }) => content);
  const embeddings = await embedder.embed(contents, { purpose: "passage" });
  const sizes = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
  await index.upsert(
    batch.map(({ id, user, content, created_at, session, speaker }, place) => ({
      org: "fit",
      id,
      version: 1,
      content,
      user_id: user,
      session_id: session,
      metadata: { speaker: speaker ?? null },
      entity_ids: [],
      created_at,
      updated_at: created_at,
      ...sizes,
      embedding: embeddings[place],
    })),
  );
}

async function exampleOf(index: SearchIndex, embedder: Embedder, question: Question): Promise<Omit<Example, "weight">> {
  const { text, user, evidence, group } = question;
  const [vector] = await embedder.embed([text], { purpose: "query" });
  const scope = { org: "fit", filters: { user_id: [user] }, now: Date.now() };
  const semantic = vector && { vector, limit: POOL };
  const answer = await index.search({ ...scope, semantic, keyword: { text, limit: POOL } });
  const found = toCandidates(embedder, answer);
  const features = featuresOf({ query: text, now: scope.now }, found, await readNeighbours(index, found, scope));
  const candidates = found.flatMap(({ id }, place) => {
    const own = features[place];
    return own === undefined ? [] : [{ features: toVector(own), isEvidence: evidence.includes(id) }];
  });
  return { group, candidates, evidence: evidence.length };
}

function report(title: string, bySet: Map<string, Example[]>, weightsOf: (set: string, example: Example) => Weights) {
  for (const [set, examples] of bySet) {
    const { hit1, hit5, recall5, recall10 } = judge(examples, (example) => weightsOf(set, example));
    console.log(
      `| ${[title, set, ...[hit1, hit5, recall5, recall10].map((figure) => figure.toFixed(3))].join(" | ")} |`,
    );
  }
}

/** Weights fitted on everything but the example's own fold, which no group is divided by. */
function leavingOut(bySet: Map<string, Example[]>, folds: number): (set: string, example: Example) => Weights {
  const foldOf = new Map(
    [...bySet].flatMap(([set, examples]) =>
      [...new Set(examples.map(({ group }) => group))].map((group, place) => [`${set} ${group}`, place % folds]),
    ),
  );
  const isIn = (fold: number, set: string, { group }: Example) => foldOf.get(`${set} ${group}`) === fold;
  const fitted = Array.from({ length: folds }, (_, fold) => {
    const others = [...bySet].flatMap(([set, examples]) => examples.filter((one) => !isIn(fold, set, one)));
    return fit(others, PRIOR, PULL);
  });
  return (set, example) => fitted[foldOf.get(`${set} ${example.group}`) ?? 0] ?? PRIOR;
}

function without(bySet: Map<string, Example[]>, name: Feature): Map<string, Example[]> {
  const hidden = FEATURES.indexOf(name);
  const blind = (example: Example): Example => ({
    ...example,
    candidates: example.candidates.map((one) => ({ ...one, features: one.features.with(hidden, 0) })),
  });
  return new Map([...bySet].map(([set, examples]) => [set, examples.map(blind)]));
}

function only(name: Feature): Weights {
  return Object.fromEntries(FEATURES.map((one) => [one, one === name ? 1 : 0])) as Weights;
}

/** The sum that so few of the evidence among the first five are below. */
function lowEvidence(examples: Example[], weights: Weights): number {
  const vector = toVector(weights);
  const sums = examples.flatMap(({ candidates }) =>
    candidates
      .map(({ features, isEvidence }) => ({ sum: product(features, vector), isEvidence }))
      .sort((a, b) => b.sum - a.sum)
      .slice(0, 5)
      .flatMap(({ sum, isEvidence }) => (isEvidence ? [sum] : [])),
  );
  return sums.sort((a, b) => a - b)[Math.floor(sums.length * BELOW)] ?? 0;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
