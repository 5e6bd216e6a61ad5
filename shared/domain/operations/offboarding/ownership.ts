import type { RecordStore, Write } from "../../../ports/record-store.ts";
import type { Principal } from "../../../runtime/access/principal.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { type Job, newJob } from "../../../runtime/jobs/job.ts";
import { messageOf } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { groupsOf } from "../../agents/group-records.ts";
import { agentsOf } from "../../agents/records.ts";
import { skillsOf } from "../../agents/skills/records.ts";
import { createdApiKeys } from "../../identity/api-key-ownership.ts";
import {
  createdResources,
  type OwnedResource,
  type OwnershipChange,
  reassignPage,
} from "../../identity/owned-resources.ts";
import { findUser } from "../../identity/users.ts";
import { createdWebhooks } from "../../integration/webhooks/records.ts";
import { connectionsOf, connectionsOwned } from "../../knowledge/connections/records.ts";
import { sourcesOwned } from "../../knowledge/sources/records.ts";
import { createdMemories, memoriesOwned } from "../../memory/ownership.ts";
import { sessionsOwned } from "../../sessions/records.ts";
import { OWNERSHIP_TRANSFER_JOB } from "./job-kinds.ts";

/** Resources that are revoked if there is no successor. All others are kept then and need no processing. */
const REVOKED_WITHOUT_SUCCESSOR: readonly OwnedResource[] = [createdApiKeys];

/** A user's resources in the order of transfer; those revoked without a successor first, so that both lists agree. */
const OWNED_RESOURCES: readonly OwnedResource[] = [
  ...REVOKED_WITHOUT_SUCCESSOR,
  memoriesOwned,
  createdMemories,
  sessionsOwned,
  createdResources("agents", agentsOf),
  createdResources("groups", groupsOf),
  createdResources("skills", skillsOf),
  createdResources("connections", connectionsOf),
  createdWebhooks,
  sourcesOwned,
];

/** What is stored under the name of a client's user. */
export const RESOURCES_BY_NAME: readonly OwnedResource[] = [
  memoriesOwned,
  sessionsOwned,
  connectionsOwned,
  sourcesOwned,
];

/** A pause before the second pass: lists lag, and other processes accept a deleted user's credentials for seconds. */
const SECOND_PASS_DELAY_MS = 15_000;
const PASSES = 2;
/** How long a request processes a transfer before it leaves the rest to the worker. */
const IN_REQUEST_MS = 3_000;

/** The position of the next page. */
export interface OwnershipTransferCheckpoint {
  /** The current pass: 1.., at most PASSES. */
  look: number;
  /** Index in OWNED_RESOURCES, and position in its list. */
  place: number;
  after?: string;
  handed_on: number;
}

/** The transfer of a deleted user's resources. */
export type OwnershipTransfer = Job<"ownership_transfer">;

/** Returns a new job, and its write for the transaction that deletes the user. */
export function beginOwnershipTransfer(
  ctx: Pick<OrgRuntime, "clock" | "ids" | "org"> & { principal: Pick<Principal, "id"> },
  succession: OwnershipChange,
  delayMs = 0,
): { transfer: OwnershipTransfer; write: Write } {
  const transfer = newJob(ctx, OWNERSHIP_TRANSFER_JOB, {
    input: succession,
    checkpoint: { look: 1, place: 0, handed_on: 0 },
    submitted_by: ctx.principal.id,
    delayMs,
  });
  return { transfer, write: insertJob(transfer) };
}

/** Whether everything visible by now has been transferred. */
export function isTransferred({ checkpoint }: OwnershipTransfer): boolean {
  return checkpoint.look > 1;
}

export function findOwnershipTransfer(
  records: RecordStore,
  org: string,
  id: string,
): Promise<OwnershipTransfer | undefined> {
  return findJob(records, org, id, OWNERSHIP_TRANSFER_JOB);
}

/** Processes a transfer within a request for a limited time, and leaves the rest to the worker. */
export async function transferOwnershipNow(runtime: OrgRuntime, transfer: OwnershipTransfer): Promise<void> {
  await runJob(runtime, [ownershipTransfer], messageOf(transfer), IN_REQUEST_MS);
}

/** Transfers page by page until everything is done or a second pass is due. */
export const ownershipTransfer: JobHandler<"ownership_transfer"> = {
  job: OWNERSHIP_TRANSFER_JOB,

  async step(runtime, { job: { input, checkpoint } }) {
    const { after: from, ...reached } = checkpoint;
    const { look, place, handed_on } = reached;
    const { to, resource } = await nextResource(runtime, input, place);
    if (resource !== undefined) {
      const { transferred, after } = await reassignPage(runtime, resource, { from: input.from, to }, from);
      const next = after === undefined ? { place: place + 1 } : { place, after };
      return { checkpoint: { look, ...next, handed_on: handed_on + transferred } };
    }
    if (look < PASSES) return { checkpoint: { look: look + 1, place: 0, handed_on }, delayMs: SECOND_PASS_DELAY_MS };
    const report = { from: input.from, to: input.to ?? "", moved: handed_on };
    const writes = input.isRename ? [audit(runtime, { ...RENAMED, target: input.to, details: report })] : [];
    return { end: "completed", checkpoint: reached, writes };
  },

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("OWNERSHIP_TRANSFERRED", { org, job: id, state, things: checkpoint.handed_on });
  },
};

/** The report of a rename, among the organization's logs. */
const RENAMED = { action: "user.renamed", actor: { kind: "system" } } as const;

/** Returns the next kind of resources, and who receives them; no kind at the end of a pass. */
async function nextResource(
  runtime: OrgRuntime,
  { to, isRename }: OwnershipChange,
  place: number,
): Promise<{ to: string | undefined; resource: OwnedResource | undefined }> {
  if (isRename) return { to, resource: RESOURCES_BY_NAME[place] };
  const successor = place < OWNED_RESOURCES.length ? await findSuccessor(runtime, to) : undefined;
  const resources = successor === undefined ? REVOKED_WITHOUT_SUCCESSOR : OWNED_RESOURCES;
  return { to: successor, resource: resources[place] };
}

/** Returns the successor, or that user's successor if deleted too; undefined if deleted users name each other. */
async function findSuccessor(runtime: OrgRuntime, to: string | undefined): Promise<string | undefined> {
  const gone = new Set<string>();
  for (let next = to; next !== undefined && !gone.has(next); ) {
    const successor = await findUser(runtime.ports.records, runtime.org, next);
    if (!successor?.deletion) return successor?.id;
    gone.add(next);
    next = successor.deletion.transferred_to;
  }
  return undefined;
}
