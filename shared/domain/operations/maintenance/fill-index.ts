import type { Runtime } from "../../../runtime/context.ts";
import { findLagging, INDEXED_KINDS, indexRecords } from "./drift.ts";

const PAGE = 100;

/** Indexes every record that the search index lacks before it resolves. */
export async function fillIndex(runtime: Runtime): Promise<void> {
  const { inventory, search } = runtime.ports;
  let after: string | undefined;
  let indexed = 0;
  do {
    const page = await inventory.list({ kinds: INDEXED_KINDS, limit: PAGE, ...(after !== undefined && { after }) });
    const filled = await indexRecords(runtime, search, await findLagging(search, page.items));
    indexed += filled.indexed;
    after = page.cursor;
  } while (after !== undefined);
  runtime.logger.info("SEARCH_INDEX_FILLED", { indexed });
}
