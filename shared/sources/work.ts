import { loadTokenCounter } from "../compression/tokens.ts";
import type { AnyJobHandler, JobHandler, JobWrites } from "../jobs/handler.ts";
import type { Job } from "../jobs/job.ts";
import { insertJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { askVerifier } from "../memory/asking.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemory } from "../memory/records.ts";
import { countReturn } from "../memory/revise.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { isTooComplex } from "../text-work/task.ts";
import { ingestionOf } from "./beginning.ts";
import { describeFile, reasonWithoutText } from "./descriptions.ts";
import { Unreadable } from "./extraction/unreadable.ts";
import { writeSourceMemory } from "./memories.ts";
import { type ReadContent, type ReadingOptions, readContent } from "./read-content.ts";
import { READER_VERSION } from "./reader-version.ts";
import { readSource, replaceSource } from "./records.ts";
import { blobsInView, blobsOf, removalOf, removeSoon, removeSource } from "./removal.ts";
import type { Source } from "./source.ts";
import { summaryTask } from "./summary.ts";
import { expireUpload } from "./uploads.ts";

/** How often a write is repeated that met another one. */
const MAX_WRITES = 8;

/** Reads a content and takes it into view. What goes wrong in the end is told by the source. */
export function ingestSource(options: ReadingOptions): JobHandler<"ingest_source"> {
  return {
    kind: "ingest_source",
    async step(home, turn) {
      const content = await readContent(home, turn, options);
      if ("checkpoint" in content) return content;
      return { end: "completed", ...(await complete(home, turn.job, content)) };
    },
    onFailed: async (home, job, error) => fail(home, job, isUnreadable(error) ? error.message : GIVEN_UP),
    isPermanent: isUnreadable,
    isOutside: isUnreadable,
  };
}

/** What is done about sources by the workers. */
export const sourceHandlers: readonly AnyJobHandler[] = [
  ingestSource({ inBackground: true }),
  removeSource,
  expireUpload,
];

const GIVEN_UP = "it could not be read; ingest it again";

function isUnreadable(error: unknown): error is Error {
  return error instanceof Unreadable || isTooComplex(error);
}

/** What a source becomes, with the other writes of that, and the jobs among them that remove what went out of view. */
interface Change {
  after: Source;
  writes?: Write[];
  removals: Job<"remove_source">[];
  /** The source's memory as it was, where that changes. */
  memory?: Memory | undefined;
}

/**
 * Has the end of a reading change its source, from what that is by then: others may change the source meanwhile. Throws
 * Superseded where the source does not name the reading any more.
 */
function changing(
  home: OrgHome,
  { id, input }: Job<"ingest_source">,
  change: (source: Source) => Promise<Change>,
): JobWrites {
  return {
    async commit(end) {
      for (let attempt = 1; ; attempt++) {
        const { source } = await readSource(home.ports.records, home.org, input.source_id);
        if (source?.ingestion_id !== id) throw new Superseded();
        const { after, writes = [], removals, memory } = await change(source);
        try {
          await home.ports.records.write(
            end,
            replaceSource(source, withoutIngestion(after)),
            ...writes,
            ...removals.map(insertJob),
          );
          if (memory) countReturn(home, memory);
          return removeSoon(home, removals);
        } catch (error) {
          if (!(error instanceof ConditionFailed) || attempt === MAX_WRITES) throw error;
        }
      }
    },
  };
}

function withoutIngestion({ ingestion_id: _, ...source }: Source): Source {
  return source;
}

// ---------------------------------------------------------------- the end

/** Takes the new content into view and the old one out of it, by one write; what is out of view is removed afterwards. */
async function complete(home: OrgHome, job: Job<"ingest_source">, content: ReadContent): Promise<JobWrites> {
  const said = await describe(home, content);
  return changing(home, job, async (source) => {
    const after = completed(home, source, content);
    const memory = await findMemory({ ...home, viewer: undefined }, source.id);
    const old = { source_id: source.id, generation: source.generation, created_by: source.created_by };
    const removals = removalOf(home, old, { chunks: source.chunk_count, blobs: blobsInView(source) });
    return { after, writes: await writeSourceMemory(home, after, said, memory), removals, memory };
  });
}

function completed(
  home: OrgHome,
  { error, file: _file, text_blob: _text, ...before }: Source,
  content: ReadContent,
): Source {
  const { ingestion, title, file } = content;
  const now = timestamp(home.clock());
  const [text_blob] = blobsOf(ingestion).filter((blob) => blob !== file?.blob);
  return {
    ...before,
    ...ingestion.labels,
    type: ingestion.type,
    title,
    is_titled: ingestion.labels.title !== undefined,
    ...outcomeOf(content),
    reader: READER_VERSION,
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

/** A content without a chunk says so, and why. */
function outcomeOf({ ingestion, file }: ReadContent): Pick<Source, "status" | "error"> {
  return ingestion.written > 0 ? { status: "active" } : { status: "no_text", error: reasonWithoutText(file) };
}

/** What the source's own memory says: the gist of its text, or what is known of a file without any. */
async function describe(home: OrgHome, { ingestion, title, outline, entities, file }: ReadContent) {
  const { lead, headings } = outline;
  const parts =
    lead.trim() === "" && file
      ? [title, describeFile(file, ingestion.labels.metadata)]
      : [title, (await askVerifier(home, summaryTask, { title, lead, headings })).value.summary, contents(headings)];
  const content = parts.filter((part) => part !== "").join("\n\n");
  return { content, entities, tokens: (await loadTokenCounter()).count(content) };
}

function contents(headings: string[]): string {
  return headings.length < 2 ? "" : `Contents: ${headings.join("; ")}`;
}

/** Gives a content up. What the source held before stays in view; a first file is kept, so that it can be fetched. */
function fail(home: OrgHome, job: Job<"ingest_source">, reason: string): JobWrites {
  const ingestion = ingestionOf(job);
  return changing(home, job, async (source) => {
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
      updated_at: timestamp(home.clock()),
    };
    return { after, removals: removalOf(home, ingestion, { chunks: ingestion.written, blobs }) };
  });
}
