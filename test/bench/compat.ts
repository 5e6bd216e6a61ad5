/** POST /v3/memories/add and search beside POST /memories and POST /search/hybrid, at the same work over HTTP. */
import { Generator } from "./corpus.ts";
import { type Figure, readable, report } from "./report.ts";
import { serve } from "./served.ts";
import { type Timings, timeTogether } from "./timing.ts";

const STORED = 200;
const SEARCHED = 400;
const CORPUS = 10_000;
const BATCH_SIZE = 100;
const LIMIT = 1.2;
const BARE_OPTIONS = { extract_facts: false, extract_entities: false, compress: false };

const service = await serve();
const text = new Generator(5);
for (let stored = 0; stored < CORPUS; stored += BATCH_SIZE) {
  const memories = Array.from({ length: BATCH_SIZE }, () => ({ content: text.memory(), user_id: "bench" }));
  await demand("/memories/batch", { memories, options: BARE_OPTIONS });
}
const adding = await timeTogether(STORED, {
  own: () => demand("/memories", { content: text.memory(), user_id: "bench" }),
  compatible: () => demand("/v3/memories/add/", { memory: text.memory(), user_id: "bench" }),
});
const asked = Array.from({ length: SEARCHED * 2 }, () => text.question());
const filters = { user_id: "bench" };
const searching = await timeTogether(SEARCHED, {
  own: (run) => demand("/search/hybrid", { query: asked[run], filters }),
  compatible: (run) => demand("/v3/memories/search/", { query: asked[run], filters }),
});
await service.close();
report([ratio("add : POST /memories", adding), ratio("search : POST /search/hybrid", searching)]);

async function demand(path: string, body: object): Promise<void> {
  const { status, body: answer } = await service.request("POST", path, { body });
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
}

function ratio(what: string, { own, compatible }: Record<"own" | "compatible", Timings>): Figure {
  return {
    what: `POST /v3/memories/${what}, p50`,
    value: compatible.p50 / own.p50,
    unit: "x",
    limit: { atMost: LIMIT },
    from: `${readable(compatible.p50)} : ${readable(own.p50)} ms`,
  };
}
