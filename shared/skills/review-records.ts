import type { PageRequest } from "../kernel/pagination.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { readPage } from "../platform/listing.ts";
import type { RecordKey, Write } from "../platform/ports.ts";
import type { Review, ReviewState } from "./review.ts";

type Reader = Pick<OrgHome, "ports" | "org">;

const reviewKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "review" });
const reviewsIn = (org: string, status: ReviewState): string => `${org}#reviews#${status}`;

/** Stores a new review, which is pending. */
export function insertReview(review: Review): Write {
  const { org, id, status, created_at } = review;
  const inState = { gsi1pk: reviewsIn(org, status), gsi1sk: `${created_at}#${id}` };
  return { put: toItem(reviewKey(org, id), "review", review, inState), condition: "absent" };
}

/** What a reviewer decided. */
export type Decision = Required<Pick<Review, "approved" | "reviewed_by" | "reviewed_at">> & Pick<Review, "notes">;

/** Takes a review out of its pending state, refused when it has left that already. */
export function closeReview(
  org: string,
  id: string,
  status: Exclude<ReviewState, "pending">,
  { notes, ...decision }: Partial<Decision> = {},
): Write {
  const set = { ...decision, ...(notes === undefined ? {} : { notes }), status, gsi1pk: reviewsIn(org, status) };
  return { update: reviewKey(org, id), set, condition: { status: "pending" } };
}

/** Undefined for an absent and a foreign id alike. */
export async function findReview({ ports, org }: Reader, id: string): Promise<Review | undefined> {
  const record = await ports.records.get(reviewKey(org, id));
  return record && fromItem<Review>(record);
}

/** One page of the reviews in a state, newest first; of one skill alone where it is named. */
export async function listReviews(
  { ports, org }: Reader,
  { status, skill_id }: { status: ReviewState; skill_id?: string },
  page: PageRequest,
): Promise<{ reviews: Review[]; total: number; hasNext: boolean }> {
  const where = skill_id === undefined ? undefined : { skill_id };
  const listing = { index: "gsi1" as const, pk: reviewsIn(org, status), where, descending: true };
  const { items, total, hasNext } = await readPage(ports.records, listing, page);
  return { reviews: items.map((item) => fromItem<Review>(item)), total, hasNext };
}
