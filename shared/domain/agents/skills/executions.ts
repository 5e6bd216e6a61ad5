import { timestamp } from "../../../kernel/clock.ts";
import { existing, notFound } from "../../../kernel/errors.ts";
import { tryWrite, writeOrThrow } from "../../../ports/conflicts.ts";
import { toItem } from "../../../ports/item.ts";
import type { Json } from "../../../ports/json.ts";
import { deleteAll } from "../../../ports/pages.ts";
import type { RecordStore, Write } from "../../../ports/record-store.ts";
import type { Context } from "../../../runtime/context.ts";
import { confidenceOf } from "./confidence.ts";
import { FILE } from "./folders/records.ts";
import { countOutcome, countUse, findSkill, settleUses } from "./records.ts";
import type { Skill } from "./skill.ts";
import { countEarlierOutcome, VERSION, versionNotFound } from "./versions.ts";

/** One use of a skill: reported by a client, or executed by the service. */
export interface Execution {
  id: string;
  org: string;
  skill_id: string;
  skill_version: number;
  via: "use" | "execute" | "chain";
  /** For a step, the execution of its chain. */
  chain_execution_id?: string;
  context?: Json;
  result?: Json;
  /** As reported or found by a check; undefined if unknown. */
  success?: boolean;
  execution_time_ms?: number;
  created_at: string;
  /** The principal that used it. */
  created_by: string;
}

export const EXECUTION_KIND = "execution";
const EXECUTION = "execution#";
/** Maximum number of executions deleted together. */
const PAGE = 100;

const executionsOf = (org: string, skill: string): string => `${org}#${skill}`;

function putExecution(execution: Execution): Write {
  const { org, skill_id, created_at, id } = execution;
  const key = { pk: executionsOf(org, skill_id), sk: `${EXECUTION}${created_at}#${id}` };
  return { put: toItem(key, EXECUTION_KIND, execution), condition: "absent" };
}

/** Deletes all executions, earlier versions and files of a deleted skill. */
export async function removeHistory(records: RecordStore, org: string, skill: string): Promise<void> {
  for (const prefix of [EXECUTION, VERSION, FILE]) {
    await deleteAll(records, { pk: executionsOf(org, skill), sk: { beginsWith: prefix }, limit: PAGE });
  }
}

/** A report of one use. */
export type Use = Pick<
  Execution,
  "via" | "context" | "result" | "success" | "execution_time_ms" | "chain_execution_id"
>;

/**
 * Stores a use of a skill and counts it in one transaction, so that a repeated request counts once; a known outcome is
 * evidence for the used version and changes the confidence if it is the current one. Returns the skill after this use.
 * Throws SKILL_NOT_FOUND, and VERSION_NOT_FOUND for an unknown version.
 */
export async function recordUse(
  ctx: Context,
  { id: skill_id, version }: Pick<Skill, "id" | "version">,
  use: Use,
): Promise<{ execution: Execution; skill: Skill }> {
  const { ids, org, principal } = ctx;
  const created_at = timestamp(ctx.clock());
  const execution: Execution = {
    ...use,
    id: ids("execution"),
    org,
    skill_id,
    skill_version: version,
    created_at,
    created_by: principal.id,
  };
  const isCounted = use.success !== undefined && (await storeUseOfCurrentVersion(ctx, execution, use.success));
  if (!isCounted) await storeUse(ctx, execution, use.success);
  return { execution, skill: await readAfterUse(ctx, skill_id) };
}

/** Stores a use with its outcome; false if the used version is not the current one. */
async function storeUseOfCurrentVersion(ctx: Context, execution: Execution, success: boolean): Promise<boolean> {
  const { org, skill_id: id, skill_version: version, created_at } = execution;
  return tryWrite(ctx, countOutcome({ org, id, version }, created_at, success), putExecution(execution));
}

/** Stores a use without an outcome, or with an outcome of an earlier version. */
async function storeUse(ctx: Context, execution: Execution, success: boolean | undefined): Promise<void> {
  const { org, skill_id: id, skill_version: version, created_at } = execution;
  const earlier = success === undefined ? [] : [countEarlierOutcome(org, id, version, success)];
  await writeOrThrow(ctx, [countUse({ org, id }, created_at), putExecution(execution), ...earlier], ({ index }) =>
    index === 0 ? notFound("skill", id) : versionNotFound(id, version),
  );
}

/** Reads the skill, and updates its stored list position and confidence. */
async function readAfterUse(ctx: Context, id: string): Promise<Skill> {
  const skill = existing(await findSkill(ctx, id), "skill", id);
  await settleUses(ctx.ports.records, skill);
  return { ...skill, confidence: confidenceOf(skill) };
}
