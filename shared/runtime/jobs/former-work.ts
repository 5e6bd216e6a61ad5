import { queryPages } from "../../ports/pages.ts";
import type { RecordStore, StoredRecord } from "../../ports/record-store.ts";
import { replaceItem } from "../upgrades/item-upgrade.ts";
import { WORK_STEPS } from "../upgrades/steps/item-steps.ts";

const FORMER_KINDS = WORK_STEPS.flatMap(({ kinds }) => kinds);
const PAGE = 100;

/** Yields the records of a collection that are in a form before the job engine, each with its replacement. */
export async function* listFormer(
  records: RecordStore,
  pk: string,
): AsyncGenerator<{ former: StoredRecord; replacement: StoredRecord[] }> {
  const where = { kind: { oneOf: FORMER_KINDS } };
  for await (const items of queryPages(records, { pk, where, limit: PAGE })) {
    for (const former of items) {
      const replacement = replaceItem(former, WORK_STEPS);
      if (replacement) yield { former, replacement };
    }
  }
}
