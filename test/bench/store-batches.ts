/** POST /memories/batch of 100 memories over HTTP, with built-in extraction and without; searchable when it answers. */
import { Generator } from "./corpus.ts";
import { type Figure, readable, report } from "./report.ts";
import { type Served, serve } from "./served.ts";
import { percentile } from "./timing.ts";

const BATCH_SIZE = 100;
const BATCHES = 40;
const WARM_UP = 5;
const BARE_OPTIONS = { extract_facts: false, extract_entities: false, compress: false };

const service = await serve();
const figures = [
  ...(await storeBatches(service, "built-in extraction", undefined, 400)),
  ...(await storeBatches(service, "extraction off", BARE_OPTIONS, 1500)),
];
await service.close();
report(figures);

async function storeBatches(service: Served, how: string, options: object | undefined, atLeast: number) {
  const text = new Generator(how.length);
  const times: number[] = [];
  for (let batch = 0; batch < WARM_UP + BATCHES; batch++) {
    const memories = Array.from({ length: BATCH_SIZE }, () => ({ content: text.memory(), user_id: "bench" }));
    const mark = `mark${how.length}x${batch}`;
    memories[BATCH_SIZE - 1] = { content: `${mark}: ${text.memory()}`, user_id: "bench" };
    const startedAt = performance.now();
    const { status, body } = await service.request("POST", "/memories/batch", { body: { memories, options } });
    if (batch >= WARM_UP) times.push(performance.now() - startedAt);
    if (status !== 201 || body.data.created.length !== BATCH_SIZE) throw new Error(JSON.stringify(body));
    await demandFound(service, mark);
  }
  const figure = (share: string, milliseconds: number): Figure => ({
    what: `POST /memories/batch of ${BATCH_SIZE}, ${how}, ${share}`,
    value: (BATCH_SIZE * 1000) / milliseconds,
    unit: "/s",
    from: `${readable(milliseconds)} ms a batch`,
  });
  return [{ ...figure("p50", percentile(times, 0.5)), limit: { atLeast } }, figure("p95", percentile(times, 0.95))];
}

async function demandFound(service: Served, word: string): Promise<void> {
  const { body } = await service.request("GET", `/search?q=${word}&threshold=0&limit=1`);
  if (!body.data.results[0]?.content.startsWith(word)) throw new Error(`${word} was stored but is not found`);
}
