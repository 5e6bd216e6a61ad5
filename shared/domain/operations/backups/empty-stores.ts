import { pagesOf } from "../../../ports/pages.ts";
import type { RecordKey, StoredRecord } from "../../../ports/ports.ts";
import { DATA_KEY } from "../../../ports/secret-names.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { ARCHIVE_PREFIX } from "./archives.ts";
import { InvalidArchiveError } from "./format.ts";
import type { KeptSecret } from "./secrets.ts";

const PAGE = 1000;

/** Exists while a restore is in progress and names its archive, so that the same archive may continue after a crash. */
const RESTORATION: RecordKey = { pk: "restoration", sk: "restoration" };

/** Records that a deployment writes before its first use. */
const BY_ITSELF = new Set([
  ...["rate_limits", "usage", "rollup", "tally", "active_user", "sweep", "sweep_run", "idempotency", "audit"],
  ...["maintenance_cleanup", "facts_backfill", "read_facts_job"],
]);

type Stores = Pick<Runtime, "ports">;

/** Whether a first start creates it: the operator's organization and its first key. */
function isOfFirstStart({ kind, id, org, created_by }: StoredRecord): boolean {
  if (kind === "organization") return id === OPERATOR_ORG;
  if (kind === "api_key" || kind === "credential") return org === OPERATOR_ORG && created_by === OPERATOR_ORG;
  return BY_ITSELF.has(kind);
}

/**
 * Throws InvalidArchiveError unless the stores are empty or hold only what an interrupted restore of the same archive wrote.
 */
export async function requireEmptyStores({ ports }: Stores, mark: string, secrets: KeptSecret[]): Promise<void> {
  const restoration = await ports.records.get(RESTORATION);
  if (restoration?.mark === mark) return;
  const found = restoration ? "the beginning of another restoration" : await findContent({ ports });
  if (found !== undefined)
    throw new InvalidArchiveError(`The target is not empty: it has ${found}. Restore into an empty one.`);
  const sealedBy = secrets.find(({ name }) => name === DATA_KEY);
  const held = await ports.secrets.get(DATA_KEY);
  if (sealedBy && held !== undefined && held !== sealedBy.value) {
    throw new InvalidArchiveError("The target is not empty: it has its own data key. Restore into an empty one.");
  }
}

async function findContent({ ports }: Stores): Promise<string | undefined> {
  for await (const { items } of pagesOf((after) => ports.inventory.list({ limit: PAGE, after }))) {
    const other = items.find((record) => !isOfFirstStart(record));
    if (other) return `a record of kind '${other.kind}'`;
  }
  for await (const { blobs } of pagesOf((after) => ports.blobs.list({ limit: PAGE, after }))) {
    if (blobs.some(({ key }) => !key.startsWith(ARCHIVE_PREFIX))) return "blobs";
  }
  const { documents } = await ports.search.list({ limit: 1 });
  return documents.length > 0 ? "a search index" : undefined;
}

export async function beginRestoration({ ports }: Stores, mark: string): Promise<void> {
  await ports.records.write({ put: { ...RESTORATION, kind: "restoration", mark } });
}

export async function endRestoration({ ports }: Stores): Promise<void> {
  await ports.records.write({ delete: RESTORATION });
}
