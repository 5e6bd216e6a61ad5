import type { Json } from "../../ports/json.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { convertFormer, FORMER_KINDS } from "../jobs/former.ts";

/** A numbered step of the item format, the same on both platforms. Idempotent; a released step never changes. */
export type ItemStep = AddingStep | ReplacingStep;

interface Step {
  version: number;
  /** A description of the step. */
  name: string;
  /** Kinds of the records that it processes. */
  kinds: string[];
}

/** Only adds attributes: the previous release, which still runs during a canary, finds every attribute it knows. */
export interface AddingStep extends Step {
  /** Returns the upgraded record, then additional records that must exist; undefined if nothing is missing. */
  upgrade(record: StoredRecord): [StoredRecord, ...StoredRecord[]] | undefined;
}

/**
 * For records that only workers change: once this release's workers replaced them, the previous release's find none.
 */
export interface ReplacingStep extends Step {
  /** Returns the replacements of a record, which is deleted unless one has its key; undefined if the record is kept. */
  replace(record: StoredRecord): StoredRecord[] | undefined;
}

/**
 * All steps in order. The steps of one release share a version, so that a release can read items of the next one. Items
 * without a version, which releases before 0.2.0 wrote, have version 1.
 */
export const ITEM_STEPS: ItemStep[] = [
  {
    version: 2,
    name: "store the organization of entities and people, so that a cleanup finds those that no memory mentions",
    kinds: ["entity", "person"],
    upgrade: adding((record) => (record.org === undefined ? belonging(record) : undefined)),
  },
  {
    version: 2,
    name: "store the tier and the processing of memories, and list organizations",
    kinds: ["memory", "organization"],
    upgrade: adding((record) => (record.kind === "organization" ? listing(record) : processed(record))),
  },
  {
    version: 2,
    name: "store the jobs that read sources and wait for their uploads",
    kinds: ["source"],
    upgrade: adding(jobsOfSource),
  },
  { version: 2, name: "store all background work as jobs", kinds: FORMER_KINDS, replace: convertFormer },
  {
    version: 3,
    name: "list chains of skills by creation time",
    kinds: ["chain"],
    upgrade: adding(listingOfChain),
  },
  {
    version: 4,
    name: "store which reader read the content of sources",
    kinds: ["source"],
    upgrade: adding(({ content_hash, reader }) =>
      content_hash === undefined || reader !== undefined ? undefined : { reader: "1" },
    ),
  },
  {
    version: 5,
    name: "count the reads of all memories of an organization in one log",
    kinds: ["access"],
    replace: loggedReads,
  },
  {
    version: 6,
    name: "store who wrote a memory first",
    kinds: ["memory"],
    upgrade: adding(provenanceOf),
  },
];

type Attributes = { [attribute: string]: Json };

/** Returns an upgrade that adds the attributes that a record lacks. */
function adding(lackingIn: (record: StoredRecord) => Attributes | undefined): AddingStep["upgrade"] {
  return (record) => {
    const lacking = lackingIn(record);
    return lacking && [{ ...record, ...lacking }];
  };
}

function listing({ id, created_at, gsi1pk }: StoredRecord): Attributes | undefined {
  if (gsi1pk !== undefined || created_at === undefined) return undefined;
  return { gsi1pk: "organizations", gsi1sk: `${created_at}#${id}` };
}

function listingOfChain({ id, org, created_at, gsi1pk }: StoredRecord): Attributes | undefined {
  if (gsi1pk !== undefined || org === undefined || created_at === undefined) return undefined;
  return { gsi1pk: `${org}#chains`, gsi1sk: `${created_at}#${id}` };
}

/**
 * Returns tier and processing of a memory without them; releases that stored no provider had only the built-in rules.
 */
function processed({ tier, compression }: StoredRecord): Attributes | undefined {
  const tokens = (compression as { original_tokens?: number } | undefined)?.original_tokens;
  if (tier !== undefined || tokens === undefined) return undefined;
  const processing = { status: "done", provider: "built-in", model: "rules", fallback: false };
  return { tier: "working", tokens, processing };
}

/**
 * Returns the ids of a source's jobs as the step for background work creates them. Ids of missing jobs are harmless.
 */
function jobsOfSource(record: StoredRecord): Attributes | undefined {
  const { id, status, generation = 0, last_generation = 0, ingestion_id, upload_id } = record;
  const isRead = status === "processing" && ingestion_id === undefined;
  const mayBeUploaded = Number(last_generation) > Number(generation) && upload_id === undefined;
  if (!isRead && !mayBeUploaded) return undefined;
  return {
    ...(isRead && { ingestion_id: `job_ingestion_${id}` }),
    ...(mayBeUploaded && { upload_id: `job_upload_${id}` }),
  };
}

/** Days that the log of reads is kept. */
const LOGGED_DAYS = 35;

/** Returns the entry of the log for the reads of a memory, which had a record of its own. */
function loggedReads({
  kind,
  pk,
  memory_id,
  access_count,
  last_accessed_at,
}: StoredRecord): StoredRecord[] | undefined {
  if (kind !== "access") return undefined;
  const [org = ""] = pk.split("#", 1);
  const read_at = String(last_accessed_at);
  const ttl = Math.ceil(Date.parse(read_at) / 1000) + LOGGED_DAYS * 86_400;
  const sk = `${read_at}#${memory_id}`;
  return [{ pk: `${org}#accesses`, sk, kind: "access_log", [String(memory_id)]: Number(access_count), read_at, ttl }];
}

/** Returns the provenance of a memory without one: its creator is known, its door is not. */
function provenanceOf({ provenance, created_by, agent_id }: StoredRecord): Attributes | undefined {
  if (provenance !== undefined || typeof created_by !== "string") return undefined;
  const written = { written_by: created_by, door: "unknown" };
  return { provenance: typeof agent_id === "string" ? { ...written, agent_id } : written };
}

/** Earlier than the day of any memory. */
const LONG_AGO = "0001-01-01";

/**
 * Returns the organization, derived from the key. Whether an entity was stored explicitly is unknown, so it is kept.
 */
function belonging({ kind, pk, sk }: StoredRecord): Attributes | undefined {
  const [org = ""] = pk.split("#", 1);
  if (kind === "entity") return { org, is_kept: true };
  const users = `${org}#people#`;
  if (pk.startsWith(users)) return { org, user_id: pk.slice(users.length), mentioned_on: LONG_AGO };
  const ofAgent = /^(?<user>\["(?:[^"\\]|\\.)*"\])/s.exec(sk)?.groups?.user;
  if (ofAgent === undefined || !pk.endsWith("#people")) return undefined;
  const [user_id = ""] = JSON.parse(ofAgent) as string[];
  return { org, agent_id: pk.slice(org.length + 1, -"#people".length), user_id, mentioned_on: LONG_AGO };
}
