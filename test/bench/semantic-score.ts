/**
 * `npm run bench:semantic [-- --write]`: fits how likely a memory answers a question that is as near to it in meaning, on
 * the stories in ../shared/bench and on the accounts of answerable/fit.txt and development.txt, whose authors differ.
 * Prints the fit to each and to both. `--write` writes the one to both to shared/domain/retrieval/ranking/calibration.json.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { createOnnxEmbedder } from "../../shared/domain/models/onnx/onnx-embedder.ts";
import type { Embedder } from "../../shared/ports/embedder.ts";
import { type AccountFile, askedOfAccounts } from "./answerable/accounts.ts";
import { type Searched, searchSet } from "./ranking/examples.ts";
import { fitLogistic, type Row } from "./ranking/logistic.ts";
import { NO_QUESTIONS, type QuestionSet, readQuestionSets } from "./ranking/questions.ts";
import { withUnanswerable } from "./ranking/unanswerable.ts";

const FILE = fileURLToPath(new URL("../../shared/domain/retrieval/ranking/calibration.json", import.meta.url));
const MODEL = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));
/** Number of the nearest memories that are taken as not answering an unanswerable question. */
const NEAREST = 5;
/** Share of the fitted slope that is used: with the whole, words would hardly count beside it in hybrid search. */
const SLOPE_SHARE = 0.3;
const ACCOUNTS: AccountFile[] = ["fit", "development"];

interface Pairs {
  /** The meaning of the nearest memory that answers each question, and of the nearest ones to questions that none answers. */
  answering: number[];
  others: number[];
}

const { values: options } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const stories = readQuestionSets().find(({ name }) => name === "life");
if (stories === undefined) console.log(`skipped: ${NO_QUESTIONS}`);
else await main(stories);

async function main(set: QuestionSet): Promise<void> {
  const onnx = createOnnxEmbedder({ folder: MODEL });
  const dense = await fitBoth("dense", onnx, set).finally(() => onnx.close());
  const lexical = await fitBoth("lexical", createLexicalEmbedder(), set);
  if (!options.write) return;
  const calibration = JSON.parse(readFileSync(FILE, "utf8"));
  const written = {
    dense: { ...calibration.dense, semantic: dense },
    lexical: { ...calibration.lexical, semantic: lexical },
  };
  writeFileSync(FILE, `${JSON.stringify(written, undefined, 2)}\n`);
}

async function fitBoth(name: string, embedder: Embedder, set: QuestionSet) {
  const ofStories = pairsOf(await searchSet(embedder, { ...set, questions: withUnanswerable(set) }));
  const ofAccounts = pairsOf(await searchSet(embedder, askedOfAccounts(ACCOUNTS)));
  const fits = { stories: fit([ofStories]), accounts: fit([ofAccounts]), both: fit([ofStories, ofAccounts]) };
  console.log(name);
  console.table(fits);
  return { ...fits.both, slope: round(SLOPE_SHARE * fits.both.slope) };
}

function pairsOf(searched: Searched[]): Pairs {
  const meaningsOf = ({ question: { evidence }, found }: Searched) =>
    found
      .filter(({ id }) => evidence.length === 0 || evidence.includes(id))
      .map(({ meaning }) => meaning)
      .toSorted((a, b) => b - a);
  const [answerable = [], unanswerable = []] = [true, false].map((is) =>
    searched.filter(({ question }) => question.evidence.length > 0 === is).map(meaningsOf),
  );
  return {
    answering: answerable.flatMap((meanings) => meanings.slice(0, 1)),
    others: unanswerable.flatMap((meanings) => meanings.slice(0, NEAREST)),
  };
}

/** Fits to the pairs of each author, of which those that answer and the others weigh the same. */
function fit(authors: Pairs[]): { slope: number; middle: number } {
  const rowsOf = (meanings: number[], y: boolean): Row[] =>
    meanings.map((meaning) => ({ x: [meaning], y, weight: 1 / meanings.length }));
  const rows = authors.flatMap(({ answering, others }) => [...rowsOf(answering, true), ...rowsOf(others, false)]);
  const { weights, intercept } = fitLogistic(rows);
  const [slope = 0] = weights;
  return { slope: round(slope), middle: round(-intercept / slope) };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
