import { unlink } from "../../../shared/agents/unlinking.ts";
import type { ChangeConsumer } from "../../../shared/platform/changes.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { fromItem } from "../../../shared/platform/item.ts";

/** Makes what takes away all that names an agent, a group or a skill that is gone: places in groups, assignments, shares, keys. */
export function createUnlinker(home: Home): ChangeConsumer {
  return async (changes) => {
    for (const { before, after } of changes) {
      if (!before || after) continue;
      const { org, id } = fromItem<{ org: string; id: string }>(before);
      if (isLinked(before.kind)) await unlink(home, { org, id, kind: before.kind });
    }
  };
}

function isLinked(kind: string): kind is "agent" | "group" | "skill" {
  return kind === "agent" || kind === "group" || kind === "skill";
}
