import { timestamp } from "../../../kernel/clock.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { createSlices } from "../../../kernel/slices.ts";
import { redact } from "../../../language/secrets/redact.ts";
import { resolveAliases } from "../../../language/statements/merging.ts";
import type { JsonObject } from "../../../ports/json.ts";
import { WriteBatch } from "../../../ports/write-batch.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobReached, JobTurn } from "../../../runtime/jobs/handler.ts";
import { loadTokenCounter } from "../../compression/condensing/tokens.ts";
import { admit, type Detection, recordDetection, type Sent } from "../../memory/admit-text.ts";
import { entityId } from "../../memory/entity-identity.ts";
import { withinEntityLimit } from "../../memory/entity-limit.ts";
import type { EntityReference, Memory } from "../../memory/memory.ts";
import { listPeople } from "../../memory/people.ts";
import { insertMemory } from "../../memory/records.ts";
import { type Chunk, chunksOf } from "./chunking.ts";
import { UnreadableError } from "./extraction/unreadable.ts";
import { type Material, needsReading, openMaterial, readFile } from "./material.ts";
import { chunkMemory } from "./memories.ts";
import { loadNameFinder } from "./names.ts";
import { ingestionOf } from "./new-source.ts";
import type { FileKind, Ingestion, IngestionCheckpoint, SourceFile } from "./source.ts";
import type { Syntax } from "./structure.ts";
import { OutlineTaker } from "./summary.ts";

/** Maximum entities of a source's own memory: those that most chunks mention. */
const ENTITIES_OF_SOURCE = 20;
/** Maximum exactly counted entities; with more, the number is approximate. */
const MAX_COUNTED = 50_000;
const MAX_TITLE_LENGTH = 200;

/** The result of completely reading a content. */
export interface ReadContent {
  ingestion: Ingestion;
  title: string;
  outline: Pick<OutlineTaker, "lead" | "headings">;
  /** Ordered by the number of chunks that mention them, highest first. */
  entities: EntityReference[];
  file?: SourceFile;
  /** Whether the policy for secrets took out parts of the text, so that what was sent must not be kept. */
  isRedacted: boolean;
}

export interface ReadingOptions {
  /** The file of the content, if the caller has it. */
  bytes?: Uint8Array;
  /** Whether nobody waits for the result, so that the reading may pause for other work. */
  inBackground?: boolean;
}

/**
 * Reads the content of an ingestion from its checkpoint on and stores its chunks, at least one; they are not visible
 * yet. If the turn ends first, it returns the progress. Throws UnreadableError, and StaleJobError if another worker
 * changed the job.
 */
export async function readContent(
  runtime: OrgRuntime,
  turn: JobTurn<"ingest_source">,
  { bytes, inBackground = false }: ReadingOptions = {},
): Promise<ReadContent | JobReached<"ingest_source">> {
  if (needsReading(runtime, ingestionOf(turn.job))) await readFile(runtime, turn, bytes);
  const ingestion = ingestionOf(turn.job);
  const material = await openMaterial(runtime, ingestion);
  const outline = new OutlineTaker();
  const writer = new ChunkWriter(turn);
  const entityCounter = new EntityCounter(runtime, ingestion);
  const title = () => titleOf(ingestion, material, outline);
  const layout = material.file ? (LAYOUTS[material.file.kind] ?? CONVERTED) : PLAIN;
  const text = wellFormed(material.text, (part) => outline.take(part));
  const now = timestamp(runtime.clock());
  const nextStep = createSlices({ inBackground, org: runtime.org });
  let { written, tokens } = ingestion;
  const { rest } = ingestion;
  const admission = new ChunkAdmission(runtime, ingestion);
  for await (const found of chunksOf(text, await loadTokenCounter(), { rest, syntax: layout.syntax })) {
    const { chunk, sent } = await admission.admit(found);
    const mentioned = await entityCounter.countIn(chunk);
    const memory = chunkMemory(
      ingestion,
      { chunk, location: { position: written, ...locationOf(chunk, layout) }, title: title(), ...mentioned },
      now,
      sent,
    );
    written += 1;
    tokens += chunk.new_tokens;
    await writer.add(memory, { written, rest: chunk.rest, tokens, entity_count: entityCounter.count });
    await nextStep();
    if (turn.isOver()) return writer.pending;
  }
  await writer.flush();
  await admission.record();
  const { file } = material;
  return {
    ingestion: ingestionOf(turn.job),
    title: title(),
    outline: admission.outlineOf(outline),
    isRedacted: admission.isRedacted,
    entities: entityCounter.top(),
    ...(file && { file }),
  };
}

