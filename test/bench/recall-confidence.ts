/**
 * `npm run bench:confidence [-- --write]`: fits when a recall is confident, on the stories in ../shared/bench and on the
 * accounts of answerable/fit.txt, leaving out each question's story or account. Prints how many questions of each kind it considers answered, by the signals used.
 * `--write` writes the fit to shared/domain/retrieval/recall/confidence.json.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { createOnnxEmbedder } from "../../shared/domain/models/onnx/onnx-embedder.ts";
import { type Asked as AskedSlots, askedOf } from "../../shared/domain/retrieval/ranking/asked.ts";
import { SIGNALS as SEARCH_SIGNALS } from "../../shared/domain/retrieval/ranking/confidence.ts";
import type { KnownFact } from "../../shared/domain/retrieval/ranking/held-slots.ts";
import ranking from "../../shared/domain/retrieval/ranking/weights.json" with { type: "json" };
import { recallSignalsOf, SIGNALS, type Signals } from "../../shared/domain/retrieval/recall/confidence.ts";
import { nearestOf } from "../../shared/domain/retrieval/recall/recall.ts";
import { logistic } from "../../shared/kernel/math.ts";
import { words } from "../../shared/kernel/text/text.ts";
import type { Embedder } from "../../shared/ports/embedder.ts";
import { askedOfAccounts, groupOf, readAccounts } from "./answerable/accounts.ts";
import { lowest } from "./ranking/calibrate.ts";
import { type Searched, searchSet } from "./ranking/examples.ts";
import { product, toVector, type Weights } from "./ranking/fit.ts";
import { fitLogistic } from "./ranking/logistic.ts";
import { LOOK_UPS } from "./ranking/look-ups.ts";
import { NO_QUESTIONS, type QuestionSet, readQuestionSets, type Stored } from "./ranking/questions.ts";
import { readFacts } from "./ranking/read-facts.ts";
import { type Asked, withUnanswerable } from "./ranking/unanswerable.ts";

const FILE = fileURLToPath(new URL("../../shared/domain/retrieval/recall/confidence.json", import.meta.url));
const MODEL = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));
/** Share of the answerable questions for which a recall may be unsure. */
const MAX_UNKNOWN = 0.03;
/** Total weight of the questions of a kind. */
const SHARES: Record<Kind, number> = {
  answerable: 0.6,
  "answerable of accounts": 0.6,
  made: 0.1,
  lookup: 0.4,
  borrowed: 0.25,
  "near miss": 0.7,
  unrelated: 0.5,
};
const APART = ["apartBrief", "apartAsked"] as const;
const VALUE = ["asksValue", "nearWithoutValue"] as const;
/** Sets of signals that are compared. */
const COMPARED: Record<string, readonly (keyof Signals)[]> = {
  "those of searches": SEARCH_SIGNALS,
  "and apart": [...SEARCH_SIGNALS, ...APART],
  "and the value that is asked for": [...SEARCH_SIGNALS, ...APART, ...VALUE],
  "and names that no memory holds": [...SEARCH_SIGNALS, ...APART, ...VALUE, "unheldName"],
  "and words that no memory holds": SIGNALS.filter((name) => name !== "slotHeld"),
  "and the asked slot": SIGNALS,
};

type Kind = "answerable" | "answerable of accounts" | "made" | "lookup" | "borrowed" | "near miss" | "unrelated";

interface Observation {
  text: string;
  group: string;
  kind: Kind;
  signals: Signals;
}

interface Fit {
  signals: Partial<Signals>;
  intercept: number;
  confident: number;
}

const { values: options } = parseArgs({
  options: { write: { type: "boolean", default: false }, verbose: { type: "boolean", default: false } },
});
const stories = readQuestionSets().find(({ name }) => name === "life");
if (stories === undefined) console.log(`skipped: ${NO_QUESTIONS}`);
else await main(stories);

async function main(set: QuestionSet): Promise<void> {
  const onnx = createOnnxEmbedder({ folder: MODEL });
  const dense = await observeAll(onnx, set).finally(() => onnx.close());
  const lexical = await observeAll(createLexicalEmbedder(), set);
  for (const [name, observations] of Object.entries({ dense, lexical })) {
    console.log(`${name}, not confident, share of the questions of each kind; their story left out`);
    const rows = Object.entries(COMPARED).map(([by, signals]) => [by, sharesUnsure(observations, signals)] as const);
    console.table(Object.fromEntries(rows));
  }
  if (options.verbose) printErrors(dense);
  const fitted = { dense: rounded(fit(dense, SIGNALS)), lexical: rounded(fit(lexical, SIGNALS)) };
  const json = JSON.stringify(fitted, undefined, 2);
  console.log(json);
  if (options.write) writeFileSync(FILE, `${json}\n`);
}

async function observeAll(embedder: Embedder, set: QuestionSet): Promise<Observation[]> {
  return [...(await observeStories(embedder, set)), ...(await observeAccounts(embedder))];
}

async function observeAccounts(embedder: Embedder): Promise<Observation[]> {
  const asked = readAccounts("fit").flatMap(({ id, questions }) => questions.map((one) => ({ ...one, user: id })));
  const set = askedOfAccounts(["fit"]);
  const searched = await searchSet(embedder, set);
  const known = await knownTo(embedder, set.stored, searched);
  return searched.flatMap((one, index): Observation[] => {
    const question = asked[index];
    if (question === undefined) return [];
    const group = groupOf(question);
    const kind = group === "answerable" ? "answerable of accounts" : group;
    return [observationOf(embedder, one, { text: question.text, group: question.user, kind }, known(one), new Set())];
  });
}

