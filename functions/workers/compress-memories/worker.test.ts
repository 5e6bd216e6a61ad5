import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { toSqsEvent } from "../../../infra/local/queue-loop.ts";
import type { LocalQueue } from "../../../shared/adapters/local/queue.ts";
import { compressionConfig } from "../../../shared/domain/compression/stored-settings.ts";
import { claimContent } from "../../../shared/domain/memory/claims.ts";
import { type CreateOptions, createMemory } from "../../../shared/domain/memory/create.ts";
import { MEMORY_PROCESSING_JOB } from "../../../shared/domain/memory/job-kinds.ts";
import { readPipelineStatus, submitJob } from "../../../shared/domain/memory/pipeline.ts";
import { deleteMemory, getMemory, reviseMemory } from "../../../shared/domain/memory/revise.ts";
import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { ServiceError } from "../../../shared/kernel/errors.ts";
import type { LanguageModels } from "../../../shared/ports/language-model.ts";
import { COMPRESS_QUEUES, deadLettersOf } from "../../../shared/ports/queues.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { findJob } from "../../../shared/runtime/jobs/records.ts";
import { sweepJobs } from "../../../shared/runtime/jobs/sweep.ts";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { contextOf } from "../../../test/support/principals.ts";
import { createMessageConsumer, worker as manifest } from "./worker.ts";

const { bind } = queueWorker(manifest, createMessageConsumer);

const MINUTE = 60_000;
const MAX_ATTEMPTS = MEMORY_PROCESSING_JOB.policy.maxAttempts;
const TEXT = "Alice Johnson moved to Lisbon in March 2024. She works at Acme.";
const NONE_FAILED = { batchItemFailures: [] };

let clock: ReturnType<typeof movableClock>;
let ctx: Context;
let queue: LocalQueue;

beforeEach(async () => {
  clock = movableClock();
  const idle = await openIdleRuntime({ clock: clock.now, queues: COMPRESS_QUEUES });
  queue = idle.queue;
  const { runtime } = idle;
  await runtime.settings.change({ ...runtime, org: "org_1" }, compressionConfig, (config) => ({
    ...config,
    performance: { ...config.performance, async_processing: true },
  }));
  ctx = contextOf(runtime, { org: "org_test" });
});

const store = (content = TEXT, options: CreateOptions = {}) =>
  createMemory(ctx, { content, user_id: "u1", options, door: "memories" });
const jobOf = async (id = "") => (await findJob(ctx.ports.records, ctx.org, id))!;

function deliver(event: SQSEvent, models: LanguageModels = ctx.ports.models): Promise<SQSBatchResponse> {
  return bind({ ...ctx, ports: { ...ctx.ports, models } })(event);
}

/** Receives visible messages of a queue without deleting them, so that the same event can be delivered again. */
function take(name: string = "compress-normal"): SQSEvent {
  return toSqsEvent(name, queue.receive(name, 10));
}

function eventFor(job_id: string, receiveCount = 1, body = JSON.stringify({ org: "org_test", job: job_id })): SQSEvent {
  const now = clock.now();
  return toSqsEvent("compress-normal", [
    { id: `message of ${job_id}`, receipt: "", body, receiveCount, sentAt: now, firstReceivedAt: now },
  ]);
}

const broken: LanguageModels = {
  default: { provider: "built-in", model: "rules" },
  providers: [],
  open: () => Promise.reject(new Error("models are down")),
};

