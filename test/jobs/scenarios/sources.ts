import { expect } from "vitest";
import { ingest } from "../../../shared/domain/knowledge/sources/ingest.ts";
import { EXPIRE_UPLOAD_JOB } from "../../../shared/domain/knowledge/sources/job-kinds.ts";
import { readSource } from "../../../shared/domain/knowledge/sources/records.ts";
import { removalOf } from "../../../shared/domain/knowledge/sources/removal.ts";
import { beginUpload, completeUpload } from "../../../shared/domain/knowledge/sources/uploads.ts";
import { sourceHandlers } from "../../../shared/domain/knowledge/sources/work.ts";
import { chunkId } from "../../../shared/domain/memory/chunk-ids.ts";
import { memoryKey } from "../../../shared/domain/memory/memory-keys.ts";
import type { OrgRuntime } from "../../../shared/runtime/context.ts";
import { due, type Job } from "../../../shared/runtime/jobs/job.ts";
import { insertJob, replaceJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

const created_by = "ak_test";
const LONG = Array.from({ length: 300 }, (_, n) => `Line ${n} of the log tells of the heron at the pier.`).join("\n\n");
/** More than one step removes. */
const CHUNKS = 250;

const runtimeOf = ({ runtime, org }: Stage): OrgRuntime => ({ ...runtime, org });

/** A source with a short text in view, and a file sent to a link that is to take the place of it. */
async function uploaded(runtime: OrgRuntime) {
  const external_id = runtime.ids("test");
  await ingest(runtime, { type: "text", content: { text: "The tern alone." }, external_id, created_by });
  const { source } = await beginUpload(runtime, { filename: "log.txt", external_id, created_by });
  const { upload } = await readSource(runtime.ports.records, runtime.org, source.id);
  if (!upload) throw new Error("there is no link");
  await runtime.ports.blobs.put(upload.input.blob, { bytes: Buffer.from(LONG), contentType: "text/plain" });
  return { source, upload };
}

async function storedOf({ ports, org }: OrgRuntime, source_id: string, generation: number): Promise<number> {
  const positions = Array.from({ length: CHUNKS }, (_, position) => position);
  const keys = positions.map((position) => memoryKey(org, chunkId({ source_id, generation, position })));
  return (await ports.records.getMany(keys)).length;
}

async function expectFailed(stage: Stage, { input }: Job<"ingest_source">): Promise<void> {
  const { source, ingestion } = await readSource(stage.runtime.ports.records, stage.org, input.source_id);
  expect(source).toMatchObject({ status: "failed", generation: 1, error: expect.stringContaining("ingest it again") });
  expect(ingestion).toBeUndefined();
}

export const ingest_source: JobScenario<"ingest_source"> = {
  handlers: sourceHandlers,
  async begin(stage) {
    const runtime = runtimeOf(stage);
    const { source } = await uploaded(runtime);
    await completeUpload(runtime, source.id);
    const { ingestion } = await readSource(runtime.ports.records, runtime.org, source.id);
    if (!ingestion) throw new Error("nothing is read");
    return ingestion;
  },
  async expectDone(stage, { input: { source_id, generation } }) {
    const runtime = runtimeOf(stage);
    const { source, ingestion, upload } = await readSource(runtime.ports.records, runtime.org, source_id);
    expect(source).toMatchObject({ status: "active", generation });
    expect([ingestion, upload]).toEqual([undefined, undefined]);
    expect(source?.chunk_count).toBeGreaterThan(3);
    expect(await storedOf(runtime, source_id, generation)).toBe(source?.chunk_count);
    const memory = await runtime.ports.records.get(memoryKey(runtime.org, source_id));
    expect(memory).toMatchObject({ version: 2 });
  },
  expectFailed,
};

export const remove_source: JobScenario<"remove_source"> = {
  handlers: sourceHandlers,
  async begin(stage) {
    const runtime = runtimeOf(stage);
    const draft = { type: "text", content: { text: LONG }, external_id: runtime.ids("test"), created_by };
    const { source } = await ingest(runtime, draft);
    expect(await storedOf(runtime, source.id, 1)).toBeGreaterThan(3);
    const blob = `test/${source.id}`;
    await runtime.ports.blobs.put(blob, { bytes: Buffer.from("x"), contentType: "text/plain" });
    const given = { source_id: source.id, generation: 1, created_by };
    const [job] = removalOf(runtime, given, { chunks: CHUNKS, blobs: [blob] });
    if (!job) throw new Error("there is nothing to remove");
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone(stage, { input: { source_id, generation, blobs } }) {
    const runtime = runtimeOf(stage);
    expect(await storedOf(runtime, source_id, generation)).toBe(0);
    expect(await runtime.ports.blobs.get(blobs[0] ?? "")).toBeUndefined();
  },
};

export const expire_upload: JobScenario<"expire_upload"> = {
  handlers: sourceHandlers,
  async begin(stage) {
    const runtime = runtimeOf(stage);
    const { upload } = await uploaded(runtime);
    const { job, write } = replaceJob(upload, due(EXPIRE_UPLOAD_JOB.kind, runtime.clock()));
    await runtime.ports.records.write(write);
    return job;
  },
  async expectDone({ runtime, org }, { input: { source_id } }) {
    const { source, upload } = await readSource(runtime.ports.records, org, source_id);
    expect(source).toMatchObject({ status: "active", generation: 1 });
    expect([source?.upload_id, upload]).toEqual([undefined, undefined]);
  },
};