function observationOf(
  embedder: Embedder,
  one: Searched,
  about: Omit<Observation, "signals">,
  known: { slots: AskedSlots | undefined; facts: KnownFact[] },
  ownNames: ReadonlySet<string>,
): Observation {
  const ranked = rankedOf(one, embedder.isLexical ? ranking.lexical : ranking.dense);
  const found = { question: one.asked, answer: one.answer, ranked, ownNames, ...known };
  return { ...about, signals: recallSignalsOf(embedder, found) };
}

async function observeStories(embedder: Embedder, set: QuestionSet): Promise<Observation[]> {
  const lookups = Object.entries(LOOK_UPS).flatMap(([user, texts]) =>
    texts.map((text) => ({ text, user, group: user, evidence: [], kind: "lookup" as const })),
  );
  const questions: (Omit<Asked, "kind"> & { kind: Kind | "hidden" })[] = [...withUnanswerable(set), ...lookups];
  const people = new Map(set.people?.map(({ user, name }) => [user, new Set(words(name).map(({ folded }) => folded))]));
  const searched = await searchSet(embedder, { stored: set.stored, questions });
  const known = await knownTo(embedder, set.stored, searched);
  return searched.flatMap((one, index) => {
    const { kind = "hidden", group = "", user = "", text = "" } = questions[index] ?? {};
    if (kind === "hidden") return [];
    return [observationOf(embedder, one, { text, group, kind }, known(one), people.get(user) ?? new Set())];
  });
}

/** Returns a function that returns the slots that a question asks for, and the facts of its nearest hits. */
async function knownTo(embedder: Embedder, stored: Stored[], searched: Searched[]) {
  const texts = searched.map(({ question }) => question.text);
  const vectors = embedder.isLexical ? [] : await embedder.embed(texts, { purpose: "query" });
  const facts = vectors.length === 0 ? new Map<string, KnownFact[]>() : await readFacts(stored);
  const slots = new Map(texts.map((text, index) => [text, askedOf(embedder.id, vectors[index])]));
  return ({ question, answer }: Searched) => ({
    slots: slots.get(question.text),
    facts: nearestOf(answer).flatMap((id) => facts.get(id) ?? []),
  });
}

function rankedOf({ found, features }: Searched, weights: Weights): Searched["found"] {
  const vector = toVector(weights);
  const sums = found.map((hit, index) => {
    const own = features[index];
    return { ...hit, sum: own === undefined ? 0 : product(toVector(own), vector) };
  });
  return sums.sort((one, other) => other.sum - one.sum);
}

function fit(observations: Observation[], signals: readonly (keyof Signals)[]): Fit {
  const sizes = new Map<Kind, number>();
  for (const { kind } of observations) sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
  const { weights, intercept } = fitLogistic(
    observations.map(({ kind, signals: own }) => ({
      x: signals.map((name) => own[name]),
      y: isAnswerable(kind),
      weight: SHARES[kind] / (sizes.get(kind) ?? 1),
    })),
  );
  const fitted = {
    signals: Object.fromEntries(signals.map((name, i) => [name, weights[i] ?? 0])),
    intercept,
    confident: 0,
  };
  const answerable = observations.filter(({ kind }) => isAnswerable(kind)).map((one) => scoreOf(fitted, one));
  return { ...fitted, confident: lowest(answerable, MAX_UNKNOWN) };
}

function isAnswerable(kind: Kind): boolean {
  return kind === "answerable" || kind === "answerable of accounts";
}

function scoreOf({ signals, intercept }: Fit, observation: Observation): number {
  const terms = Object.entries(signals).map(([name, weight]) => weight * observation.signals[name as keyof Signals]);
  return logistic(terms.reduce((sum, term) => sum + term, intercept));
}

/** Returns each observation, and whether a fit without its story is confident that it has an answer. */
function judge(observations: Observation[], signals: readonly (keyof Signals)[]) {
  return [...Map.groupBy(observations, ({ group }) => group)].flatMap(([group, own]) => {
    const fitted = fit(
      observations.filter((one) => one.group !== group),
      signals,
    );
    return own.map((one) => ({ one, isSure: scoreOf(fitted, one) >= fitted.confident }));
  });
}

function sharesUnsure(observations: Observation[], signals: readonly (keyof Signals)[]): Record<string, number> {
  const byKind = Map.groupBy(judge(observations, signals), ({ one }) => one.kind);
  const share = (judged: { isSure: boolean }[]) => judged.filter(({ isSure }) => !isSure).length / judged.length;
  return Object.fromEntries([...byKind].map(([kind, judged]) => [kind, Number(share(judged).toFixed(3))]));
}

function printErrors(observations: Observation[]): void {
  for (const { one, isSure } of judge(observations, SIGNALS)) {
    if (isAnswerable(one.kind) ? !isSure : one.kind !== "borrowed" && isSure)
      console.log(one.kind, one.text, one.signals);
  }
}

function rounded({ signals, intercept, confident }: Fit): Fit {
  const round = (value: number) => Number(value.toFixed(3));
  const rows = Object.entries(signals).map(([name, value]) => [name, round(value)]);
  return { signals: Object.fromEntries(rows), intercept: round(intercept), confident: round(confident) };
}