describe("a memory that is processed in the background", () => {
  it("is stored at once, and processed when its message is delivered", async () => {
    const memory = await store();
    expect(memory).toMatchObject({ facts: [], entities: [], processing: { status: "queued" }, version: 1 });
    expect(memory.compression.original_tokens).toBeGreaterThan(0);
    expect(await deliver(take())).toEqual(NONE_FAILED);
    const processed = await getMemory(ctx, memory.id);
    expect(processed.processing).toEqual({
      status: "done",
      provider: "built-in",
      model: "rules",
      fallback: false,
      job_id: memory.processing.job_id,
    });
    expect(processed.facts.length).toBeGreaterThan(0);
    expect(processed.entities.map(({ name }) => name)).toEqual(expect.arrayContaining(["Alice Johnson", "Lisbon"]));
    expect(processed).toMatchObject({ version: 1, updated_at: memory.updated_at });
    expect(await jobOf(memory.processing.job_id)).toMatchObject({ state: "completed", attempts: 1 });
  });

  it("is processed with the requested steps", async () => {
    const memory = await store(TEXT, { extract_facts: false, compress: false });
    await deliver(take());
    const { facts, entities, compression } = await getMemory(ctx, memory.id);
    expect(facts).toEqual([]);
    expect(entities.length).toBeGreaterThan(0);
    expect(compression.reduction_percentage).toBe(0);
  });

  it("keeps changes that were made during processing", async () => {
    const memory = await store();
    let openings = 0;
    const slow: LanguageModels = {
      ...ctx.ports.models,
      open: async (choice) => {
        if (openings++ === 0) await reviseMemory(ctx, memory.id, { metadata: { kept: true } }, { door: "memories" });
        return ctx.ports.models.open(choice);
      },
    };
    expect(await deliver(take(), slow)).toEqual(NONE_FAILED);
    const processed = await getMemory(ctx, memory.id);
    expect(processed).toMatchObject({ metadata: { kept: true }, version: 2, processing: { status: "done" } });
    expect(processed.facts.length).toBeGreaterThan(0);
  });

  it.each([
    ["deleted", (id: string) => deleteMemory(ctx, id)],
    [
      "given another content",
      (id: string) => reviseMemory(ctx, id, { content: "Bob lives in Rome." }, { door: "memories" }),
    ],
    ["submitted again", (id: string) => submitJob(ctx, id, 0, {})],
  ])("has its job cancelled if it was %s in the meantime", async (_what, change) => {
    const memory = await store();
    const event = take();
    await change(memory.id);
    const before = await getMemory(ctx, memory.id).catch(() => undefined);
    expect(await deliver(event)).toEqual(NONE_FAILED);
    expect(await getMemory(ctx, memory.id).catch(() => undefined)).toEqual(before);
    expect(await jobOf(memory.processing.job_id)).toMatchObject({ state: "cancelled" });
  });
});

/** Delivers the queue's messages to a worker whose models fail until the job fails permanently. */
async function exhaust(job_id = ""): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    expect(await deliver(take(), broken)).toEqual(NONE_FAILED);
    clock.advance(Math.max(0, Date.parse((await jobOf(job_id)).queued_at) - clock.now()));
  }
}

describe("a failure", () => {
  it("is retried, and after the last attempt the job, the memory, the status and a dead letter show it", async () => {
    const { id, processing } = await store();
    const { job_id = "" } = processing;
    await deliver(take(), broken);
    expect(await jobOf(job_id)).toMatchObject({ state: "queued", attempts: 1, error: "models are down" });
    expect((await getMemory(ctx, id)).processing.status).toBe("queued");
    clock.advance(MINUTE);
    await exhaust(job_id);
    expect((await getMemory(ctx, id)).processing).toEqual({ status: "failed", job_id });
    const { jobs, failures, queues } = await readPipelineStatus(ctx);
    expect(jobs).toMatchObject({ queued: 0, processing: 0, failed: 1 });
    expect(failures).toMatchObject([{ id: job_id, input: { memory_id: id }, attempts: 3, error: "models are down" }]);
    expect(queues.normal).toMatchObject({ waiting: 0, delayed: 0, deadLetters: 1 });
  });

  it("is not retried if the text takes too much time", async () => {
    const { id, processing } = await store();
    const refusal = new ServiceError("TEXT_TOO_COMPLEX", "Processing this text takes too much time.");
    const refusing: LanguageModels = { ...broken, open: () => Promise.reject(refusal) };
    expect(await deliver(take(), refusing)).toEqual(NONE_FAILED);
    expect(await jobOf(processing.job_id)).toMatchObject({ state: "failed", attempts: 1, error: refusal.message });
    expect((await getMemory(ctx, id)).processing.status).toBe("failed");
  });

  it("is repaired by a redriven dead letter, and not by a late message", async () => {
    const { id, processing } = await store();
    const { job_id = "" } = processing;
    await exhaust(job_id);
    expect(await deliver(eventFor(job_id))).toEqual(NONE_FAILED);
    expect(await jobOf(job_id)).toMatchObject({ state: "failed", attempts: 3 });
    expect(await deliver(take(deadLettersOf("compress-normal")))).toEqual(NONE_FAILED);
    expect((await getMemory(ctx, id)).processing).toMatchObject({ status: "done", job_id });
    expect(await jobOf(job_id)).toMatchObject({ state: "completed", attempts: 1 });
  });

  it("of one message does not fail its batch", async () => {
    const memory = await store();
    const Records = [
      ...eventFor("unreadable", 1, "{").Records,
      ...eventFor("of another shape", 1, '{"job":1}').Records,
      ...eventFor("job_absent").Records,
      ...take().Records,
    ];
    const { batchItemFailures } = await deliver({ Records });
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted()).toEqual([
      "message of of another shape",
      "message of unreadable",
    ]);
    expect((await getMemory(ctx, memory.id)).processing.status).toBe("done");
  });
});

