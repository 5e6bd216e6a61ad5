import { inBatches, inParallel } from "../../../kernel/parallel.ts";
import { fromCursor, toCursor } from "../../../ports/cursor.ts";
import { deleteAll } from "../../../ports/pages.ts";
import { skillsPartition } from "../../../ports/partitions.ts";
import type { StoredRecord, Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { WEBHOOKS } from "../../integration/webhooks/records.ts";
import { ERASE_ORGANIZATION_JOB } from "./job-kinds.ts";
import { CONCURRENCY, DELETED_AT_ONCE, ORGANIZATION_PASSES, type OrganizationPassName, PAGE } from "./pass.ts";
import { FEED_LAG_MS, type StepResult, takeStep } from "./steps.ts";
import { scrubFiles } from "./traces.ts";

export type EraseOrganizationInput = { organization_id: string };

/** Blobs examined in one step. */
const BLOBS = 1000;

const STEPS: Record<OrganizationPassName, (runtime: OrgRuntime, after: string | undefined) => Promise<StepResult>> = {
  webhooks: eraseWebhooks,
  records: eraseRecords,
  files: eraseBlobs,
  documents: eraseDocuments,
  scrub: scrubPartitions,
};

/** Erases everything of an organization, which no longer exists, pass by pass; each step is idempotent. */
export const eraseOrganization: JobHandler<"erase_organization"> = {
  job: ERASE_ORGANIZATION_JOB,

  step(runtime, { job }) {
    const erased = { ...runtime, org: job.input.organization_id };
    return takeStep(ORGANIZATION_PASSES, job.checkpoint, (name, after) => STEPS[name](erased, after));
  },

  onEnded({ logger }, { id, state, input, checkpoint }) {
    logger.info("ORGANIZATION_ERASED", { org: input.organization_id, job: id, state, records: checkpoint.erased });
  },
};

async function eraseWebhooks({ ports, org, clock }: OrgRuntime): Promise<StepResult> {
  const listing = WEBHOOKS.listing(org, new Date(clock()).toISOString());
  return { erased: await deleteAll(ports.records, { ...listing, limit: DELETED_AT_ONCE }) };
}

/** Whether the file is of the organization, which follows the area in its key. */
function isFileOf(blob: unknown, org: string): boolean {
  return typeof blob === "string" && blob.split("/")[1] === org;
}

/** Whether the record is of the organization: by its key, or by a field where one list has those of all organizations. */
function isOwned({ pk, org: owner, blob }: StoredRecord, org: string): boolean {
  return owner === org || pk === org || pk.startsWith(`${org}#`) || isFileOf(blob, org);
}

/**
 * Deletes the organization's records, walking through those of all organizations until a walk finds none: requests and
 * jobs that were in progress, and readers of the change feed, may have stored others behind it.
 */
async function eraseRecords({ ports, org }: OrgRuntime, after: string | undefined): Promise<StepResult> {
  const [found, from] = after === undefined ? [0, null] : fromCursor<[number, string | null]>(after);
  const { items, cursor } = await ports.inventory.list({ limit: PAGE, ...(from !== null && { after: from }) });
  const writes = items.filter((item) => isOwned(item, org)).map(({ pk, sk }): Write => ({ delete: { pk, sk } }));
  await inParallel(inBatches(writes, DELETED_AT_ONCE), CONCURRENCY, (batch) => ports.records.write(...batch));
  const erased = writes.length;
  if (cursor !== undefined) return { erased, after: toCursor([found + erased, cursor]) };
  if (found + erased === 0) return { erased };
  return { erased, after: toCursor([0, null]), delayMs: FEED_LAG_MS };
}

/** Deletes the organization's files, walking through those of all organizations. */
async function eraseBlobs({ ports: { blobs }, org }: OrgRuntime, after: string | undefined): Promise<StepResult> {
  const page = await blobs.list({ limit: BLOBS, ...(after !== undefined && { after }) });
  const owned = page.blobs.filter(({ key }) => isFileOf(key, org));
  await inParallel(owned, CONCURRENCY, ({ key }) => blobs.delete(key));
  return { erased: 0, after: page.cursor };
}

const partitionsOf = (org: string): string[] => [org, skillsPartition(org)];

/** Removes search documents that the change feed left, if any. */
async function eraseDocuments({ ports: { search }, org }: OrgRuntime): Promise<StepResult> {
  const pages = await Promise.all(partitionsOf(org).map((partition) => search.list({ org: partition, limit: PAGE })));
  const left = pages.flatMap(({ documents }) => documents);
  await search.remove(left);
  return { erased: 0, ...(left.length > 0 && { after: "" }) };
}

async function scrubPartitions(runtime: OrgRuntime): Promise<StepResult> {
  const results = await Promise.all(partitionsOf(runtime.org).map((org) => scrubFiles({ ...runtime, org })));
  return results.find(({ after }) => after !== undefined) ?? { erased: 0 };
}
