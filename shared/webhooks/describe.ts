import type { z } from "zod";
import { AGENT_KIND, type Agent } from "../agents/records.ts";
import * as agentWire from "../agents/wire.ts";
import { FACT_KIND } from "../facts/records.ts";
import * as factWire from "../facts/wire.ts";
import { eventTimeOf } from "../kernel/event-time.ts";
import { ContentMissing } from "../memory/content.ts";
import type { Memory } from "../memory/memory.ts";
import { MEMORY_KIND, toMemory } from "../memory/records.ts";
import * as memoryWire from "../memory/wire.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import type { JsonObject } from "../platform/ports.ts";
import {
  findInitialContext,
  findSession,
  MESSAGE_KIND,
  SESSION_KIND,
  toMessage,
  toSession,
} from "../sessions/records.ts";
import * as sessionWire from "../sessions/wire.ts";
import { EXECUTION_KIND, type Execution } from "../skills/executions.ts";
import { findSkill, SKILL_KIND, toSkill } from "../skills/records.ts";
import type { Skill } from "../skills/skill.ts";
import * as skillWire from "../skills/wire.ts";
import { SOURCE_KIND } from "../sources/records.ts";
import type { Source } from "../sources/source.ts";
import * as sourceWire from "../sources/wire.ts";
import type { Occurrence } from "./events.ts";
import { resourceOf, type WebhookEvent } from "./webhook.ts";

/** What an event tells of its resource, and of whose it is where the record alone does not say. */
interface Description {
  value: JsonObject;
  user_id?: string | undefined;
}

type Describe = (home: OrgHome, occurrence: Occurrence) => Promise<Description | undefined>;

const DESCRIPTIONS: Record<string, Describe> = {
  [MEMORY_KIND]: describeMemory,
  [FACT_KIND]: async (_home, { record }) => ({ value: worded(factWire.Fact, record) }),
  [SESSION_KIND]: describeSession,
  [MESSAGE_KIND]: describeMessage,
  [SKILL_KIND]: async (_home, { record }) => ({ value: skillOf(toSkill(record)) }),
  [EXECUTION_KIND]: describeExecution,
  [AGENT_KIND]: async (_home, { record }) => ({ value: worded(agentWire.Agent, fromItem<Agent>(record)) }),
  [SOURCE_KIND]: async (_home, { record }) => ({
    value: worded(sourceWire.Source, sourceWire.describeSource(fromItem<Source>(record))),
  }),
};

/**
 * The event with its resource in the words of the API, and nothing that the API would not tell. Undefined where what there
 * was to tell of is gone altogether.
 */
export async function describe(home: OrgHome, occurrence: Occurrence): Promise<WebhookEvent | undefined> {
  const { record, at: _at, ...known } = occurrence;
  const found = await DESCRIPTIONS[record.kind]?.(home, occurrence);
  if (!found) return undefined;
  const { value, user_id = known.user_id } = found;
  return { ...known, user_id, resource: { name: resourceOf(known.event), value } };
}

/** What an answer of the API would hold, as JSON would bring it. */
function worded(schema: z.ZodType, value: object): JsonObject {
  return JSON.parse(JSON.stringify(schema.parse(value)));
}

const DELETED_MEMORY = memoryWire.Memory.partial({ content: true });

/** The content of a memory that was deleted may be gone already, where it was too long for the record. */
async function describeMemory(home: OrgHome, { event, record, timestamp }: Occurrence): Promise<Description> {
  const memory = await toMemory(home, record);
  const now = home.clock();
  const value = worded(
    DELETED_MEMORY,
    memoryWire.presentMemory(memory ?? fromItem<Omit<Memory, "content">>(record), now),
  );
  return { value: event === "compression.completed" && memory ? compressionOf(memory, timestamp, now) : value };
}

function compressionOf(memory: Memory, completed_at: string, now: number): JsonObject {
  const { id, compression, processing, version } = worded(memoryWire.Memory, memoryWire.presentMemory(memory, now));
  return { id, memory_id: id, ...(compression as JsonObject), processing, version, completed_at } as JsonObject;
}

const SESSION_ALONE = sessionWire.Session.partial({ initial_context: true });

async function describeSession(home: OrgHome, { record }: Occurrence): Promise<Description> {
  const session = toSession(record);
  const initial_context = await findInitialContext(home, session.id);
  return { value: worded(SESSION_ALONE, { ...session, initial_context }) };
}

async function describeMessage(home: OrgHome, { record }: Occurrence): Promise<Description | undefined> {
  const session_id = String(record.session_id);
  const [message, session] = await Promise.all([
    toMessage(home, record).catch(unlessMissing),
    findSession({ ...home, viewer: undefined }, session_id),
  ]);
  if (!message) return undefined;
  const shown = { ...message, ...eventTimeOf(message, home.clock()) };
  return { value: { session_id, ...worded(sessionWire.SessionMessage, shown) }, user_id: session?.user_id };
}

/** The content goes with the session, and into the archive with its messages. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ContentMissing)) throw error;
}

function skillOf(skill: Skill): JsonObject {
  return worded(skillWire.Skill, skillWire.presentSkill(skill));
}

/** The skill as it is by now, and how it was executed; what it was executed with, and what came of that, stays inside. */
async function describeExecution(home: OrgHome, { record }: Occurrence): Promise<Description | undefined> {
  const { id, skill_id, skill_version, via, success, execution_time_ms, created_at } = fromItem<Execution>(record);
  const skill = await findSkill(home, skill_id);
  if (!skill) return undefined;
  const execution = { id, skill_version, via, success, execution_time_ms, created_at };
  return { value: { ...skillOf(skill), execution: JSON.parse(JSON.stringify(execution)) } };
}
