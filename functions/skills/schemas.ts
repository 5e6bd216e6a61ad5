import * as z from "zod";
import { DEFAULT_THRESHOLD } from "../../shared/domain/agents/skills/finding.ts";
import { MAX_PATH_LENGTH } from "../../shared/domain/agents/skills/folders/paths.ts";
import { MAX_NAME_LENGTH } from "../../shared/domain/agents/skills/procedures/patterns.ts";
import { REVIEW_STATES } from "../../shared/domain/agents/skills/review-records.ts";
import { EXECUTION_STATES, OUTCOMES, PRODUCERS } from "../../shared/domain/agents/skills/tasks/executing.ts";
import { briefSkill, Evidence, Review, Skill } from "../../shared/domain/agents/skills/wire.ts";
import {
  each,
  filledText,
  inQuery,
  label,
  metadata,
  optionalQueryFlag,
  Pagination,
  page,
  text,
} from "../../shared/runtime/schemas/fields.ts";
import { CHAIN_STATES, END, STEP_FAULTS } from "./chain-records.ts";
import { MAX_EXPRESSION_LENGTH } from "./expressions.ts";

export { Review, Skill };

const MAX_TRIGGER_LENGTH = 1_000;
const MAX_ACTION_LENGTH = 10_000;
const MAX_CONTEXT_LENGTH = 10_000;
const MAX_CONTENT_LENGTH = 100_000;
const MAX_TAGS = 20;
const MAX_EXAMPLES = 20;
const MAX_SYNTHESIZED = 20;
const MAX_STEPS = 20;
const MAX_RETRIES = 3;
const MAX_CONDITIONS = 10;
const MAX_RESULTS = 50;

/** A request on AWS must respond within 29 seconds, and storing the result takes a moment too. */
const MAX_TIMEOUT_MS = 25_000;
const MIN_TIMEOUT_MS = 10;
const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_STEP_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_TOKENS = 2_000;
const DEFAULT_OUTPUT_TOKENS = 500;

const share = z.number().min(0).max(1);
const name = filledText(MAX_NAME_LENGTH);
const trigger = filledText(MAX_TRIGGER_LENGTH);
const action = filledText(MAX_ACTION_LENGTH);
const tag = filledText(64)
  .refine((value) => !value.includes(","), "must not contain a comma, which separates tags in lists")
  .transform((value) => value.trim());
const tags = z
  .array(tag)
  .max(MAX_TAGS)
  .transform((given) => [...new Set(given)]);
const examples = z.array(filledText(MAX_TRIGGER_LENGTH)).max(MAX_EXAMPLES);
/** The situation of an execution: a JSON object of at most 16 KB. */
const situation = metadata;
const skillId = filledText(128);
/** CEL as supported by expressions.ts. */
const expression = filledText(MAX_EXPRESSION_LENGTH);
const timeout = z.int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS);

export const CreateSkill = z.object({
  name,
  trigger,
  action,
  domain: label,
  confidence: share.default(0.5),
  tags: tags.default([]),
  examples: examples.default([]),
  metadata: metadata.default({}),
});

/** `domain` and `examples` in addition to the contract's fields. Evidence restarts from the last stated confidence. */
export const UpdateSkill = z
  .object({ name, trigger, action, domain: label, confidence: share, tags, examples, metadata })
  .extend({
    superseded_by: skillId.nullable().describe("The skill that replaces this one; null removes the replacement."),
  })
  .partial()
  .refine((given) => Object.values(given).some((value) => value !== undefined), "must change at least one field");

/** Of versions, chains and executions. */
export const ListPage = z.object(page(20, 100));

export const SkillVersionList = z.object({
  skill_id: z.string(),
  versions: z.array(
    z.object({
      version: z.int(),
      ...Skill.pick(each(true, "name", "trigger", "action", "domain", "tags", "examples", "metadata")).shape,
      confidence: z.number(),
      evidence: Evidence,
      verified: z.boolean(),
      human_reviewed: z.boolean(),
      created_at: z.string(),
    }),
  ),
  pagination: Pagination,
});

