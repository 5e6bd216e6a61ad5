import { timestamp } from "../kernel/clock.ts";
import { notFound } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { toItem } from "../platform/item.ts";
import type { Json, RecordStore, Write } from "../platform/ports.ts";
import { confidenceOf } from "./confidence.ts";
import { FILE } from "./folders/records.ts";
import { countOutcome, countUse, findSkill, settleUses } from "./records.ts";
import type { Skill } from "./skill.ts";
import { countEarlierOutcome, VERSION, versionNotFound } from "./versions.ts";

/** One use of a skill: by a client that tells of it, or carried out by the service. */
export interface Execution {
  id: string;
  org: string;
  skill_id: string;
  skill_version: number;
  via: "use" | "execute" | "chain";
  /** Of a step: the execution of its chain. */
  chain_execution_id?: string;
  context?: Json;
  result?: Json;
  /** As somebody reported it, or a check found; undefined where nobody knows how it went. */
  success?: boolean;
  execution_time_ms?: number;
  created_at: string;
  /** Principal that used it. */
  created_by: string;
}

export const EXECUTION_KIND = "execution";
const EXECUTION = "execution#";
/** Of executions that are removed together. */
const PAGE = 100;

const executionsOf = (org: string, skill: string): string => `${org}#${skill}`;

function putExecution(execution: Execution): Write {
  const { org, skill_id, created_at, id } = execution;
  const key = { pk: executionsOf(org, skill_id), sk: `${EXECUTION}${created_at}#${id}` };
  return { put: toItem(key, EXECUTION_KIND, execution), condition: "absent" };
}

/** Removes all executions, earlier versions and files of a skill that is gone. */
export async function removeHistory(records: RecordStore, org: string, skill: string): Promise<void> {
  for (const prefix of [EXECUTION, VERSION, FILE]) {
    const own = { pk: executionsOf(org, skill), sk: { beginsWith: prefix }, limit: PAGE };
    for (let left = await records.query(own); left.items.length > 0; left = await records.query(own)) {
      await records.write(...left.items.map(({ pk, sk }): Write => ({ delete: { pk, sk } })));
    }
  }
}

/** What is told of one use. */
export type Use = Pick<
  Execution,
  "via" | "context" | "result" | "success" | "execution_time_ms" | "chain_execution_id"
>;

/**
 * Stores that a skill was used and counts it, together, so that not even a repeated request counts twice; a known outcome
 * is evidence of the version that was used, and moves the confidence where that is the current one. Answers the skill as
 * it is after this use, others' included. Throws SKILL_NOT_FOUND, and VERSION_NOT_FOUND for a version that there is not.
 */
export async function recordUse(
  ctx: Context,
  { id: skill_id, version }: Pick<Skill, "id" | "version">,
  use: Use,
): Promise<{ execution: Execution; skill: Skill }> {
  const { ids, org, principal, ports } = ctx;
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
  const isCounted = use.success !== undefined && (await countedAsCurrent(ports.records, execution, use.success));
  if (!isCounted) await storeUse(ports.records, execution, use.success);
  return { execution, skill: await settle(ctx, skill_id) };
}

/** Stores a use and its outcome; false where the version that was used is not the current one. */
async function countedAsCurrent(records: RecordStore, execution: Execution, success: boolean): Promise<boolean> {
  const { org, skill_id: id, skill_version: version, created_at } = execution;
  try {
    await records.write(countOutcome({ org, id, version }, created_at, success), putExecution(execution));
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Stores a use without an outcome, or with that of an earlier version. */
async function storeUse(records: RecordStore, execution: Execution, success: boolean | undefined): Promise<void> {
  const { org, skill_id: id, skill_version: version, created_at } = execution;
  const earlier = success === undefined ? [] : [countEarlierOutcome(org, id, version, success)];
  try {
    await records.write(countUse({ org, id }, created_at), putExecution(execution), ...earlier);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw error.index === 0 ? notFound("skill", id) : versionNotFound(id, version);
  }
}

async function settle(ctx: Context, id: string): Promise<Skill> {
  const skill = await findSkill(ctx, id);
  if (!skill) throw notFound("skill", id);
  await settleUses(ctx.ports.records, skill);
  return { ...skill, confidence: confidenceOf(skill) };
}
