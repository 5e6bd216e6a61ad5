import { invalid } from "../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../shared/kernel/ids.ts";
import { isChunk } from "../../shared/sources/chunk-ids.ts";

/** Throws VALIDATION_ERROR for an id that no memory could have. */
export function requireMemoryId(id: string): string {
  if (couldBeIssued("memory", id) || couldBeIssued("source", id) || isChunk(id)) return id;
  throw invalid({ field: "memory_id", problem: "is no id of a memory: those begin with 'mem_'" });
}

/** Throws VALIDATION_ERROR for an id that no event could have, nor what it tells of. */
export function requireEventId(id: string, field = "event_id"): string {
  if (couldBeIssued("event", id)) return id;
  throw invalid({ field, problem: "is no id that this service gives: those begin with 'evt_'" });
}

/** Throws VALIDATION_ERROR for an id that no webhook could have. */
export function requireWebhookId(id: string): string {
  if (couldBeIssued("webhook", id)) return id;
  throw invalid({ field: "webhook_id", problem: "is no id of a webhook: those begin with 'whk_'" });
}
