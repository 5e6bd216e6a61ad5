import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOBS } from "../../functions/workers/sweep/jobs.ts";
import { discoverWorkers } from "../../infra/discover.ts";
import { toDeliveryItem } from "../../shared/domain/integration/webhooks/deliveries.ts";
import type { Delivery } from "../../shared/domain/integration/webhooks/webhook.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { ChangeConsumer } from "../../shared/ports/changes.ts";
import { fromItem } from "../../shared/ports/item.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import type { WorkerManifest } from "../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../shared/ports/messages.ts";
import { pagesOf } from "../../shared/ports/pages.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import {
  COMPRESS_QUEUES,
  DELIVER_QUEUE,
  type QueueName,
  READ_QUEUE,
  REDELIVER_QUEUE,
} from "../../shared/ports/queues.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type { Job } from "../../shared/runtime/jobs/job.ts";
import type { JobKind } from "../../shared/runtime/jobs/kinds.ts";
import { messageOf } from "../../shared/runtime/jobs/queue.ts";
import { runJob } from "../../shared/runtime/jobs/run.ts";
import type { JobScenario } from "../jobs/scenario.ts";
import { SCENARIOS } from "../jobs/scenarios/index.ts";
import { countedPorts, measure, ownPorts, type Work } from "../support/counted-reads.ts";
import { replaced } from "../support/replaced.ts";
import { type LocalService, openService } from "../support/service.ts";
import { type Filled, fill } from "./collections.ts";
import { routes, titleOf, urlOf } from "./harness.ts";
import { SAMPLES } from "./samples/index.ts";

/** More than a page, so that both organizations fill one. */
const SIZE = 5;
const LIMIT = 3;
const FACTOR = 10;
const MAX_RATIO = 1.5;
const MEASUREMENTS = 3;
/** Reads of what a process keeps for seconds, such as a credential; all of a collection would be 45 more. */
const OF_CACHES = 10;
const FILL_MS = 600_000;

interface Bound {
  /** The most items that a request reads, whatever the collection has. */
  most: number;
  by: string;
}

/** What a request reads of collections that are read as a whole, up to a limit. */
const LIMITS = {
  pool: "the pool of candidates, with their neighbours and entities",
  skills: "the candidates among skills",
  members: "100 members of a group",
  messages: "the page of messages that is read at once",
  versions: "the versions that are kept of one resource",
  page: "a page of the job",
  deleted: "a page of the memories that it deletes",
  whole: "its page of 100",
  tiers: "the number up to which tiers are counted, and the log of reads",
};

/**
 * Routes that read more of the larger organization, up to a fixed number of items. The numbers are what they read here
 * and a tenth, or 40: less than all of a further collection.
 */
const BOUNDED: Record<string, Bound> = {
  ...withBounds(LIMITS.pool, {
    ...{ searchMemories: 1_800, searchMemoriesAdvanced: 1_800, searchMemoriesHybrid: 1_800 },
    ...{ searchCompatMemories: 1_080, searchCompatMemoriesV1: 1_080, searchCompatMemoriesV2: 1_080 },
    ...{ searchSelfHostedMemories: 1_080, addSelfHostedMemories: 470 },
    ...{ searchMemoriesFiltered: 168, executeAgent: 151 },
  }),
  ...withBounds(LIMITS.skills, { searchSkills: 292, suggestSkills: 294, findSimilarSkills: 293 }),
  ...withBounds(LIMITS.members, { getGroup: 142, listGroupSkills: 142, listGroupMemories: 191, deleteGroup: 92 }),
  ...withBounds(LIMITS.members, { readGroupStats: 288 }),
  ...withBounds(LIMITS.messages, {
    exportSession: 94,
    readSessionStats: 94,
    duplicateSession: 100,
    archiveSession: 100,
  }),
  ...withBounds(LIMITS.versions, { readCompatHistory: 93, readSelfHostedHistory: 93, deleteSkill: 153 }),
  ...withBounds(LIMITS.page, { createCompatExport: 790, purgeDeadLetters: 1_380, deleteUser: 97 }),
  ...withBounds(LIMITS.deleted, { deleteMatchingMemories: 346, deleteCompatSubjectV1: 97 }),
  ...withBounds(LIMITS.whole, { listSelfHostedMemories: 264, listCompatMemoriesV1: 247, listCompatMemoriesV2: 247 }),
  ...withBounds(LIMITS.tiers, { readTierPolicy: 1_440, readCompressionStats: 1_450 }),
  resetSelfHostedMemories: { most: 7_400, by: "the memories that are deleted before the rest is left to a job" },
  listDeliveryLogs: { most: 54, by: "the attempts of 30 days that its filter passes over" },
  readSessionContext: { most: 116, by: "six memories, and the latest facts of nine slots" },
  retryDeadLetters: { most: 1_670, by: "the 500 dead letters that one request looks at, with their deliveries" },
  correctFact: { most: 20, by: "the latest facts of one slot" },
  deleteAgent: { most: 216, by: "a page of what the agent shares" },
};

