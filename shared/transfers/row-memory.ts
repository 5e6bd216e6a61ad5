import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/digest.ts";
import { couldBeIssued, derivedId, looksLike } from "../kernel/ids.ts";
import { firstVersion } from "../memory/create.ts";
import { entityId } from "../memory/entity-identity.ts";
import { type MemoryJob, newMemoryJob } from "../memory/jobs.ts";
import { isLinked } from "../memory/links.ts";
import type { EntityReference, Memory } from "../memory/memory.ts";
import { leaveForLater, observe, type Understanding, understand } from "../memory/understand.ts";
import type { ViewerHome } from "../platform/context.ts";
import type { ImportedRow } from "./row.ts";

/**
 * The id of a row's memory, if it is free: its own where this service could have given it. Of any other id, such as another
 * service's or a chunk's, one is derived: so the same row twice is one memory.
 */
export function idToKeep(org: string, { id }: Pick<ImportedRow, "id">): string | undefined {
  if (id === undefined || couldBeIssued("memory", id)) return id;
  return derivedId("memory", sha256(JSON.stringify([org, "imported", id])));
}

/** How rows become memories in an import. */
export interface RowTerms {
  created_by: string;
  /** What a row does not tell of its content, the workers find out later. */
  isForLater: boolean;
}

/** The memory that a row tells of, under this id; `job` is what finds out the rest, if that is for later. */
export async function memoryOf(
  home: ViewerHome,
  row: ImportedRow,
  id: string,
  { created_by, isForLater }: RowTerms,
): Promise<{ memory: Memory; job: MemoryJob | undefined }> {
  const { content, user_id, categories, category = categories?.[0], type, metadata = {}, expire_at, ratings } = row;
  const now = timestamp(home.clock());
  const created_at = row.created_at ?? now;
  const isWhole = row.entities !== undefined && row.facts !== undefined && row.compression !== undefined;
  const options = { extract_entities: row.entities === undefined, extract_facts: row.facts === undefined };
  const job = isForLater && !isWhole ? newMemoryJob(home, created_by, { memory_id: id, options }) : undefined;
  const { occurred_at } = row;
  const text = { content, user_id, created_by, metadata, occurred_at, stored_at: created_at };
  const understood = isWhole
    ? NOTHING_FOUND
    : job
      ? await leaveForLater(content, job.id)
      : await understand(home, text, { ...options, compress: row.compression === undefined });
  // Exported facts are quotations; what the text states is read from it like anywhere else.
  const observed = row.facts !== undefined ? await observe(home, text) : undefined;
  const memory: Memory = {
    ...firstVersion(
      {
        id,
        org: home.org,
        content,
        user_id,
        category,
        ...(categories && { categories }),
        type,
        ...labelsOf(row),
        metadata,
        expire_at,
        occurred_at,
        created_by,
        ...understood,
        ...told(home, row),
        ...(observed && { observed }),
      },
      created_at,
    ),
    updated_at: row.updated_at ?? created_at,
    version: row.version ?? 1,
    revision: revisionFor(home, row, id),
    feedback_count: ratings?.count ?? 0,
    feedback_sum: ratings?.sum ?? 0,
  };
  return { memory, job };
}

function labelsOf({ agent_id: agent, app_id: app, run_id: run }: ImportedRow): Pick<Memory, "labels"> {
  const given = { ...(agent && { agent }), ...(app && { app }), ...(run && { run }) };
  return Object.keys(given).length === 0 ? {} : { labels: given };
}

/** Of a row that tells everything. */
const NOTHING_FOUND: Understanding = {
  facts: [],
  entities: [],
  compression: { original_tokens: 0, compressed_tokens: 0, reduction_percentage: 0 },
  processing: { status: "done" },
  processing_ms: 0,
};

/** What the row tells itself need not be found out. */
function told({ org, ids }: ViewerHome, { entities, facts, compression }: ImportedRow): Partial<Understanding> {
  return {
    ...(entities && {
      entities: oneEach(entities.map((entity) => ({ ...entity, id: entityId(org, entity.type, entity.name) }))),
    }),
    ...(facts && {
      facts: facts.map((fact) => ({
        ...fact,
        id: fact.id !== undefined && looksLike("fact", fact.id) ? fact.id : ids("fact"),
      })),
    }),
    ...(compression && { compression }),
  };
}

/** Names that differ in case or accents are one entity, which has one edge; how one relates goes before a mere mention. */
function oneEach(entities: EntityReference[]): EntityReference[] {
  const byId = new Map<string, EntityReference>();
  for (const entity of entities) {
    const known = byId.get(entity.id);
    if (known === undefined || (!isLinked(known) && isLinked(entity))) byId.set(entity.id, entity);
  }
  return [...byId.values()];
}

/** Above all revisions of a memory of this id that was deleted here: the search index takes no document older than a removal. */
function revisionFor({ clock, org }: ViewerHome, row: ImportedRow, id: string): number {
  return id === idToKeep(org, row) ? Math.floor(clock() / 1000) : 1;
}
