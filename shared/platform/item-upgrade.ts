import { isDeepStrictEqual } from "node:util";
import { NewerFormatError, RELEASE } from "./formats.ts";
import { type AddingStep, ITEM_STEPS, type ItemStep } from "./item-steps.ts";
import type { StoredRecord } from "./ports.ts";
import { identityOf } from "./preconditions.ts";

/** That of items without a number; taking steps again changes nothing, so it may stand for any. */
export const FIRST_VERSION = 1;

/** The version of items that this release writes. */
export const itemVersion = (steps: ItemStep[] = ITEM_STEPS): number => steps.at(-1)?.version ?? FIRST_VERSION;

/**
 * A record of an earlier version as it is today, with the records that belong beside it; undefined where it is so already.
 * The steps of this release are taken whatever the number says: during a canary the release before changes items of this one.
 */
export function upgradeItem(
  record: StoredRecord,
  version: number,
  steps: ItemStep[] = ITEM_STEPS,
): { record: StoredRecord; beside: StoredRecord[] } | undefined {
  refuseNewer(record, version, steps);
  const first = Math.min(version, itemVersion(steps) - 1);
  const due = steps.filter((step) => step.version > first && step.kinds.includes(record.kind));
  let [current, beside]: [StoredRecord, StoredRecord[]] = [record, []];
  for (const step of due) {
    if (!("upgrade" in step)) continue;
    const [next = current, ...more] = takeStep(step, current) ?? [];
    current = next;
    beside = [...beside, ...more];
  }
  return current === record && beside.length === 0 ? undefined : { record: current, beside };
}

/** What takes the place of a record, whatever its version; undefined where it may stay. */
export function replaceItem(record: StoredRecord, steps: ItemStep[] = ITEM_STEPS): StoredRecord[] | undefined {
  for (const step of steps) {
    const replacement = "replace" in step && step.kinds.includes(record.kind) ? step.replace(record) : undefined;
    if (replacement) return replacement;
  }
  return undefined;
}

/** Items of the next release are read during its canary: its steps only add. */
function refuseNewer({ pk, sk }: StoredRecord, version: number, steps: ItemStep[]): void {
  if (version <= itemVersion(steps) + 1) return;
  throw new NewerFormatError({
    what: `The item ${pk}/${sk} of version ${version}`,
    writer: undefined,
    remedy: `Release ${RELEASE} reads items up to version ${itemVersion(steps) + 1}: run the newer release everywhere.`,
  });
}

/** Records of any earlier version as they are today, and those that belong beside them. */
export function upgradeItems(records: StoredRecord[]): StoredRecord[] {
  const upgraded = records.map((record) => upgradeItem(record, FIRST_VERSION) ?? { record, beside: [] });
  const own = upgraded.flatMap(({ record }) => replaceItem(record) ?? [record]);
  const known = new Set(own.map(identityOf));
  return [...own, ...upgraded.flatMap(({ beside }) => beside).filter((record) => !known.has(identityOf(record)))];
}

/** Throws where a step takes away or changes what the release before relies on. */
export function takeStep(step: AddingStep, record: StoredRecord): [StoredRecord, ...StoredRecord[]] | undefined {
  const upgraded = step.upgrade(record);
  if (upgraded === undefined) return undefined;
  const [same] = upgraded;
  const changed = Object.keys(record).filter((name) => !isDeepStrictEqual(same[name], record[name]));
  if (identityOf(same) !== identityOf(record) || changed.length > 0) {
    throw new Error(
      `the step ${step.version} of items changes ${changed.join(", ")} of ${identityOf(record)}: steps only add`,
    );
  }
  return upgraded;
}