/** The same for the largest step of a job. */
const JOBS_BOUNDED: Partial<Record<JobKind, Bound>> = withBounds(LIMITS.page, { erase_user: 760, scan_secrets: 242 });

function withBounds(by: string, most: Record<string, number>): Record<string, Bound> {
  return Object.fromEntries(Object.entries(most).map(([name, each]) => [name, { most: each, by }]));
}

let service: LocalService;
let few: Filled;
let many: Filled;

beforeAll(async () => {
  service = await openService({}, undefined, { around: countedPorts });
  few = await fill(service, SIZE);
  many = await fill(service, SIZE * FACTOR);
  await service.runtime.drainChangeFeed();
}, FILL_MS);
afterAll(() => service.close());

const ORDER = ["get", "post", "put", "patch", "delete"];

/** Requests that delete come last, those of what others contain after the others. */
const inOrder = routes.toSorted(({ definition: one }, { definition: other }) => {
  return ORDER.indexOf(one.method) - ORDER.indexOf(other.method) || other.path.length - one.path.length;
});

async function workOf(route: (typeof routes)[number], { key, ids }: Filled): Promise<Work & { status: number }> {
  const { name, method, query } = route.definition;
  const { params = {}, names = {}, body } = SAMPLES[name] ?? {};
  const idsOf = (things: Record<string, string>) =>
    Object.fromEntries(Object.entries(things).map(([field, thing]) => [field, ids[thing] ?? ""]));
  const url = new URL(urlOf(route, idsOf(params)), "http://localhost");
  for (const size of ["limit", "page_size"]) {
    if (query && size in query.shape) url.searchParams.set(size, String(LIMIT));
  }
  const sent = body && { ...body, ...idsOf(names) };
  let status = 0;
  const work = await measure(async () => {
    ({ status } = await service.request(method.toUpperCase(), url.pathname + url.search, { key, body: sent }));
  });
  return { ...work, status };
}

/** Why the work of a request grows with what the organization has; undefined if it does not. */
function growthOf(few: Work, many: Work, bound: Bound | undefined): string | undefined {
  if (bound) return many.reads > bound.most ? `${many.reads} reads, above ${bound.most}` : undefined;
  return many.reads > MAX_RATIO * few.reads + OF_CACHES ? `${few.reads} reads became ${many.reads}` : undefined;
}

/** The same for a worker, whose input the service's own workers may have changed: what grows does so each time. */
async function lastingGrowth(work: (filled: Filled) => Promise<Work>, bound?: Bound): Promise<string | undefined> {
  let growth = growthOf(await work(few), await work(many), bound);
  for (let again = 1; again < MEASUREMENTS && growth !== undefined; again++) {
    growth = growthOf(await work(few), await work(many), bound);
  }
  return growth;
}

