import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { JOBS } from "../../../../functions/workers/sweep/jobs.ts";
import { movableClock } from "../../../../test/contract/movable-clock.ts";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { replaced } from "../../../../test/support/replaced.ts";
import type { LocalQueue } from "../../../adapters/local/queue.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kernel/durations.ts";
import { INGEST_QUEUE } from "../../../ports/queues.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { JobMessage } from "../../../runtime/jobs/queue.ts";
import { findJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { sweepJobs } from "../../../runtime/jobs/sweep.ts";
import { withLink } from "../../memory/links.ts";
import { memoriesOf, memoryKey } from "../../memory/memory-keys.ts";
import { findMemory } from "../../memory/records.ts";
import { amendMemory } from "../../memory/revise.ts";
import { changeTier, findStoredMemory } from "../../memory/tier-records.ts";
import { deleteSource } from "./delete.ts";
import { ingest } from "./ingest.ts";
import { listSources, readSource } from "./records.ts";
import type { SourceDraft } from "./source.ts";
import { beginUpload, completeUpload } from "./uploads.ts";
import { sourceHandlers } from "./work.ts";

const VISIBILITY_SECONDS = 60;

let clock: ReturnType<typeof movableClock>;
let runtime: OrgRuntime;
let queue: LocalQueue;

beforeEach(setUp);

async function setUp(): Promise<void> {
  clock = movableClock();
  const queues = [{ name: INGEST_QUEUE, maxReceives: 50, visibilitySeconds: VISIBILITY_SECONDS }];
  const idle = await openIdleRuntime({ clock: clock.now, queues });
  runtime = { ...idle.runtime, org: "org_test" };
  queue = idle.queue;
}

const prose = (sentences: number, subject = "heron") =>
  Array.from({ length: sentences }, (_, n) => `Line ${n} of the log tells of the ${subject} at the pier.`).join("\n\n");

const DRAFT = { type: "text", external_id: "doc", created_by: "user_test" };
const draft = (text: string): SourceDraft => ({ ...DRAFT, content: { text } });

/** Long enough to be left to the workers. */
const LONG = prose(4_000);

const run = (by: OrgRuntime, message: JobMessage, turnMs = MINUTE_MS) => runJob(by, sourceHandlers, message, turnMs);

/** Processes the queued messages; those of failed jobs return to the queue later. */
async function deliver(by: OrgRuntime = runtime, turnMs?: number): Promise<number> {
  const messages = queue.receive(INGEST_QUEUE, 10);
  for (const { body, receipt } of messages) {
    await run(by, JobMessage.parse(JSON.parse(body)), turnMs);
    queue.delete([receipt]);
  }
  return messages.length;
}

async function deliverAll(by: OrgRuntime = runtime, turnMs?: number): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    quiet = (await deliver(by, turnMs)) === 0 ? quiet + 1 : 0;
    clock.advance(2 * MINUTE_MS);
  }
}

async function memories(): Promise<{ id: string; content: string }[]> {
  const { items } = await runtime.ports.records.query({ index: "gsi1", pk: memoriesOf(runtime.org), limit: 1000 });
  return items.map(({ id, content }) => ({ id: String(id), content: String(content) }));
}

const stateOf = (id: string) => readSource(runtime.ports.records, runtime.org, id);

/** Fails unless the source contains the whole text and the stores contain nothing else. */
async function expectComplete(source_id: string, text: string): Promise<void> {
  const { source, ingestion, upload } = await stateOf(source_id);
  expect(source).toMatchObject({ status: "active" });
  expect([ingestion, upload]).toEqual([undefined, undefined]);
  const stored = await memories();
  expect(stored).toHaveLength(source!.chunk_count + 1);
  const chunks = stored.filter(({ id }) => id !== source_id);
  const places = chunks.map(({ id }) => id.split("_").slice(2).map(Number));
  expect(new Set(places.map(([generation]) => generation))).toEqual(new Set([source!.generation]));
  expect(places.map(([, position]) => position).sort((a, b) => a! - b!)).toEqual(chunks.map((_, place) => place));
  const sentences = new Set(chunks.flatMap(({ content }) => content.split("\n\n")));
  expect(sentences).toEqual(new Set(text.split("\n\n")));
}

/** Returns a runtime whose process ends right after the write with the given number. */
function crashing(at: number): OrgRuntime {
  let writes = 0;
  const { records } = runtime.ports;
  const write: RecordStore["write"] = async (...given) => {
    if (writes++ < at) await records.write(...given);
    if (writes >= at) throw new Error("the process ended");
  };
  return { ...runtime, ports: { ...runtime.ports, records: replaced(records, { write }) } };
}

