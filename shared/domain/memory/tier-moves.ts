import { inParallel } from "../../kernel/parallel.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { Migration, TierPolicy } from "../compression/tiers.ts";
import { archiveContent, contentKey, loadContent, storeContent } from "./content.ts";
import type { StoredMemory } from "./records.ts";
import { changeTier, findStoredMemory, moveVersion, readInlineVersions } from "./tier-records.ts";

const CONCURRENCY = 16;
/** Maximum versions archived with their memory, so that the transaction stays below 4 MB. */
const MAX_VERSIONS = 40;

type MovingRuntime = Pick<Runtime, "ports" | "logger">;

/** A planned move of a memory that was last changed at a time. */
export interface PlannedMove extends Migration {
  updated_at: string;
}

/** Makes planned moves; returns those that were made. Memories that changed meanwhile stay where they are. */
export async function makeMoves(
  runtime: MovingRuntime,
  org: string,
  planned: PlannedMove[],
  policy: TierPolicy,
): Promise<PlannedMove[]> {
  const made = await inParallel(planned, CONCURRENCY, (move) => makeMove(runtime, org, move, policy));
  return planned.filter((_, index) => made[index]);
}

/** Makes one planned move. Returns false if the memory changed meanwhile or could not be moved. */
async function makeMove(
  runtime: MovingRuntime,
  org: string,
  { id, from, to, updated_at }: PlannedMove,
  policy: TierPolicy,
): Promise<boolean> {
  try {
    const memory = await findStoredMemory(runtime.ports.records, org, id);
    if (memory?.tier !== from || memory.updated_at !== updated_at) return false;
    if (to === "archive") await archive(runtime, memory, policy.settings.archive_tier.compression_enabled);
    else if (from === "archive")
      await runtime.ports.records.write(changeTier(memory, to, await recall(runtime, memory)));
    else await runtime.ports.records.write(changeTier(memory, to));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailedError))
      runtime.logger.error("TIER_MOVE_FAILED", { org, memory: id, from, to, error });
    return false;
  }
}

/** Moves contents to blobs, which are written first: another attempt rewrites those that a crash left. */
async function archive(runtime: MovingRuntime, memory: StoredMemory, isCompressed: boolean): Promise<void> {
  const { org, id, version } = memory;
  const content = await loadContent(runtime, memory);
  const older = await readInlineVersions(runtime.ports.records, org, id, MAX_VERSIONS);
  const contents = new Map([...older.map((each) => [each.version, each.content] as const), [version, content]]);
  const keyOf = (text: string) => contentKey(memory, text);
  await Promise.all([...contents.values()].map((text) => archiveContent(runtime, keyOf(text), text, isCompressed)));
  await runtime.ports.records.write(
    changeTier(memory, "archive", { content_blob: keyOf(content) }),
    ...[...contents].map(([number, text]) => moveVersion(org, id, number, keyOf(text))),
  );
}

/** Returns archived content for the record, inline if short, otherwise as a blob. Versions stay in the archive. */
async function recall(runtime: MovingRuntime, memory: StoredMemory) {
  const content = await loadContent(runtime, memory);
  return storeContent(runtime, contentKey(memory, content), content);
}
