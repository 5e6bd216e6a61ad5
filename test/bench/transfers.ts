/** An import of as many memories as one takes, until all are stored and found, and how much memory it takes to export them. */
import { createOrganization, openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { type Figure, report } from "./report.ts";

const ROWS = 10_000;
const USERS = 50;
/** Sentences of a memory: all of them are as much as one import takes. */
const SENTENCES = 2;
const SAMPLE_EVERY_MS = 5;
const POLL_EVERY_MS = 200;
/** What is in memory of an export is a file, its rows and its bytes, and a page of memories. */
const MOST_MEMORY = 64;

const service = await openService();
const { key } = await createOrganization(service);

async function ended(id: string) {
  for (;;) {
    const { status, body } = await service.request("GET", `/events/${id}`, { key });
    if (status !== 200 || body.status === "FAILED") throw new Error(JSON.stringify(body));
    if (body.status === "completed") return body;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** How far the process grew, in MB, while it did something. */
async function growthDuring(act: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, SAMPLE_EVERY_MS);
  await act();
  clearInterval(sampling);
  return (most - before) / 1e6;
}

const text = new Generator(1);
const memories = Array.from({ length: ROWS }, (_, place) => ({
  content: Array.from({ length: SENTENCES }, () => text.memory()).join(" "),
  user_id: `user-${place % USERS}`,
}));

const startedAt = performance.now();
const startedCpu = process.cpuUsage();
const begun = await service.request("POST", "/imports", { key, body: { memories } });
if (begun.status !== 202) throw new Error(JSON.stringify(begun.body));
const { imported } = await ended(begun.body.event_id);
const storedMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(startedCpu);
await service.home.settle();
const foundMs = performance.now() - startedAt;

let files: { bytes: number; memories: number }[] = [];
const exportAll = async () => {
  const { body } = await service.request("POST", "/exports", { key, body: {} });
  ({ files } = await ended(body.event_id));
};
await exportAll();
const exportedAt = performance.now();
const growth = await growthDuring(exportAll);
const exportMs = performance.now() - exportedAt;
await service.close();

const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
const figures: Figure[] = [
  {
    what: `${ROWS} rows imported, each read by the built-in rules, until all are stored`,
    value: ROWS / (storedMs / 1000),
    unit: "/s",
    from: `${imported} in ${(storedMs / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor`,
  },
  { what: "the same, until search finds them all", value: ROWS / (foundMs / 1000), unit: "/s" },
  {
    what: `memory while ${ROWS} memories are exported`,
    value: growth,
    unit: "MB",
    limit: { atMost: MOST_MEMORY },
    from: `${megabytes.toFixed(1)} MB in ${files.length} files, ${(exportMs / 1000).toFixed(1)} s`,
  },
];
report(figures);
