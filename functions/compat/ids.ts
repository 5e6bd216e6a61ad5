import { invalid, notFound } from "../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../shared/kernel/ids.ts";
import { isChunk } from "../../shared/sources/chunk-ids.ts";

/** What an id of mem0 looks like: one of another service, which names nothing here. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws MEMORY_NOT_FOUND for an id of mem0, VALIDATION_ERROR for any other that no memory could have. */
export function requireMemoryId(id: string): string {
  if (couldBeIssued("memory", id) || couldBeIssued("source", id) || isChunk(id)) return id;
  if (UUID.test(id)) throw notFound("memory", id);
  throw invalid({ field: "memory_id", problem: "is no id of a memory: those begin with 'mem_'" });
}

/** Throws EVENT_NOT_FOUND for an id of mem0, VALIDATION_ERROR for any other that no event could have. */
export function requireEventId(id: string, field = "event_id"): string {
  if (couldBeIssued("event", id)) return id;
  if (UUID.test(id)) throw notFound(field === "event_id" ? "event" : "export", id);
  throw invalid({ field, problem: "is no id that this service gives: those begin with 'evt_'" });
}

/** Throws WEBHOOK_NOT_FOUND for an id of mem0, VALIDATION_ERROR for any other that no webhook could have. */
export function requireWebhookId(id: string): string {
  if (couldBeIssued("webhook", id)) return id;
  if (UUID.test(id)) throw notFound("webhook", id);
  throw invalid({ field: "webhook_id", problem: "is no id of a webhook: those begin with 'whk_'" });
}
