import * as z from "zod";
import { EVENT_TYPES, EventFailure, EventProgress } from "../../../shared/domain/integration/compat/events.ts";
import { toSnakeCase } from "../../../shared/domain/integration/compat/filters.ts";
import { SUBJECT_TYPES } from "../../../shared/domain/integration/compat/subjects.ts";
import { LinkedFile } from "../../../shared/domain/integration/transfers/wire.ts";
import { MAX_USER_POLICIES, SECRET_POLICIES } from "../../../shared/domain/memory/secret-policies.ts";
import { LeftOutList } from "../../../shared/domain/memory/wire.ts";
import { MAX_OFFSET } from "../../../shared/kernel/pagination.ts";
import { batchOf, each, filledText, inQuery, metadata, text } from "../../../shared/runtime/schemas/fields.ts";
import { about } from "../common/names.ts";
import { TOLERATED } from "../common/tolerated.ts";

const MAX_BATCH = 1000;
const MAX_CONTENT_LENGTH = 100_000;

/** A response with only a message. */
export const CompatMessage = z.object({ message: z.string() });

export const CompatPing = z.object({ status: z.literal("ok"), org_id: z.string(), project_id: z.string() });

/** Pages from 1, as mem0 counts them. */
const pages = {
  ...TOLERATED.query,
  page: inQuery(z.int().min(1).max(MAX_OFFSET)).default(1),
  page_size: inQuery(z.int().min(1).max(100)).default(50),
};

const paged = {
  count: z.int(),
  next: z.string().nullable().describe("Address of the next page."),
  previous: z.string().nullable(),
};

// ---------------------------------------------------------------- owners of memories

export const CompatListSubjects = z.object(pages);

