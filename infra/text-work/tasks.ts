import { ruleOf } from "../../shared/domain/models/built-in-model.ts";
import type { LanguageTask } from "../../shared/ports/language-model.ts";
import type { TextTask } from "../../shared/runtime/text-work/task.ts";

type AnyTask = TextTask<never, unknown>;

const sessions = () => import("../../shared/domain/sessions/text-tasks.ts");
const compression = () => import("../../shared/domain/compression/text-tasks.ts");
const extraction = () => import("../../shared/language/statements/tasks.ts");

type AnyLanguageTask = LanguageTask<never, unknown>;

/** Language tasks by name whose rules are text tasks. */
const LANGUAGE_TASKS: { readonly [name: string]: () => Promise<AnyLanguageTask> } = {
  extract_memory: async () => (await extraction()).readingTask,
  verify_facts: async () => (await extraction()).verifyingTask,
  infer_from_memories: async () => (await import("../../shared/domain/memory/inference.ts")).inferenceTask,
  summarize_source: async () => (await import("../../shared/domain/knowledge/sources/summary.ts")).summaryTask,
  read_session_state: async () => (await import("../../shared/domain/sessions/state.ts")).readStateTask,
  judge_sentiment: async () => (await import("../../shared/domain/sessions/sentiment.ts")).sentimentTask,
  find_topics: async () => (await import("../../shared/domain/sessions/topics.ts")).topicsTask,
  sum_up_session: async () => (await import("../../shared/domain/sessions/closing.ts")).closingTask,
  observe_user: async () => (await import("../../shared/domain/patterns/observing-task.ts")).observingTask,
  judge_relevance: async () => (await import("../../shared/domain/models/language-model-reranker.ts")).relevanceTask,
  answer_as_agent: async () => (await import("../../shared/domain/agents/answering.ts")).answeringTask,
  draft_skills: async () => (await import("../../shared/domain/agents/skills/tasks/drafting.ts")).draftingTask,
  execute_skill: async () => (await import("../../shared/domain/agents/skills/tasks/executing.ts")).executingTask,
  extract_skills: async () => (await import("../../shared/domain/agents/skills/tasks/extracting.ts")).extractingTask,
  synthesize_skill: async () =>
    (await import("../../shared/domain/agents/skills/tasks/synthesizing.ts")).synthesizingTask,
};

const RULES = Object.fromEntries(
  Object.entries(LANGUAGE_TASKS).map(([name, load]) => [`rule:${name}`, async () => ruleOf(await load())]),
);

const FILES = Object.fromEntries(
  ["html", "links", "sitemap", "pdf", "document", "image", "audio"].map((kind) => [
    `read_${kind}`,
    () => fileTask(`read_${kind}`),
  ]),
);

async function fileTask(name: string): Promise<AnyTask> {
  const { readFile } = await import("../../shared/domain/knowledge/sources/extraction/read-file.ts");
  return { name, inlineSize: 0, run: readFile };
}

/** Every text task by name; a thread loads the modules of the tasks it runs. */
export const TASKS: { readonly [name: string]: () => Promise<AnyTask> } = {
  extract: async () => (await import("../../shared/domain/memory/text-tasks.ts")).extractionTask,
  mentions: async () => (await import("../../shared/domain/memory/text-tasks.ts")).mentionsTask,
  compress: async () => (await compression()).compressionTask,
  measure_compression: async () => (await compression()).measureTask,
  benchmark_compression: async () => (await compression()).benchmarkTask,
  fold_messages: async () => (await sessions()).foldMessagesTask,
  compress_context: async () => (await sessions()).compressContextTask,
  read_state_by_rule: async () => (await sessions()).readStateByRuleTask,
  session_gist: async () => (await sessions()).gistTask,
  session_outline: async () => (await sessions()).outlineTask,
  session_pdf: async () => (await import("../../functions/sessions/export/pdf-task.ts")).pdfTask,
  ...FILES,
  ...RULES,
};

/** Throws for an unknown task. */
export async function findTask(name: string): Promise<AnyTask> {
  const load = TASKS[name];
  if (load === undefined) throw new Error(`there is no text task '${name}'; list it in infra/text-work/tasks.ts`);
  return load();
}
