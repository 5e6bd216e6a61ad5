import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import type { RecordStore, Write } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { activeKeyLimit, type Plan } from "./plans.ts";
import { apiKeysOf, organizationKey, STATE_TESTS } from "./records.ts";

/** The tenant whose keys are counted. */
interface KeyOwner {
  org: string;
  plan: Plan;
}

/**
 * The write that counts one more key of an organization; refused at the plan's limit, and before the first count. Keys
 * that expire or are revoked are not subtracted, so the count is never too low, and `recountActiveKeys` corrects it.
 */
export function countActiveKey({ org, plan }: KeyOwner): Write {
  const condition = { counted_keys: { atMost: activeKeyLimit(plan) - 1 } };
  return { update: organizationKey(org), add: { counted_keys: 1 }, condition };
}

/**
 * Counts an organization's active keys, unless somebody else just did, so that `countActiveKey` can be tried again. Throws
 * API_KEY_LIMIT_EXCEEDED where there are as many as the plan allows. The index it counts on may lag by a second on AWS.
 */
export async function recountActiveKeys(home: Pick<Home, "ports" | "clock">, { org, plan }: KeyOwner): Promise<void> {
  const { records } = home.ports;
  const limit = activeKeyLimit(plan);
  const counted = await countedKeys(records, org);
  const where = STATE_TESTS.active(timestamp(home.clock()));
  const active = await records.count({ index: "gsi1", pk: apiKeysOf(org), where }, limit);
  if (active >= limit) {
    throw new ServiceError(
      "API_KEY_LIMIT_EXCEEDED",
      `The organization has ${limit} active API keys, the most that its plan allows. Revoke one that is not needed.`,
      { limit, plan },
    );
  }
  const condition = { counted_keys: counted ?? ({ absent: true } as const) };
  await writeUnlessChanged(home, { update: organizationKey(org), set: { counted_keys: active }, condition });
}

/** Whether an organization's count of active keys is lower than it may ever be, which lets it have more than its plan does. */
export async function isKeyCountLow({ ports, clock }: Pick<Home, "ports" | "clock">, org: string): Promise<boolean> {
  const counted = await countedKeys(ports.records, org);
  if (counted === undefined) return false;
  const where = STATE_TESTS.active(timestamp(clock()));
  return (await ports.records.count({ index: "gsi1", pk: apiKeysOf(org), where }, counted + 1)) > counted;
}

/** Forgets an organization's count, which is then made anew with its next key. */
export async function forgetKeyCount({ ports }: Pick<Home, "ports">, org: string): Promise<void> {
  await ports.records.write({ update: organizationKey(org), remove: ["counted_keys"], condition: "present" });
}

async function countedKeys(records: RecordStore, org: string): Promise<number | undefined> {
  const counted = (await records.get(organizationKey(org)))?.counted_keys;
  return typeof counted === "number" ? counted : undefined;
}
