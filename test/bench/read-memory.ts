/** GET /memories/{id} over HTTP relative to a bare Hono route that answers the same JSON, each in its own process. */
import { Agent, get } from "node:http";
import { Generator } from "./corpus.ts";
import { type Figure, ratio, readable, report } from "./report.ts";
import { type Served, serve } from "./served.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

const MEMORIES = 100;
const SINGLE_READS = sized(3_000, 300);
const ROUNDS = sized(30, 5);
const READS_A_ROUND = 1_000;
const CONNECTIONS = 8;
const LIMIT = { atMost: 2.5 };
const WHAT = "GET /memories/{id} over HTTP";
const BASELINE = "bare Hono route that answers the same JSON";

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const service = await serve();
const ids = await storeMemories();
const bare = await serve((await service.request("GET", `/memories/${ids[0]}`)).body);
const figures = [await latencies(), await underLoad()];
agent.destroy();
await Promise.all([service.close(), bare.close()]);
report(figures);

async function storeMemories(): Promise<string[]> {
  const text = new Generator(1);
  const memories = Array.from({ length: MEMORIES }, () => ({ content: text.memory(), user_id: "bench" }));
  const { body } = await service.request("POST", "/memories/batch", { body: { memories } });
  return body.data.created.map(({ id }: { id: string }) => id);
}

function read({ url, apiKey }: Served, run: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const path = `${url}/memories/${ids[run % ids.length]}`;
  get(path, { agent, headers: { "x-api-key": apiKey } }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
    response.resume().on("end", resolve);
  }).on("error", reject);
  return promise;
}

/** Measures sequential requests, as one client sees them. */
async function latencies(): Promise<Figure> {
  const times = await timeTogether(SINGLE_READS, {
    service: (run) => read(service, run),
    bare: (run) => read(bare, run),
  });
  return ratio(`${WHAT}, one connection`, BASELINE, [times.service, times.bare], { limit: LIMIT, headline: true });
}

/** Measures how long a thousand requests over eight concurrent connections take, like on a busy server. */
async function underLoad(): Promise<Figure> {
  const times = await timeTogether(ROUNDS, { service: () => readMany(service), bare: () => readMany(bare) });
  return ratio(`${WHAT}, ${READS_A_ROUND} over ${CONNECTIONS} connections`, BASELINE, [times.service, times.bare], {
    limit: LIMIT,
    headline: true,
    from: `${rate(times.service.p50)} : ${rate(times.bare.p50)} requests/s`,
  });
}

async function readMany(server: Served): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < READS_A_ROUND) await read(server, next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

function rate(milliseconds: number): number {
  return readable((READS_A_ROUND * 1000) / milliseconds);
}
