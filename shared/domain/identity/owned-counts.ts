import { timestamp } from "../../kernel/clock.ts";
import { ServiceError, unavailable } from "../../kernel/errors.ts";
import { retryOnConflict, tryWrite, writeOrThrow } from "../../ports/conflicts.ts";
import type { ConditionFailedError } from "../../ports/errors.ts";
import type { RecordQuery, RecordStore, Write } from "../../ports/record-store.ts";
import { type OwnedName, ownedLimit, type Plan } from "../../runtime/access/plans.ts";
import type { Context, HasPorts, Runtime } from "../../runtime/context.ts";
import { organizationKey } from "./records.ts";

/** A kind of things of which an organization may own a limited number. */
export interface OwnedKind {
  name: OwnedName;
  /** Those that count; `now` is ISO 8601. */
  listing(org: string, now: string): Pick<RecordQuery, "index" | "pk" | "where">;
}

interface Owner {
  org: string;
  plan: Plan;
}

/** The organization of a request. */
export const ownerOf = ({ org, principal }: Pick<Context, "org" | "principal">): Owner => ({
  org,
  plan: principal.plan,
});

const IS_COUNTED = { atLeast: 0 };
/** More than any plan allows. */
const MAX_COUNTED = 2_000_000;

const attributeOf = ({ name }: OwnedKind): string => `counted_${name}`;

/**
 * Stores a new thing of a kind with the writes of `writes`. Throws LIMIT_REACHED at the limit of the plan, and what
 * `refusalOf` returns for a refused write. What was deleted is not subtracted, so the count is never too low; a recount
 * at the limit corrects it.
 */
export async function storeOwned(
  runtime: Pick<Runtime, "ports" | "clock">,
  kind: OwnedKind,
  owner: Owner,
  writes: Write[],
  refusalOf: (conflict: ConditionFailedError) => Error | Promise<Error> = (conflict) => conflict,
): Promise<void> {
  const condition = { [attributeOf(kind)]: { atMost: ownedLimit(owner.plan, kind.name) - 1 } };
  const count: Write = { update: organizationKey(owner.org), add: { [attributeOf(kind)]: 1 }, condition };
  const isCount = ({ index }: ConditionFailedError) => index === writes.length;
  const store = async (conflict?: ConditionFailedError) => {
    if (conflict) await recount(runtime, kind, owner);
    await writeOrThrow(runtime, [...writes, count], (refused) => (isCount(refused) ? refused : refusalOf(refused)));
  };
  const what = kind.name.replaceAll("_", " ");
  const exhausted = () => unavailable(`Other requests are creating ${what} of this organization. Try again.`, 1);
  await retryOnConflict(store, { isTransient: isCount, exhausted });
}

/** Counts things of a kind before they are stored without `storeOwned`; a kind that was never counted is counted whole. */
export async function countUnlimited(
  runtime: Pick<Runtime, "ports" | "clock">,
  kind: OwnedKind,
  org: string,
  number: number,
): Promise<void> {
  const attribute = attributeOf(kind);
  const counting = {
    update: organizationKey(org),
    add: { [attribute]: number },
    condition: { [attribute]: IS_COUNTED },
  };
  if (await tryWrite(runtime, counting)) return;
  const total = await runtime.ports.records.count(kind.listing(org, timestamp(runtime.clock())), MAX_COUNTED);
  const condition = { kind: "organization", [attribute]: { absent: true as const } };
  await tryWrite(runtime, { update: organizationKey(org), set: { [attribute]: total + number }, condition });
}

/** Recounts unless another request just did. The counted index may lag by a second on AWS. */
async function recount(
  runtime: Pick<Runtime, "ports" | "clock">,
  kind: OwnedKind,
  { org, plan }: Owner,
): Promise<void> {
  const { records } = runtime.ports;
  const limit = ownedLimit(plan, kind.name);
  const counted = await countedOf(records, kind, org);
  const number = await records.count(kind.listing(org, timestamp(runtime.clock())), limit);
  if (number >= limit) {
    const what = kind.name.replaceAll("_", " ");
    throw new ServiceError(
      "LIMIT_REACHED",
      `The organization has ${limit} ${what}, the most that its plan allows. Delete those that are not needed.`,
      { resource: kind.name, limit, plan },
    );
  }
  const condition = { [attributeOf(kind)]: counted ?? ({ absent: true } as const) };
  await tryWrite(runtime, { update: organizationKey(org), set: { [attributeOf(kind)]: number }, condition });
}

/** Whether an organization's count is too low, which would let it exceed its plan. */
export async function isCountLow(
  { ports, clock }: Pick<Runtime, "ports" | "clock">,
  kind: OwnedKind,
  org: string,
): Promise<boolean> {
  const counted = await countedOf(ports.records, kind, org);
  if (counted === undefined) return false;
  return (await ports.records.count(kind.listing(org, timestamp(clock())), counted + 1)) > counted;
}

/** Deletes the count of an organization, if it exists; the next thing of the kind recounts. */
export async function forgetCount({ ports }: HasPorts, kind: OwnedKind, org: string): Promise<void> {
  await tryWrite({ ports }, { update: organizationKey(org), remove: [attributeOf(kind)], condition: "present" });
}

async function countedOf(records: RecordStore, kind: OwnedKind, org: string): Promise<number | undefined> {
  const counted = (await records.get(organizationKey(org)))?.[attributeOf(kind)];
  return typeof counted === "number" ? counted : undefined;
}
