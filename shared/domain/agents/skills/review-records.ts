import type * as z from "zod";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { getObject, setOrRemove, toItem } from "../../../ports/item.ts";
import { filterBy, type Listing, listObjects } from "../../../ports/listing.ts";
import type { RecordKey, Write } from "../../../ports/record-store.ts";
import type { OrgReader } from "../../../runtime/context.ts";
import type * as wire from "./wire.ts";

/** pending until a reviewer decides; superseded by the review of a newer version; withdrawn with its skill. */
export const REVIEW_STATES = ["pending", "approved", "rejected", "superseded", "withdrawn"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** What created the version to review. */
export const REVIEW_REASONS = ["created", "updated", "extracted", "synthesized", "imported"] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** A reviewer's decision. */
export interface Decision {
  approved: boolean;
  notes?: string;
  reviewed_by: string;
  /** ISO */
  reviewed_at: string;
}

/** A version of a skill under review, as stored. */
export interface Review extends Omit<z.output<typeof wire.Review>, keyof Decision>, Partial<Decision> {
  org: string;
  /** The principal that created the version. */
  created_by: string;
}

const reviewKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "review" });
const reviewsIn = (org: string, status: ReviewState): string => `${org}#reviews#${status}`;

/** Stores a new pending review. */
export function insertReview(review: Review): Write {
  const { org, id, status, created_at } = review;
  const indexKeys = { gsi1pk: reviewsIn(org, status), gsi1sk: `${created_at}#${id}` };
  return { put: toItem(reviewKey(org, id), "review", review, indexKeys), condition: "absent" };
}

/** Ends a pending review; refused if it is no longer pending. */
export function closeReview(
  org: string,
  id: string,
  status: Exclude<ReviewState, "pending">,
  decision: Partial<Decision> = {},
): Write {
  const { set } = setOrRemove({ ...decision, status, gsi1pk: reviewsIn(org, status) });
  return { update: reviewKey(org, id), set, condition: { status: "pending" } };
}

/** Undefined for an id that is missing or of another organization. */
export function findReview({ ports, org }: OrgReader, id: string): Promise<Review | undefined> {
  return getObject(ports.records, reviewKey(org, id));
}

/** One page of the reviews in a state, newest first; of one skill if named. */
export function listReviews(
  { ports, org }: OrgReader,
  { status, skill_id }: { status: ReviewState; skill_id?: string },
  page: PageRequest,
): Promise<Listing<Review>> {
  const where = filterBy({ skill_id });
  const listing = { index: "gsi1" as const, pk: reviewsIn(org, status), where, descending: true };
  return listObjects(ports.records, listing, page);
}
