import { unlink } from "../../../shared/agents/unlinking.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/platform/changes.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { fromItem } from "../../../shared/platform/item.ts";
import { emitEvents } from "../../../shared/webhooks/emit.ts";

/**
 * Makes what has follow from changes all that search knows nothing of: the ends of what names something that is gone, and
 * the events that webhooks are told. Each is done whatever becomes of the other; repeating both does no harm.
 */
export function createFollower(home: Home): ChangeConsumer {
  return async (changes) => {
    const ends = await Promise.allSettled([unlinkDeparted(home, changes), emitEvents(home, changes)]);
    const faults = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    if (faults.length > 1) throw new AggregateError(faults, "neither could be done");
    if (faults.length > 0) throw faults[0];
  };
}

/** Takes away all that names an agent, a group or a skill that is gone: places in groups, assignments, shares, keys. */
async function unlinkDeparted(home: Home, changes: RecordChange[]): Promise<void> {
  for (const { before, after } of changes) {
    if (!before || after) continue;
    const { org, id } = fromItem<{ org: string; id: string }>(before);
    if (isLinked(before.kind)) await unlink(home, { org, id, kind: before.kind });
  }
}

function isLinked(kind: string): kind is "agent" | "group" | "skill" {
  return kind === "agent" || kind === "group" || kind === "skill";
}
