import { loadTokenCounter } from "../compression/tokens.ts";
import type { JobReached, JobTurn } from "../jobs/handler.ts";
import { timestamp } from "../kernel/clock.ts";
import { createSlices } from "../kernel/slices.ts";
import { entityId } from "../memory/entity-identity.ts";
import { resolveAliases } from "../memory/extraction/merging.ts";
import type { EntityReference } from "../memory/memory.ts";
import { listPeople } from "../memory/people.ts";
import type { OrgHome } from "../platform/context.ts";
import { ingestionOf } from "./beginning.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { type Chunk, chunksOf } from "./chunking.ts";
import { layoutOf, placeOf } from "./layout.ts";
import { type Material, needsReading, openMaterial, readFile } from "./material.ts";
import { chunkMemory } from "./memories.ts";
import { loadNameFinder } from "./names.ts";
import type { Ingestion, SourceFile } from "./source.ts";
import { OutlineTaker } from "./summary.ts";

/** Entities that a source's own memory names: those that most of its chunks do. */
const ENTITIES_OF_SOURCE = 20;
/** Distinct entities that are counted exactly; a text with more has about as many as are counted. */
const MOST_COUNTED = 50_000;
const MAX_TITLE_LENGTH = 200;

/** A content that was read to its end. */
export interface ReadContent {
  ingestion: Ingestion;
  title: string;
  outline: Pick<OutlineTaker, "lead" | "headings">;
  /** Those named in most chunks, first. */
  entities: EntityReference[];
  file?: SourceFile;
}

export interface ReadingOptions {
  /** The file of the content, where it is at hand. */
  bytes?: Uint8Array;
  /** Nobody waits for it, so that it may pause to let others have their turn. */
  inBackground?: boolean;
}

/**
 * Reads the content of an ingestion and stores its chunks, out of view, from where it was left, at least one. Where the
 * turn is over before the end it answers how far it came. Throws Unreadable, and Superseded when another one reads it.
 */
export async function readContent(
  home: OrgHome,
  turn: JobTurn<"ingest_source">,
  { bytes, inBackground = false }: ReadingOptions = {},
): Promise<ReadContent | JobReached<"ingest_source">> {
  if (needsReading(ingestionOf(turn.job))) await readFile(home, turn, bytes);
  const ingestion = ingestionOf(turn.job);
  const material = await openMaterial(home, ingestion);
  const outline = new OutlineTaker();
  const writer = new ChunkWriter(turn);
  const names = new Names(home, ingestion);
  const title = () => titleOf(ingestion, material, outline);
  const layout = layoutOf(material.file?.kind);
  const text = wellFormed(material.text, (part) => outline.take(part));
  const now = timestamp(home.clock());
  const nextStep = createSlices({ inBackground });
  let { written, tokens } = ingestion;
  const { rest } = ingestion;
  for await (const chunk of chunksOf(text, await loadTokenCounter(), { rest, syntax: layout.syntax })) {
    const entities = await names.in(chunk);
    const memory = chunkMemory(
      ingestion,
      { chunk, place: { position: written, ...placeOf(chunk, layout) }, title: title(), entities },
      now,
    );
    written += 1;
    tokens += chunk.new_tokens;
    await writer.add(memory, { written, rest: chunk.rest, tokens, entity_count: names.count });
    await nextStep();
    if (turn.isOver()) return writer.pending;
  }
  await writer.flush();
  const { file } = material;
  return { ingestion: ingestionOf(turn.job), title: title(), outline, entities: names.top(), ...(file && { file }) };
}

/** A text whose surrogates are all in pairs; each part is passed to `note` first. */
async function* wellFormed(text: AsyncIterable<string>, note: (part: string) => void): AsyncGenerator<string> {
  for await (const given of text) {
    const part = given.toWellFormed();
    note(part);
    yield part;
  }
}

/** The first of: what it was called, what it calls itself, its file's name, its first line, its address. */
function titleOf({ labels }: Ingestion, { title, file }: Material, { lead }: OutlineTaker): string {
  const firstLine = lead.trimStart().split("\n", 1)[0] ?? "";
  const plain = firstLine
    .replace(/^#{1,6}\s+/, "")
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed();
  return labels.title ?? title ?? file?.name ?? ([plain, labels.url].find((each) => each) || "Untitled");
}

/** What the chunks of one content name. */
class Names {
  readonly #home: OrgHome;
  readonly #ingestion: Ingestion;
  readonly #mentions = new Map<string, { entity: EntityReference; chunks: number }>();
  #find: ((text: string) => EntityReference[]) | undefined;

  constructor(home: OrgHome, ingestion: Ingestion) {
    this.#home = home;
    this.#ingestion = ingestion;
  }

  get count(): number {
    return this.#ingestion.entity_count + this.#mentions.size;
  }

  async in({ text }: Chunk): Promise<EntityReference[]> {
    this.#find ??= await this.#loadFinder(text);
    const found = this.#find(text);
    for (const entity of found) {
      const known = this.#mentions.get(entity.id);
      if (known) known.chunks++;
      else if (this.#mentions.size < MOST_COUNTED) this.#mentions.set(entity.id, { entity, chunks: 1 });
    }
    return found;
  }

  top(): EntityReference[] {
    const ranked = [...this.#mentions.values()].sort((one, other) => other.chunks - one.chunks);
    return ranked.slice(0, ENTITIES_OF_SOURCE).map(({ entity }) => entity);
  }

  /** People get the names that the user's other memories know them by. */
  async #loadFinder(sample: string): Promise<(text: string) => EntityReference[]> {
    const { org, ports } = this.#home;
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
