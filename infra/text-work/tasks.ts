import { ruleOf } from "../../shared/models/built-in-model.ts";
import type { LanguageTask } from "../../shared/platform/ports.ts";
import type { TextTask } from "../../shared/text-work/task.ts";

type AnyTask = TextTask<never, unknown>;

const sessions = () => import("../../shared/sessions/text-tasks.ts");
const compression = () => import("../../shared/compression/text-tasks.ts");
const extraction = () => import("../../shared/memory/extraction/tasks.ts");

type AnyLanguageTask = LanguageTask<never, unknown>;

/** Language tasks by their names, whose rules are text tasks. */
const LANGUAGE_TASKS: { readonly [name: string]: () => Promise<AnyLanguageTask> } = {
  extract_memory: async () => (await extraction()).readingTask,
  verify_facts: async () => (await extraction()).verifyingTask,
  infer_from_memories: async () => (await import("../../shared/memory/inference.ts")).inferenceTask,
  summarize_source: async () => (await import("../../shared/sources/summary.ts")).summaryTask,
  read_session_state: async () => (await import("../../shared/sessions/state.ts")).readStateTask,
  judge_sentiment: async () => (await import("../../shared/sessions/sentiment.ts")).sentimentTask,
  find_topics: async () => (await import("../../shared/sessions/topic-task.ts")).topicsTask,
  sum_up_session: async () => (await import("../../shared/sessions/closing.ts")).closingTask,
  judge_relevance: async () => (await import("../../shared/models/language-model-reranker.ts")).relevanceTask,
  answer_as_agent: async () => (await import("../../shared/agents/answering.ts")).answeringTask,
  draft_skills: async () => (await import("../../shared/skills/tasks/drafting.ts")).draftingTask,
  execute_skill: async () => (await import("../../shared/skills/tasks/executing.ts")).executingTask,
  extract_skills: async () => (await import("../../shared/skills/tasks/extracting.ts")).extractingTask,
  synthesize_skill: async () => (await import("../../shared/skills/tasks/synthesizing.ts")).synthesizingTask,
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
  const { readFile } = await import("../../shared/sources/extraction/read-file.ts");
  return { name, inlineSize: 0, run: readFile };
}

/** Every text task by its name; a thread loads the modules of those that it runs. */
export const TASKS: { readonly [name: string]: () => Promise<AnyTask> } = {
  extract: async () => (await import("../../shared/memory/text-tasks.ts")).extractionTask,
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

/** Throws for a name that no task has. */
export async function findTask(name: string): Promise<AnyTask> {
  const load = TASKS[name];
  if (load === undefined) throw new Error(`there is no text task '${name}'; list it in infra/text-work/tasks.ts`);
  return load();
}
