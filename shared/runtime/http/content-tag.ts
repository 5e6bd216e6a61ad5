import { createHash } from "node:crypto";
import type { GuardedRouteDefinition, RouteDefinition } from "./group.ts";

/** Maximum length of an answer with a tag, in characters: its digest takes at most 0.4 ms. */
export const MAX_TAGGED_LENGTH = 256 * 1024;

/** A route whose answers may have a tag of their content. */
type Tagged = Pick<RouteDefinition, "method" | "answer" | "versioned" | "secret"> &
  Partial<Pick<GuardedRouteDefinition, "permission">>;

/**
 * Whether a route sends an ETag of the content for If-None-Match. One of a version is for If-Match, and does not change
 * with everything in the answer. Answers without a credential change with each request or are files, which have their own.
 */
export function sendsContentTag({ method, answer, versioned, secret, permission }: Tagged): boolean {
  return method === "get" && answer !== "raw" && permission !== undefined && !versioned && !secret;
}

/** The digest of a content as an ETag. */
export function contentTagOf(content: string | Buffer): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** Whether If-None-Match names the ETag, which may be weak: the client has the content already. */
export function isKnown(etag: string, ifNoneMatch = ""): boolean {
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag.replace(/^W\//, ""));
}
