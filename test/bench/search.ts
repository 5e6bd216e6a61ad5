/**
 * Measures search by mode at growing sizes of one organization, relative to the raw engine queries that it consists of,
 * and its growth with the size; the vector scan relative to a plain loop; and the memory of all of it. Everything runs
 * in this process, on the same data.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { VectorMatrix } from "../../shared/adapters/local/vectors/matrix.ts";
import { VectorPool } from "../../shared/adapters/local/vectors/pool.ts";
import { vectorOfBytes } from "../../shared/adapters/local/vectors/quantized.ts";
import { selectBest } from "../../shared/adapters/local/vectors/select.ts";
import { queryTerms } from "../../shared/kernel/text/text.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { indexMemories } from "./indexed.ts";
import { type Figure, ratio, report } from "./report.ts";
import { sized } from "./sizes.ts";
import { type Timings, timeTogether } from "./timing.ts";

const SIZES = sized([1_000, 10_000, 100_000], [1_000, 10_000]);
const QUERIES = sized(200, 40);
const SCANS = 40;
/** More than the service gives one organization, so that the raw queries run at their best. */
const RAW_PAGE_CACHE_KIB = 64 * 1024;
/** Hits that each query of a search requests from its engine. */
const POOL = 100;
const LIMIT = 10;
/** The size to which most limits apply. */
const AIMED_AT = 100_000;
const MAX_OVER_ENGINES = { atMost: 1.5 };

const WORDS = "FTS5 query";
const VECTORS = "vector scan";
const BOTH = `${WORDS} + ${VECTORS}`;

/** The raw engines that a search mode needs, and its route. */
const MODES = {
  plain: { name: "GET /search (plain)", baseline: BOTH },
  semantic: { name: "POST /search/hybrid, semantic alone", baseline: VECTORS },
  keyword: { name: "POST /search/hybrid, keyword alone", baseline: WORDS },
  hybrid: { name: "POST /search/hybrid", baseline: BOTH },
  spreading: { name: "POST /search/enhanced (spreading)", baseline: BOTH },
} as const;

type Mode = keyof typeof MODES;
type Times = Record<Mode | "words" | "vectors", Timings>;

const modes = Object.keys(MODES) as Mode[];
const service = await openService();
const text = new Generator(7);
const figures: Figure[] = [];
const timesBySize = new Map<number, Times>();
let indexed = 0;
for (const size of SIZES) {
  await indexMemories(service.runtime, OPERATOR_ORG, text, size - indexed, indexed);
  indexed = size;
  figures.push(...(await measureAt(size)));
}
await service.close();
report([...figures, ...growth()]);

async function measureAt(size: number): Promise<Figure[]> {
  const questions = new Generator(size);
  const asked = Array.from({ length: QUERIES * 2 }, () => questions.question());
  const vectors = await service.runtime.ports.embedder.embed(asked, { purpose: "query" });
  for (const question of asked.slice(0, QUERIES)) await search("plain", question);
  const resident = process.memoryUsage.rss();
  const engines = await openEngines(vectors[0]?.length ?? 0);
  const question = (run: number) => asked[run] ?? "";
  const vector = (run: number) => vectors[run] ?? new Float32Array();
  const times: Times = await timeTogether(QUERIES, {
    words: (run) => engines.words(question(run)),
    vectors: (run) => engines.vectors(vector(run)),
    plain: (run) => search("plain", question(run)),
    semantic: (run) => search("semantic", question(run)),
    keyword: (run) => search("keyword", question(run)),
    hybrid: (run) => search("hybrid", question(run)),
    spreading: (run) => search("spreading", question(run)),
  });
  timesBySize.set(size, times);
  const scans = await timeTogether(SCANS, {
    kernel: (run) => engines.scan(vector(run)),
    loop: (run) => engines.loop(vector(run)),
  });
  engines.close();
  const isAim = size === AIMED_AT;
  const scan = `vector scan of ${size} x ${vectors[0]?.length}`;
  return [
    ...modes.map((mode) => modeFigure(mode, size, times)),
    ratio(`POST /search/enhanced at ${size} memories`, "POST /search/hybrid", [times.spreading, times.hybrid], {
      ...(isAim && { limit: { atMost: 3 }, headline: true }),
    }),
    ratio(scan, "plain JavaScript loop", [scans.kernel, scans.loop], { ...(isAim && { limit: { atMost: 0.4 } }) }),
    {
      what: `resident memory of the whole process at ${size} memories, after ${QUERIES} searches`,
      value: resident / 2 ** 20,
      unit: "MB",
      ...(isAim && { limit: { atMost: 700 }, headline: true }),
    },
  ];
}

