import * as z from "zod";
import { LOAD_BALANCING, MEMBER_ROLES } from "../../shared/domain/agents/group-records.ts";
import { MAX_DEPARTMENT_LENGTH } from "../../shared/domain/agents/holders.ts";
import { AGENT_STATES } from "../../shared/domain/agents/records.ts";
import { MAX_SKILLS } from "../../shared/domain/agents/skill-links.ts";
import { Agent, agentFields, Group } from "../../shared/domain/agents/wire.ts";
import { SHARED_ACCESS } from "../../shared/domain/memory/visibility.ts";
import {
  each,
  eventTime,
  filledText,
  label,
  metadata,
  moment,
  Pagination,
  page,
  text,
} from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

export { Agent, Group };

const MAX_INPUT_LENGTH = 20_000;
const MAX_SYSTEM_PROMPT_LENGTH = 32_000;
const MAX_RETENTION_DAYS = 36_500;
const MAX_TOKENS = 1_000_000;
const MAX_TIMEOUT_MS = 3_600_000;
/** Requests are cut off after 30 s, and answering by rule takes a moment too. */
export const MAX_EXECUTION_MS = 25_000;

const name = filledText(200);
const description = text(2000);
const department = filledText(MAX_DEPARTMENT_LENGTH);

/** Unique ids: a repeated id is reported as a mistake. */
const skillIds = z
  .array(z.string())
  .max(MAX_SKILLS)
  .superRefine((ids, issues) => {
    const seen = new Set<string>();
    for (const [index, id] of ids.entries()) {
      if (seen.has(id)) issues.addIssue({ code: "custom", path: [index], message: `'${id}' is named before` });
      seen.add(id);
    }
  });

// ---------------------------------------------------------------- agents

const agentConfig = z
  .object({
    temperature: z.number().min(0).max(2),
    max_tokens: z.int().min(1).max(MAX_TOKENS),
    system_prompt: text(MAX_SYSTEM_PROMPT_LENGTH),
  })
  .partial();

/** `retention_days`: how long the agent's memories live by default. */
const memorySettings = z.object({
  enabled: z.boolean(),
  retention_days: z.int().min(1).max(MAX_RETENTION_DAYS).optional(),
  compression_enabled: z.boolean(),
});

/** `metadata.department` is the default department. */
export const CreateAgent = z.object({
  name,
  description: description.optional(),
  model: label,
  config: agentConfig.default({}),
  skills: skillIds.default([]),
  memory_settings: memorySettings
    .extend({ enabled: z.boolean().default(true), compression_enabled: z.boolean().default(true) })
    .default({ enabled: true, compression_enabled: true }),
  metadata: metadata.default({}),
  department: department.optional(),
});

const namesSomething = (given: object) => Object.values(given).some((value) => value !== undefined);
const NOTHING_NAMED = "give at least one field to change";

/** Absent fields of config and memory_settings are kept; null removes a description or department. */
export const UpdateAgent = z
  .object({
    name,
    description: description.nullable(),
    model: label,
    config: agentConfig,
    memory_settings: memorySettings
      .extend({ retention_days: memorySettings.shape.retention_days.nullable() })
      .partial(),
    metadata,
    status: z.enum(AGENT_STATES),
    department: department.nullable(),
  })
  .partial()
  .refine(namesSomething, NOTHING_NAMED);

const usage = {
  total_sessions: z.int(),
  avg_session_duration: z.number().nullable(),
  success_rate: z.number().nullable(),
};

export const AgentInDetail = z.object({
  ...agentFields,
  skills: z.array(z.object({ id: z.string(), name: z.string(), confidence: z.number() })),
  usage_stats: measured(z.object(usage)),
});

export const ListAgents = z.object({
  status: z.enum(AGENT_STATES).optional(),
  department: department.optional(),
  model: label.optional(),
  ...page(20, 100),
  sort: z.string().default("created_at desc"),
});

export const AgentList = z.object({
  agents: z.array(
    Agent.pick(
      each(true, "id", "name", "description", "model", "status", "created_at", "updated_at", "version"),
    ).extend({
      department: z.string().nullable(),
      skill_count: z.int(),
      memory_enabled: z.boolean(),
    }),
  ),
  pagination: Pagination,
});

