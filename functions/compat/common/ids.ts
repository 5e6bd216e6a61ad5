import { isChunk } from "../../../shared/domain/memory/chunk-ids.ts";
import { invalid, notFound } from "../../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../../shared/kernel/ids.ts";

/** The form of a mem0 id, which never exists here. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws MEMORY_NOT_FOUND for a mem0 id, VALIDATION_ERROR for any other invalid id. */
export function requireMemoryId(id: string): string {
  if (couldBeIssued("memory", id) || couldBeIssued("source", id) || isChunk(id)) return id;
  if (UUID.test(id)) throw notFound("memory", id);
  throw invalid({ field: "memory_id", problem: "is no id of a memory: those begin with 'mem_'" });
}

/** Throws EVENT_NOT_FOUND for a mem0 id, VALIDATION_ERROR for any other invalid id. */
export function requireEventId(id: string, field = "event_id"): string {
  if (couldBeIssued("event", id)) return id;
  if (UUID.test(id)) throw notFound(field === "event_id" ? "event" : "export", id);
  throw invalid({ field, problem: "is no id that this service gives: those begin with 'evt_'" });
}

/** Throws WEBHOOK_NOT_FOUND for a mem0 id, VALIDATION_ERROR for any other invalid id. */
export function requireWebhookId(id: string): string {
  if (couldBeIssued("webhook", id)) return id;
  if (UUID.test(id)) throw notFound("webhook", id);
  throw invalid({ field: "webhook_id", problem: "is no id of a webhook: those begin with 'whk_'" });
}
