import type * as z from "zod";
import { CHAIN_KIND, chainsOf } from "../../shared/domain/agents/skills/records.ts";
import type { PageRequest } from "../../shared/kernel/pagination.ts";
import { getObject, toItem } from "../../shared/ports/item.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import { type Listing, listObjects } from "../../shared/ports/listing.ts";
import type { RecordKey, Write } from "../../shared/ports/record-store.ts";
import type { OrgReader } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** A sequence of skills with conditions for the next step. */
export interface Chain extends z.output<typeof schemas.Chain> {
  org: string;
  /** The principal that created it. */
  created_by: string;
}

export type ChainStep = Chain["steps"][number];

/** The target that completes a chain. */
export const END = "end";
/** The order of a step, or the end of the chain. */
export type Target = number | typeof END;

/** Maximum steps of one run including repetitions, which bounds loops. */
export const MAX_STEPS_RUN = 30;

export const CHAIN_STATES = ["completed", "prepared", "stopped", "failed"] as const;

/** Why a chain failed. */
export const STEP_FAULTS = [
  "SKILL_NOT_FOUND",
  "SKILL_RETIRED",
  "CONTEXT_INCOMPLETE",
  "STEP_FAILED",
  "EXPRESSION_FAILED",
  "STEP_LIMIT",
  "TIMEOUT",
  "INTERNAL_ERROR",
] as const;

export type ChainFault = z.output<typeof schemas.ChainFault>;

/** One run of a chain, however it ended. */
export interface ChainExecution extends Omit<z.output<typeof schemas.ChainExecution>, "execution_id"> {
  id: string;
  org: string;
  context: JsonObject;
  /** The principal that ran it. */
  created_by: string;
}

export type StepTrace = NonNullable<ChainExecution["trace"]>[number];

const EXECUTION = "execution#";

const chainKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "chain" });

export function insertChain(chain: Chain): Write {
  const listed = { gsi1pk: chainsOf(chain.org), gsi1sk: `${chain.created_at}#${chain.id}` };
  return { put: toItem(chainKey(chain.org, chain.id), CHAIN_KIND, chain, listed), condition: "absent" };
}

/** Deletes a chain, refused if it does not exist; its executions follow through the change feed. */
export function removeChain(org: string, id: string): Write {
  return { delete: chainKey(org, id), condition: "present" };
}

/** One page of an organization's chains, newest first. */
export function listChains({ ports, org }: OrgReader, page: PageRequest): Promise<Listing<Chain>> {
  const listing = { index: "gsi1" as const, pk: chainsOf(org), descending: true };
  return listObjects(ports.records, listing, page);
}

/** Returns undefined for an unknown id or another organization's chain. */
export function findChain({ ports, org }: OrgReader, id: string): Promise<Chain | undefined> {
  return getObject(ports.records, chainKey(org, id));
}

/** Stores a run in the partition of its chain, ordered by its start. */
export function insertExecution(execution: ChainExecution): Write {
  const { org, chain_id, started_at, id } = execution;
  const key = { pk: chainKey(org, chain_id).pk, sk: `${EXECUTION}${started_at}#${id}` };
  return { put: toItem(key, "chain_execution", execution), condition: "absent" };
}

/** One page of a chain's runs, newest first. */
export function listExecutions({ ports, org }: OrgReader, chain: string, page: PageRequest) {
  const listing = { pk: chainKey(org, chain).pk, sk: { beginsWith: EXECUTION }, descending: true };
  return listObjects<ChainExecution>(ports.records, listing, page);
}