export const AgentDeleted = z.object({ id: z.string(), deleted_at: z.string() });

// ---------------------------------------------------------------- skills of an agent

/** An empty list with replace_existing removes all skills. */
export const AssignSkills = z
  .object({ skill_ids: skillIds, replace_existing: z.boolean().default(false) })
  .refine(({ skill_ids, replace_existing }) => skill_ids.length > 0 || replace_existing, {
    path: ["skill_ids"],
    message: "name at least one skill",
  });

export const SkillsAssigned = z.object({
  agent_id: z.string(),
  assigned_skills: z.array(z.string()),
  previous_skills: z.array(z.string()),
  added_skills: z.array(z.string()),
  total_skills: z.int(),
});

export const RemoveSkills = z.object({ skill_ids: skillIds.min(1) });

/** Skills that the agent did not have are not listed as removed. */
export const SkillsRemoved = z.object({
  agent_id: z.string(),
  removed_skills: z.array(z.string()),
  assigned_skills: z.array(z.string()),
  total_skills: z.int(),
});

const assignedSkill = {
  id: z.string(),
  name: z.string(),
  trigger: z.string(),
  confidence: z.number(),
  usage_count: z.int(),
};

export const AgentSkills = z.object({
  agent_id: z.string(),
  skills: z.array(z.object(assignedSkill)),
  total_skills: z.int(),
  pagination: Pagination,
});

// ---------------------------------------------------------------- memories shared with an agent

/**
 * Sharing again changes the access. `read_write` lets the agent change the memory's content and metadata; neither
 * access allows deletion.
 */
export const ShareMemory = z.object({
  memory_id: z.string(),
  access_type: z.enum(SHARED_ACCESS),
  expires_at: moment.optional(),
});

const share = {
  access_type: z.enum(SHARED_ACCESS),
  shared_at: z.string(),
  expires_at: z.string().optional(),
};

export const MemoryShared = z.object({ agent_id: z.string(), memory_id: z.string(), ...share });

export const ListShared = z.object({ access_type: z.enum(SHARED_ACCESS).optional(), ...page(20, 100) });

const sharedMemory = { id: z.string(), content: z.string(), ...eventTime, ...share };

export const SharedMemoryList = z.object({
  agent_id: z.string(),
  memories: z.array(z.object(sharedMemory)),
  total_memories: z.int(),
  pagination: Pagination,
});

export const MemoryUnshared = z.object({ agent_id: z.string(), memory_id: z.string(), removed_at: z.string() });

// ---------------------------------------------------------------- use

export const ExecutionMetrics = z.object({
  ...each(z.int(), "total", "succeeded", "failed", "tokens"),
  avg_execution_time_ms: z.number().nullable(),
  p95_execution_time_ms: z.number().nullable(),
});

export const AgentStats = z.object({
  agent_id: z.string(),
  status: z.enum(AGENT_STATES),
  ...usage,
  executions: ExecutionMetrics,
  memories: z.object({ own: z.int(), read: z.int(), read_write: z.int() }),
  skills: z.object({ total: z.int(), avg_confidence: z.number().nullable(), total_usage: z.int() }),
});

const input = filledText(MAX_INPUT_LENGTH);

/** `prompt` is an alias of `input`; one of them is required. */
export const ExecuteAgent = z
  .object({
    input: input.optional(),
    prompt: input.optional(),
    context: metadata.default({}),
    options: z
      .object({
        timeout_ms: z.int().min(1).max(MAX_EXECUTION_MS),
        max_tokens: z.int().min(1).max(MAX_TOKENS),
        memory_limit: z.int().min(0).max(50),
      })
      .partial()
      .default({}),
  })
  .refine(({ input, prompt }) => (input === undefined) !== (prompt === undefined), {
    path: ["input"],
    message: "give either input or prompt",
  });

