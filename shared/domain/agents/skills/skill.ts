import type * as z from "zod";
import type { Evidence } from "./confidence.ts";
import type * as wire from "./wire.ts";

/** Paths of files, and the skill version that imported them. A type, because interfaces are not assignable to JSON. */
export type Bundle = { version: number; paths: string[] };

/** A trigger with its action, as stored. */
export interface Skill
  extends Evidence,
    Omit<z.output<typeof wire.Skill>, "evidence" | "files" | "last_used" | "review_id" | "superseded_by"> {
  org: string;
  /** ISO */
  last_used?: string;
  /** The open review of this version. */
  review_id?: string;
  /** Imported files besides the instructions, and the version that imported them. */
  bundle?: Bundle;
  /** It was extracted from a text, and no reviewer has approved it: see `isUnapproved`. */
  awaits_review?: true;
  /** The skill that replaces it. */
  superseded_by?: string;
  /** The principal that created it. */
  created_by: string;
}

/** A version of a skill by its name. */
export type VersionName = Pick<Skill, "org" | "id" | "version">;

/** Whether a skill comes from a text, which may be a stranger's, so that a reviewer must approve it before its first use. */
export function isUnapproved({ awaits_review }: Skill): boolean {
  return awaits_review === true;
}

/** Whether a skill must not be used: a reviewer rejected this version or has not approved it, or another skill replaces it. */
export function isRetired(skill: Skill): boolean {
  const { verified, human_reviewed, superseded_by } = skill;
  return (human_reviewed && !verified) || superseded_by !== undefined || isUnapproved(skill);
}
