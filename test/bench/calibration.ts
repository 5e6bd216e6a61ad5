/**
 * `npm run bench:calibration [-- --model FOLDER … --write]`: fits how a search's confidence follows from its hits, on
 * the question sets in ../shared/bench, leaving out each question's story. Prints the reliability with the default
 * model, with the lexical embedder and with the models in other folders. `--write` writes the fit to
 * shared/domain/retrieval/ranking/calibration.json and the tables to docs/research.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { createOnnxEmbedder } from "../../shared/domain/models/onnx/onnx-embedder.ts";
import current from "../../shared/domain/retrieval/ranking/calibration.json" with { type: "json" };
import ranking from "../../shared/domain/retrieval/ranking/weights.json" with { type: "json" };
import type { CosineBackground, Embedder } from "../../shared/ports/embedder.ts";
import { type Calibration, calibrate, leavingOut, type Observation, observe } from "./ranking/calibrate.ts";
import { type Searched, searchSet } from "./ranking/examples.ts";
import { NO_QUESTIONS, type QuestionSet, readQuestionSets } from "./ranking/questions.ts";
import { curveTable, type Judged, reliabilityTable } from "./ranking/reliability.ts";
import { withUnanswerable } from "./ranking/unanswerable.ts";

const CALIBRATION_FILE = fileURLToPath(
  new URL("../../shared/domain/retrieval/ranking/calibration.json", import.meta.url),
);
const DOCUMENT = fileURLToPath(new URL("../../docs/research.md", import.meta.url));
const DEFAULT_MODEL = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));
const TABLES = /(?<=<!-- npm run bench:calibration -->\n).*?(?=<!-- end -->)/s;

const { values: options } = parseArgs({
  options: { write: { type: "boolean", default: false }, model: { type: "string", multiple: true, default: [] } },
});
const sets = readQuestionSets();
if (sets.length === 0) console.log(`skipped: ${NO_QUESTIONS}`);
else await main();

interface Model {
  name: string;
  observations: Observation[];
  /** Measured on the questions about people and the memories that do not answer them. */
  background: CosineBackground;
}

async function main(): Promise<void> {
  const dense = [await measureFolder(DEFAULT_MODEL)];
  for (const folder of options.model) dense.push(await measureFolder(folder));
  const lexical = [await measure("lexical", createLexicalEmbedder())];
  const models = [...dense, ...lexical];
  const [ofDense, ofLexical] = [dense, lexical].map(fitFirst);
  const judged = [...(ofDense?.judged ?? []), ...(ofLexical?.judged ?? [])];
  // What semantic-score.ts fits stays.
  const calibration = {
    dense: { ...ofDense?.calibration, semantic: current.dense.semantic },
    lexical: { ...ofLexical?.calibration, semantic: current.lexical.semantic },
  };
  const tables = `\n${reliabilityTable(judged)}\n\n${curveTable(judged)}\n\n`;
  console.log(tables);
  for (const { name, background } of models)
    console.log(`background of ${name}, measured: ${JSON.stringify(background)}`);
  const json = JSON.stringify(calibration, undefined, 2);
  console.log(json);
  if (!options.write) return;
  writeFileSync(CALIBRATION_FILE, `${json}\n`);
  writeFileSync(
    DOCUMENT,
    readFileSync(DOCUMENT, "utf8").replace(TABLES, () => tables),
  );
}

/** Returns the calibration fitted on the first model, and all models judged by it. */
function fitFirst(models: Model[]): { calibration: Calibration; judged: Judged[] } {
  const fitted = models[0]?.observations ?? [];
  const { calibration, toScale } = calibrate(fitted);
  const judged = models.map(({ name, observations }) => {
    return {
      name,
      observations,
      odds: leavingOut(fitted, observations).map(toScale),
      confident: calibration.confident,
    };
  });
  return { calibration, judged };
}

async function measureFolder(folder: string): Promise<Model> {
  const embedder = createOnnxEmbedder({ folder });
  try {
    return await measure(embedder.id.split(":")[1] ?? folder, embedder);
  } finally {
    embedder.close();
  }
}

async function measure(name: string, embedder: Embedder): Promise<Model> {
  const observations: Observation[] = [];
  const cosines: number[] = [];
  for (const set of sets) {
    const searched = await searchAll(embedder, set);
    observations.push(
      ...searched.map((one) =>
        observe(embedder, { set: set.name, weights: embedder.isLexical ? ranking.lexical : ranking.dense }, one),
      ),
    );
    if (set.people) cosines.push(...searched.flatMap(unrelatedCosines));
  }
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const deviation = Math.sqrt(cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / cosines.length);
  return { name, observations, background: { mean: round(mean), deviation: round(deviation) } };
}

async function searchAll(embedder: Embedder, set: QuestionSet) {
  const questions = withUnanswerable(set);
  const searched = await searchSet(embedder, { stored: set.stored, questions });
  return searched.flatMap((one, index) => {
    const question = questions[index];
    return question === undefined ? [] : [{ ...one, question }];
  });
}

function unrelatedCosines({ question: { evidence }, answer: { semantic } }: Searched): number[] {
  return semantic.flatMap(({ id, score }) => (evidence.includes(id) ? [] : [2 * score - 1]));
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