export const AgentExecution = z.object({
  agent_id: z.string(),
  execution_id: z.string(),
  status: z.enum(["completed", "unanswered"]),
  result: z.object({
    answer: z.string(),
    confidence: z.number(),
    explanation: z.string(),
    quotes: z
      .array(z.object({ memory_id: z.string(), text: z.string() }))
      .describe("Passages of memories that support the answer, quoted verbatim."),
    unsupported: z
      .array(z.string())
      .describe("Numbers and dates in the answer that appear in no memory, skill, input or context: check them."),
  }),
  used_memories: z.array(z.object({ id: z.string(), content: z.string(), score: z.number() })),
  used_skills: z.array(
    z.object({ id: z.string(), name: z.string(), trigger: z.string(), action: z.string(), fit: z.number() }),
  ),
  performance: z.object({
    execution_time_ms: z.int(),
    tokens_processed: z.int(),
    cost_estimate: z.number(),
  }),
  processing: z.object({
    provider: z.string(),
    model: z.string(),
    fallback: z.boolean(),
    requested_model: z.string().describe("The agent's own model, used if the deployment provides it."),
    temperature: z.number().optional(),
  }),
});

// ---------------------------------------------------------------- groups

const groupConfig = z
  .object({
    load_balancing: z
      .enum(LOAD_BALANCING)
      .describe(
        "The order of members within a role: `round_robin` asks the one with the fewest executions first, `priority` the one that joined first, `random` any.",
      ),
    fallback_enabled: z
      .boolean()
      .describe("Whether the next member is asked if one has no answer; the default is true."),
    timeout_ms: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_MS)
      .describe(`Time limit of an execution of all members together; at most ${MAX_EXECUTION_MS}.`),
  })
  .partial();

const memberRole = z.enum(MEMBER_ROLES);

/** The result of a member in a group's execution. */
const attempt = z.object({
  agent_id: z.string(),
  role: memberRole,
  status: z.enum(["completed", "unanswered", "failed", "skipped"]),
  reason: z.string().optional(),
});

export const GroupExecution = AgentExecution.extend({
  group_id: z.string(),
  role: memberRole.describe("Role of the member that gave the result."),
  attempts: z.array(attempt).describe("Every member that was asked, in order."),
});

/** `metadata.department` is the default department. */
export const CreateGroup = z.object({
  name,
  description: description.optional(),
  config: groupConfig.default({}),
  skills: skillIds.default([]),
  metadata: metadata.default({}),
  department: department.optional(),
});

/** Absent fields of config are kept; skills are replaced; null removes a description or department. */
export const UpdateGroup = z
  .object({
    name,
    description: description.nullable(),
    config: groupConfig,
    skills: skillIds,
    metadata,
    department: department.nullable(),
  })
  .partial()
  .refine(namesSomething, NOTHING_NAMED);

export const GroupInDetail = Group.extend({
  members: z.array(z.object({ id: z.string(), name: z.string(), role: memberRole, joined_at: z.string() })),
});

export const ListGroups = z.object({ department: department.optional(), ...page(20, 100) });

export const GroupList = z.object({
  groups: z.array(Group.omit({ skills: true, metadata: true }).extend({ skill_count: z.int() })),
  pagination: Pagination,
});

export const GroupDeleted = z.object({ id: z.string(), deleted_at: z.string() });

export const AddMember = z.object({ agent_id: z.string(), role: memberRole.default("secondary") });

const membership = { group_id: z.string(), agent_id: z.string() };

export const MemberAdded = z.object({ ...membership, role: memberRole, joined_at: z.string() });

export const MemberRemoved = z.object({ ...membership, removed_at: z.string() });

export const ListOfGroup = z.object(page(20, 100));

/** Each skill once: the group's own first, then those of its members in the order of joining. */
export const GroupSkills = z.object({
  group_id: z.string(),
  skills: z.array(
    z.object({
      ...assignedSkill,
      own: z.boolean(),
      agent_ids: z.array(z.string()),
    }),
  ),
  total_skills: z.int(),
  pagination: Pagination,
});

/** Each memory that is shared with a member once, most recently shared first, with the widest access. */
export const GroupMemories = z.object({
  group_id: z.string(),
  memories: z.array(z.object({ ...sharedMemory, agent_ids: z.array(z.string()) })),
  total_memories: z.int(),
  pagination: Pagination,
});

export const GroupStats = z.object({
  group_id: z.string(),
  member_count: z.int(),
  members_by_role: z.record(memberRole, z.int()),
  members_by_status: z.record(z.enum(AGENT_STATES), z.int()),
  ...usage,
  executions: ExecutionMetrics,
  total_skills: z.int(),
  total_memories: z.int(),
});
