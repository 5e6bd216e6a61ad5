import { timestamp } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { derivedId } from "../../../kernel/ids.ts";
import type { RecordChange } from "../../../ports/changes.ts";
import type { JsonObject } from "../../../ports/json.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import { AUDIT_KIND } from "../../../runtime/audit/records.ts";
import { AGENT_KIND } from "../../agents/records.ts";
import { EXECUTION_KIND } from "../../agents/skills/executions.ts";
import { SKILL_KIND } from "../../agents/skills/records.ts";
import { SOURCE_KIND } from "../../knowledge/sources/records.ts";
import { isRead } from "../../knowledge/sources/source.ts";
import { SECRET_DETECTED } from "../../memory/admit-text.ts";
import { isChunk } from "../../memory/chunk-ids.ts";
import { MEMORY_KIND } from "../../memory/memory-keys.ts";
import { MESSAGE_KIND } from "../../sessions/message-records.ts";
import { SESSION_KIND } from "../../sessions/records.ts";
import type { WebhookEvent, WebhookEventName } from "./webhook.ts";

/** Record kinds whose changes may be events. */
export const EVENT_KINDS = [
  MEMORY_KIND,
  SESSION_KIND,
  MESSAGE_KIND,
  SKILL_KIND,
  EXECUTION_KIND,
  AGENT_KIND,
  SOURCE_KIND,
  AUDIT_KIND,
];

/** An event before its resource is read; cheap to create, because most events have no subscribers. */
export interface PendingEvent
  extends Pick<WebhookEvent, "id" | "event" | "timestamp" | "org" | "user_id" | "category"> {
  /** The record after its creation or change, or before its deletion. */
  record: StoredRecord;
  /** Epoch milliseconds of the commit, to the second. */
  at: number;
}

/** How a change becomes an event: its name, the described state of the record, and its time. */
interface Finding {
  event: WebhookEventName;
  state: string | number;
  /** ISO 8601; absent if the record does not contain it. */
  at?: string | undefined;
}

/** Both images of a changed record, or the last image of a deleted one. */
type Change = { before?: StoredRecord; after: StoredRecord } | { before: StoredRecord; after?: undefined };

type Reader = (change: Change, at: number) => Finding | undefined;

const READERS: Record<string, Reader> = {
  [MEMORY_KIND]: readMemory,
  [SESSION_KIND]: readSession,
  [MESSAGE_KIND]: readMessage,
  [SKILL_KIND]: readSkill,
  [EXECUTION_KIND]: readExecution,
  [AGENT_KIND]: (change) => readVersions("agent", change),
  [SOURCE_KIND]: readSource,
  [AUDIT_KIND]: readAudit,
};

/** The feed's times are whole seconds, so the order within a second is unknown. */
const FEED_PRECISION_MS = 1000;

/** The event of a record change, if it is one; it depends only on the change, so a redelivered one has the same id. */
export function eventIn({ key, before, after, at = 0 }: RecordChange): PendingEvent | undefined {
  const record = after ?? before;
  if (!record) return undefined;
  const change = after ? { ...(before && { before }), after } : { before: record };
  const found = READERS[record.kind]?.(change, at);
  if (!found) return undefined;
  const { event, state } = found;
  return {
    id: derivedId("event", sha256(JSON.stringify([key.pk, key.sk, event, state]))),
    event,
    timestamp: found.at ?? latestOf(at, record),
    org: textOf(record.org) ?? "",
    user_id: textOf(record.user_id) ?? textOf((record.details as JsonObject | undefined)?.user_id),
    category: textOf(record.category),
    record,
    at,
  };
}