describe("with ten times as much of everything", () => {
  it(
    "no request reads more than 1.5 times as much, or than its limit",
    async () => {
      const grown: string[] = [];
      let succeeded = 0;
      for (const route of inOrder) {
        const [small, large] = [await workOf(route, few), await workOf(route, many)];
        const growth = growthOf(small, large, BOUNDED[route.definition.name]);
        if (growth !== undefined) grown.push(`${route.definition.name}, ${titleOf(route.definition)}: ${growth}`);
        if (small.status < 300 && large.status < 300) succeeded++;
      }
      expect(succeeded).toBeGreaterThan(routes.length / 2);
      expect(grown, grown.join("\n")).toEqual([]);
    },
    FILL_MS,
  );

  it(
    "no step of a job reads more than 1.5 times as much, or than a page",
    async () => {
      const grown: string[] = [];
      for (const kind of Object.keys(SCENARIOS) as JobKind[]) {
        const growth = growthOf(await largestStep(kind, few), await largestStep(kind, many), JOBS_BOUNDED[kind]);
        if (growth !== undefined) grown.push(`${kind}: ${growth}`);
      }
      expect(grown, grown.join("\n")).toEqual([]);
    },
    FILL_MS,
  );

  it(
    "no worker reads more than 1.5 times as much for a change, a message or a run, or than its limit",
    async () => {
      const grown: string[] = [];
      let measured = 0;
      for (const { manifest, module } of await discoverWorkers()) {
        const consumer: WorkerModule = await import(module);
        for (const [input, work] of await inputsOf(manifest, consumer)) {
          measured++;
          const growth = await lastingGrowth(work, WORKERS[`${manifest.name} ${input}`]);
          if (growth !== undefined) grown.push(`${manifest.name} ${input}: ${growth}`);
        }
      }
      expect(measured).toBeGreaterThan(MIN_INPUTS);
      expect(grown, grown.join("\n")).toEqual([]);
    },
    FILL_MS,
  );

  it("has no row for a route that does not exist", () => {
    const names = new Set(routes.map(({ definition }) => definition.name));
    expect(Object.keys(BOUNDED).filter((name) => !names.has(name))).toEqual([]);
  });
});

/** Steps that are measured of each job. */
const STEPS = 20;
/** A turn of no length takes one step. */
const ONE_STEP_MS = 0;

/** The step of a job that reads the most; its queues are silent, so that no worker takes it. */
async function largestStep(kind: JobKind, { org, key }: Filled): Promise<Work> {
  const { ports } = service.runtime;
  const silent: Ports = replaced(ports, { queue: replaced(ports.queue, { send: async () => {} }) });
  const runtime: Runtime = { ...service.runtime, logger: silentLogger, ports: silent };
  const scenario = SCENARIOS[kind] as unknown as JobScenario<JobKind>;
  const job = await scenario.begin({ request: service.request, runtime, org, key });
  let largest: Work = { reads: 0, writes: 0, queues: new Set() };
  for (let step = 0; step < STEPS; step++) {
    let reached: Job | undefined;
    const work = await measure(async () => {
      reached = await runJob(runtime, scenario.handlers, messageOf(job), ONE_STEP_MS);
    });
    if (work.reads > largest.reads) largest = work;
    if (reached === undefined || reached.finished_at !== undefined) break;
  }
  return largest;
}

/** The exports of a worker, depending on its source. */
interface WorkerModule {
  createChangeConsumer?(runtime: Runtime): ChangeConsumer;
  createMessageConsumer?(runtime: Runtime): MessageConsumer;
  createScheduledJob?(runtime: Runtime): () => Promise<void>;
}

/** Fewer inputs would mean that the organizations lack what workers process. */
const MIN_INPUTS = 20;

/** Inputs of workers for which they read more than a page: up to a fixed number of items. */
const WORKERS: Record<string, Bound> = {
  "enqueue-deliveries run": {
    most: 1_250,
    by: "a page of 1,000 due deliveries of all organizations, and their organizations",
  },
  "sweep run": { most: 1_500, by: "a page of each task, after what was due is done" },
};

/** Queues of jobs, whose steps are measured by kind. */
const JOB_QUEUES = new Set<string>([
  ...COMPRESS_QUEUES,
  ...JOBS.flatMap(({ policy: { queue } }) => (typeof queue === "string" ? [queue] : [])),
]);

/** The record of an organization of whose kind a message of a queue is, and the message; a queue without a row fails. */
const QUEUE_MESSAGES: Partial<
  Record<QueueName, [kind: string, message: (record: StoredRecord) => Promise<JsonObject>]>
