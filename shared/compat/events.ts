import type { Principal } from "../identity/principal.ts";
import { timestamp } from "../kernel/clock.ts";
import { notFound } from "../kernel/errors.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import type { Context, ViewerHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { filterBy, readPage } from "../platform/listing.ts";
import type { RecordKey, StoredRecord, Write } from "../platform/ports.ts";
import type { FactRelation, LeftOut } from "./conversation.ts";

/** What clients of the compatibility interface can have done while they poll for its end. */
export const EVENT_TYPES = ["memory.add", "memory.delete", "memory.import", "memory.export"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_STATES = ["PENDING", "RUNNING", "COMPLETED", "FAILED"] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** How far something of many parts has come. */
export interface EventProgress {
  total: number;
  done: number;
  failed: number;
}

/** A part that failed while others did not. */
export interface EventFailure {
  /** Its place among those that were sent, from 0. */
  index?: number;
  code: string;
  message: string;
}

/** `UPDATE`: it says what holds instead of an earlier memory. `DELETE`: it no longer holds. `NOOP`: it was known already. */
export const RESULT_EVENTS = ["ADD", "UPDATE", "DELETE", "NOOP"] as const;

/** What came of one memory. What the memory says is read when somebody asks. */
export type EventResult = {
  id: string;
  event: (typeof RESULT_EVENTS)[number];
  /** Of an update: the memory whose place it takes. */
  previous_memory_id?: string;
} & FactRelation;

/** Something that was asked for and goes on after the answer, or went on before it. Kept for 30 days after its end. */
export interface CompatEvent {
  id: string;
  org: string;
  type: EventType;
  status: EventState;
  resource: "memory" | "import" | "export";
  /** Where there is one thing that came of it, its id. */
  resource_id?: string;
  progress?: EventProgress;
  /** The first ones; `result_pages` records hold what follows them. */
  results: EventResult[];
  result_pages?: number;
  /** Sentences that became no memory, in short; the first ones. */
  left_out?: LeftOut[];
  errors: EventFailure[];
  /** ISO */
  created_at: string;
  updated_at: string;
  started_at?: string;
  finished_at?: string;
  /** On whose behalf; the agent, if any, is the only one besides the organization's own that there is this event for. */
  by: Pick<Principal, "kind" | "id" | "owner" | "agent">;
}

const EVENT_KIND = "compat_event";
export const KEPT_SECONDS = 30 * 86_400;

const eventKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "event" });
const eventsOf = (org: string, agent?: string): string =>
  agent === undefined ? `${org}#events` : `${org}#${agent}#events`;

export function newEvent(
  { ids, clock, org, principal }: Pick<Context, "ids" | "clock" | "org" | "principal">,
  what: Pick<CompatEvent, "type" | "resource"> & Partial<Pick<CompatEvent, "progress" | "resource_id">>,
): CompatEvent {
  const now = timestamp(clock());
  const { kind, id, owner, agent } = principal;
  return {
    ...what,
    id: ids("event"),
    org,
    status: "PENDING",
    results: [],
    errors: [],
    created_at: now,
    updated_at: now,
    by: { kind, id, owner, agent },
  };
}

/** The event as it ended. */
export function ended(
  event: CompatEvent,
  now: number,
  outcome: Partial<Pick<CompatEvent, "status" | "resource_id" | "progress" | "results" | "errors">>,
): CompatEvent {
  const finished_at = timestamp(now);
  return { ...event, status: "COMPLETED", ...outcome, updated_at: finished_at, finished_at };
}

/**
 * An event as it is now. Where a job of the same id does the work, only the transaction that stores the job's checkpoint
 * holds this write: that the job is where it was is the condition of both.
 */
export function putEvent(event: CompatEvent): Write & { put: StoredRecord } {
  const { org, id, by, created_at, finished_at } = event;
  const byCreation = `${created_at}#${id}`;
  const own = by.agent === undefined ? {} : { gsi2pk: eventsOf(org, by.agent), gsi2sk: byCreation };
  const ttl = finished_at === undefined ? undefined : Math.ceil(Date.parse(finished_at) / 1000) + KEPT_SECONDS;
  const index = { gsi1pk: eventsOf(org), gsi1sk: byCreation, ...own, ttl };
  return { put: toItem(eventKey(org, id), EVENT_KIND, event, index) };
}

/** A new event's write, for the transaction of what it tells of. */
export function insertEvent(event: CompatEvent): Write {
  return { ...putEvent(event), condition: "absent" };
}

/** Undefined for an absent, a foreign and an unseen id alike: an agent sees what its own keys began. */
export async function findEvent(
  { ports, org, viewer }: Pick<ViewerHome, "ports" | "org" | "viewer">,
  id: string,
): Promise<CompatEvent | undefined> {
  const record = await ports.records.get(eventKey(org, id));
  const event = record && fromItem<CompatEvent>(record);
  return event && (viewer === undefined || event.by.agent === viewer) ? event : undefined;
}

/** Throws EVENT_NOT_FOUND. */
export async function getEvent(home: Pick<ViewerHome, "ports" | "org" | "viewer">, id: string): Promise<CompatEvent> {
  const event = await findEvent(home, id);
  if (!event) throw notFound("event", id);
  return event;
}

/** A page of the events that there are for whoever reads, newest first. */
export async function listEvents(
  { ports, org, viewer }: Pick<ViewerHome, "ports" | "org" | "viewer">,
  filter: { type?: EventType; status?: EventState },
  page: PageRequest,
): Promise<{ events: CompatEvent[]; total: number; hasNext: boolean }> {
  const { type, status } = filter;
  const where = filterBy(type === undefined ? undefined : { type }, status === undefined ? undefined : { status });
  const index = viewer === undefined ? ("gsi1" as const) : ("gsi2" as const);
  const query = { index, pk: eventsOf(org, viewer), where, descending: true };
  const { items, total, hasNext } = await readPage(ports.records, query, page);
  return { events: items.map((item) => fromItem<CompatEvent>(item)), total, hasNext };
}
