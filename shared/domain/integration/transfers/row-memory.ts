import { timestamp } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { couldBeIssued, derivedId, looksLike } from "../../../kernel/ids.ts";
import { findSecrets } from "../../../language/secrets/find-secrets.ts";
import type { MemoryScope } from "../../../runtime/context.ts";
import { admit, recordDetection } from "../../memory/admit-text.ts";
import { firstVersion } from "../../memory/create.ts";
import { entityId } from "../../memory/entity-identity.ts";
import { withinEntityLimit } from "../../memory/entity-limit.ts";
import { type MemoryJob, newMemoryJob } from "../../memory/jobs.ts";
import { isLinked } from "../../memory/links.ts";
import type { EntityReference, Memory, Observed } from "../../memory/memory.ts";
import {
  leaveForLater,
  observe,
  type TextToUnderstand,
  type Understanding,
  understand,
} from "../../memory/understand.ts";
import { labelsOf } from "../compat/subjects.ts";
import type { ImportedRow } from "./rows/row.ts";

/**
 * Returns the id for a row's memory: its own if this service could have issued it, otherwise one derived from it, so
 * that the same row is always the same memory. Returns undefined for a row without an id.
 */
export function idToKeep(org: string, { id }: Pick<ImportedRow, "id">): string | undefined {
  if (id === undefined || couldBeIssued("memory", id)) return id;
  return derivedId("memory", sha256(JSON.stringify([org, "imported", id])));
}

/** How rows become memories in an import. */
export interface RowTerms {
  created_by: string;
  /** The id of the import's event. */
  import_id: string;
  /** Whether the workers later extract everything that a row does not contain. */
  isForLater: boolean;
}

/**
 * The memory of a row under this id; `job`, if any, later extracts what the row does not contain. Throws
 * VALIDATION_ERROR if it has secrets and the policy refuses them.
 */
export async function memoryOf(
  runtime: MemoryScope,
  given: ImportedRow,
  id: string,
  { created_by, import_id, isForLater }: RowTerms,
): Promise<{ memory: Memory; job: MemoryJob | undefined }> {
  const { text: admitted, detection } = await admit(runtime, given);
  await recordDetection(runtime, detection, id);
  const { sent, ...row } = withoutSecretFacts(admitted, detection !== undefined);
  const now = timestamp(runtime.clock());
  const {
    id: rowId,
    content,
    user_id,
    categories,
    category = categories?.[0],
    type,
    metadata = {},
    ...withTimes
  } = row;
  const { occurred_at, created_at = now, updated_at = created_at, expire_at, ...withUnderstanding } = withTimes;
  const { entities, facts, compression, fact_decisions, ...others } = withUnderstanding;
  const { speaker, in_reply_to, quote, agent_id, app_id, run_id, version = 1, ratings, ...unread } = others;
  // A new field of rows must be read here: the compiler refuses one that is left.
  unread satisfies Record<string, never>;
  const isComplete = entities !== undefined && facts !== undefined && compression !== undefined;
  const options = { extract_entities: entities === undefined, extract_facts: facts === undefined };
  const job = isForLater && !isComplete ? newMemoryJob(runtime, created_by, { memory_id: id, options }) : undefined;
  const said = { content, speaker, in_reply_to, user_id, metadata, occurred_at, created_by, ...(sent && { sent }) };
  const text = { ...said, stored_at: created_at };
  const understood = isComplete
    ? NOTHING_FOUND
    : job
      ? await leaveForLater(content, job.id)
      : await understand(runtime, text, { ...options, compress: compression === undefined });
  // Exported facts are quotations; facts are read from the text like everywhere else.
  const observed = await observedOf(runtime, { facts, fact_decisions }, text);
  const fields = {
    ...{ id, org: runtime.org, ...said, category, type, expire_at },
    ...(quote !== undefined && { quote }),
    ...(categories && { categories }),
    ...labelsOf({ agent_id, app_id, run_id }),
    ...understood,
    ...(await understandingOf(runtime, { entities, facts, compression })),
    ...(observed && { observed }),
  };
  const memory: Memory = {
    ...firstVersion(fields, { door: "imports", derived_from: import_id }, created_at),
    ...{ updated_at, version },
    // Above all revisions of a deleted memory with this id: the index refuses documents older than a deletion.
    revision: id === idToKeep(runtime.org, { id: rowId }) ? Math.floor(runtime.clock() / 1000) : 1,
    feedback_count: ratings?.count ?? 0,
    feedback_sum: ratings?.sum ?? 0,
  };
  return { memory, job };
}

/** Facts and entities that may quote a secret are read again from the text without it. */
function withoutSecretFacts<Row extends ImportedRow>(row: Row, hasSecrets: boolean): Row {
  const quotes = hasSecrets || row.facts?.some(({ content }) => findSecrets(content).length > 0) === true;
  return quotes ? { ...row, facts: undefined, entities: undefined } : row;
}

/** If a row has decisions about facts, its facts are read before it is stored, so that the decisions apply. */
async function observedOf(
  runtime: MemoryScope,
  { facts, fact_decisions: decisions }: Pick<ImportedRow, "facts" | "fact_decisions">,
  text: TextToUnderstand,
): Promise<Observed | undefined> {
  if (facts === undefined && decisions === undefined) return undefined;
  return { ...(await observe(runtime, text)), ...(decisions && { decisions }) };
}

/** The result for a row that contains everything. */
const NOTHING_FOUND: Understanding = {
  facts: [],
  entities: [],
  compression: { original_tokens: 0, compressed_tokens: 0, reduction_percentage: 0 },
  processing: { status: "done" },
  processing_ms: 0,
};

/** The parts that the row contains, which need not be extracted. */
async function understandingOf(
  runtime: MemoryScope,
  { entities, facts, compression }: Pick<ImportedRow, "entities" | "facts" | "compression">,
): Promise<Partial<Understanding>> {
  const { org, ids } = runtime;
  const named = entities?.map((entity) => ({ ...entity, id: entityId(org, entity.type, entity.name) }));
  return {
    ...(named && (await withinEntityLimit(runtime, mergeByName(named)))),
    ...(facts && {
      facts: facts.map((fact) => ({
        ...fact,
        id: fact.id !== undefined && looksLike("fact", fact.id) ? fact.id : ids("fact"),
      })),
    }),
    ...(compression && { compression }),
  };
}

/** Names that differ only in case or accents become one entity with one edge; a relation replaces a mention. */
function mergeByName(entities: EntityReference[]): EntityReference[] {
  const byId = new Map<string, EntityReference>();
  for (const entity of entities) {
    const known = byId.get(entity.id);
    if (known === undefined || (!isLinked(known) && isLinked(entity))) byId.set(entity.id, entity);
  }
  return [...byId.values()];
}
