import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Figure } from "../report.ts";
import { rankByBm25 } from "./bm25.ts";
import { SKILLS } from "./finding-cases.ts";
import { type FitModel, fitModel } from "./fit.ts";
import { halfOf, observe, type StoredSkills, storeSkills } from "./measure.ts";

const FIT_FILE = fileURLToPath(new URL("../../../shared/domain/agents/skills/fit.json", import.meta.url));

const TUNED = 0;
const KEPT_APART = 1;
const MIN_FIRST = 70;
const MIN_SHARE_OF_THREE = 90;
const MAX_ALARMS = 10;

type Find = (request: string) => Promise<string[]> | string[];

/** Fits the model of shared/domain/agents/skills/fit.json on one half of the requests, for each kind of embedder. */
export async function writeFit(): Promise<void> {
  const models: Record<string, FitModel> = {};
  for (const [kind, embedder] of Object.entries({ dense: "onnx", lexical: "lexical" })) {
    const stored = await storeSkills(embedder);
    models[kind] = fitModel(await observe(stored, TUNED));
    await stored.service.close();
  }
  writeFileSync(FIT_FILE, `${JSON.stringify(models, undefined, 2)}\n`);
}

/** Measures how often the matching skill is found for the half of the requests that nothing was tuned on. */
export async function measureFinding(): Promise<Figure[]> {
  const stored = await storeSkills("onnx");
  const texts = new Map(SKILLS.map(({ name, trigger, action }) => [name, `${name} ${trigger} ${action}`]));
  const figures = [
    ...(await judge("GET /skills/search", (request) => search(stored, request), true)),
    ...(await judge("POST /skills/suggest", (request) => suggest(stored, request), true)),
    ...(await judge("BM25 of name, trigger, action", (request) => rankByBm25(texts, request), false)),
  ];
  await stored.service.close();
  return figures;
}

async function judge(what: string, find: Find, isLimited: boolean): Promise<Figure[]> {
  const { paraphrases, unrelated } = halfOf(KEPT_APART);
  let [first, ofThree, alarms] = [0, 0, 0];
  for (const [request, skill] of paraphrases) {
    const found = await find(request);
    first += Number(found[0] === skill);
    ofThree += Number(found.slice(0, 3).includes(skill));
  }
  for (const request of unrelated) alarms += Number((await find(request)).length > 0);
  const figure = (name: string, count: number, of: number, limit: NonNullable<Figure["limit"]>): Figure => ({
    what: `${what}: ${name}`,
    value: (100 * count) / of,
    unit: "%",
    from: `${count} of ${of}`,
    ...(isLimited && { limit }),
  });
  return [
    figure("hit@1", first, paraphrases.length, { atLeast: MIN_FIRST }),
    figure("hit@3", ofThree, paraphrases.length, { atLeast: MIN_SHARE_OF_THREE }),
    figure("false alarms", alarms, unrelated.length, { atMost: MAX_ALARMS }),
  ];
}

async function search({ service, key }: StoredSkills, request: string): Promise<string[]> {
  const { status, body } = await service.request("GET", `/skills/search?trigger=${encodeURIComponent(request)}`, {
    key,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.results.map(({ name }: { name: string }) => name);
}

/** Returns the suggested existing skills, without drafts of new ones. */
async function suggest({ service, key }: StoredSkills, request: string): Promise<string[]> {
  const given = { key, body: { trigger: request, context: request } };
  const { status, body } = await service.request("POST", "/skills/suggest", given);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const suggestions: { name: string; source: string }[] = body.data.suggestions;
  return suggestions.flatMap(({ name, source }) => (source === "existing" ? [name] : []));
}
