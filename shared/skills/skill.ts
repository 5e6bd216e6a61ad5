import type { JsonObject } from "../platform/ports.ts";
import type { Evidence } from "./confidence.ts";

/** Paths of files, and the version of the skill that brought them. A type, as interfaces are no JSON. */
export type Bundle = { version: number; paths: string[] };

/** A trigger and what to do when it comes up. */
export interface Skill extends Evidence {
  id: string;
  org: string;
  /** Unique in the organization, whatever its case and spaces. */
  name: string;
  trigger: string;
  /** May have slots such as `{customer.name}`, which execution fills from its context. */
  action: string;
  domain: string;
  /** 0..1; follows from the evidence of this version. */
  confidence: number;
  tags: string[];
  examples: string[];
  metadata: JsonObject;
  /** Uses and executions of all versions. */
  usage_count: number;
  /** ISO */
  last_used?: string;
  /** A reviewer approved this version. */
  verified: boolean;
  /** A reviewer decided on this version, either way. */
  human_reviewed: boolean;
  /** The review of this version, while it is open. */
  review_id?: string;
  /** Files that were imported beside its instructions, and the version that brought them. */
  bundle?: Bundle;
  /** The skill that replaces it. */
  superseded_by?: string;
  /** Counts the definitions; uses and reviews make none. */
  version: number;
  created_at: string;
  /** When this version was made. */
  updated_at: string;
  /** Principal that made it. */
  created_by: string;
}

/** Whether a skill must not fire: a reviewer rejected this version, or another skill replaces it. */
export function isRetired({ verified, human_reviewed, superseded_by }: Skill): boolean {
  return (human_reviewed && !verified) || superseded_by !== undefined;
}
