import { inParallel } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import type { RecordQuery, StoredRecord, Write } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";

/** Who leaves what they own, and to whom; nobody, where nobody was named. */
export interface Succession {
  from: string;
  to?: string;
}

/** Where things of one kind are listed, and what becomes of one of them. */
export interface Belongings {
  /** What they are called in the answer and the log. */
  name: string;
  listing(org: string, from: string): Pick<RecordQuery, "index" | "pk">;
  /**
   * The writes that hand a listed thing on, or end it where there is no heir; none for one that is another's, or stays
   * as it is. Each must be conditional on the owner of before, so that repeating it does no harm.
   */
  handOn(
    home: OrgHome,
    record: StoredRecord,
    succession: Succession,
  ): Write[] | undefined | Promise<Write[] | undefined>;
}

/** Records read at a time: some of them lists of everything there is. */
const PAGE = 200;
const WIDTH = 10;

/** Hands on one page of a list; `after` tells where the next begins, if there is one. */
export async function handOnPage(
  home: OrgHome,
  belongings: Belongings,
  succession: Succession,
  after: string | undefined,
): Promise<{ handedOn: number; after?: string }> {
  const query = { ...belongings.listing(home.org, succession.from), limit: PAGE, after };
  const { items, cursor } = await home.ports.records.query(query);
  const done = await inParallel(items, WIDTH, async (record) => {
    const writes = await belongings.handOn(home, record, succession);
    // What changed hands, changed or went in between is found by another look at the list if it must.
    return writes !== undefined && (await writeUnlessChanged(home, ...writes));
  });
  return { handedOn: done.filter(Boolean).length, after: cursor };
}

/**
 * Things that say who made them in `created_by`, and are listed by organization on gsi1. They stay as they are where
 * there is no heir.
 */
export function madeThings(name: string, listOf: (org: string) => string): Belongings {
  return {
    name,
    listing: (org) => ({ index: "gsi1", pk: listOf(org) }),
    handOn: (_home, { pk, sk, created_by }, { from, to }) =>
      created_by === from && to !== undefined
        ? [{ update: { pk, sk }, set: { created_by: to }, condition: { created_by: from } }]
        : undefined,
  };
}
