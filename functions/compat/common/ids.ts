import { isChunk } from "../../../shared/domain/memory/chunk-ids.ts";
import { invalid, notFound } from "../../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../../shared/kernel/ids.ts";

/** The form of a mem0 id, which never exists here. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const FIELDS = {
  memory: { field: "memory_id", prefix: "mem_" },
  event: { field: "event_id", prefix: "evt_" },
  export: { field: "memory_export_id", prefix: "evt_" },
  webhook: { field: "webhook_id", prefix: "whk_" },
} as const;

/** Returns an id that may exist. Throws `<RESOURCE>_NOT_FOUND` for a mem0 id, VALIDATION_ERROR for any other one. */
export function requireId(resource: keyof typeof FIELDS, id: string): string {
  const { field, prefix } = FIELDS[resource];
  if (couldBeIssued(resource === "export" ? "event" : resource, id)) return id;
  if (resource === "memory" && (couldBeIssued("source", id) || isChunk(id))) return id;
  if (UUID.test(id)) throw notFound(resource, id);
  throw invalid({ field, problem: `is not an id of this service: its ids begin with '${prefix}'` });
}
