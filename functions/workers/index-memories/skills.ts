import type { ChangeConsumer, RecordChange } from "../../../shared/platform/changes.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { removeHistory } from "../../../shared/skills/executions.ts";
import { documentOfSkill, toSkillDocuments } from "../../../shared/skills/indexing.ts";
import { toSkill } from "../../../shared/skills/records.ts";

/**
 * Makes what brings the search index in line with a batch of changes of skills, and drops the executions and versions of deleted ones.
 * Repeating, reordering or skipping superseded changes leads to the same end: the highest version stays.
 */
export function createSkillIndexer({ ports }: Home): ChangeConsumer {
  return async (changes) => {
    const latest = [...new Map(changes.filter(isRedefined).map((change) => [change.key.pk, change])).values()];
    const live = latest.flatMap(({ after }) => (after ? [toSkill(after)] : []));
    const gone = latest.flatMap(({ before, after }) => (before && !after ? [toSkill(before)] : []));
    await ports.search.upsert(await toSkillDocuments(ports, live));
    await ports.search.remove(gone.map(documentOfSkill));
    for (const { org, id } of gone) await removeHistory(ports.records, org, id);
  };
}

/** Drops the executions of deleted chains, which are not searched. */
export async function dropHistories({ ports }: Pick<Home, "ports">, changes: RecordChange[]): Promise<void> {
  for (const { before, after } of changes) {
    if (before && !after) await removeHistory(ports.records, String(before.org), String(before.id));
  }
}

/** Uses and reviews change nothing that is searched, so they cost no embedding. */
function isRedefined({ before, after }: RecordChange): boolean {
  return !before || !after || before.version !== after.version;
}