/** The later of the feed's time, whose seconds are rounded down, and the record's last change (ISO 8601). */
export function latestOf(at: number, { created_at, updated_at = created_at }: StoredRecord): string {
  const seen = timestamp(at);
  const changed = textOf(updated_at) ?? seen;
  return seen > changed ? seen : changed;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const stateOf = (value: unknown): string | number => (typeof value === "number" ? value : String(value));

/** Chunks change with their source, which has its own event; an edit of a chunk is an event. */
function readMemory({ before, after }: Change, at: number): Finding | undefined {
  const record = after ?? before;
  const { revision, version } = record;
  if (!after) return isChunk(String(record.id)) ? undefined : endOf(record, at);
  if (!before) {
    const isReported = !isChunk(String(after.id));
    return isReported
      ? { event: "memory.created", state: stateOf(revision), at: creationTimeOf(after, at) }
      : undefined;
  }
  // A move between tiers is not an event.
  if (before.revision === revision) return undefined;
  const finding = (event: WebhookEventName): Finding => ({
    event,
    state: stateOf(revision),
    at: textOf(after.updated_at),
  });
  if (before.version !== version) {
    if (isOver(after)) return { ...finding("memory.expired"), state: stateOf(after.expire_at) };
    return finding(after.restored_version === version ? "memory.restored" : "memory.updated");
  }
  const isUnderstood = processingOf(before) === "queued" && processingOf(after) === "done";
  return isUnderstood ? { event: "compression.completed", state: stateOf(revision) } : undefined;
}

/** An import may set an earlier creation time; the event is the import. */
const MAX_CREATION_LAG_MS = 60_000;

function creationTimeOf({ created_at }: StoredRecord, at: number): string | undefined {
  const created = textOf(created_at);
  return created !== undefined && at - Date.parse(created) < MAX_CREATION_LAG_MS ? created : undefined;
}

/** An expired memory's deletion is an event, unless one was sent when it was set to expire immediately. */
function endOf(record: StoredRecord, at: number): Finding | undefined {
  if (isOver(record)) return undefined;
  const expire_at = textOf(record.expire_at);
  if (expire_at !== undefined && Date.parse(expire_at) < at + FEED_PRECISION_MS) {
    return { event: "memory.expired", state: expire_at, at: expire_at };
  }
  return { event: "memory.deleted", state: stateOf(record.revision) };
}

/** Whether its last change made it expire immediately. */
function isOver({ expire_at, updated_at }: StoredRecord): boolean {
  return typeof expire_at === "string" && typeof updated_at === "string" && expire_at <= updated_at;
}

function processingOf({ processing }: StoredRecord): unknown {
  return (processing as { status?: unknown } | undefined)?.status;
}

/** An archived session was closed before or by archiving, until it is restored; deletion and expiry are not events. */
function readSession({ before, after }: Change): Finding | undefined {
  if (!after) return undefined;
  const state = stateOf(after.version);
  if (!before) return { event: "session.created", state, at: textOf(after.created_at) };
  if (before.status === after.status) return undefined;
  if (before.status === "archived") return { event: "session.restored", state, at: textOf(after.updated_at) };
  if (after.status === "closed") return { event: "session.closed", state, at: textOf(after.closed_at) };
  if (after.status === "archived") return { event: "session.archived", state, at: textOf(after.archived_at) };
  return undefined;
}

/** Messages that were copied from a duplicated session are not events. */
function readMessage({ before, after }: Change): Finding | undefined {
  if (before || !after || after.copy_of !== undefined) return undefined;
  return { event: "session.message.created", state: stateOf(after.id), at: textOf(after.created_at) };
}

function readSkill(change: Change): Finding | undefined {
  const found = readVersions("skill", change);
  const { before, after } = change;
  if (found || !before || !after) return found;
  const isReviewed = before.human_reviewed !== true && after.human_reviewed === true;
  return isReviewed ? { event: "skill.reviewed", state: stateOf(after.version) } : undefined;
}

function readExecution({ before, after }: Change): Finding | undefined {
  if (before || !after) return undefined;
  return { event: "skill.executed", state: stateOf(after.id), at: textOf(after.created_at) };
}

/** The event of a resource whose client-visible changes are versions. */
function readVersions(resource: "skill" | "agent", { before, after }: Change): Finding | undefined {
  if (!after) return { event: `${resource}.deleted`, state: stateOf(before.version) };
  const state = stateOf(after.version);
  if (!before) return { event: `${resource}.created`, state, at: textOf(after.created_at) };
  if (before.version === after.version) return undefined;
  return { event: `${resource}.updated`, state, at: textOf(after.updated_at) };
}

/** Of what is audited, only what was done about secrets is an event; it names their types. */
function readAudit({ before, after }: Change): Finding | undefined {
  if (before || after?.action !== SECRET_DETECTED) return undefined;
  return { event: SECRET_DETECTED, state: stateOf(after.id), at: textOf(after.at) };
}

/** New visible content of a source, the first or a replacement, and the deletion of a source. */
function readSource({ before, after }: Change): Finding | undefined {
  if (!after) {
    const wasKnown = before.status !== "awaiting_upload";
    return wasKnown ? { event: "source.deleted", state: stateOf(before.revision) } : undefined;
  }
  const isIngested = isRead(after.status) && Number(after.generation) > Number(before?.generation ?? 0);
  return isIngested
    ? { event: "source.ingested", state: stateOf(after.generation), at: textOf(after.ingested_at) }
    : undefined;
}
