import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../kernel/clock.ts";
import type { OrgHome } from "../platform/context.ts";
import { WHOLE_TEXT } from "./chunking.ts";
import { blobsOf, isNothing, removalOf } from "./removal.ts";
import type { Ingestion, Removal, Source, SourceDraft, SourceLabels } from "./source.ts";

export function labelsOf(draft: SourceLabels): SourceLabels {
  const { title, provider, external_id, url, user_id, org_id, agent_id, metadata, connection_id } = draft;
  const labels = { title, provider, external_id, url, user_id, org_id, agent_id, metadata, connection_id };
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
}

/** What was said of a source before holds on, but for a title that nobody gave it. */
export function ownLabels({ title, is_titled, ...others }: Source): SourceLabels {
  return labelsOf(is_titled ? { ...others, title } : others);
}

/** Whether everything that is said of a source is so already. */
export function saysNothingNew(labels: SourceLabels, known: SourceLabels): boolean {
  return Object.entries(labels).every(([name, value]) => isDeepStrictEqual(known[name as keyof SourceLabels], value));
}

/** A source that has no content in view yet; `name` is its file's. */
export function newSource(
  home: OrgHome,
  { type, created_by, name }: Pick<SourceDraft, "type" | "created_by"> & { name?: string | undefined },
  labels: SourceLabels,
  identity: string | undefined,
): Source {
  const now = timestamp(home.clock());
  return {
    ...labels,
    id: home.ids("source"),
    org: home.org,
    type,
    title: labels.title ?? name ?? labels.url ?? "Untitled",
    is_titled: labels.title !== undefined,
    metadata: labels.metadata ?? {},
    ...(identity !== undefined && { identity }),
    status: "processing",
    generation: 0,
    last_generation: 1,
    chunk_count: 0,
    entity_count: 0,
    tokens: 0,
    created_at: now,
    updated_at: now,
    created_by,
    revision: 1,
  };
}

/** The source with a content begun that is not in view yet. */
export function nextContent(home: OrgHome, { error, ...before }: Source): Source {
  const last_generation = before.last_generation + 1;
  return { ...before, status: "processing", last_generation, updated_at: timestamp(home.clock()) };
}

/** A content that was being read when the next one was begun goes without ever having been in view. */
export function abandon(home: OrgHome, ingestion: Ingestion | undefined): Removal[] {
  if (!ingestion) return [];
  const removal = removalOf(home, ingestion, { chunks: ingestion.written, blobs: blobsOf(ingestion) });
  return isNothing(removal) ? [] : [removal];
}

type NewIngestion = Pick<Ingestion, "type" | "labels" | "content" | "content_hash" | "created_by">;

export function newIngestion(home: OrgHome, { org, id, last_generation }: Source, given: NewIngestion): Ingestion {
  const { type, labels, content, content_hash, created_by } = given;
  return {
    org,
    source_id: id,
    generation: last_generation,
    type,
    labels,
    content,
    content_hash,
    created_by,
    written: 0,
    rest: WHOLE_TEXT,
    tokens: 0,
    entity_count: 0,
    attempts: 0,
    queued_at: timestamp(home.clock()),
  };
}
