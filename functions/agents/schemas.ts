import * as z from "zod";
import { MAX_DEPARTMENT_LENGTH } from "../../shared/agents/departments.ts";
import { LOAD_BALANCING, MEMBER_ROLES } from "../../shared/agents/group-records.ts";
import { AGENT_STATES } from "../../shared/agents/records.ts";
import { MAX_SKILLS } from "../../shared/agents/skill-links.ts";
import { Agent, agentFields } from "../../shared/agents/wire.ts";
import {
  eventTime,
  filledText,
  label,
  metadata,
  moment,
  Pagination,
  page,
  storedObject,
  text,
} from "../../shared/http/fields.ts";
import { measured } from "../../shared/http/schema-parts.ts";
import { SHARED_ACCESS } from "../../shared/memory/visibility.ts";

export { Agent };

const MAX_INPUT_LENGTH = 20_000;
const MAX_SYSTEM_PROMPT_LENGTH = 32_000;
const MAX_RETENTION_DAYS = 36_500;
const MAX_TOKENS = 1_000_000;
const MAX_TIMEOUT_MS = 3_600_000;
/** A request is hung up on after 30 s, and answering by rule takes a moment too. */
export const MAX_EXECUTION_MS = 25_000;

const name = filledText(200);
const description = text(2000);
const department = filledText(MAX_DEPARTMENT_LENGTH);

/** Ids, each once: naming one twice is a mistake that is better told than mended. */
const skillIds = z
  .array(z.string())
  .max(MAX_SKILLS)
  .superRefine((ids, issues) => {
    const seen = new Set<string>();
    for (const [place, id] of ids.entries()) {
      if (seen.has(id)) issues.addIssue({ code: "custom", path: [place], message: `'${id}' is named before` });
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

/** `retention_days`: how long memories live that the agent stores without an end of their own. */
const memorySettings = z.object({
  enabled: z.boolean(),
  retention_days: z.int().min(1).max(MAX_RETENTION_DAYS).optional(),
  compression_enabled: z.boolean(),
});

/** `metadata.department` counts as the department where none is given. */
export const CreateAgent = z.object({
  name,
  description: description.optional(),
  model: label,
  config: agentConfig.default({}),
  skills: skillIds.default([]),
  memory_settings: z
    .object({
      enabled: memorySettings.shape.enabled.default(true),
      retention_days: memorySettings.shape.retention_days,
      compression_enabled: memorySettings.shape.compression_enabled.default(true),
    })
    .default({ enabled: true, compression_enabled: true }),
  metadata: metadata.default({}),
  department: department.optional(),
});

const namesSomething = (given: object) => Object.values(given).some((value) => value !== undefined);
const NOTHING_NAMED = "give at least one field to change";

/** Of config and memory_settings, what is left out stays as it is; null takes a description or department away. */
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
  /** Of sessions that ended, in seconds; null where none did. */
  avg_session_duration: z.number().nullable(),
  /** Share of executions that succeeded, 0..1; null where there was none. */
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
    Agent.pick({
      id: true,
      name: true,
      description: true,
      model: true,
      status: true,
      created_at: true,
      updated_at: true,
      version: true,
    }).extend({
      department: z.string().nullable(),
      skill_count: z.int(),
      memory_enabled: z.boolean(),
    }),
  ),
  pagination: Pagination,
});

export const AgentDeleted = z.object({ id: z.string(), deleted_at: z.string() });

// ---------------------------------------------------------------- skills of an agent

/** An empty list is for taking all away, with replace_existing. */
export const AssignSkills = z
  .object({ skill_ids: skillIds, replace_existing: z.boolean().default(false) })
  .refine(({ skill_ids, replace_existing }) => skill_ids.length > 0 || replace_existing, {
    path: ["skill_ids"],
    message: "name at least one skill",
  });

export const SkillsAssigned = z.object({
  agent_id: z.string(),
  /** Ids of all that the agent has now, of those it had before, and of those that are new to it. */
  assigned_skills: z.array(z.string()),
  previous_skills: z.array(z.string()),
  added_skills: z.array(z.string()),
  total_skills: z.int(),
});

export const RemoveSkills = z.object({ skill_ids: skillIds.min(1) });

/** Skills that the agent did not have are not among the removed. */
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

/** Sharing again changes how. `read_write` lets the agent change the memory's content and metadata; neither lets it delete. */
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

const executions = z.object({
  total: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  tokens: z.int(),
  avg_execution_time_ms: z.number().nullable(),
  p95_execution_time_ms: z.number().nullable(),
});

export const AgentStats = z.object({
  agent_id: z.string(),
  status: z.enum(AGENT_STATES),
  ...usage,
  executions,
  /** Those that the agent stored, and those shared with it, by access. */
  memories: z.object({ own: z.int(), read: z.int(), read_write: z.int() }),
  skills: z.object({ total: z.int(), avg_confidence: z.number().nullable(), total_usage: z.int() }),
});

