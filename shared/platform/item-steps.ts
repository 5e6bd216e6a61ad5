import { convertFormer, FORMER_KINDS } from "../jobs/former.ts";
import type { Json, StoredRecord } from "./ports.ts";

/**
 * A numbered step of the form of items, the same in both homes. Taking it again changes nothing. A released step never
 * changes.
 */
export type ItemStep = AddingStep | ReplacingStep;

interface Step {
  version: number;
  /** What it does. */
  name: string;
  /** Kinds of the records that it looks at. */
  kinds: string[];
}

/** Only adds: code of the release before, which still runs during a canary, finds every attribute as it knows it. */
export interface AddingStep extends Step {
  /** The record with what it lacks, then further records that are to be there; undefined where it lacks nothing. */
  upgrade(record: StoredRecord): [StoredRecord, ...StoredRecord[]] | undefined;
}

/** For records that workers alone change: those of this release take them over, and those of the release before find none. */
export interface ReplacingStep extends Step {
  /** What takes the record's place, which goes unless its key is among them; undefined where it may stay. */
  replace(record: StoredRecord): StoredRecord[] | undefined;
}

/**
 * In their order; the steps of one release have one version, so that a release reads items of the next one. Version 1 is
 * that of items without a number, which all releases before 0.2.0 wrote.
 */
export const ITEM_STEPS: ItemStep[] = [
  {
    version: 2,
    name: "note the organization of entities and people, by which a clean-up finds those that no memory mentions",
    kinds: ["entity", "person"],
    upgrade: (record) => {
      const lacking = record.org === undefined ? belonging(record) : undefined;
      return lacking && [{ ...record, ...lacking }];
    },
  },
  {
    version: 2,
    name: "give memories a tier and how they were processed, and list organizations",
    kinds: ["memory", "organization"],
    upgrade: (record) => {
      const lacking = record.kind === "organization" ? listing(record) : processed(record);
      return lacking && [{ ...record, ...lacking }];
    },
  },
  {
    version: 2,
    name: "have sources name the jobs that read them and wait for their uploads",
    kinds: ["source"],
    upgrade: (record) => {
      const lacking = jobsOfSource(record);
      return lacking && [{ ...record, ...lacking }];
    },
  },
  {
    version: 2,
    name: "keep all background work as jobs of one engine",
    kinds: FORMER_KINDS,
    replace: convertFormer,
  },
  {
    version: 3,
    name: "list chains of skills by when they were made",
    kinds: ["chain"],
    upgrade: (record) => {
      const lacking = listingOfChain(record);
      return lacking && [{ ...record, ...lacking }];
    },
  },
  {
    version: 4,
    name: "note of sources by which reader their content was read",
    kinds: ["source"],
    upgrade: (record) =>
      record.content_hash === undefined || record.reader !== undefined ? undefined : [{ ...record, reader: "1" }],
  },
];

type Attributes = { [attribute: string]: Json };

function listing({ id, created_at, gsi1pk }: StoredRecord): Attributes | undefined {
  if (gsi1pk !== undefined || created_at === undefined) return undefined;
  return { gsi1pk: "organizations", gsi1sk: `${created_at}#${id}` };
}

function listingOfChain({ id, org, created_at, gsi1pk }: StoredRecord): Attributes | undefined {
  if (gsi1pk !== undefined || org === undefined || created_at === undefined) return undefined;
  return { gsi1pk: `${org}#chains`, gsi1sk: `${created_at}#${id}` };
}

/** Builds that noted no provider had the rules alone. */
function processed({ tier, compression }: StoredRecord): Attributes | undefined {
  const tokens = (compression as { original_tokens?: number } | undefined)?.original_tokens;
  if (tier !== undefined || tokens === undefined) return undefined;
  const processing = { status: "done", provider: "built-in", model: "rules", fallback: false };
  return { tier: "working", tokens, processing };
}

/** As the step of jobs names them. A name of one that is not there does no harm. */
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

/** Before any day that a memory can have. */
const LONG_AGO = "0001-01-01";

/** What the key tells. Of an entity nobody knows whether it was stored for itself, so it stays. */
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
