/**
 * POST /v3/memories/add and search compared with POST /memories and POST /search/hybrid, for the same work over HTTP.
 */
import { AS_IT_IS, Generator } from "./corpus.ts";
import { ratio, report } from "./report.ts";
import { serve } from "./served.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

const STORED = sized(200, 50);
const SEARCHED = sized(400, 50);
const CORPUS = sized(10_000, 1000);
const BATCH_SIZE = 100;
const LIMIT = { atMost: 1.2 };

const service = await serve();
const text = new Generator(5);
for (let stored = 0; stored < CORPUS; stored += BATCH_SIZE) {
  const memories = Array.from({ length: BATCH_SIZE }, () => ({ content: text.memory(), user_id: "bench" }));
  await demand("/memories/batch", { memories, options: AS_IT_IS });
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
report([
  ratio("POST /v3/memories/add", "POST /memories of the same", [adding.compatible, adding.own], { limit: LIMIT }),
  ratio(
    `POST /v3/memories/search at ${CORPUS} memories`,
    "POST /search/hybrid of the same",
    [searching.compatible, searching.own],
    { limit: LIMIT },
  ),
]);

async function demand(path: string, body: object): Promise<void> {
  const { status, body: answer } = await service.request("POST", path, { body });
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
}
