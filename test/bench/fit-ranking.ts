/**
 * `npm run bench:ranking [-- --ablate --write]`: fits the weights of the ranking on the question sets in
 * ../shared/bench, and judges them on held-out stories. `--ablate` prints how much each feature contributes; `--write`
 * writes the weights of semantic models to shared/domain/retrieval/ranking/weights.json; those of the lexical
 * embedder were fitted with another model and stay. Run `npm run bench:calibration -- --write`
 * afterwards to fit the scores to them.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { FEATURES, type Feature } from "../../shared/domain/retrieval/ranking/features.ts";
import former from "../../shared/domain/retrieval/ranking/weights.json" with { type: "json" };
import { crowded } from "./ranking/crowd.ts";
import { toExample, withOnnx } from "./ranking/examples.ts";
import { type Example, fit, judge, type Weights } from "./ranking/fit.ts";
import { NO_QUESTIONS, readQuestionSets } from "./ranking/questions.ts";

/**
 * Weights suggested by published experiments on other conversations; the fit starts here and is regularized towards it.
 */
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
  assistantSaid: 1,
  subject: 2,
  thirdParty: -2,
  inTime: 2,
  nearTime: 0.5,
  namesTime: 1,
  timeWords: -3.5,
  timeAlone: 5,
};
const PULL = 0.01;
/** Each story is held out alone; for the ablation, a quarter of the stories at a time. */
const FOLDS = 12;
const ABLATION_FOLDS = 4;
const WEIGHTS_FILE = fileURLToPath(new URL("../../shared/domain/retrieval/ranking/weights.json", import.meta.url));
const MODEL = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));

const { values: options } = parseArgs({
  options: { write: { type: "boolean", default: false }, ablate: { type: "boolean", default: false } },
});
/** Weight of the questions about lives when other people's conversations are stored too. */
const CROWD_SHARE = 0.5;
const plain = readQuestionSets();
const sets = plain.flatMap((set) => (set.people ? [set, crowded(set, CROWD_SHARE)] : [set]));
if (sets.length === 0) console.log(`skipped: ${NO_QUESTIONS}`);
else await main();

async function main(): Promise<void> {
  const bySet = new Map<string, Example[]>();
  await withOnnx(MODEL, async (search) => {
    for (const set of sets) {
      const weight = set.share / set.questions.length;
      bySet.set(
        set.name,
        (await search(set)).map((searched) => toExample(searched, weight)),
      );
    }
  });
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
  const fitted = { ...former, dense: rounded };
  console.log(JSON.stringify(fitted, undefined, 2));
  if (options.write) writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fitted, undefined, 2)}\n`);
}

function report(title: string, bySet: Map<string, Example[]>, weightsOf: (set: string, example: Example) => Weights) {
  for (const [set, examples] of bySet) {
    const { hit1, hit5, recall5, recall10 } = judge(examples, (example) => weightsOf(set, example));
    console.log(
      `| ${[title, set, ...[hit1, hit5, recall5, recall10].map((figure) => figure.toFixed(3))].join(" | ")} |`,
    );
  }
}

/** Returns the weights fitted without the example's own fold; folds do not split groups. */
function leavingOut(bySet: Map<string, Example[]>, folds: number): (set: string, example: Example) => Weights {
  const foldOf = new Map(
    [...bySet].flatMap(([set, examples]) =>
      [...new Set(examples.map(({ group }) => group))].map((group, index) => [`${set} ${group}`, index % folds]),
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

function round(value: number): number {
  return Number(value.toFixed(2));
}