export const CompatSubjectList = z.object({
  ...paged,
  results: z.array(
    z.object({
      id: z.string().describe("The type and the name, such as `user:ada`."),
      name: z.string().describe("Name that the client gave."),
      type: z.enum(SUBJECT_TYPES).describe("Kind of owner."),
      total_memories: z.int(),
      owner: z.string(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
  ...each(z.int(), "total_users", "total_agents", "total_apps", "total_runs"),
});

export const CompatSubjectDeleted = CompatMessage.extend({
  deleted_count: z.int(),
  event_id: z.string().describe("The job that deletes the rest in the background, if one request is not enough."),
});

// ---------------------------------------------------------------- batches and feedback

export const CompatChangeBatch = z.object({ memories: batchOf("CompatChangedItem", MAX_BATCH), ...TOLERATED.body });
export const CompatDeleteBatch = z.object({ memories: batchOf("CompatDeletedItem", MAX_BATCH), ...TOLERATED.body });

export const CompatChangedItem = z
  .object({
    memory_id: z.string(),
    text: filledText(MAX_CONTENT_LENGTH).optional(),
    metadata: metadata.optional(),
  })
  .refine((given) => given.text !== undefined || given.metadata !== undefined, "give text or metadata");

/** The Python client sends objects, others send ids. */
export const CompatDeletedItem = z.union([
  z.object({ memory_id: z.string() }),
  z.string().transform((memory_id) => ({ memory_id })),
]);

export const CompatBatchOutcome = CompatMessage.extend({
  failed: z.array(
    z.object({
      index: z.int(),
      memory_id: z.string().optional(),
      error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }),
    }),
  ),
});

export const CompatGiveFeedback = z.object({
  memory_id: z.string(),
  feedback: z.enum(["POSITIVE", "NEGATIVE", "VERY_NEGATIVE"]).nullish(),
  feedback_reason: text(2000).nullish(),
  ...TOLERATED.body,
});

export const CompatFeedbackGiven = CompatMessage.extend({
  id: z.string(),
  feedback: z.string(),
  feedback_reason: z.string().nullable(),
});

// ---------------------------------------------------------------- events

const EVENT_STATUS = ["PENDING", "RUNNING", "SUCCEEDED", "FAILED"] as const;

export const CompatEventKind = z.enum(["ADD", "DELETE", "IMPORT", "EXPORT"]);

export const CompatListEvents = z.object({
  ...pages,
  event_type: CompatEventKind.optional(),
  status: z.enum(EVENT_STATUS).optional(),
});

export const CompatEvent = z.object({
  id: z.string(),
  event_type: CompatEventKind,
  type: z.enum(EVENT_TYPES),
  status: z.enum(EVENT_STATUS),
  resource_id: z.string().nullable(),
  progress: EventProgress.optional(),
  results: z
    .array(z.record(z.string(), z.unknown()))
    .describe("Each memory's id, whether it is new, and its content as far as it fits; lists show the first 100."),
  left_out: LeftOutList.optional(),
  left_out_total: z.int().optional().describe("How many were left out, if `left_out` does not hold all."),
  errors: z.array(EventFailure),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  latency: z.number().nullable().describe("Milliseconds from start to end."),
});

export const CompatEventList = z.object({ ...paged, results: z.array(CompatEvent) });

// ---------------------------------------------------------------- the project

/** Settings of what happens to secrets: see docs/secrets.md. */
const secretPolicies = {
  secrets_policy: z
    .enum(SECRET_POLICIES)
    .nullish()
    .describe("What happens to secrets in texts; null: the deployment's default."),
  secrets_policy_of_users: z
    .array(z.strictObject({ user_id: text(256), policy: z.enum(SECRET_POLICIES) }))
    .max(MAX_USER_POLICIES)
    .nullish()
    .describe("Policies of single users, instead of the organization's."),
};

/** Project settings, stored for clients; adds follow its instructions and categories. */
const settings = {
  custom_instructions: text(20_000).nullish(),
  agent_custom_instructions: text(20_000).nullish(),
  custom_categories: z
    .array(z.record(z.string(), text(2000)))
    .max(100)
    .nullish(),
  memory_depth: text(256).nullish(),
  usecase_setting: z.union([text(256), z.number()]).nullish(),
  multilingual: z.boolean().nullish(),
  decay: z.boolean().nullish(),
  ...secretPolicies,
};

/** mem0 project settings that do not exist here. */
const FORMER_FIELDS = [
  "retrieval_criteria",
  "enable_graph",
  "version",
  "inclusion_prompt",
  "exclusion_prompt",
  "memory_capture",
  "description",
] as const;
const PROJECT_FIELDS = [
  ...(Object.keys(settings) as (keyof typeof settings)[]),
  ...FORMER_FIELDS,
  "id",
  "project_id",
  "org_id",
  "name",
  "created_at",
  "updated_at",
] as const;

const projectField = z.string().transform(toSnakeCase).pipe(z.enum(PROJECT_FIELDS));

export const CompatReadProject = z.object({
  ...TOLERATED.query,
  fields: z
    .union([z.array(projectField), projectField.transform((field) => [field])])
    .optional()
    .meta({
      type: "array",
      items: { type: "string", enum: [...PROJECT_FIELDS] },
      description: "Settings to return as null if they are not set.",
    }),
});

type Settings = z.output<z.ZodObject<typeof settings>>;

export const CompatChangeProject = z
  .object({ ...settings, ...TOLERATED.project })
  .transform((given) => Object.fromEntries(Object.entries(given).filter(([name]) => name in settings)) as Settings)
  .refine((given) => Object.values(given).some((value) => value !== undefined), "give at least one setting");

export const CompatProject = z.object({
  id: z.string(),
  project_id: z.string(),
  org_id: z.string(),
  name: z.string(),
  custom_instructions: z.string().nullish(),
  agent_custom_instructions: z.string().nullish(),
  custom_categories: z.array(z.record(z.string(), z.string())).nullish(),
  memory_depth: z.string().nullish(),
  usecase_setting: z.union([z.string(), z.number()]).nullish(),
  multilingual: z.boolean().nullish(),
  decay: z.boolean().nullish(),
  secrets_policy: secretPolicies.secrets_policy,
  secrets_policy_of_users: z
    .array(z.object({ user_id: z.string(), policy: z.enum(SECRET_POLICIES) }))
    .nullish()
    .describe("Policies of single users, instead of the organization's."),
  ...Object.fromEntries(FORMER_FIELDS.map((name) => [name, z.null().optional()])),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

// ---------------------------------------------------------------- exports

/** Memories selected by owner names and by search filters. */
const selection = { filters: z.record(z.string(), z.unknown()).nullish(), ...about, ...TOLERATED.body };

export const CompatCreateExport = z.object({
  schema: z.unknown().optional().describe("Accepted for mem0 clients; rows are returned complete."),
  export_instructions: z.unknown().optional().describe("Accepted and ignored: rows are returned unchanged."),
  ...selection,
});

export const CompatExportCreated = CompatMessage.extend({
  id: z.string(),
  event_id: z.string(),
  status: z.enum(EVENT_STATUS),
});

export const CompatGetExport = z.object({ memory_export_id: z.string().nullish(), ...selection });

export const CompatExportFound = z.object({
  id: z.string(),
  status: z.enum(EVENT_STATUS),
  count: z.int().describe("Memories written so far."),
  memories: z
    .array(z.unknown().meta({ $ref: "#/components/schemas/MemoryRow" }))
    .optional()
    .describe("Present when the job is complete and the result is small enough."),
  files: z.array(LinkedFile).optional().describe("Present when the job is complete; each holds {memories}."),
  created_at: z.string(),
});

// ---------------------------------------------------------------- webhooks

export const CompatWebhookEvent = z.enum(["memory_add", "memory_update", "memory_delete", "memory_categorize"]);

const definition = {
  name: filledText(200),
  url: z.string().max(2048),
  event_types: z.array(CompatWebhookEvent).min(1).max(4),
};

export const CompatCreateWebhook = z.object(definition);

export const CompatChangeWebhook = z.object({ ...definition, is_active: z.boolean() }).partial();

export const CompatWebhook = z.object({
  webhook_id: z.string(),
  name: z.string(),
  url: z.string(),
  project: z.string(),
  is_active: z.boolean(),
  event_types: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

export const CompatWebhookCreated = CompatWebhook.extend({
  secret: z.string().optional().describe("The secret that signs deliveries; only this response contains it."),
});

export const CompatWebhookList = z.array(CompatWebhook);
