import { removeHistory } from "../../../shared/domain/agents/skills/executions.ts";
import { documentOfSkill, toSkillDocuments } from "../../../shared/domain/agents/skills/indexing.ts";
import { toSkill } from "../../../shared/domain/agents/skills/records.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/ports/changes.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";

/**
 * Creates the consumer that updates the search index for skills, and deletes the executions and versions of deleted
 * ones. Repeated, reordered or skipped changes lead to the same result: the highest version wins.
 */
export function createSkillIndexer({ ports }: Runtime): ChangeConsumer {
  return async (changes) => {
    const latest = [...new Map(changes.filter(isRedefined).map((change) => [change.key.pk, change])).values()];
    const live = latest.flatMap(({ after }) => (after ? [toSkill(after)] : []));
    const deleted = latest.flatMap(({ before, after }) => (before && !after ? [toSkill(before)] : []));
    await ports.search.upsert(await toSkillDocuments(ports, live));
    await ports.search.remove(deleted.map(documentOfSkill));
    for (const { org, id } of deleted) await removeHistory(ports.records, org, id);
  };
}

/** Deletes the executions of deleted chains, which are not searched. */
export async function removeChainHistories({ ports }: Pick<Runtime, "ports">, changes: RecordChange[]): Promise<void> {
  for (const { before, after } of changes) {
    if (before && !after) await removeHistory(ports.records, String(before.org), String(before.id));
  }
}

/** Uses and reviews change nothing searchable, so they are not embedded again. */
function isRedefined({ before, after }: RecordChange): boolean {
  return !before || !after || before.version !== after.version;
}