/** Replaces unpaired surrogates; each part is passed to `note` first. */
async function* wellFormed(text: AsyncIterable<string>, note: (part: string) => void): AsyncGenerator<string> {
  for await (const given of text) {
    const part = given.toWellFormed();
    note(part);
    yield part;
  }
}

/** Returns the given title, otherwise the content's title, the file's name, the first line, the URL or "Untitled". */
function titleOf({ labels }: Ingestion, { title, file }: Material, { lead }: OutlineTaker): string {
  const firstLine = lead.trimStart().split("\n", 1)[0] ?? "";
  const plain = firstLine
    .replace(/^#{1,6}\s+/, "")
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed();
  return labels.title ?? title ?? file?.name ?? ([plain, labels.url].find((candidate) => candidate) || "Untitled");
}

/** Admits the chunks of one content: see `admit`. */
class ChunkAdmission {
  readonly #runtime: OrgRuntime;
  readonly #ingestion: Ingestion;
  #detection: Detection | undefined;

  constructor(runtime: OrgRuntime, ingestion: Ingestion) {
    this.#runtime = runtime;
    this.#ingestion = ingestion;
  }

  get isRedacted(): boolean {
    return this.#detection?.policy === "redact";
  }

  /** Returns the chunk with placeholders and what they stand for. Throws UnreadableError if it is refused. */
  async admit(found: Chunk): Promise<{ chunk: Chunk; sent?: Sent | undefined }> {
    const { user_id } = this.#ingestion.labels;
    const { text, detection } = await admit(this.#runtime, { content: found.text, user_id }).catch(asUnreadable);
    if (detection === undefined) return { chunk: found };
    const types = [...(this.#detection?.types ?? []), ...detection.types];
    this.#detection = { ...detection, types };
    return { chunk: { ...found, text: text.content, body: redact(found.body).text }, sent: text.sent };
  }

  /** Returns the outline, from which the source is summarized, without secrets. */
  outlineOf({ lead, headings }: ReadContent["outline"]): ReadContent["outline"] {
    if (this.#detection === undefined) return { lead, headings };
    return { lead: redact(lead).text, headings: headings.map((heading) => redact(heading).text) };
  }

  /** Records what was found in this turn, once. */
  record(): Promise<void> {
    return recordDetection(this.#runtime, this.#detection, this.#ingestion.source_id);
  }
}

function asUnreadable(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  throw new UnreadableError("it contains what the organization's policy for secrets refuses");
}

/** The entities that the chunks of one content mention. */
class EntityCounter {
  readonly #runtime: OrgRuntime;
  readonly #ingestion: Ingestion;
  readonly #mentions = new Map<string, { entity: EntityReference; chunks: number }>();
  #find: ((text: string) => EntityReference[]) | undefined;

  constructor(runtime: OrgRuntime, ingestion: Ingestion) {
    this.#runtime = runtime;
    this.#ingestion = ingestion;
  }

  get count(): number {
    return this.#ingestion.entity_count + this.#mentions.size;
  }

  /** Returns the entities of a chunk and counts them. */
  async countIn({ body: text }: Chunk): Promise<Pick<Memory, "entities" | "entities_left_out">> {
    this.#find ??= await this.#loadFinder(text);
    const found = await withinEntityLimit(this.#runtime, this.#find(text));
    for (const entity of found.entities) {
      const known = this.#mentions.get(entity.id);
      if (known) known.chunks++;
      else if (this.#mentions.size < MAX_COUNTED) this.#mentions.set(entity.id, { entity, chunks: 1 });
    }
    return found;
  }

  /** Returns the entities that most chunks mention. */
  top(): EntityReference[] {
    const ranked = [...this.#mentions.values()].sort((one, other) => other.chunks - one.chunks);
    return ranked.slice(0, ENTITIES_OF_SOURCE).map(({ entity }) => entity);
  }

  /** Loads the name finder; people get the names under which the user's other memories know them. */
  async #loadFinder(sample: string): Promise<(text: string) => EntityReference[]> {
    const { org, ports } = this.#runtime;
    const { user_id: user } = this.#ingestion.labels;
    const [find, people] = await Promise.all([
      loadNameFinder(sample),
      user === undefined ? [] : listPeople(ports.records, org, { user }),
    ]);
    return (text) => {
      const found = people.length === 0 ? find(text) : resolveAliases(find(text), people);
      return found.map(({ name, type }) => ({ id: entityId(org, type, name), name, type }));
    };
  }
}

/**
 * Stores chunks in as few transactions as possible, each with the progress of reading. Each chunk is stored only once,
 * even if several workers write it repeatedly, and no chunk is stored after the end.
 */
class ChunkWriter {
  readonly #turn: JobTurn<"ingest_source">;
  readonly #batch = new WriteBatch();
  #checkpoint: IngestionCheckpoint;

  constructor(turn: JobTurn<"ingest_source">) {
    this.#turn = turn;
    this.#checkpoint = turn.job.checkpoint;
  }

  /** Adds a chunk; `progress` holds once it is stored. Throws StaleJobError. */
  async add(chunk: Memory, progress: Omit<IngestionCheckpoint, "reading">): Promise<void> {
    const writes = insertMemory(chunk, { content: chunk.content });
    const bytes = bytesOf(chunk);
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    this.#checkpoint = { ...this.#checkpoint, ...progress };
  }

  /** The progress that is not stored yet. */
  get pending(): JobReached<"ingest_source"> {
    return { checkpoint: this.#checkpoint, writes: [...this.#batch.writes] };
  }

  /** Stores the pending chunks. Throws StaleJobError. */
  async flush(): Promise<void> {
    if (this.#batch.writes.length === 0) return;
    await this.#turn.save(this.pending);
    this.#batch.clear();
  }
}

/** Size of the long values of a chunk's records: content and metadata, in the memory and in its first version. */
function bytesOf({ content, metadata }: Memory): number {
  return 2 * (Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata)));
}

/** How the text of a file type is read, and the unit of its parts. */
interface Layout {
  syntax: Syntax;
  /** The unit that a page break starts, if the text has any. */
  unit?: "page" | "slide" | "sheet" | "chapter" | "cell" | "cue";
  /** Whether lines of the text are lines of the file. */
  hasLines?: boolean;
}

const PLAIN: Layout = { syntax: "markdown", hasLines: true };
const CONVERTED: Layout = { syntax: "markdown" };

/** The layouts of files whose text is not just converted. */
const LAYOUTS: { readonly [kind in FileKind]?: Layout } = {
  text: PLAIN,
  markdown: PLAIN,
  code: { syntax: "code", hasLines: true },
  pdf: { ...CONVERTED, unit: "page" },
  book: { ...CONVERTED, unit: "chapter" },
  presentation: { ...CONVERTED, unit: "slide" },
  spreadsheet: { ...CONVERTED, unit: "sheet" },
  notebook: { ...CONVERTED, unit: "cell" },
  subtitles: { ...CONVERTED, unit: "cue" },
  image: { ...CONVERTED, unit: "page" },
};

/** Returns the location of a chunk in its document: its headings, and its pages, slides or lines, counted from 1. */
function locationOf({ headings, first, last }: Chunk, { unit, hasLines }: Layout): JsonObject {
  return {
    ...(headings.length > 0 && { headings }),
    ...(hasLines && range("line", first.line, last.line)),
    ...(unit !== undefined && first.breaks > 0 && range(unit, first.breaks, last.breaks)),
  };
}

function range(unit: string, first: number, last: number): JsonObject {
  return first === last ? { [unit]: first } : { [unit]: first, [`${unit}_end`]: last };
}