export const RestoreSkill = z.object({ version: z.int().min(1) });

export const ListSkills = z.object({
  domain: label.optional(),
  trigger: trigger.optional(),
  tags: z
    .string()
    .transform((value) => value.split(",").map((each) => each.trim()))
    .pipe(z.array(tag).min(1).max(MAX_TAGS))
    .optional()
    .meta({ type: "string", pattern: "^\\s*[^,\\s][^,]*(,\\s*[^,\\s][^,]*)*$" }),
  verified: optionalQueryFlag,
  ...page(20, 100),
  sort: z.string().default("usage_count desc"),
});

export const SkillList = z.object({
  skills: z.array(z.object({ ...briefSkill, usage_count: z.int(), verified: z.boolean() })),
  pagination: Pagination,
});

export const SkillDeleted = z.object({ id: z.string(), deleted_at: z.string() });

const near = {
  limit: inQuery(z.int().min(1).max(MAX_RESULTS)).default(10),
  threshold: inQuery(share).default(DEFAULT_THRESHOLD),
};

export const SearchSkills = z.object({ trigger, domain: label.optional(), ...near });

export const FoundSkills = z.object({
  query: z.string(),
  results: z.array(
    Skill.pick(each(true, "id", "name", "trigger", "action", "confidence")).extend({
      similarity_score: z.number(),
      rank: z.int(),
    }),
  ),
  total_results: z.int(),
});

export const FindSimilar = z.object(near);

export const SimilarSkills = z.object({
  skill_id: z.string(),
  similar_skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      similarity_score: z.number(),
      common_domains: z.array(z.string()),
    }),
  ),
});

export const UseSkill = z.object({
  context: text(MAX_CONTEXT_LENGTH).optional(),
  success: z.boolean().optional(),
  execution_time_ms: z.int().min(0).optional(),
  version: z.int().min(1).optional(),
});

export const Used = z.object({
  skill_id: z.string(),
  usage_count: z.int(),
  /** The same number; the contract has both names. */
  total_usage: z.int(),
  confidence: z.number(),
  last_used: z.string(),
});

/** The producer of the answer: a model, or the built-in rules (`fallback` if they replaced a model). */
const origin = { provider: z.string(), model: z.string(), fallback: z.boolean() };
export const SkillProcessing = z.object({ ...origin, produced_by: z.enum(["model", "rules"]) });

export const ExecuteSkill = z.object({
  context: situation,
  options: z
    .object({
      /** Time limit of a model; after it the execution has failed. */
      timeout_ms: timeout.default(DEFAULT_TIMEOUT_MS),
      include_explanation: z.boolean().default(false),
      check: expression.optional(),
      max_tokens: z.int().min(1).max(MAX_OUTPUT_TOKENS).default(DEFAULT_OUTPUT_TOKENS),
    })
    .prefault({}),
});

export const StepResult = z.object({
  status: z.enum(EXECUTION_STATES).describe("`prepared`: a template describes the action, but nobody performed it."),
  success: z.boolean().nullable().describe("Success according to the model or the check; null for a template."),
  produced_by: z
    .enum(PRODUCERS)
    .describe("`template`: the action with filled slots, because no model is configured or it failed."),
  outcome: z
    .enum(OUTCOMES)
    .describe("`unknown` until reported with POST /skills/{id}/use, unless a check ran or the execution failed."),
  check: z
    .object({ expression: z.string(), passed: z.boolean().nullable(), problem: z.string().optional() })
    .optional()
    .describe("The check of the result, if there is one."),
  output: z.string(),
  steps: z
    .array(z.string())
    .meta({ description: "The parts of the output.", examples: [["The refund of order 1815 is confirmed."]] }),
  context_used: z.array(z.string()),
  missing: z.array(z.string()).describe("Information that the action needs and the context lacks."),
  truncated: z.boolean().describe("Whether the output was cut at its token limit."),
});

