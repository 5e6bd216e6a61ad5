import { isDeepStrictEqual } from "node:util";
import { NewerFormatError, RELEASE } from "../../ports/formats.ts";
import { queryPages } from "../../ports/pages.ts";
import { identityOf } from "../../ports/preconditions.ts";
import type { RecordStore, StoredRecord } from "../../ports/record-store.ts";
import { ITEM_STEPS } from "./steps/item-steps.ts";
import type { AddingStep, ItemStep, ReplacingStep } from "./steps/step.ts";

/** The version of items without a number. It may stand for any earlier version, because steps are idempotent. */
export const FIRST_VERSION = 1;

/** The version of items that this release writes. */
export const itemVersion = (steps: ItemStep[] = ITEM_STEPS): number => steps.at(-1)?.version ?? FIRST_VERSION;

/**
 * Returns the upgraded record with additional records; undefined if nothing changes. The steps of this
 * release always run, whatever the item's version, because during a canary the previous release changes items of this
 * release.
 */
export function upgradeItem(
  record: StoredRecord,
  version: number,
  steps: ItemStep[] = ITEM_STEPS,
): { record: StoredRecord; additional: StoredRecord[] } | undefined {
  refuseNewer(record, version, steps);
  const first = Math.min(version, itemVersion(steps) - 1);
  const due = steps.filter((step) => step.version > first && step.kinds.includes(record.kind));
  let [current, additional]: [StoredRecord, StoredRecord[]] = [record, []];
  for (const step of due) {
    if (!("upgrade" in step)) continue;
    const [next = current, ...more] = takeStep(step, current) ?? [];
    current = next;
    additional = [...additional, ...more];
  }
  return current === record && additional.length === 0 ? undefined : { record: current, additional };
}

/** Returns the replacements of a record of any version; undefined if it is kept. */
export function replaceItem(record: StoredRecord, steps: ItemStep[] = ITEM_STEPS): StoredRecord[] | undefined {
  for (const step of steps) {
    const replacement = "replace" in step && step.kinds.includes(record.kind) ? step.replace(record) : undefined;
    if (replacement) return replacement;
  }
  return undefined;
}

/** Yields the records of a collection that these steps still replace, each with its replacement. */
export async function* listReplaced(
  records: RecordStore,
  pk: string,
  steps: ReplacingStep[],
): AsyncGenerator<{ former: StoredRecord; replacement: StoredRecord[] }> {
  const where = { kind: { oneOf: steps.flatMap(({ kinds }) => kinds) } };
  for await (const items of queryPages(records, { pk, where, limit: PAGE })) {
    for (const former of items) {
      const replacement = replaceItem(former, steps);
      if (replacement) yield { former, replacement };
    }
  }
}

const PAGE = 100;

/** Throws for an item too new to read. Items of the next release can be read during its canary: its steps only add. */
function refuseNewer({ pk, sk }: StoredRecord, version: number, steps: ItemStep[]): void {
  if (version <= itemVersion(steps) + 1) return;
  throw new NewerFormatError({
    what: `The item ${pk}/${sk} of version ${version}`,
    writer: undefined,
    remedy: `Release ${RELEASE} reads items up to version ${itemVersion(steps) + 1}: run the newer release everywhere.`,
  });
}

/** Returns records of any earlier version in their current form, with additional records. */
export function upgradeItems(records: StoredRecord[]): StoredRecord[] {
  const upgraded = records.map((record) => upgradeItem(record, FIRST_VERSION) ?? { record, additional: [] });
  const current = upgraded.flatMap(({ record }) => replaceItem(record) ?? [record]);
  const known = new Set(current.map(identityOf));
  return [
    ...current,
    ...upgraded.flatMap(({ additional }) => additional).filter((record) => !known.has(identityOf(record))),
  ];
}

/** Applies a step. Throws if the step removes or changes an attribute, on which the previous release may rely. */
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
