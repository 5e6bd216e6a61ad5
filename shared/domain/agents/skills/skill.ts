import type { JsonObject } from "../../../ports/ports.ts";
import type { Evidence } from "./confidence.ts";

/** Paths of files, and the skill version that imported them. A type, because interfaces are not assignable to JSON. */
export type Bundle = { version: number; paths: string[] };

/** A trigger with its action. */
export interface Skill extends Evidence {
  id: string;
  org: string;
  /** Unique in the organization, ignoring case and white space. */
  name: string;
  trigger: string;
  /** May have slots such as `{customer.name}`, which execution fills from its context. */
  action: string;
  domain: string;
  /** 0..1; derived from the evidence of this version. */
  confidence: number;
  tags: string[];
  examples: string[];
  metadata: JsonObject;
  /** Uses and executions of all versions. */
  usage_count: number;
  /** ISO */
  last_used?: string;
  /** Whether a reviewer approved this version. */
  verified: boolean;
  /** Whether a reviewer decided on this version. */
  human_reviewed: boolean;
  /** The open review of this version. */
  review_id?: string;
  /** Imported files besides the instructions, and the version that imported them. */
  bundle?: Bundle;
  /** The skill that replaces it. */
  superseded_by?: string;
  /** Counts definitions; uses and reviews do not change it. */
  version: number;
  created_at: string;
  /** When this version was created. */
  updated_at: string;
  /** The principal that created it. */
  created_by: string;
}

/** Whether a skill must not be used: a reviewer rejected this version, or another skill replaces it. */
export function isRetired({ verified, human_reviewed, superseded_by }: Skill): boolean {
  return (human_reviewed && !verified) || superseded_by !== undefined;
}
