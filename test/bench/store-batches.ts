/**
 * POST /memories/batch of 100 memories over HTTP, with and without built-in extraction, searchable when it answers;
 * relative to a bare route that writes the same memories in one durable transaction.
 */
import { AS_IT_IS, Generator } from "./corpus.ts";
import { type Figure, ratio, readable, report } from "./report.ts";
import { type Served, serve } from "./served.ts";
import { sized } from "./sizes.ts";
import { type Timings, timeTogether } from "./timing.ts";

const BATCH_SIZE = 100;
const BATCHES = sized(40, 10);
const BASELINE = "bare Hono route that writes the same in one SQLite transaction (WAL, FULL)";

const service = await serve();
const bare = await serve({});
const text = new Generator(1);
let marks = 0;
const times = await timeTogether(BATCHES, {
  extracted: () => storeBatch(newBatch()),
  plain: () => storeBatch(newBatch(), AS_IT_IS),
  bare: () => writeBatch(newBatch()),
});
const last = newBatch();
await storeBatch(last);
await demandFound(service, last.mark);
await Promise.all([service.close(), bare.close()]);
report([...metricsOf("built-in extraction", times.extracted, 400), ...metricsOf("extraction off", times.plain, 1500)]);

/** Returns memories, the last of which starts with a unique word. */
function newBatch() {
  const memories = Array.from({ length: BATCH_SIZE }, () => ({ content: text.memory(), user_id: "bench" }));
  const mark = `mark${marks++}`;
  return { mark, memories: memories.with(-1, { content: `${mark}: ${text.memory()}`, user_id: "bench" }) };
}

async function storeBatch({ memories }: ReturnType<typeof newBatch>, options?: object): Promise<void> {
  const { status, body } = await service.request("POST", "/memories/batch", { body: { memories, options } });
  if (status !== 201 || body.data.created.length !== BATCH_SIZE) throw new Error(JSON.stringify(body));
}

async function writeBatch({ memories }: ReturnType<typeof newBatch>): Promise<void> {
  const { status, body } = await bare.request("POST", "/rows", { body: { rows: memories } });
  if (status !== 201) throw new Error(JSON.stringify(body));
}

function metricsOf(how: string, stored: Timings, atLeast: number): Figure[] {
  const what = `POST /memories/batch of ${BATCH_SIZE} over HTTP, ${how}`;
  return [
    ratio(what, BASELINE, [stored, times.bare], { headline: true }),
    {
      what: `${what}, memories`,
      value: (BATCH_SIZE * 1000) / stored.p50,
      p95: (BATCH_SIZE * 1000) / stored.p95,
      unit: "/s",
      limit: { atLeast },
      from: `${readable(stored.p50)} ms a batch`,
      headline: true,
    },
  ];
}

async function demandFound(service: Served, word: string): Promise<void> {
  const { body } = await service.request("GET", `/search?q=${word}&threshold=0&limit=1`);
  if (!body.data.results[0]?.content.startsWith(word)) throw new Error(`${word} was stored but is not found`);
}
