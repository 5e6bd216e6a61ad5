import type * as z from "zod";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import { readPage } from "../../../ports/listing.ts";
import type { RecordKey, Write } from "../../../ports/ports.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type * as wire from "./wire.ts";

/** pending until a reviewer decides; superseded by the review of a newer version; withdrawn with its skill. */
export const REVIEW_STATES = ["pending", "approved", "rejected", "superseded", "withdrawn"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** What created the version to review. */
export const REVIEW_REASONS = ["created", "updated", "extracted", "synthesized", "imported"] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** A version of a skill under review, as stored. */
export interface Review
  extends Omit<z.output<typeof wire.Review>, "approved" | "notes" | "reviewed_by" | "reviewed_at"> {
  org: string;
  approved?: boolean;
  notes?: string;
  reviewed_by?: string;
  /** ISO */
  reviewed_at?: string;
  /** The principal that created the version. */
  created_by: string;
}

type Reader = Pick<OrgRuntime, "ports" | "org">;

const reviewKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "review" });
const reviewsIn = (org: string, status: ReviewState): string => `${org}#reviews#${status}`;

/** Stores a new pending review. */
export function insertReview(review: Review): Write {
  const { org, id, status, created_at } = review;
  const inState = { gsi1pk: reviewsIn(org, status), gsi1sk: `${created_at}#${id}` };
  return { put: toItem(reviewKey(org, id), "review", review, inState), condition: "absent" };
}

/** A reviewer's decision. */
export type Decision = Required<Pick<Review, "approved" | "reviewed_by" | "reviewed_at">> & Pick<Review, "notes">;

/** Ends a pending review; refused if it is no longer pending. */
export function closeReview(
  org: string,
  id: string,
  status: Exclude<ReviewState, "pending">,
  { notes, ...decision }: Partial<Decision> = {},
): Write {
  const set = { ...decision, ...(notes === undefined ? {} : { notes }), status, gsi1pk: reviewsIn(org, status) };
  return { update: reviewKey(org, id), set, condition: { status: "pending" } };
}

/** Undefined for an id that is missing or of another organization. */
export async function findReview({ ports, org }: Reader, id: string): Promise<Review | undefined> {
  const record = await ports.records.get(reviewKey(org, id));
  return record && fromItem<Review>(record);
}

/** One page of the reviews in a state, newest first; of one skill if named. */
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
