import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { discoverGroups, discoverWorkers } from "../../infra/discover.ts";
import { queueSentTo } from "../../shared/ports/manifest.ts";
import {
  BACKUP_QUEUE,
  COMPRESS_QUEUES,
  DELIVER_QUEUE,
  INGEST_QUEUE,
  MAINTENANCE_QUEUE,
  OWNERSHIP_QUEUE,
  QUEUE_NAMES,
  READ_QUEUE,
  REDELIVER_QUEUE,
  REMEMBER_QUEUE,
  SYNC_QUEUE,
  TRANSFER_QUEUE,
} from "../../shared/ports/queues.ts";
import { filesOf } from "./loaded-files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every module that sends, with its queues. A module of the job engine sends to the queue of the job at hand. */
const SENDERS: Record<string, readonly string[]> = {
  "functions/backups/service.ts": [BACKUP_QUEUE],
  "functions/maintenance/service.ts": [MAINTENANCE_QUEUE],
  "functions/workers/deliver-webhooks/worker.ts": [REDELIVER_QUEUE],
  "shared/domain/integration/compat/forget.ts": [REMEMBER_QUEUE],
  "shared/domain/integration/compat/remember.ts": [REMEMBER_QUEUE],
  "shared/domain/integration/transfers/export.ts": [TRANSFER_QUEUE],
  "shared/domain/integration/transfers/import.ts": [TRANSFER_QUEUE],
  "shared/domain/integration/transfers/row-writer.ts": COMPRESS_QUEUES,
  "shared/domain/integration/webhooks/queue.ts": [DELIVER_QUEUE, REDELIVER_QUEUE],
  "shared/domain/knowledge/connections/remove.ts": [SYNC_QUEUE],
  "shared/domain/knowledge/connections/synchronize-now.ts": [SYNC_QUEUE],
  "shared/domain/knowledge/sources/ingest.ts": [INGEST_QUEUE],
  "shared/domain/knowledge/sources/removal.ts": [INGEST_QUEUE],
  "shared/domain/knowledge/sources/uploads.ts": [INGEST_QUEUE],
  "shared/domain/memory/begin-fact-backfill.ts": [MAINTENANCE_QUEUE],
  "shared/domain/memory/create.ts": COMPRESS_QUEUES,
  "shared/domain/memory/pipeline.ts": COMPRESS_QUEUES,
  "shared/domain/memory/read-by-model.ts": [READ_QUEUE],
  "shared/domain/operations/erasure/begin-organization.ts": [MAINTENANCE_QUEUE],
  "shared/domain/operations/erasure/begin.ts": [MAINTENANCE_QUEUE],
  "shared/domain/operations/maintenance/begin.ts": [MAINTENANCE_QUEUE],
  "shared/domain/operations/maintenance/routine.ts": [MAINTENANCE_QUEUE],
  "shared/domain/operations/offboarding/ownership.ts": [OWNERSHIP_QUEUE],
  "shared/domain/operations/offboarding/rename-users.ts": [OWNERSHIP_QUEUE],
  "shared/domain/patterns/request.ts": [MAINTENANCE_QUEUE],
  "shared/domain/sessions/append.ts": [REMEMBER_QUEUE],
  "shared/domain/sessions/extraction-jobs.ts": [REMEMBER_QUEUE],
  "shared/runtime/jobs/sweep.ts": QUEUE_NAMES,
};

/** Send to queues of the jobs that their callers name, which are in SENDERS. */
const ENGINE = ["consumer", "queue", "run", "take-over"].map((name) => `shared/runtime/jobs/${name}.ts`);
const JOB_RUNNER = "shared/runtime/jobs/run.ts";
const SENDING = /\b(?:enqueueJob|runJob)\(|\bqueue\.send\(/;

let filesByHandler: Map<string, Set<string>>;
let functions: Awaited<ReturnType<typeof discoverGroups | typeof discoverWorkers>>[number][];

beforeAll(async () => {
  functions = [...(await discoverGroups()), ...(await discoverWorkers())];
  filesByHandler = await filesOf(functions.map(({ handler }) => handler));
});

describe("the queues of a function", () => {
  it("are known for every module that sends", () => {
    const files = globSync("{functions,shared/domain,shared/runtime}/**/*.ts", { cwd: ROOT });
    const sending = files.filter(
      (file) => !file.endsWith(".test.ts") && SENDING.test(readFileSync(path.join(ROOT, file), "utf8")),
    );
    const known = new Set([...Object.keys(SENDERS), ...ENGINE, "shared/runtime/context.ts"]);
    expect(sending.length).toBeGreaterThan(15);
    expect(sending.filter((file) => !known.has(file.split(path.sep).join("/")))).toEqual([]);
  });

  it("are those of the modules that it loads, and those that it reads itself", () => {
    for (const { manifest, handler } of functions) {
      const files = filesByHandler.get(handler) ?? new Set();
      const read = "source" in manifest && "queues" in manifest.source ? manifest.source.queues.names : [];
      // A long job enqueues its next turn.
      const own = files.has(JOB_RUNNER) ? read : [];
      const loaded = Object.keys(SENDERS).filter((file) => files.has(file));
      const sent = loaded.flatMap((file) => SENDERS[file] ?? []);
      const declared = manifest.capabilities.flatMap((capability) => queueSentTo(capability) ?? []);
      expect(new Set(declared), manifest.name).toEqual(new Set([...own, ...sent]));
    }
  });
});
