import { CHAIN_KIND, chainsOf } from "../../shared/domain/agents/skills/records.ts";
import type { PageRequest } from "../../shared/kernel/pagination.ts";
import { getObject, toItem } from "../../shared/ports/item.ts";
import { type Listing, listObjects } from "../../shared/ports/listing.ts";
import type { RecordKey, Write } from "../../shared/ports/ports.ts";
import type { OrgRuntime } from "../../shared/runtime/context.ts";
import type { Chain, ChainExecution } from "./chain.ts";

type Reader = Pick<OrgRuntime, "ports" | "org">;

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
export function listChains({ ports, org }: Reader, page: PageRequest): Promise<Listing<Chain>> {
  const listing = { index: "gsi1" as const, pk: chainsOf(org), descending: true };
  return listObjects(ports.records, listing, page);
}

/** Undefined for an id that is missing or of another organization. */
export function findChain({ ports, org }: Reader, id: string): Promise<Chain | undefined> {
  return getObject(ports.records, chainKey(org, id));
}

/** Stores a run beside its chain, ordered by its start. */
export function insertExecution(execution: ChainExecution): Write {
  const { org, chain_id, started_at, id } = execution;
  const key = { pk: chainKey(org, chain_id).pk, sk: `${EXECUTION}${started_at}#${id}` };
  return { put: toItem(key, "chain_execution", execution), condition: "absent" };
}

/** One page of a chain's runs, newest first. */
export function listExecutions(
  { ports, org }: Reader,
  chain: string,
  page: PageRequest,
): Promise<Listing<ChainExecution>> {
  const listing = { pk: chainKey(org, chain).pk, sk: { beginsWith: EXECUTION }, descending: true };
  return listObjects(ports.records, listing, page);
}