describe("a lost message", () => {
  /** Stores a memory whose message is lost. */
  async function storeWithoutMessage() {
    const lost = { ...ctx.ports.queue, send: () => Promise.reject(new Error("queue is down")) };
    const memory = await createMemory(
      { ...ctx, ports: { ...ctx.ports, queue: lost } },
      { content: TEXT, door: "memories" },
    );
    expect(memory.processing.status).toBe("queued");
    return memory;
  }

  it("is sent again by the sweep once it is overdue", async () => {
    const memory = await storeWithoutMessage();
    clock.advance(5 * MINUTE);
    expect(await sweepJobs(ctx, [MEMORY_PROCESSING_JOB])).toBe(0);
    clock.advance(6 * MINUTE);
    expect(await sweepJobs(ctx, [MEMORY_PROCESSING_JOB])).toBe(1);
    expect(await sweepJobs(ctx, [MEMORY_PROCESSING_JOB])).toBe(0);
    expect(await deliver(take())).toEqual(NONE_FAILED);
    expect((await getMemory(ctx, memory.id)).processing.status).toBe("done");
    clock.advance(120 * MINUTE);
    expect(await sweepJobs(ctx, [MEMORY_PROCESSING_JOB])).toBe(0);
  });

  it("is distinguished from one that waits in a long queue", async () => {
    await storeWithoutMessage();
    await store();
    clock.advance(11 * MINUTE);
    expect(await sweepJobs(ctx, [MEMORY_PROCESSING_JOB])).toBe(0);
    clock.advance(60 * MINUTE);
    expect(await sweepJobs(ctx, [MEMORY_PROCESSING_JOB])).toBe(2);
  });
});

describe("submitting", () => {
  it.each([
    [0, "compress-critical"],
    [1, "compress-high"],
    [2, "compress-normal"],
  ] as const)("puts priority %d into %s, and shows it in the status", async (priority, name) => {
    const { id } = await createMemory(ctx, { content: TEXT, door: "memories" }, { now: true });
    const job = await submitJob(ctx, id, priority, { compression_mode: "aggressive" });
    clock.advance(7_000);
    const { queues, jobs, oldestAgeMs } = await readPipelineStatus(ctx);
    const waiting = Object.values(queues).filter((each) => each.waiting === 1);
    expect(waiting).toEqual([expect.objectContaining({ name, priority, inFlight: 0, delayed: 0, deadLetters: 0 })]);
    expect(jobs).toMatchObject({ queued: 1, processing: 0 });
    expect(oldestAgeMs).toBe(7_000);
    expect((await getMemory(ctx, id)).processing).toEqual({ status: "queued", job_id: job.id });
    expect(await deliver(take(name))).toEqual(NONE_FAILED);
    expect((await getMemory(ctx, id)).processing.status).toBe("done");
    expect((await readPipelineStatus(ctx)).oldestAgeMs).toBeUndefined();
  });

  it("an unknown memory is refused without a job or a message", async () => {
    await expect(submitJob(ctx, "mem_absent", 0, {})).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    expect((await readPipelineStatus(ctx)).jobs.queued).toBe(0);
    expect(take("compress-critical").Records).toEqual([]);
  });
});

describe("creating", () => {
  it("fails if the content is claimed for a memory that does not exist", async () => {
    const claimed = { org: ctx.org, id: "mem_gone", user_id: "u1", content: TEXT, said_of: "2024-03" };
    await ctx.ports.records.write(claimContent(claimed, clock.now()));
    await expect(store(TEXT, { skip_duplicates: true })).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await readPipelineStatus(ctx)).jobs.queued).toBe(0);
  });

  it("counts no repeat if a draft is stored again with its id", async () => {
    const said = { content: "I live in Ghent.", user_id: "u9", door: "memories" as const };
    const draft = { ...said, id: "mem_again", options: { skip_duplicates: true } };
    await createMemory(ctx, draft);
    const again = await createMemory(ctx, draft);
    expect(again).toMatchObject({ id: "mem_again", processing: { duplicate_of: "mem_again" } });
    expect(again.repeats).toBeUndefined();
  });
});
