import type { z } from "zod";
import { eventTimeOf } from "../../../kernel/event-time.ts";
import { fromItem } from "../../../ports/item.ts";
import type { JsonObject } from "../../../ports/json.ts";
import { AUDIT_KIND, type AuditRecord } from "../../../runtime/audit/records.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { AGENT_KIND, type Agent } from "../../agents/records.ts";
import { EXECUTION_KIND, type Execution } from "../../agents/skills/executions.ts";
import { findSkill, SKILL_KIND, toSkill } from "../../agents/skills/records.ts";
import type { Skill } from "../../agents/skills/skill.ts";
import * as skillWire from "../../agents/skills/wire.ts";
import * as agentWire from "../../agents/wire.ts";
import { SOURCE_KIND } from "../../knowledge/sources/records.ts";
import type { Source } from "../../knowledge/sources/source.ts";
import * as sourceWire from "../../knowledge/sources/wire.ts";
import { ContentMissingError } from "../../memory/content.ts";
import { FACT_KIND } from "../../memory/facts/records.ts";
import * as factWire from "../../memory/facts/wire.ts";
import type { Memory } from "../../memory/memory.ts";
import { MEMORY_KIND } from "../../memory/memory-keys.ts";
import { toMemory } from "../../memory/records.ts";
import * as memoryWire from "../../memory/wire.ts";
import { MESSAGE_KIND, toMessage } from "../../sessions/message-records.ts";
import { findInitialContext, findSession, SESSION_KIND, toSession } from "../../sessions/records.ts";
import * as sessionWire from "../../sessions/wire.ts";
import type { PendingEvent } from "./events.ts";
import { resourceOf, type WebhookEvent } from "./webhook.ts";

/** The description of an event's resource, and its owner if the record does not name it. */
interface Description {
  value: JsonObject;
  user_id?: string | undefined;
}

type Describe = (runtime: OrgRuntime, pending: PendingEvent) => Promise<Description | undefined>;

const DESCRIPTIONS: Record<string, Describe> = {
  [MEMORY_KIND]: describeMemory,
  [FACT_KIND]: async (_runtime, { record }) => ({ value: toWire(factWire.Fact, record) }),
  [SESSION_KIND]: describeSession,
  [MESSAGE_KIND]: describeMessage,
  [SKILL_KIND]: async (_runtime, { record }) => ({ value: skillOf(toSkill(record)) }),
  [EXECUTION_KIND]: describeExecution,
  [AGENT_KIND]: async (_runtime, { record }) => ({ value: toWire(agentWire.Agent, fromItem<Agent>(record)) }),
  [AUDIT_KIND]: async (_runtime, { record }) => ({ value: detectionOf(fromItem<AuditRecord>(record)) }),
  [SOURCE_KIND]: async (_runtime, { record }) => ({
    value: toWire(sourceWire.Source, sourceWire.describeSource(fromItem<Source>(record))),
  }),
};

/** The event with its resource in the API's form; undefined if the resource was deleted completely. */
export async function describe(runtime: OrgRuntime, pending: PendingEvent): Promise<WebhookEvent | undefined> {
  const { record, at: _at, ...known } = pending;
  const found = await DESCRIPTIONS[record.kind]?.(runtime, pending);
  if (!found) return undefined;
  const { value, user_id = known.user_id } = found;
  return { ...known, user_id, resource: { name: resourceOf(known.event), value } };
}

/** The API's representation as JSON. */
function toWire(schema: z.ZodType, value: object): JsonObject {
  return JSON.parse(JSON.stringify(schema.parse(value)));
}

const DELETED_MEMORY = memoryWire.Memory.partial({ content: true });

/** A deleted memory's content may be gone if it was too long for the record. */
async function describeMemory(runtime: OrgRuntime, { event, record, timestamp }: PendingEvent): Promise<Description> {
  const memory = await toMemory(runtime, record);
  const now = runtime.clock();
  const value = toWire(
    DELETED_MEMORY,
    memoryWire.presentMemory(memory ?? fromItem<Omit<Memory, "content">>(record), now),
  );
  return { value: event === "compression.completed" && memory ? compressionOf(memory, timestamp, now) : value };
}

function compressionOf(memory: Memory, completed_at: string, now: number): JsonObject {
  const { id, compression, processing, version } = toWire(memoryWire.Memory, memoryWire.presentMemory(memory, now));
  return { id, memory_id: id, ...(compression as JsonObject), processing, version, completed_at } as JsonObject;
}

const SESSION_WITHOUT_CONTEXT = sessionWire.Session.partial({ initial_context: true });

async function describeSession(runtime: OrgRuntime, { record }: PendingEvent): Promise<Description> {
  const session = toSession(record);
  const initial_context = await findInitialContext(runtime, session.id);
  return { value: toWire(SESSION_WITHOUT_CONTEXT, { ...session, initial_context }) };
}

async function describeMessage(runtime: OrgRuntime, { record }: PendingEvent): Promise<Description | undefined> {
  const session_id = String(record.session_id);
  const [message, session] = await Promise.all([
    toMessage(runtime, record).catch(unlessMissing),
    findSession({ ...runtime, viewer: undefined }, session_id),
  ]);
  if (!message) return undefined;
  const shown = { ...message, ...eventTimeOf(message, runtime.clock()) };
  return { value: { session_id, ...toWire(sessionWire.SessionMessage, shown) }, user_id: session?.user_id };
}

/** Ignores missing content: it is deleted with the session, or moved into the archive with the messages. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ContentMissingError)) throw error;
}

/** What was done about secrets, by their types; `resource_id` is absent if nothing was stored. */
function detectionOf({ id, at, outcome, target, details }: AuditRecord): JsonObject {
  const detection = { id, ...details, refused: outcome === "refused", detected_at: at };
  return target === undefined ? detection : { ...detection, resource_id: target };
}

function skillOf(skill: Skill): JsonObject {
  return toWire(skillWire.Skill, skillWire.presentSkill(skill));
}

/** The current skill and its execution status; inputs and outputs are not included. */
async function describeExecution(runtime: OrgRuntime, { record }: PendingEvent): Promise<Description | undefined> {
  const { id, skill_id, skill_version, via, success, execution_time_ms, created_at } = fromItem<Execution>(record);
  const skill = await findSkill(runtime, skill_id);
  if (!skill) return undefined;
  const execution = { id, skill_version, via, success, execution_time_ms, created_at };
  return { value: { ...skillOf(skill), execution: JSON.parse(JSON.stringify(execution)) } };
}
