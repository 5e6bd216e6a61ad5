import type { Home } from "../platform/context.ts";
import { findLagging, INDEXED_KINDS, indexRecords } from "./drift.ts";

const PAGE = 100;

/** Indexes every record that the search index lacks, all of them before it resolves. */
export async function fillIndex(home: Home): Promise<void> {
  const { inventory, search } = home.ports;
  let after: string | undefined;
  let indexed = 0;
  do {
    const page = await inventory.list({ kinds: INDEXED_KINDS, limit: PAGE, ...(after !== undefined && { after }) });
    const filled = await indexRecords(home, search, await findLagging(search, page.items));
    indexed += filled.indexed;
    after = page.cursor;
  } while (after !== undefined);
  home.logger.info("SEARCH_INDEX_FILLED", { indexed });
}
