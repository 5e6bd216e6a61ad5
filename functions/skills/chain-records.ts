import type { PageRequest } from "../../shared/kernel/pagination.ts";
import type { OrgHome } from "../../shared/platform/context.ts";
import { fromItem, toItem } from "../../shared/platform/item.ts";
import { readPage } from "../../shared/platform/listing.ts";
import type { RecordKey, Write } from "../../shared/platform/ports.ts";
import type { Chain, ChainExecution } from "./chain.ts";

type Reader = Pick<OrgHome, "ports" | "org">;

const EXECUTION = "execution#";

const chainKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "chain" });

export function insertChain(chain: Chain): Write {
  return { put: toItem(chainKey(chain.org, chain.id), "chain", chain), condition: "absent" };
}

/** Undefined for an absent and a foreign id alike. */
export async function findChain({ ports, org }: Reader, id: string): Promise<Chain | undefined> {
  const record = await ports.records.get(chainKey(org, id));
  return record && fromItem<Chain>(record);
}

/** Keeps a run beside its chain, in the order in which runs began. */
export function insertExecution(execution: ChainExecution): Write {
  const { org, chain_id, started_at, id } = execution;
  const key = { pk: chainKey(org, chain_id).pk, sk: `${EXECUTION}${started_at}#${id}` };
  return { put: toItem(key, "chain_execution", execution), condition: "absent" };
}

/** One page of a chain's runs, newest first. */
export async function listExecutions(
  { ports, org }: Reader,
  chain: string,
  page: PageRequest,
): Promise<{ executions: ChainExecution[]; total: number; hasNext: boolean }> {
  const listing = { pk: chainKey(org, chain).pk, sk: { beginsWith: EXECUTION }, descending: true };
  const { items, total, hasNext } = await readPage(ports.records, listing, page);
  return { executions: items.map((item) => fromItem<ChainExecution>(item)), total, hasNext };
}