describe("a long text", () => {
  it("that cannot be read fails after some attempts, and can be ingested again", async () => {
    const { source } = await ingest(runtime, draft(LONG));
    const blobs = replaced(runtime.ports.blobs, { get: () => Promise.reject(new Error("blobs are down")) });
    const broken = { ...runtime, ports: { ...runtime.ports, blobs } };
    await deliverAll(broken);
    const failed = await stateOf(source.id);
    expect(failed.source).toMatchObject({ status: "failed", error: expect.stringContaining("ingest it again") });
    expect(failed.ingestion).toBeUndefined();
    expect(await memories()).toEqual([]);
    const again = await ingest(runtime, draft(LONG));
    expect(again).toMatchObject({ outcome: "updated", source: { id: source.id } });
    await deliverAll();
    await expectComplete(source.id, LONG);
  });
});

describe("a content that is out of date", () => {
  it("is no longer stored once another content was started or the source was deleted", async () => {
    const { source } = await ingest(runtime, draft(LONG));
    await deliver(runtime, 0);
    const late = { org: runtime.org, job: source.ingestion_id! };
    await run(crashing(3), late, 0).catch(() => undefined);
    await ingest(runtime, draft("The tern alone."));
    await deliverAll();
    await expectComplete(source.id, "The tern alone.");
    await deleteSource(runtime, source.id);
    await deliverAll();
    expect(await memories()).toEqual([]);
    expect(await stateOf(source.id)).toEqual({ source: undefined, ingestion: undefined, upload: undefined });
    expect(await findJob(runtime.ports.records, runtime.org, late.job)).toBeUndefined();
  });

  it("is deleted at once if a short one follows, even if its message was lost", async () => {
    const { source } = await ingest(runtime, draft(prose(4_000, "gull")));
    await deliver(runtime, 0);
    expect((await memories()).length).toBeGreaterThan(0);
    while (queue.receive(INGEST_QUEUE, 10).length > 0);
    await ingest(runtime, draft("The tern alone."));
    await expectComplete(source.id, "The tern alone.");
  });

  it("is deleted completely after any order of ingesting, deleting, delivering and crashing", async () => {
    const command = fc.oneof(
      fc.record({ does: fc.constant("ingest" as const), sentences: fc.constantFrom(3, 900, 3_000) }),
      fc.record({ does: fc.constant("deliver" as const), turnMs: fc.constantFrom(0, 5, 10_000) }),
      fc.record({ does: fc.constant("crash" as const), write: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ does: fc.constant("delete" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 10 }), async (commands) => {
        await setUp();
        let last: { id: string; text: string } | undefined;
        for (const step of commands) {
          if (step.does === "ingest") {
            const text = prose(step.sentences, `bird-${step.sentences}`);
            last = { id: (await ingest(runtime, draft(text))).source.id, text };
          }
          if (step.does === "deliver") await deliver(runtime, step.turnMs);
          if (step.does === "crash") await deliver(crashing(step.write)).catch(() => undefined);
          if (step.does === "delete" && last) {
            await deleteSource(runtime, last.id);
            last = undefined;
          }
          clock.advance(2 * MINUTE_MS);
        }
        for (let round = 0; round < 4; round++) {
          clock.advance(11 * MINUTE_MS);
          await sweepJobs(runtime, JOBS);
          await deliverAll();
        }
        if (last) return expectComplete(last.id, last.text);
        expect(await memories()).toEqual([]);
        const { items: sources } = await listSources(runtime.ports.records, runtime.org, {}, { limit: 10, offset: 0 });
        expect(sources).toEqual([]);
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});

describe("the memory of a source that is ingested again", () => {
  const viewed = () => ({ ...runtime, viewer: undefined });
  const link = { id: "ent_harbour", name: "Harbour", type: "place", relationship_type: "seen_from", strength: 1 };
  const edges = async (id: string) => {
    const query = { pk: memoryKey(runtime.org, id).pk, sk: { beginsWith: "edge#" }, limit: 1000 };
    return (await runtime.ports.records.query(query)).items.map(({ entity_id }) => entity_id);
  };

  it("keeps its explicit links, and returns to the working tier with its new content", async () => {
    const { source } = await ingest(runtime, draft("Ada Lovelace watched the heron."));
    await amendMemory(viewed(), source.id, ({ entities }) => ({ entities: withLink(entities, link) }));
    const stored = await findStoredMemory(runtime.ports.records, runtime.org, source.id);
    await runtime.ports.records.write(changeTier(stored!, "archive"));
    await ingest(runtime, draft("Grace Hopper watched the tern."));
    const memory = await findMemory(viewed(), source.id);
    expect(memory).toMatchObject({ tier: "working", version: 2, content: expect.stringContaining("tern") });
    const names = memory!.entities.map(({ name }) => name);
    expect(memory!.entities).toContainEqual(link);
    expect(names).toContain("Grace Hopper");
    expect(names).not.toContain("Ada Lovelace");
    expect((await edges(source.id)).sort()).toEqual(memory!.entities.map(({ id }) => id).sort());
  });

  it("is written at once with the maximum number of links and mentions", async () => {
    const { source } = await ingest(runtime, draft("The heron stays."));
    const many = (count: number, of: object) =>
      Array.from({ length: count }, (_, n) => ({ ...link, id: `ent_${Object.keys(of)}${n}`, ...of }));
    const mentions = many(40, { relationship_type: undefined });
    const links = many(50, { strength: 1 });
    await amendMemory(viewed(), source.id, () => ({ entities: [...mentions, ...links] }));
    const named = Array.from({ length: 20 }, (_, n) => `Captain ${String.fromCodePoint(65 + n)}dams left.`);
    const again = await ingest(runtime, draft(named.join("\n\n")));
    expect(again.source).toMatchObject({ status: "active" });
    const { entities } = (await findMemory(viewed(), source.id))!;
    expect(entities.slice(0, links.length)).toEqual(links);
    expect(entities.length).toBeGreaterThan(links.length);
  });
});

describe("an upload to a link", () => {
  const announce = (external_id?: string) =>
    beginUpload(runtime, { filename: "log.txt", created_by: "user_test", ...(external_id && { external_id }) });
  const blobOf = async (id: string) => (await stateOf(id)).upload!.input.blob;

  it("that never came expires after a day, with its source", async () => {
    const { source } = await announce();
    clock.advance(23 * HOUR_MS);
    expect(await sweepJobs(runtime, JOBS)).toBe(0);
    clock.advance(2 * HOUR_MS);
    expect(await sweepJobs(runtime, JOBS)).toBe(1);
    await deliverAll();
    expect((await stateOf(source.id)).source).toBeUndefined();
  });

  it("for a source with a content keeps that content, and its own file is deleted", async () => {
    const { source } = await ingest(runtime, { ...draft("The heron stays."), external_id: "kept" });
    await announce("kept");
    const blob = await blobOf(source.id);
    await runtime.ports.blobs.put(blob, { bytes: Buffer.from("late"), contentType: "text/plain" });
    clock.advance(25 * HOUR_MS);
    expect(await sweepJobs(runtime, JOBS)).toBe(1);
    await deliverAll();
    expect(await runtime.ports.blobs.get(blob)).toBeUndefined();
    await expectComplete(source.id, "The heron stays.");
  });

  it("is ingested once if its completion is reported several times at once", async () => {
    const { source } = await announce();
    await runtime.ports.blobs.put(await blobOf(source.id), { bytes: Buffer.from(LONG), contentType: "text/plain" });
    const told = await Promise.allSettled([1, 2, 3].map(() => completeUpload(runtime, source.id)));
    expect(told.some(({ status }) => status === "fulfilled")).toBe(true);
    await deliverAll();
    await expectComplete(source.id, LONG);
    expect(await runtime.ports.records.get(memoryKey(runtime.org, source.id))).toBeDefined();
  });
});

it("links a chunk to names in its own part of the text, but not in its repeated headings", async () => {
  const paragraphs = Array.from({ length: 30 }, (_, n) => `In part ${n} ${"the tide turns at the quay ".repeat(9)}.`);
  const text = `# Handbook\n\n## Porto Novo\n\n${paragraphs.join("\n\n")}`;
  const { source } = await ingest(runtime, draft(text));
  await deliverAll();
  const { items } = await runtime.ports.records.query({ index: "gsi1", pk: memoriesOf(runtime.org), limit: 1000 });
  const chunks = items.filter(({ id }) => id !== source.id);
  const naming = chunks.filter(({ content }) => String(content).includes("Porto Novo"));
  expect(naming.length).toBeGreaterThan(3);
  const linked = naming.filter(({ entities }) =>
    (entities as { name: string }[]).some(({ name }) => name === "Porto Novo"),
  );
  expect(linked).toHaveLength(1);
});
