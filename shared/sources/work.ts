import { loadTokenCounter } from "../compression/tokens.ts";
import { timestamp } from "../kernel/clock.ts";
import { askVerifier } from "../memory/asking.ts";
import { findMemory } from "../memory/records.ts";
import { countReturn } from "../memory/revise.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import { isTooComplex } from "../text-work/task.ts";
import { describeFile } from "./descriptions.ts";
import { Unreadable } from "./extraction/unreadable.ts";
import { writeSourceMemory } from "./memories.ts";
import { announce, type SourceMessage } from "./queue.ts";
import { type ReadContent, type ReadingLimits, readContent } from "./read-content.ts";
import { putIngestion, putRemoval, readSource, removeIngestion, replaceSource } from "./records.ts";
import { blobsInView, blobsOf, carryOutRemoval, isNothing, removalOf, removeSoon } from "./removal.ts";
import type { Ingestion, Source } from "./source.ts";
import { summaryTask } from "./summary.ts";

/** How often reading a content is begun that gets no further, before it is given up. */
const MAX_ATTEMPTS = 4;
const RETRY_SECONDS = 5;
/** How often a write is repeated that met another one. */
const MAX_WRITES = 8;

/**
 * Does what is to be done about a source: removes what is out of view, reads the content that was begun. Messages may come
 * twice, late, or when there is nothing left to do. What goes wrong on the way is tried again later, and in the end told by
 * the source.
 */
export async function workOn(home: OrgHome, { source_id }: SourceMessage, limits: ReadingLimits = {}): Promise<void> {
  const { ingestion, removals } = await readSource(home.ports.records, home.org, source_id);
  for (const removal of removals) await carryOutRemoval(home, removal);
  if (ingestion) await readOn(home, ingestion, limits);
}

/** Reads a content that was begun, and takes it into view. */
export async function readOn(home: OrgHome, ingestion: Ingestion, limits: ReadingLimits = {}): Promise<void> {
  if (ingestion.attempts >= MAX_ATTEMPTS) return fail(home, ingestion, "it could not be read; ingest it again");
  const begun = { ...ingestion, attempts: ingestion.attempts + 1, queued_at: timestamp(home.clock()) };
  try {
    await home.ports.records.write(putIngestion(begun, ingestion));
    const content = await readContent(home, begun, limits);
    if (content) await complete(home, content);
    else await putOff(home, ingestion);
  } catch (error) {
    // Somebody else goes on with it, or ended it.
    if (error instanceof Superseded || error instanceof ConditionFailed) return;
    if (error instanceof Unreadable || isTooComplex(error)) return fail(home, ingestion, error.message);
    home.logger.error("INGESTION_FAILED", { org: home.org, source: ingestion.source_id, error });
    await announce(home, begun, RETRY_SECONDS * begun.attempts ** 2);
  }
}

/** The ingestion as it is now. Throws Superseded where it is over, or was begun anew. */
async function current(home: OrgHome, { source_id, generation }: Ingestion) {
  const { source, ingestion } = await readSource(home.ports.records, home.org, source_id);
  if (!source || ingestion?.generation !== generation) throw new Superseded();
  return { source, ingestion };
}

/** Leaves the rest for another turn, so that a long text does not keep others waiting. */
async function putOff(home: OrgHome, begun: Ingestion): Promise<void> {
  const { ingestion } = await current(home, begun);
  const isFurther = ingestion.written > begun.written;
  const waiting = { ...ingestion, attempts: isFurther ? 0 : ingestion.attempts, queued_at: timestamp(home.clock()) };
  await home.ports.records.write(putIngestion(waiting, ingestion));
  await announce(home, ingestion);
}

/** Tries a write again that met another one, from what is there by then. Throws Superseded. */
async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MAX_WRITES) throw error;
    }
  }
}

// ---------------------------------------------------------------- the end

/** Takes the new content into view and the old one out of it, by one write; what is out of view is removed afterwards. */
async function complete(home: OrgHome, content: ReadContent): Promise<void> {
  const said = await describe(home, content);
  const removals = await insist(async () => {
    const { source, ingestion } = await current(home, content.ingestion);
    const after = completed(home, source, content);
    const memory = await findMemory({ ...home, viewer: undefined }, source.id);
    const old = removalOf(home, ingestion, { chunks: source.chunk_count, blobs: blobsInView(source) });
    const gone = { ...old, generation: source.generation };
    const removals = isNothing(gone) ? [] : [gone];
    await home.ports.records.write(
      replaceSource(source, after),
      removeIngestion(ingestion),
      ...removals.map(putRemoval),
      ...(await writeSourceMemory(home, after, said, memory)),
    );
    if (memory) countReturn(home, memory);
    return removals;
  });
  await removeSoon(home, removals);
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
    status: "active",
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
async function fail(home: OrgHome, given: Ingestion, reason: string): Promise<void> {
  try {
    const removals = await insist(async () => {
      const { source, ingestion } = await current(home, given);
      const isFirst = source.generation === 0;
      const file = isFirst && "file" in ingestion.content ? { file: ingestion.content.file } : {};
      const kept = blobsInView({ ...source, ...file });
      const blobs = [...blobsOf(ingestion), ...blobsInView(source)].filter((blob) => !kept.includes(blob));
      const removal = removalOf(home, ingestion, { chunks: ingestion.written, blobs });
      const gone = isNothing(removal) ? [] : [removal];
      await home.ports.records.write(
        replaceSource(source, {
          ...source,
          ...file,
          status: "failed",
          error: reason,
          title: ingestion.labels.title ?? (isFirst && file.file ? file.file.name : source.title),
          updated_at: timestamp(home.clock()),
        }),
        removeIngestion(ingestion),
        ...gone.map(putRemoval),
      );
      return gone;
    });
    await removeSoon(home, removals);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}
