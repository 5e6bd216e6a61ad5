import { tryWrite } from "../../ports/conflicts.ts";
import type { Json } from "../../ports/json.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { changeFacts, FACTS_FORMAT, factsUnchanged, splitWrites, withFactIds } from "./facts/records.ts";
import type { Memory, Observed } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";

/**
 * Replaces the facts of a stored memory by what was observed anew, except those that people decided about. Its revision
 * stays, so that it is neither indexed again nor sent to webhooks. Returns false if the memory changed meanwhile.
 */
export async function storeObserved(
  runtime: OrgRuntime,
  memory: Memory,
  observed: Observed,
  facts_reader?: string,
): Promise<boolean> {
  const after = withFactIds({ ...memory, observed });
  const { references = [], writes } = changeFacts(memory, after, { keepsDecided: true });
  const set = {
    observations: references as unknown as Json,
    facts: after.facts as unknown as Json,
    facts_format: FACTS_FORMAT,
    ...(facts_reader !== undefined && { facts_reader }),
  };
  const remove = facts_reader === undefined && after.facts_reader === undefined ? ["facts_reader"] : [];
  const condition = { revision: memory.revision, ...factsUnchanged(memory) };
  const { early, transaction } = splitWrites([
    { update: memoryKey(memory.org, memory.id), set, remove, condition },
    ...writes,
  ]);
  if (early.length > 0) await runtime.ports.records.write(...early);
  return tryWrite(runtime, ...transaction);
}
