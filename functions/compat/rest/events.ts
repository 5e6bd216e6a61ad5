import {
  type CompatEvent,
  type EventType,
  getEvent as readEvent,
  listEvents as readEvents,
} from "../../../shared/domain/integration/compat/events.ts";
import { listResults, type ResultWithContent, readResults } from "../../../shared/domain/integration/compat/results.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { requireId } from "../common/ids.ts";
import { pageLinks, toPageRequest } from "../common/pages.ts";
import type * as schemas from "./schemas.ts";

type Kind = Input<typeof schemas.CompatEventKind>;

const TYPES: Record<Kind, EventType> = {
  ADD: "memory.add",
  DELETE: "memory.delete",
  IMPORT: "memory.import",
  EXPORT: "memory.export",
};
const KINDS = Object.fromEntries(Object.entries(TYPES).map(([kind, type]) => [type, kind])) as Record<EventType, Kind>;

export async function getEvent(ctx: Context, id: string) {
  const event = await readEvent(ctx, requireId("event", id));
  const results = await listResults(ctx.ports.records, event);
  return present(event, results.map(await readResults(ctx, results)));
}

export async function listEvents(ctx: Context, query: Input<typeof schemas.CompatListEvents>) {
  const { event_type, status } = query;
  const filter = {
    ...(event_type && { type: TYPES[event_type] }),
    ...(status && { status: status === "SUCCEEDED" ? ("COMPLETED" as const) : status }),
  };
  const { items: events, total } = await readEvents(ctx, filter, toPageRequest(query));
  const withContent = await readResults(
    ctx,
    events.flatMap(({ results }) => results),
  );
  const shown = events.map((event) => present(event, event.results.map(withContent)));
  return { ...pageLinks(ctx, "/v1/events", query, total), results: shown };
}

function present(event: CompatEvent, results: ResultWithContent[]) {
  const { type, status, resource_id = null, created_at, started_at = null, finished_at = null } = event;
  return {
    ...event,
    event_type: KINDS[type],
    status: status === "COMPLETED" ? ("SUCCEEDED" as const) : status,
    resource_id,
    results,
    started_at,
    completed_at: finished_at,
    latency: finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at ?? created_at),
  };
}