const input = filledText(MAX_INPUT_LENGTH);

/** `prompt` is another name for `input`; one of them is needed. */
export const ExecuteAgent = z
  .object({
    input: input.optional(),
    prompt: input.optional(),
    context: metadata.default({}),
    options: z
      .object({
        timeout_ms: z.int().min(1).max(MAX_EXECUTION_MS),
        max_tokens: z.int().min(1).max(MAX_TOKENS),
        /** Most memories that the answer may rest on. */
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
  /** unanswered: nothing that the agent may see says anything to the input. */
  status: z.enum(["completed", "unanswered"]),
  result: z.object({
    answer: z.string(),
    /** 0..1 */
    confidence: z.number(),
    explanation: z.string(),
    quotes: z.array(z.object({ memory_id: z.string(), text: z.string() })).meta({
      description: "Passages of memories that the answer rests on, each word for word as it is stored.",
    }),
    unsupported: z.array(z.string()).meta({
      description: "Numbers and dates of the answer that neither memories, skills, input nor context hold: check them.",
    }),
  }),
  /** What the answer rests on, of what the agent may see. */
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
    requested_model: z.string().meta({ description: "The agent's own, which answers where the deployment has it." }),
    temperature: z.number().optional(),
  }),
});

// ---------------------------------------------------------------- groups

const groupConfig = z
  .object({
    load_balancing: z.enum(LOAD_BALANCING).meta({
      description:
        "Which member of a role is asked first: `round_robin` the one with the fewest executions, `priority` the one that joined first, `random` any.",
    }),
    fallback_enabled: z
      .boolean()
      .meta({ description: "Whether the next member is asked where one has no answer; true unless set." }),
    timeout_ms: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_MS)
      .meta({
        description: `Of an execution, all members together; at most ${MAX_EXECUTION_MS} of it count.`,
      }),
  })
  .partial();

/** What became of a member in an execution of its group. */
const attempt = z.object({
  agent_id: z.string(),
  role: z.enum(MEMBER_ROLES),
  status: z.enum(["completed", "unanswered", "failed", "skipped"]),
  reason: z.string().optional(),
});

export const GroupExecution = AgentExecution.extend({
  group_id: z.string(),
  role: z.enum(MEMBER_ROLES).meta({ description: "Of the member that answered." }),
  attempts: z.array(attempt).meta({ description: "Every member that had its turn, in order." }),
});

/** `metadata.department` counts as the department where none is given. */
export const CreateGroup = z.object({
  name,
  description: description.optional(),
  config: groupConfig.default({}),
  skills: skillIds.default([]),
  metadata: metadata.default({}),
  department: department.optional(),
});

/** Of config, what is left out stays as it is; skills are replaced; null takes a description or department away. */
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

export const Group = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  config: z.object({ load_balancing: z.string(), fallback_enabled: z.boolean(), timeout_ms: z.int() }).partial(),
  skills: z.array(z.string()),
  member_count: z.int(),
  metadata: storedObject,
  department: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});

const memberRole = z.enum(MEMBER_ROLES);

export const GroupInDetail = Group.extend({
  members: z.array(z.object({ id: z.string(), name: z.string(), role: memberRole, joined_at: z.string() })),
});

export const ListGroups = z.object({ department: department.optional(), ...page(20, 100) });

export const GroupList = z.object({
  groups: z.array(
    Group.pick({
      id: true,
      name: true,
      description: true,
      config: true,
      member_count: true,
      department: true,
      created_at: true,
      updated_at: true,
      version: true,
    }).extend({ skill_count: z.int() }),
  ),
  pagination: Pagination,
});

export const GroupDeleted = z.object({ id: z.string(), deleted_at: z.string() });

export const AddMember = z.object({ agent_id: z.string(), role: memberRole.default("secondary") });

export const MemberAdded = z.object({
  group_id: z.string(),
  agent_id: z.string(),
  role: memberRole,
  joined_at: z.string(),
});

export const MemberRemoved = z.object({ group_id: z.string(), agent_id: z.string(), removed_at: z.string() });

export const ListOfGroup = z.object(page(20, 100));

/** Each skill once: the group's own first, then those of its members in the order they joined. */
export const GroupSkills = z.object({
  group_id: z.string(),
  skills: z.array(
    z.object({
      ...assignedSkill,
      /** Whether the group itself has it. */
      own: z.boolean(),
      /** Members that have it. */
      agent_ids: z.array(z.string()),
    }),
  ),
  total_skills: z.int(),
  pagination: Pagination,
});

/** Each memory once that is shared with any member, what was shared last first; its access is the widest of theirs. */
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
  executions,
  total_skills: z.int(),
  total_memories: z.int(),
});