> = {
  [DELIVER_QUEUE]: ["delivery", messageOfNewDelivery],
  [REDELIVER_QUEUE]: ["delivery", messageOfNewDelivery],
  [READ_QUEUE]: ["memory", async ({ org, id }) => ({ org: String(org), ids: [String(id)] })],
};

/** The message of a delivery that is due, as the given one once was: that may be settled, or another worker's. */
async function messageOfNewDelivery(record: StoredRecord): Promise<JsonObject> {
  const { ids, clock, ports } = service.runtime;
  const former = fromItem<Delivery>(record);
  const due = { attempt_number: 1, claims: 0, next_attempt_at: timestamp(clock()) };
  const { lease, lease_until, ...delivery } = { ...former, ...due, id: ids("delivery"), status: "pending" as const };
  await ports.records.write({ put: toDeliveryItem(delivery) });
  const { org, id: delivery_id, webhook_id } = delivery;
  return { org, delivery_id, webhook_id, deferrals: 0 };
}

/** The last record of a kind that an organization has. */
async function recordOf({ org }: Filled, kind: string): Promise<StoredRecord | undefined> {
  const read = (after: string | undefined) =>
    service.runtime.ports.inventory.list({ kinds: [kind], limit: 1000, ...(after !== undefined && { after }) });
  let last: StoredRecord | undefined;
  for await (const { items } of pagesOf(read)) last = items.findLast((item) => item.pk.split("#")[0] === org) ?? last;
  return last;
}

/** A runtime whose reads are its own, and which keeps nothing of earlier ones; its queues are silent. */
function apart(): { runtime: Runtime; work: Work } {
  const { ports, work } = ownPorts(service.runtime.ports);
  const silent = replaced(ports, {
    queue: replaced(ports.queue, { send: async () => {} }),
    reader: { id: "none", least: 1, read: async (messages) => messages.map(() => []) },
  });
  return { runtime: { ...service.runtime, logger: silentLogger, ports: silent }, work };
}

/** What a worker processes, by names, with the work for an organization. */
async function inputsOf(
  { name, source }: WorkerManifest,
  { createChangeConsumer, createMessageConsumer, createScheduledJob }: WorkerModule,
): Promise<[string, (filled: Filled) => Promise<Work>][]> {
  if ("schedule" in source) {
    const { runtime, work } = apart();
    const run = createScheduledJob?.(runtime);
    if (run === undefined) throw new Error(`${name} has no scheduled job`);
    // The first run does what is due.
    await run();
    const measureRun = async () => {
      const before = work.reads;
      await run();
      return { ...work, reads: work.reads - before };
    };
    return [["run", measureRun]];
  }
  if ("stream" in source) {
    if (createChangeConsumer === undefined) throw new Error(`${name} has no consumer of changes`);
    const inputs: [string, (filled: Filled) => Promise<Work>][] = [];
    for (const kind of source.stream.kinds) {
      if ((await recordOf(few, kind)) === undefined) continue;
      for (const side of ["after", "before"] as const) {
        const work = async (filled: Filled) => {
          const record = await recordOf(filled, kind);
          if (record === undefined) throw new Error(`the larger organization has no ${kind}`);
          const { pk, sk } = record;
          const { runtime, work } = apart();
          await createChangeConsumer(runtime)([{ key: { pk, sk }, [side]: record, sequence: "1" }]);
          return work;
        };
        inputs.push([`${side === "after" ? "new" : "deleted"} ${kind}`, work]);
      }
    }
    return inputs;
  }
  const queues = ("queues" in source ? source.queues.names : source.deadLetters.of) as QueueName[];
  return queues
    .filter((queue) => !JOB_QUEUES.has(queue))
    .map((queue) => {
      const row = QUEUE_MESSAGES[queue];
      if (row === undefined || createMessageConsumer === undefined) throw new Error(`no message of ${queue} is known`);
      const [kind, messageOfRecord] = row;
      const work = async (filled: Filled) => {
        const record = await recordOf(filled, kind);
        if (record === undefined) throw new Error(`an organization has no ${kind} for ${queue}`);
        const body = await messageOfRecord(record);
        const { runtime, work } = apart();
        await createMessageConsumer(runtime).consume({ body, receiveCount: 1 });
        return work;
      };
      return [`message of ${queue}`, work] as [string, typeof work];
    });
}
