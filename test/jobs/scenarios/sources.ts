import { expect } from "vitest";
import { due, type Job } from "../../../shared/jobs/job.ts";
import { insertJob, replaceJob } from "../../../shared/jobs/records.ts";
import { memoryKey } from "../../../shared/memory/records.ts";
import type { OrgHome } from "../../../shared/platform/context.ts";
import { chunkId } from "../../../shared/sources/chunk-ids.ts";
import { ingest } from "../../../shared/sources/ingest.ts";
import { readSource } from "../../../shared/sources/records.ts";
import { removalOf } from "../../../shared/sources/removal.ts";
import { beginUpload, completeUpload } from "../../../shared/sources/uploads.ts";
import { sourceHandlers } from "../../../shared/sources/work.ts";
import type { JobScenario, Stage } from "../scenario.ts";

const created_by = "ak_test";
const LONG = Array.from({ length: 300 }, (_, n) => `Line ${n} of the log tells of the heron at the pier.`).join("\n\n");
/** More than one step removes. */
const CHUNKS = 250;

const homeOf = ({ home, org }: Stage): OrgHome => ({ ...home, org });

/** A source with a short text in view, and a file sent to a link that is to take the place of it. */
async function uploaded(home: OrgHome) {
  const external_id = home.ids("test");
  await ingest(home, { type: "text", content: { text: "The tern alone." }, external_id, created_by });
  const { source } = await beginUpload(home, { filename: "log.txt", external_id, created_by });
  const { upload } = await readSource(home.ports.records, home.org, source.id);
  if (!upload) throw new Error("there is no link");
  await home.ports.blobs.put(upload.input.blob, { bytes: Buffer.from(LONG), contentType: "text/plain" });
  return { source, upload };
}

async function storedOf({ ports, org }: OrgHome, source_id: string, generation: number): Promise<number> {
  const positions = Array.from({ length: CHUNKS }, (_, position) => position);
  const keys = positions.map((position) => memoryKey(org, chunkId({ source_id, generation, position })));
  return (await ports.records.getMany(keys)).length;
}

async function expectFailed(stage: Stage, { input }: Job<"ingest_source">): Promise<void> {
  const { source, ingestion } = await readSource(stage.home.ports.records, stage.org, input.source_id);
  expect(source).toMatchObject({ status: "failed", generation: 1, error: expect.stringContaining("ingest it again") });
  expect(ingestion).toBeUndefined();
}

export const ingest_source: JobScenario<"ingest_source"> = {
  handlers: sourceHandlers,
  async begin(stage) {
    const home = homeOf(stage);
    const { source } = await uploaded(home);
    await completeUpload(home, source.id);
    const { ingestion } = await readSource(home.ports.records, home.org, source.id);
    if (!ingestion) throw new Error("nothing is read");
    return ingestion;
  },
  async expectDone(stage, { input: { source_id, generation } }) {
    const home = homeOf(stage);
    const { source, ingestion, upload } = await readSource(home.ports.records, home.org, source_id);
    expect(source).toMatchObject({ status: "active", generation });
    expect([ingestion, upload]).toEqual([undefined, undefined]);
    expect(source?.chunk_count).toBeGreaterThan(3);
    expect(await storedOf(home, source_id, generation)).toBe(source?.chunk_count);
    const memory = await home.ports.records.get(memoryKey(home.org, source_id));
    expect(memory).toMatchObject({ version: 2 });
  },
  expectFailed,
};

export const remove_source: JobScenario<"remove_source"> = {
  handlers: sourceHandlers,
  async begin(stage) {
    const home = homeOf(stage);
    const draft = { type: "text", content: { text: LONG }, external_id: home.ids("test"), created_by };
    const { source } = await ingest(home, draft);
    expect(await storedOf(home, source.id, 1)).toBeGreaterThan(3);
    const blob = `test/${source.id}`;
    await home.ports.blobs.put(blob, { bytes: Buffer.from("x"), contentType: "text/plain" });
    const given = { source_id: source.id, generation: 1, created_by };
    const [job] = removalOf(home, given, { chunks: CHUNKS, blobs: [blob] });
    if (!job) throw new Error("there is nothing to remove");
    await home.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone(stage, { input: { source_id, generation, blobs } }) {
    const home = homeOf(stage);
    expect(await storedOf(home, source_id, generation)).toBe(0);
    expect(await home.ports.blobs.get(blobs[0] ?? "")).toBeUndefined();
  },
};

export const expire_upload: JobScenario<"expire_upload"> = {
  handlers: sourceHandlers,
  async begin(stage) {
    const home = homeOf(stage);
    const { upload } = await uploaded(home);
    const { job, write } = replaceJob(upload, due("expire_upload", home.clock()));
    await home.ports.records.write(write);
    return job;
  },
  async expectDone({ home, org }, { input: { source_id } }) {
    const { source, upload } = await readSource(home.ports.records, org, source_id);
    expect(source).toMatchObject({ status: "active", generation: 1 });
    expect([source?.upload_id, upload]).toEqual([undefined, undefined]);
  },
};
