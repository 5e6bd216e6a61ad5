import { timestamp } from "../../../kernel/clock.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { toItem } from "../../../ports/item.ts";
import type { RecordKey } from "../../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import type { OrgRuntime, Runtime } from "../../../runtime/context.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { ALL } from "../../../runtime/schemas/fields.ts";
import { listOrganizations } from "../../identity/records.ts";
import { CANARY_MS, hasMemories } from "../../memory/begin-fact-backfill.ts";
import { beginOwnershipTransfer, RESOURCES_BY_NAME } from "./ownership.ts";

/** The number of the step: 1 renames users named `*`, which now means all users. */
const STEP = 1;
const MARK: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "user_renames" };
const NEW_NAME = "asterisk";

/**
 * Starts a job in each organization that has a user named `*`, once per deployment. The job's report is in the
 * organization's logs. Returns the number of organizations.
 */
export async function renameUsersIfDue(runtime: Runtime): Promise<number> {
  const { records } = runtime.ports;
  const last = await records.get(MARK);
  if (Number(last?.step ?? 0) >= STEP || !(await hasMemories(runtime))) return 0;
  let renamed = 0;
  for await (const { id: org } of listOrganizations(records)) {
    if (await beginRename({ ...runtime, org })) renamed++;
  }
  const mark = { step: STEP, organizations: renamed, at: timestamp(runtime.clock()) };
  await tryWrite(runtime, { put: toItem(MARK, "user_renames", mark), condition: "absent" });
  return renamed;
}

async function beginRename(runtime: OrgRuntime): Promise<boolean> {
  if (!(await isNamed(runtime, ALL))) return false;
  const change = { from: ALL, to: await unusedName(runtime), isRename: true as const };
  const delayMs = runtime.config.PLATFORM === "local" ? 0 : CANARY_MS;
  const by = { ...runtime, principal: { id: OPERATOR_ORG } };
  const { transfer, write } = beginOwnershipTransfer(by, change, delayMs);
  await runtime.ports.records.write(write);
  await enqueueJob(runtime, transfer);
  return true;
}

/** Whether anything is stored under a user's name. */
async function isNamed({ ports, org }: OrgRuntime, user_id: string): Promise<boolean> {
  for (const { listing } of RESOURCES_BY_NAME) {
    const { items } = await ports.records.query({ ...listing(org, user_id), where: { user_id }, limit: 1 });
    if (items.length > 0) return true;
  }
  return false;
}

async function unusedName(runtime: OrgRuntime): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? NEW_NAME : `${NEW_NAME}-${number}`;
    if (!(await isNamed(runtime, name))) return name;
  }
}
