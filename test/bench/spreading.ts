/** GET /search/enhanced by spreading activation beside POST /search/hybrid, at 100,000 memories of one organization. */
import { OPERATOR_ORG } from "../../shared/identity/bootstrap.ts";
import { Generator } from "./corpus.ts";
import { indexMemories, openIndexed } from "./indexed.ts";
import { type Figure, readable, report } from "./report.ts";
import { timeTogether } from "./timing.ts";

const SIZE = 100_000;
const QUERIES = 200;

const service = await openIndexed();
await indexMemories(service.home, OPERATOR_ORG, new Generator(7), SIZE);
const questions = new Generator(11);
const asked = Array.from({ length: QUERIES * 2 }, () => questions.question());
const times = await timeTogether(QUERIES, {
  hybrid: (run) => demandFound("POST", "/search/hybrid", { query: asked[run] }),
  spreading: (run) => demandFound("POST", "/search/enhanced", { query: asked[run] }),
});
await service.close();
report((["p50", "p95"] as const).map(ratioAt));

async function demandFound(method: string, url: string, body: object): Promise<void> {
  const { status, body: answer } = await service.request(method, url, { body });
  if (status !== 200) throw new Error(`${method} ${url} answered ${status}: ${JSON.stringify(answer)}`);
}

function ratioAt(share: "p50" | "p95"): Figure {
  return {
    what: `spreading : hybrid search at ${SIZE} memories, ${share}`,
    value: times.spreading[share] / times.hybrid[share],
    unit: "x",
    ...(share === "p50" && { limit: { atMost: 3 } }),
    from: `${readable(times.spreading[share])} : ${readable(times.hybrid[share])} ms`,
  };
}