export const SkillPerformance = z.object({
  execution_time_ms: z.int(),
  /** As counted by the model; for the built-in rules, the tokens of their input and output. */
  tokens_processed: z.int(),
  cost_estimate: z.number(),
});

export const Executed = z.object({
  skill_id: z.string(),
  execution_id: z.string(),
  result: StepResult.extend({ explanation: z.string().optional(), ...origin }),
  performance: SkillPerformance,
  updated_skill: z.object({ usage_count: z.int(), confidence: z.number() }),
});

export const SuggestSkills = z.object({
  trigger,
  context: filledText(MAX_CONTEXT_LENGTH),
  domain: label.optional(),
  limit: z.int().min(1).max(10).default(5),
});

export const Suggestions = z.object({
  trigger: z.string(),
  context: z.string(),
  suggestions: z.array(
    Skill.pick(each(true, "name", "trigger", "action", "confidence")).extend({
      explanation: z.string(),
      source: z.enum(["existing", "draft"]),
      skill_id: z.string().optional(),
    }),
  ),
  total_suggestions: z.int(),
  processing: SkillProcessing,
});

export const SynthesizeSkills = z.object({
  skill_ids: z
    .array(skillId)
    .max(MAX_SYNTHESIZED)
    .refine((ids) => new Set(ids).size === ids.length, "must contain each skill once"),
  name,
  description: text(2_000).optional(),
});

export const Synthesized = z.object({
  synthesized_skill: z.object({ ...briefSkill, source_skills: z.array(z.string()), review_id: z.string().nullable() }),
  synthesis_summary: z.object({
    input_skills: z.int(),
    merged_triggers: z.array(z.string()),
    merged_actions: z.array(z.string()),
    confidence_improvement: z.number(),
  }),
  processing: SkillProcessing,
});

export const ExtractSkills = z.object({
  content: filledText(MAX_CONTENT_LENGTH),
  domain: label.default("general"),
  confidence_threshold: share.default(0.5),
});

export const ExtractedSkills = z.object({
  extracted_skills: z.array(z.object({ ...briefSkill, review_id: z.string().nullable() })),
  skipped: z.array(z.object({ name: z.string(), trigger: z.string(), skill_id: z.string().optional() })),
  below_threshold: z.int(),
  total_extracted: z.int(),
  processing: SkillProcessing,
});

const order = z.int().min(0).max(1_000_000);
const target = z.union([order, z.literal(END)]);
const failurePolicy = z.union([z.enum(["stop", "continue"]), z.strictObject({ goto: target })]);

export const CreateChain = z.object({
  name,
  trigger,
  steps: z
    .array(
      z.object({
        skill_id: skillId,
        order,
        /**
         * CEL over `context`, `last` (alias `result`) and `step` after the step: false ends the chain, or takes `else`.
         */
        continue_if: expression.optional(),
        goto: target.optional(),
        else: target.optional(),
        check: expression.optional(),
        retries: z.int().min(0).max(MAX_RETRIES).optional(),
        /**
         * The effect of a failed step on the chain: stop (the chain fails), continue with the next step, or go to
         * another.
         */
        on_failure: failurePolicy.optional(),
      }),
    )
    .min(1)
    .max(MAX_STEPS)
    .refine((steps) => new Set(steps.map(({ order }) => order)).size === steps.length, "each order may occur once"),
  conditions: z.array(expression).max(MAX_CONDITIONS).default([]),
});

const shownTarget = z.union([z.int(), z.literal(END)]);
const shownPolicy = z.union([z.enum(["stop", "continue"]), z.object({ goto: shownTarget })]);

