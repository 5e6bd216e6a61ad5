/**
 * GET /search at growing sizes of one organization beside its two raw engine queries, the vector scan beside a plain
 * loop, and the memory all of it takes; everything in this one process, on the same data.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Host, openHost } from "../../infra/local/host.ts";
import { loadConfig } from "../../shared/kernel/config.ts";
import { VectorMatrix } from "../../shared/platform/local/vectors/matrix.ts";
import { VectorPool } from "../../shared/platform/local/vectors/pool.ts";
import { selectBest } from "../../shared/platform/local/vectors/select.ts";
import { queryTerms } from "../../shared/retrieval/text.ts";
import { createClient, type Service } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { type Figure, readable, report } from "./report.ts";
import { timeTogether } from "./timing.ts";

const SIZES = [10_000, 100_000];
const BATCH_SIZE = 100;
const QUERIES = 200;
const SCANS = 40;
/** More than the service gives one organization, so that the raw queries are at their best. */
const RAW_PAGE_CACHE_KIB = 64 * 1024;
/** Hits that each query of a search asks its engine for. */
const POOL = 100;
const BARE_OPTIONS = { extract_facts: false, extract_entities: false, compress: false };

const folder = mkdtempSync(path.join(tmpdir(), "memory-service-bench-"));
const host = await openHost(loadConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "warn" }));
const service = createClient("http://localhost", host.firstKey.secret, (request) => host.app.fetch(request));
const text = new Generator(3);
const figures: Figure[] = [];
let stored = 0;
for (const size of SIZES) {
  for (; stored < size; stored += BATCH_SIZE) await storeBatch(service);
  figures.push(...(await measureSearch(host, service, size)));
}
await host.close();
rmSync(folder, { recursive: true, force: true });
report(figures);

async function storeBatch(service: Service): Promise<void> {
  const memories = Array.from({ length: BATCH_SIZE }, () => ({ content: text.memory(), user_id: "bench" }));
  const { status, body } = await service.request("POST", "/memories/batch", {
    body: { memories, options: BARE_OPTIONS },
  });
  if (status !== 201 || body.data.failed.length > 0) throw new Error(JSON.stringify(body));
}

async function measureSearch(host: Host, service: Service, size: number): Promise<Figure[]> {
  const questions = new Generator(size);
  const asked = Array.from({ length: QUERIES * 2 }, () => questions.question());
  const vectors = await host.home.ports.embedder.embed(asked);
  const resident = await residentAfterSearching(service, asked);
  const engines = openEngines(vectors[0]?.length ?? 0);
  const times = await timeTogether(QUERIES, {
    search: (run) => search(service, asked[run] ?? ""),
    words: (run) => engines.words(asked[run] ?? ""),
    vectors: (run) => engines.vectors(vectors[run] ?? new Float32Array()),
  });
  const scans = await timeTogether(SCANS, {
    kernel: (run) => engines.scan(vectors[run] ?? new Float32Array()),
    loop: (run) => engines.loop(vectors[run] ?? new Float32Array()),
  });
  engines.close();
  const ratio = (share: "p50" | "p95"): Figure => ({
    what: `GET /search at ${size} memories : FTS5 query + vector scan, ${share}`,
    value: times.search[share] / (times.words[share] + times.vectors[share]),
    unit: "x",
    ...(share === "p50" && { limit: { atMost: 1.5 } }),
    from: `${readable(times.search[share])} : ${readable(times.words[share])} + ${readable(times.vectors[share])} ms`,
  });
  const isLargest = size === SIZES.at(-1);
  return [
    ratio("p50"),
    ratio("p95"),
    {
      what: `vector scan of ${size} x ${vectors[0]?.length} : plain JavaScript loop, p50`,
      value: scans.kernel.p50 / scans.loop.p50,
      unit: "x",
      ...(isLargest && { limit: { atMost: 0.4 } }),
      from: `${readable(scans.kernel.p50)} : ${readable(scans.loop.p50)} ms`,
    },
    {
      what: `resident memory at ${size} memories, after ${QUERIES} searches`,
      value: resident / 2 ** 20,
      unit: "MB",
      ...(isLargest && { limit: { atMost: 700 } }),
    },
  ];
}

/** Of the whole process, which holds the client as well. */
async function residentAfterSearching(service: Service, asked: string[]): Promise<number> {
  for (const question of asked.slice(0, QUERIES)) await search(service, question);
  return process.memoryUsage.rss();
}

async function search(service: Service, question: string): Promise<void> {
  const { status, body } = await service.request(
    "GET",
    `/search?q=${encodeURIComponent(question)}&threshold=0&limit=10`,
  );
  if (status !== 200 || body.data.results.length === 0) throw new Error(`${question}: ${JSON.stringify(body)}`);
}

/** The least that the two engines must do for a search, on a connection and a matrix of their own. */
function openEngines(dimensions: number) {
  const [file] = readdirSync(path.join(folder, "search")).filter((name) => name.endsWith(".db"));
  const database = new DatabaseSync(path.join(folder, "search", file ?? ""), { readOnly: true });
  database.exec(`PRAGMA cache_size = -${RAW_PAGE_CACHE_KIB}`);
  const match = database.prepare("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?");
  const rows = database.prepare("SELECT doc, vector FROM vectors").all() as { doc: number; vector: Uint8Array }[];
  const matrix = new VectorMatrix(
    new VectorPool(dimensions, rows.length * dimensions * Float32Array.BYTES_PER_ELEMENT * 2),
  );
  matrix.load(rows.map(({ doc, vector }) => ({ key: doc, vector })));
  const flat = new Float32Array(rows.length * dimensions);
  for (const [row, { vector }] of rows.entries()) {
    flat.set(new Float32Array(vector.slice().buffer), row * dimensions);
  }
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

/** Dot product of each row with the query. */
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
