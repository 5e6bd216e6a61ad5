import { timestamp } from "../../../kernel/clock.ts";
import { retryOnConflict } from "../../../ports/conflicts.ts";
import { StaleJobError } from "../../../ports/errors.ts";
import type { Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { AnyJobHandler, JobHandler, JobWrites } from "../../../runtime/jobs/handler.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { isTooComplex } from "../../../runtime/text-work/task.ts";
import { loadTokenCounter } from "../../compression/condensing/tokens.ts";
import type { Memory } from "../../memory/memory.ts";
import { findMemory } from "../../memory/records.ts";
import { countReturn } from "../../memory/revise.ts";
import { runVerificationTask } from "../../memory/verification-task.ts";
import { describeFile, reasonWithoutText } from "./descriptions.ts";
import { UnreadableError } from "./extraction/unreadable.ts";
import { INGEST_SOURCE_JOB } from "./job-kinds.ts";
import { writeSourceMemory } from "./memories.ts";
import { ingestionOf, readerVersionOf } from "./new-source.ts";
import { type ReadContent, type ReadingOptions, readContent } from "./read-content.ts";
import { readSource, replaceSource } from "./records.ts";
import { blobsInView, blobsOf, enqueueRemovals, removalOf, removeSource } from "./removal.ts";
import type { Source } from "./source.ts";
import { summaryTask } from "./summary.ts";
import { expireUpload } from "./uploads.ts";

/** Reads a content and makes it visible. If that fails, the source has the error. */
export function ingestSource(options: ReadingOptions): JobHandler<"ingest_source"> {
  return {
    job: INGEST_SOURCE_JOB,
    async step(runtime, turn) {
      const content = await readContent(runtime, turn, options);
      if ("checkpoint" in content) return content;
      return { end: "completed", ...(await complete(runtime, turn.job, content)) };
    },
    onFailed: async (runtime, job, error) => fail(runtime, job, isUnreadable(error) ? error.message : FAILURE_MESSAGE),
    isPermanent: isUnreadable,
    isOutside: isUnreadable,
  };
}

/** Handlers of the workers' jobs for sources. */
export const sourceHandlers: readonly AnyJobHandler[] = [
  ingestSource({ inBackground: true }),
  removeSource,
  expireUpload,
];

const FAILURE_MESSAGE = "it could not be read; ingest it again";

function isUnreadable(error: unknown): error is Error {
  return error instanceof UnreadableError || isTooComplex(error);
}

/** The changed source, the other writes of the change, and the jobs that delete what is no longer visible. */
interface Change {
  after: Source;
  writes?: Write[];
  removals: Job<"remove_source">[];
  /** The source's memory before the change, if the change affects it. */
  memory?: Memory | undefined;
}

/**
 * Ends a reading with a change of its source, computed from the source's current state because other requests may
 * change it concurrently. Throws StaleJobError if the source no longer names the reading.
 */
function endWithChange(
  runtime: OrgRuntime,
  { id, input }: Job<"ingest_source">,
  change: (source: Source) => Promise<Change>,
): JobWrites {
  return {
    async commit(end) {
      const { memory, removals } = await retryOnConflict(async () => {
        const { source } = await readSource(runtime.ports.records, runtime.org, input.source_id);
        if (source?.ingestion_id !== id) throw new StaleJobError();
        const { after, writes = [], removals, memory } = await change(source);
        const { ingestion_id: _, ...ended } = after;
        await runtime.ports.records.write(end, replaceSource(source, ended), ...writes, ...removals.map(insertJob));
        return { memory, removals };
      });
      if (memory) countReturn(runtime, memory);
      await enqueueRemovals(runtime, removals);
    },
  };
}

// ---------------------------------------------------------------- end

/** Makes the new content visible and the old one invisible in one write; the old one is deleted afterwards. */
async function complete(runtime: OrgRuntime, job: Job<"ingest_source">, content: ReadContent): Promise<JobWrites> {
  const sourceContent = await describe(runtime, content);
  return endWithChange(runtime, job, async (source) => {
    const after = completed(runtime, source, content);
    const memory = await findMemory({ ...runtime, viewer: undefined }, source.id);
    const old = { source_id: source.id, generation: source.generation, created_by: source.created_by };
    const blobs = [...blobsInView(source), ...(content.isRedacted ? blobsInView(after) : [])];
    const removals = removalOf(runtime, old, { chunks: source.chunk_count, blobs });
    const shown = content.isRedacted ? withoutBlobs(after) : after;
    const written = { ...sourceContent, changed_by: job.input.created_by };
    return { after: shown, writes: await writeSourceMemory(runtime, shown, written, memory), removals, memory };
  });
}

/** What was sent is not kept if it has secrets that the policy takes out. */
function withoutBlobs({ file: _file, text_blob: _text, ...source }: Source): Source {
  return source;
}

function completed(
  runtime: OrgRuntime,
  { error, file: _file, text_blob: _text, ...before }: Source,
  content: ReadContent,
): Source {
  const { ingestion, title, file } = content;
  const now = timestamp(runtime.clock());
  const [text_blob] = blobsOf(ingestion).filter((blob) => blob !== file?.blob);
  return {
    ...before,
    ...ingestion.labels,
    type: ingestion.type,
    title,
    is_titled: ingestion.labels.title !== undefined,
    ...outcomeOf(runtime, content),
    reader: readerVersionOf(runtime.config, file?.kind),
    content_hash: ingestion.content_hash,
    generation: ingestion.generation,
    chunk_count: ingestion.written,
    entity_count: ingestion.entity_count,
    tokens: ingestion.tokens,
    updated_at: now,
    ingested_at: now,
    ...(file && { file }),
    ...(text_blob !== undefined && { text_blob }),
  };
}

/** Returns the status of a content and, if it has no chunks, the reason for the lack of text. */
function outcomeOf({ config }: OrgRuntime, { ingestion, file }: ReadContent): Pick<Source, "status" | "error"> {
  return ingestion.written > 0 ? { status: "active" } : { status: "no_text", error: reasonWithoutText(file, config) };
}

/** Returns the content of the source's own memory: a summary of its text, or a description of a file without text. */
async function describe(runtime: OrgRuntime, { ingestion, title, outline, entities, file }: ReadContent) {
  const { lead, headings } = outline;
  const parts =
    lead.trim() === "" && file
      ? [title, describeFile(file, ingestion.labels.metadata)]
      : [
          title,
          (await runVerificationTask(runtime, summaryTask, { title, lead, headings })).value.summary,
          headings.length < 2 ? "" : `Contents: ${headings.join("; ")}`,
        ];
  const content = parts.filter((part) => part !== "").join("\n\n");
  return { content, entities, tokens: (await loadTokenCounter()).count(content) };
}

/** Marks a content as failed. The previous content stays visible; the file of a first content can still be fetched. */
function fail(runtime: OrgRuntime, job: Job<"ingest_source">, reason: string): JobWrites {
  const ingestion = ingestionOf(job);
  return endWithChange(runtime, job, async (source) => {
    const isFirst = source.generation === 0;
    const file = isFirst && "file" in ingestion.content ? { file: ingestion.content.file } : {};
    const kept = blobsInView({ ...source, ...file });
    const blobs = [...blobsOf(ingestion), ...blobsInView(source)].filter((blob) => !kept.includes(blob));
    const after: Source = {
      ...source,
      ...file,
      status: "failed",
      error: reason,
      title: ingestion.labels.title ?? (isFirst && file.file ? file.file.name : source.title),
      updated_at: timestamp(runtime.clock()),
    };
    return { after, removals: removalOf(runtime, ingestion, { chunks: ingestion.written, blobs }) };
  });
}