export const Chain = z.object({
  id: z.string(),
  name: z.string(),
  trigger: z.string(),
  steps: z.array(
    z.object({
      skill_id: z.string(),
      order: z.int(),
      continue_if: z.string().optional(),
      goto: shownTarget.optional(),
      else: shownTarget.optional(),
      check: z.string().optional(),
      retries: z.int().optional(),
      on_failure: shownPolicy.optional(),
    }),
  ),
  conditions: z.array(z.string()),
  created_at: z.string(),
});

export const ChainList = z.object({ chains: z.array(Chain), pagination: Pagination });

export const ChainDeleted = z.object({ id: z.string(), deleted_at: z.string() });

export const ExecuteChain = z.object({
  context: situation,
  options: z
    .object({
      /** Time limit of the whole chain: no step starts after it. */
      timeout_ms: timeout.default(DEFAULT_TIMEOUT_MS),
      step_timeout_ms: timeout.default(DEFAULT_STEP_TIMEOUT_MS),
      include_trace: z.boolean().default(false),
    })
    .prefault({}),
});

export const ChainFault = z.object({
  code: z.enum(STEP_FAULTS),
  message: z.string(),
  order: z.int().optional(),
  skill_ids: z.array(z.string()).optional(),
});

export const ChainExecution = z.object({
  execution_id: z.string(),
  chain_id: z.string(),
  status: z.enum(CHAIN_STATES),
  steps: z.array(
    z.object({
      order: z.int(),
      skill_id: z.string(),
      name: z.string(),
      result: StepResult,
      attempts: z.int(),
      execution_time_ms: z.int(),
      error: ChainFault.optional(),
    }),
  ),
  /** The last step's. */
  result: StepResult.nullable(),
  stopped_by: z.string().optional(),
  error: ChainFault.optional(),
  trace: z
    .array(
      z.object({
        order: z.int(),
        skill_id: z.string(),
        skill_version: z.int(),
        started_at: z.string(),
        execution_time_ms: z.int(),
        timeout_ms: z.int(),
        ...origin,
        explanation: z.string(),
        continue_if: z.string().optional(),
        continued: z.boolean(),
        next: shownTarget.optional(),
      }),
    )
    .optional(),
  performance: SkillPerformance,
  started_at: z.string(),
  completed_at: z.string(),
});

export const ChainExecutionList = z.object({
  chain_id: z.string(),
  executions: z.array(ChainExecution),
  pagination: Pagination,
});

const MAX_FILES = 50;
/** The limit of a whole body, which also limits all files. */
const MAX_FILE_LENGTH = 1_000_000;

const File = z.object({
  path: filledText(MAX_PATH_LENGTH),
  encoding: z.enum(["utf8", "base64"]).default("utf8"),
  content: z.string().max(MAX_FILE_LENGTH),
});

export const ImportSkill = z.object({
  /** SKILL.md, whose front matter has `name` and `description`, and the files beside it; at most 700,000 bytes. */
  files: z
    .array(
      File.transform((file) =>
        file.encoding === "utf8" ? { ...file, content: file.content.toWellFormed() } : file,
      ).refine(({ encoding, content }) => encoding === "utf8" || z.base64().safeParse(content).success, {
        path: ["content"],
        message: "is not base64",
      }),
    )
    .min(1)
    .max(MAX_FILES),
  /** Replaces the domain of the front matter. */
  domain: label.optional(),
  replace: z.boolean().default(false),
});

export const ExportedSkill = z.object({
  skill_id: z.string(),
  version: z.int(),
  /** Name of the folder: lower-case letters, digits and hyphens. */
  folder: z.string(),
  files: z.array(z.object({ path: z.string(), encoding: z.enum(["utf8", "base64"]), content: z.string() })),
});

export const ListReviews = z.object({
  status: z.enum(REVIEW_STATES).default("pending"),
  skill_id: skillId.optional(),
  ...page(20, 100),
});

export const ReviewList = z.object({ reviews: z.array(Review), pagination: Pagination });

export const DecideReview = z.object({ approved: z.boolean(), notes: text(2_000).optional() });
