import { timestamp } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import type { RecordStore, Write } from "../../ports/ports.ts";
import { activeKeyLimit, type Plan } from "../../runtime/access/plans.ts";
import type { HasPorts, Runtime } from "../../runtime/context.ts";
import { apiKeysOf, organizationKey, STATE_TESTS } from "./records.ts";

/** The organization whose keys are counted. */
interface KeyOwner {
  org: string;
  plan: Plan;
}

/**
 * The write that counts one more key of an organization; refused at the plan's limit and before the first count.
 * Expired and revoked keys are not subtracted, so the count is never too low, and `recountActiveKeys` corrects it.
 */
export function countActiveKey({ org, plan }: KeyOwner): Write {
  const condition = { counted_keys: { atMost: activeKeyLimit(plan) - 1 } };
  return { update: organizationKey(org), add: { counted_keys: 1 }, condition };
}

/**
 * Recounts an organization's active keys unless another request just did, so that `countActiveKey` can be retried.
 * Throws API_KEY_LIMIT_EXCEEDED at the plan's limit. The counted index may lag by a second on AWS.
 */
export async function recountActiveKeys(runtime: Pick<Runtime, "ports" | "clock">, { org, plan }: KeyOwner) {
  const { records } = runtime.ports;
  const limit = activeKeyLimit(plan);
  const counted = await countedKeys(records, org);
  const where = STATE_TESTS.active(timestamp(runtime.clock()));
  const active = await records.count({ index: "gsi1", pk: apiKeysOf(org), where }, limit);
  if (active >= limit) {
    throw new ServiceError(
      "API_KEY_LIMIT_EXCEEDED",
      `The organization has ${limit} active API keys, the most that its plan allows. Revoke one that is not needed.`,
      { limit, plan },
    );
  }
  const condition = { counted_keys: counted ?? ({ absent: true } as const) };
  await tryWrite(runtime, { update: organizationKey(org), set: { counted_keys: active }, condition });
}

/** Whether an organization's count of active keys is too low, which would let it exceed its plan. */
export async function isKeyCountLow({ ports, clock }: Pick<Runtime, "ports" | "clock">, org: string): Promise<boolean> {
  const counted = await countedKeys(ports.records, org);
  if (counted === undefined) return false;
  const where = STATE_TESTS.active(timestamp(clock()));
  return (await ports.records.count({ index: "gsi1", pk: apiKeysOf(org), where }, counted + 1)) > counted;
}

/** Deletes an organization's count; creating the next key recounts. */
export async function forgetKeyCount({ ports }: HasPorts, org: string): Promise<void> {
  await ports.records.write({ update: organizationKey(org), remove: ["counted_keys"], condition: "present" });
}

async function countedKeys(records: RecordStore, org: string): Promise<number | undefined> {
  const counted = (await records.get(organizationKey(org)))?.counted_keys;
  return typeof counted === "number" ? counted : undefined;
}
