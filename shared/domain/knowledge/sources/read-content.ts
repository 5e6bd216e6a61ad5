import { timestamp } from "../../../kernel/clock.ts";
import { createSlices } from "../../../kernel/slices.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobReached, JobTurn } from "../../../runtime/jobs/handler.ts";
import { loadTokenCounter } from "../../compression/condensing/tokens.ts";
import { entityId } from "../../memory/entity-identity.ts";
import { resolveAliases } from "../../memory/extraction/merging.ts";
import type { EntityReference } from "../../memory/memory.ts";
import { listPeople } from "../../memory/people.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { type Chunk, chunksOf } from "./chunking.ts";
import { layoutOf, placeOf } from "./layout.ts";
import { type Material, needsReading, openMaterial, readFile } from "./material.ts";
import { chunkMemory } from "./memories.ts";
import { loadNameFinder } from "./names.ts";
import { ingestionOf } from "./new-source.ts";
import type { Ingestion, SourceFile } from "./source.ts";
import { OutlineTaker } from "./summary.ts";

/** Maximum entities of a source's own memory: those that most chunks mention. */
const ENTITIES_OF_SOURCE = 20;
/** Maximum exactly counted entities; with more, the number is approximate. */
const MAX_COUNTED = 50_000;
const MAX_TITLE_LENGTH = 200;

/** A completely read content. */
export interface ReadContent {
  ingestion: Ingestion;
  title: string;
  outline: Pick<OutlineTaker, "lead" | "headings">;
  /** Ordered by the number of chunks that mention them, highest first. */
  entities: EntityReference[];
  file?: SourceFile;
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
  const names = new Names(runtime, ingestion);
  const title = () => titleOf(ingestion, material, outline);
  const layout = layoutOf(material.file?.kind);
  const text = wellFormed(material.text, (part) => outline.take(part));
  const now = timestamp(runtime.clock());
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

/** Replaces unpaired surrogates; each part is passed to `note` first. */
async function* wellFormed(text: AsyncIterable<string>, note: (part: string) => void): AsyncGenerator<string> {
  for await (const given of text) {
    const part = given.toWellFormed();
    note(part);
    yield part;
  }
}

/**
 * Returns the first that exists of: the given title, the title in the content, the file's name, the first line, the
 * URL; otherwise "Untitled".
 */
function titleOf({ labels }: Ingestion, { title, file }: Material, { lead }: OutlineTaker): string {
  const firstLine = lead.trimStart().split("\n", 1)[0] ?? "";
  const plain = firstLine
    .replace(/^#{1,6}\s+/, "")
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed();
  return labels.title ?? title ?? file?.name ?? ([plain, labels.url].find((each) => each) || "Untitled");
}

/** The entities that the chunks of one content mention. */
class Names {
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

  async in({ body: text }: Chunk): Promise<EntityReference[]> {
    this.#find ??= await this.#loadFinder(text);
    const found = this.#find(text);
    for (const entity of found) {
      const known = this.#mentions.get(entity.id);
      if (known) known.chunks++;
      else if (this.#mentions.size < MAX_COUNTED) this.#mentions.set(entity.id, { entity, chunks: 1 });
    }
    return found;
  }

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
