import * as z from "zod";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { existing } from "../../../kernel/errors.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { getObject, toItem } from "../../../ports/item.ts";
import { filterBy, type Listing, listObjects } from "../../../ports/listing.ts";
import type { RecordKey, StoredRecord, Write } from "../../../ports/record-store.ts";
import type { Principal } from "../../../runtime/access/principal.ts";
import type { Context, MemoryScope } from "../../../runtime/context.ts";
import type { LeftOut } from "../../memory/conversation.ts";
import type { EventResult } from "../../memory/memory-results.ts";

/** Types of background requests of the compatibility interface. */
export const EVENT_TYPES = ["memory.add", "memory.delete", "memory.import", "memory.export"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_STATES = ["PENDING", "RUNNING", "COMPLETED", "FAILED"] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** The progress of a request with several parts. */
export const EventProgress = z.object({ total: z.int(), done: z.int(), failed: z.int() });
export type EventProgress = z.infer<typeof EventProgress>;

/** A part that failed; `index` is its index in the request, from 0. */
export const EventFailure = z.object({ index: z.int().optional(), code: z.string(), message: z.string() });
export type EventFailure = z.infer<typeof EventFailure>;

/** A request that ends before its response or continues after it. Kept for 30 days after its end. */
export interface CompatEvent {
  id: string;
  org: string;
  type: EventType;
  status: EventState;
  resource: "memory" | "import" | "export";
  /** The id of the created resource, if there is exactly one. */
  resource_id?: string;
  progress?: EventProgress;
  /** The first results; `result_pages` records hold the others. */
  results: EventResult[];
  result_pages?: number;
  /** Excerpts of sentences that were not stored; the first ones. */
  left_out?: LeftOut[];
  /** How many there are, if `left_out` does not hold all. */
  left_out_total?: number;
  errors: EventFailure[];
  /** Times are ISO 8601. */
  created_at: string;
  updated_at: string;
  started_at?: string;
  finished_at?: string;
  /** The caller; if it is an agent, only this agent and the organization's own keys can see the event. */
  by: Pick<Principal, "kind" | "id" | "owner" | "agent">;
}

const EVENT_KIND = "compat_event";
export const KEPT_SECONDS = 30 * DAY_SECONDS;

const eventKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "event" });
export const eventsOf = (org: string, agent?: string): string =>
  agent === undefined ? `${org}#events` : `${org}#${agent}#events`;

export function newEvent(
  { ids, clock, org, principal }: Pick<Context, "ids" | "clock" | "org" | "principal">,
  fields: Pick<CompatEvent, "type" | "resource"> & Partial<Pick<CompatEvent, "progress" | "resource_id">>,
): CompatEvent {
  const now = timestamp(clock());
  const { kind, id, owner, agent } = principal;
  return {
    ...fields,
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

/** The event after its end. */
export function ended(
  event: CompatEvent,
  now: number,
  outcome: Partial<Pick<CompatEvent, "status" | "resource_id" | "progress" | "results" | "errors">>,
): CompatEvent {
  const finished_at = timestamp(now);
  return { ...event, status: "COMPLETED", ...outcome, updated_at: finished_at, finished_at };
}

/** The write of an event's current state, in the transaction with the checkpoint of its job, if it has one. */
export function putEvent(event: CompatEvent): Write & { put: StoredRecord } {
  const { org, id, by, created_at, finished_at } = event;
  const byCreation = `${created_at}#${id}`;
  const ofAgent = by.agent === undefined ? {} : { gsi2pk: eventsOf(org, by.agent), gsi2sk: byCreation };
  const ttl = finished_at === undefined ? undefined : Math.ceil(Date.parse(finished_at) / 1000) + KEPT_SECONDS;
  const index = { gsi1pk: eventsOf(org), gsi1sk: byCreation, ...ofAgent, ttl };
  return { put: toItem(eventKey(org, id), EVENT_KIND, event, index) };
}

/** The write of a new event, for the transaction of its request. */
export function insertEvent(event: CompatEvent): Write {
  return { ...putEvent(event), condition: "absent" };
}

/** Returns undefined for an event that is missing, foreign or invisible: an agent sees only events of its own keys. */
export async function findEvent(
  { ports, org, viewer }: Pick<MemoryScope, "ports" | "org" | "viewer">,
  id: string,
): Promise<CompatEvent | undefined> {
  const event = await getObject<CompatEvent>(ports.records, eventKey(org, id));
  return event && (viewer === undefined || event.by.agent === viewer) ? event : undefined;
}

/** Throws EVENT_NOT_FOUND. */
export async function getEvent(
  runtime: Pick<MemoryScope, "ports" | "org" | "viewer">,
  id: string,
): Promise<CompatEvent> {
  return existing(await findEvent(runtime, id), "event", id);
}

/** One page of the events that the caller may see, newest first. */
export function listEvents(
  { ports, org, viewer }: Pick<MemoryScope, "ports" | "org" | "viewer">,
  filter: { type?: EventType; status?: EventState },
  page: PageRequest,
): Promise<Listing<CompatEvent>> {
  const index = viewer === undefined ? ("gsi1" as const) : ("gsi2" as const);
  const query = { index, pk: eventsOf(org, viewer), where: filterBy(filter), descending: true };
  return listObjects(ports.records, query, page);
}
