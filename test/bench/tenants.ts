/**
 * Compares one organization of 2,000 memories among 50 of the same size with the same one alone: whether the others
 * cost it recall or time. Each query is drawn from a memory that it must find; others search in between.
 */
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { indexMemories } from "./indexed.ts";
import { ratio, readable, report } from "./report.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

const ORGANIZATIONS = 50;
const SIZE = sized(2000, 200);
const QUERIES = sized(400, 100);
const QUERY_WORDS = 4;
const DEPTH = 10;
const MAX_RATIO = 1.2;

interface Tenant {
  service: LocalService;
  key: string;
}

/** A query, and the memory from which it was drawn. */
interface Drawn {
  query: string;
  id: string;
}

const [empty, crowded] = [await openService(), await openService()];
const alone = await createTenant(empty, 0);
const others: Tenant[] = [];
for (let seed = 1; seed < ORGANIZATIONS; seed++) others.push((await createTenant(crowded, seed)).tenant);
const among = await createTenant(crowded, 0);
const drawn = draw(alone.contents);
const found = { alone: 0, among: 0 };
const times = await timeTogether(QUERIES, {
  alone: async (run) => (found.alone += await ask(alone.tenant, drawn[run])),
  others: (run) => ask(others[run % others.length], drawn[run]),
  among: async (run) => (found.among += await ask(among.tenant, drawn[run])),
});
await Promise.all([empty.close(), crowded.close()]);
const asked = drawn.length;
report([
  {
    what: `recall@${DEPTH} of one organization of ${SIZE} memories alone`,
    baseline: `its recall among ${ORGANIZATIONS} such`,
    value: found.alone / found.among,
    unit: "x",
    limit: { atMost: MAX_RATIO },
    from: `${readable(found.alone / asked)} : ${readable(found.among / asked)}`,
  },
  ratio(
    `GET /search of one organization among ${ORGANIZATIONS} of ${SIZE} memories`,
    "the same alone",
    [times.among, times.alone],
    { limit: { atMost: MAX_RATIO } },
  ),
]);

async function createTenant(service: LocalService, seed: number) {
  const { org, key } = await createOrganization(service);
  const contents = await indexMemories(service.runtime, org, new Generator(1000 + seed), SIZE);
  return { tenant: { service, key }, contents };
}

/** Draws queries of a few words, spread over the memory they are drawn from; one per run, including warm-up. */
function draw(contents: Map<string, string>): Drawn[] {
  const all = [...contents];
  return Array.from({ length: QUERIES + Math.ceil(QUERIES / 10) }, (_, run) => {
    const [id, content] = all[(run * 7) % all.length] ?? ["", ""];
    const words = content.split(/[^A-Za-z]+/).filter((word) => word.length > 3);
    const step = Math.max(1, Math.floor(words.length / QUERY_WORDS));
    return { id, query: words.filter((_word, index) => index % step === 0).join(" ") };
  });
}

/** Returns 1 if the memory is among the first hits, else 0. */
async function ask(tenant: Tenant | undefined, wanted: Drawn | undefined): Promise<number> {
  if (!tenant || !wanted) throw new RangeError("there are fewer queries than runs");
  const url = `/search?q=${encodeURIComponent(wanted.query)}&threshold=0&limit=${DEPTH}`;
  const { status, body } = await tenant.service.request("GET", url, { key: tenant.key });
  if (status !== 200) throw new Error(`GET ${url} answered ${status}: ${JSON.stringify(body)}`);
  return body.data.results.some(({ id }: { id: string }) => id === wanted.id) ? 1 : 0;
}