function modeFigure(mode: Mode, size: number, times: Times): Figure {
  const { name, baseline } = MODES[mode];
  const isBounded = mode === "plain" && size !== SIZES[0];
  const what = `${name} at ${size} memories`;
  return ratio(what, baseline, [times[mode], engineTimes(mode, times)], {
    ...(isBounded && { limit: MAX_OVER_ENGINES }),
    headline: true,
  });
}

function engineTimes(mode: Mode, { words, vectors }: Times): Timings {
  if (mode === "keyword") return words;
  if (mode === "semantic") return vectors;
  return { mean: words.mean + vectors.mean, p50: words.p50 + vectors.p50, p95: words.p95 + vectors.p95 };
}

/** Compares each mode at the largest size with the same at the smallest. */
function growth(): Figure[] {
  const [smallest = 0, largest = 0] = [SIZES[0], SIZES.at(-1)];
  const [small, large] = [timesBySize.get(smallest), timesBySize.get(largest)];
  if (!small || !large) throw new Error("no size was measured");
  return modes.map((mode) =>
    ratio(`${MODES[mode].name} at ${largest} memories`, `the same at ${smallest}`, [large[mode], small[mode]]),
  );
}

async function search(mode: Mode, question: string): Promise<void> {
  const { status, body } = await ask(mode, question);
  if (status !== 200 || body.data.results.length === 0) throw new Error(`${mode} ${question}: ${JSON.stringify(body)}`);
}

function ask(mode: Mode, query: string) {
  const options = { limit: LIMIT, threshold: 0 };
  if (mode === "plain") {
    return service.request("GET", `/search?q=${encodeURIComponent(query)}&threshold=0&limit=${LIMIT}`);
  }
  if (mode === "spreading") {
    return service.request("POST", "/search/enhanced", { body: { query, options: { limit: LIMIT } } });
  }
  const weights = { semantic: 1, keyword: 0, hybrid: undefined }[mode];
  const weighed = weights === undefined ? {} : { semantic_weight: weights, keyword_weight: 1 - weights };
  return service.request("POST", "/search/hybrid", { body: { query, ...weighed, options } });
}

/** Opens the minimum that the two engines must do for a search, on a separate connection and matrix. */
async function openEngines(dimensions: number) {
  const folder = path.join(service.dataDir, "search");
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".db"));
  const database = new DatabaseSync(path.join(folder, file ?? ""), { readOnly: true });
  database.exec(`PRAGMA cache_size = -${RAW_PAGE_CACHE_KIB}`);
  const match = database.prepare("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?");
  const rows = database
    .prepare("SELECT doc, vector FROM vectors")
    .all()
    .map(({ doc, vector }) => ({ key: Number(doc), vector: vectorOfBytes(vector as Uint8Array) }));
  const matrix = new VectorMatrix(new VectorPool(dimensions, rows.length * dimensions * 4));
  await matrix.load([rows]);
  const flat = new Float32Array(rows.length * dimensions);
  for (const [row, { vector }] of rows.entries()) flat.set(vector, row * dimensions);
  return {
    words: (question: string) =>
      match.all(
        queryTerms(question)
          .map((term) => `"${term}"`)
          .join(" OR "),
        POOL,
      ),
    vectors: (vector: Float32Array) => selectBest(matrix.scoreAll(vector), POOL),
    scan: (vector: Float32Array) => matrix.scoreAll(vector),
    loop: (vector: Float32Array) => scoreRows(flat, vector),
    close: () => database.close(),
  };
}

/** Returns the dot product of each row with the query. */
function scoreRows(matrix: Float32Array, query: Float32Array): Float32Array {
  const dimensions = query.length;
  const scores = new Float32Array(matrix.length / dimensions);
  for (let row = 0; row < scores.length; row++) {
    const start = row * dimensions;
    let sum = 0;
    for (let column = 0; column < dimensions; column++) sum += (matrix[start + column] ?? 0) * (query[column] ?? 0);
    scores[row] = sum;
  }
  return scores;
}
