import { inParallel } from "../../kernel/parallel.ts";
import { isLikely, isWorthReading, type ReadText } from "../../language/facts/merged-drafts.ts";
import { anchorOf } from "../../language/statements/dates.ts";
import { isSingleName, resolveAliases } from "../../language/statements/merging.ts";
import { ASSISTANT_ROLE, USER_ROLE } from "../../language/statements/said-by.ts";
import type { ReadingGuidelines } from "../../language/statements/tasks.ts";
import type { FactReader } from "../../ports/fact-reader.ts";
import { fromItem } from "../../ports/item.ts";
import type { JsonObject } from "../../ports/json.ts";
import type { MemoryScope, OrgRuntime, Runtime } from "../../runtime/context.ts";
import { runTextTask } from "../../runtime/text-work/run.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import type { CompressionMode } from "../compression/engine.ts";
import { replaceUnavailable } from "../compression/providers.ts";
import { type CompressionConfig, type ModeRecord, profileOf } from "../compression/settings.ts";
import { compressionConfig, compressionMode } from "../compression/stored-settings.ts";
import { compressionTask } from "../compression/text-tasks.ts";
import { BUILT_IN } from "../models/built-in-model.ts";
import { findSimilar } from "./duplicates.ts";
import { entityId } from "./entity-identity.ts";
import { withinEntityLimit } from "./entity-limit.ts";
import {
  type AnsweredReading,
  type ExtractedFact,
  type Extraction,
  type ExtractionSettings,
  emptyExtraction,
  extract,
  type MemoryText,
  type Reading,
  type Related,
  readsByModel,
} from "./extraction.ts";
import { latestFactsAround, statesValue } from "./fact-reader.ts";
import { BY_LANGUAGE_MODEL } from "./facts/records.ts";
import { MAX_PROCESSING_MS } from "./jobs.ts";
import type { CompressionSummary, Memory, Observed } from "./memory.ts";
import { type Counting, countFailure, countReading, countUnderstanding } from "./metrics.ts";
import { type ModelAnswers, modelAnswers } from "./model-answers.ts";
import { listPeople } from "./people.ts";
import { findMemoryRecords } from "./records.ts";
import { withOffset } from "./said-at.ts";
import { extractionTask, mentionsTask } from "./text-tasks.ts";

/** A text with context for reading it. */
export interface TextToUnderstand extends Omit<MemoryText, "user_name"> {
  /** The id of the text's memory, if it has one. */
  id?: string;
  /** The agent that stored it; cached answers and names of people are limited to its own. */
  agent_id?: string;
  /** The principal that stored it. */
  created_by?: string;
  metadata: JsonObject;
  /** What the same message says before it, for a model that reads facts. */
  piece_before?: string | undefined;
  /** The question that it answers, if it is known without the messages before it. */
  in_reply_to?: string | undefined;
  stored_at: string;
  /** The organization's instructions for extraction. */
  guidelines?: ReadingGuidelines | undefined;
}

/** Steps to leave out (all run by default), and a compression mode that replaces the stored one. */
export interface UnderstandOptions {
  extract_facts?: boolean;
  extract_entities?: boolean;
  compress?: boolean;
  compression_mode?: CompressionMode;
  /** Use only the built-in rules, for a text that a model wrote or must not see. */
  by_rules?: boolean;
}

export type Understanding = Pick<
  Memory,
  "facts" | "observed" | "entities" | "entities_left_out" | "compression" | "processing_ms" | "processing"
>;

/** The deployment's processing settings, limited to what this runtime supports. */
export interface ProcessingSettings {
  mode: ModeRecord;
  config: CompressionConfig;
}

export async function loadProcessingSettings(runtime: Runtime): Promise<ProcessingSettings> {
  const { mode, config } = await readProcessingSettings(runtime);
  return { mode: replaceUnavailable(runtime.ports.models, mode), config };
}

async function readProcessingSettings({ settings, config }: Runtime): Promise<ProcessingSettings> {
  const [mode, stored] = await Promise.all([settings.read(compressionMode(config)), settings.read(compressionConfig)]);
  return { mode, config: stored };
}

function withRules({ mode, config }: ProcessingSettings): ProcessingSettings {
  const rules = { ...BUILT_IN, cost_per_1k: 0 };
  return { mode: { ...mode, providers: { fast: rules, verify: rules } }, config };
}

/** Extracts facts and entities, assigns organization-wide entity ids, and measures the savings of compression. */
export async function understand(
  runtime: MemoryScope,
  text: TextToUnderstand,
  options: UnderstandOptions = {},
): Promise<Understanding> {
  const stored = await loadProcessingSettings(runtime);
  const processingSettings = options.by_rules || asksWhenUnsure(runtime) ? withRules(stored) : stored;
  try {
    return await understandBy(runtime, processingSettings, text, options);
  } catch (error) {
    countFailure(countingFor(runtime, processingSettings));
    throw error;
  }
}

async function understandBy(
  runtime: MemoryScope,
  processingSettings: ProcessingSettings,
  text: TextToUnderstand,
  options: UnderstandOptions,
): Promise<Understanding> {
  const startedAt = performance.now();
  const extraction = await extractBy(runtime, processingSettings, text, options);
  const { provider, model, fallback, iterations, said_at } = extraction;
  const drafts = options.extract_facts === false ? [] : extraction.drafts;
  const understood: Understanding = {
    ...(await describe(runtime, processingSettings, text, { ...extraction, drafts, said_at }, options)),
    processing: { status: "done", ...(iterations > 0 && { provider, model, fallback }) },
    processing_ms: Math.round(performance.now() - startedAt),
  };
  countUnderstanding(countingFor(runtime, processingSettings), extraction, understood);
  return understood;
}

/** What was read from a text, and when it was said (ISO 8601, with its offset if known). */
export type DatedReading = Reading & { said_at: string };

/** Returns the same for a text that was read as a part of its message. */
export async function understandRead(
  runtime: MemoryScope,
  text: TextToUnderstand,
  reading: DatedReading,
  options: UnderstandOptions = {},
): Promise<Understanding> {
  const startedAt = performance.now();
  const processingSettings = withRules(await loadProcessingSettings(runtime));
  const understood: Understanding = {
    ...(await describe(runtime, processingSettings, text, reading, options)),
    processing: { status: "done", ...BUILT_IN, fallback: false },
    processing_ms: Math.round(performance.now() - startedAt),
  };
  const extraction = { ...emptyExtraction(0), ...reading, iterations: 1 };
  countUnderstanding(countingFor(runtime, processingSettings), extraction, understood);
  return understood;
}

/** Returns the parts of an understanding that follow from a reading. */
async function describe(
  runtime: MemoryScope,
  settings: ProcessingSettings,
  text: TextToUnderstand,
  { facts, drafts, entities, said_at }: Omit<DatedReading, "confidence">,
  options: UnderstandOptions,
): Promise<Omit<Understanding, "processing_ms" | "processing">> {
  const named = options.extract_entities === false ? [] : await identifyEntities(runtime, text, { entities });
  const { entities_left_out, ...kept } = await withinEntityLimit(runtime, named);
  return {
    facts: options.extract_facts === false ? [] : facts.map((fact) => withId(runtime, fact)),
    observed: { at: said_at, drafts, ...(readsByModel({ facts }) && { reader: BY_LANGUAGE_MODEL }) },
    ...kept,
    // Also if it is undefined, which replaces that of former words.
    entities_left_out,
    compression: await compressBy(runtime, settings, text.content, options),
  };
}

/** Returns a statement as a memory has it. */
function withId({ ids }: Runtime, { quote, drafts, ...fact }: ExtractedFact): Memory["facts"][number] {
  return { id: ids("fact"), ...fact };
}

/** Returns how long models may take for one memory, in milliseconds. */
export function timeLimitOf({ config }: Pick<ProcessingSettings, "config">): number {
  return Math.min(config.performance.max_processing_time_ms, MAX_PROCESSING_MS);
}

export function countingFor({ rollups, clock, org }: OrgRuntime, { mode, config }: ProcessingSettings): Counting {
  return { rollups, clock, org, providers: mode.providers, monitoring: config.monitoring };
}

/** Whether a language model reads only what the model that reads facts is unsure of, after the rules have stored it. */
function asksWhenUnsure({ config }: Pick<Runtime, "config">): boolean {
  return config.LANGUAGE_MODEL_WHEN === "unsure";
}

/** Whether only the rules read texts when they are stored. */
export async function isReadByRules(runtime: Runtime): Promise<boolean> {
  if (asksWhenUnsure(runtime)) return true;
  const { mode, config } = await loadProcessingSettings(runtime);
  if (!mode.settings.extraction_enabled || !config.algorithms.promem.enabled) return true;
  const { fast, verify } = mode.providers;
  const models = await Promise.all([fast, verify].map((name) => runtime.ports.models.open(name)));
  return models.every(({ isRules }) => isRules);
}

/** Maximum number of related memories for a model, because each costs tokens. */
const MAX_RELATED = 6;

/** Reads a text with the models and limits of the settings. `said_at`: ISO 8601, with its offset if known. */
export async function extractBy(
  runtime: MemoryScope,
  { mode, config }: ProcessingSettings,
  text: TextToUnderstand,
  { extract_facts, extract_entities }: UnderstandOptions = {},
): Promise<Extraction & { said_at: string }> {
  const { ports, org } = runtime;
  const isWanted = extract_facts !== false || extract_entities !== false;
  const settings = extractionSettings({ mode, config }, isWanted);
  const [fast, verify] = await Promise.all([
    ports.models.open(mode.providers.fast),
    ports.models.open(mode.providers.verify),
  ]);
  const timedText = await withTime(runtime, text);
  const said_at = timeOf(timedText, text);
  if (fast.isRules && verify.isRules)
    return { ...(await runTextTask(extractionTask, { text: timedText, settings }, { org })), said_at };
  const findRelated = (slots: string[]) => relatedTo(runtime, text, slots);
  const answers = answersFor(runtime, mode.providers, text);
  const context = { org, guidelines: text.guidelines, findRelated, answers };
  return { ...(await extract({ fast, verify }, timedText, settings, context)), said_at };
}

/** Returns the cached answers of these models about the user's texts. */
function answersFor(
  runtime: MemoryScope,
  { fast, verify }: ModeRecord["providers"],
  { user_id, agent_id }: TextToUnderstand,
): ModelAnswers<AnsweredReading> {
  const cache = modelAnswers<AnsweredReading>(runtime, { user_id, viewer: runtime.viewer ?? agent_id });
  const models = [fast, verify].map(({ provider, model }) => [provider, model]);
  return {
    find: (question) => cache.find([models, question]),
    keep: (question, answer) => cache.keep([models, question], answer),
  };
}

/**
 * Returns the memories related to a text, and the facts that hold in their slots and in the given ones; nothing for a
 * text without a user, because it may be about anybody.
 */
async function relatedTo(
  runtime: MemoryScope,
  { id, user_id, content }: TextToUnderstand,
  slots: string[],
): Promise<Related> {
  if (user_id === undefined) return { memories: [], facts: [] };
  const similar = await findSimilar(runtime, { user_id, content });
  const memories = similar.filter((memory) => memory.id !== id).slice(0, MAX_RELATED);
  const found = await findMemoryRecords(
    runtime,
    memories.map((memory) => memory.id),
    { consistent: false },
  );
  const related = found.map((record) => fromItem<Memory>(record));
  const facts = await latestFactsAround(runtime, user_id, slots, related);
  const holding = facts.filter(
    (fact) => statesValue(fact) && (fact.status === "current" || fact.status === "planned") && fact.memory_id !== id,
  );
  return { memories, facts: holding.slice(-MAX_KNOWN_FACTS) };
}

/** Maximum number of known facts for a model, the latest slots' last. */
const MAX_KNOWN_FACTS = 20;

/**
 * Reads a message by rule into the pieces that become memories, with the current settings. What is read of it is what
 * `understand` reads of the same text as a whole.
 */
export async function readMessage(runtime: MemoryScope, text: TextToUnderstand) {
  const settings = withRules(await loadProcessingSettings(runtime));
  return extractBy(runtime, settings, { ...text, isSplit: true });
}

/** Extracts the facts of a text by rule, with the current settings. Does not use the port `models`. */
export async function observe(runtime: OrgRuntime, text: TextToUnderstand): Promise<Observed> {
  const [processingSettings, timedText] = await Promise.all([readProcessingSettings(runtime), withTime(runtime, text)]);
  const settings = extractionSettings(processingSettings, true);
  const { drafts } = await runTextTask(extractionTask, { text: timedText, settings }, { org: runtime.org });
  return { at: timeOf(timedText, text), drafts };
}

/** What a model that reads facts has read of a text. */
export interface ModelReading extends Observed {
  /** The text as far as it was read, and what else was marked in it; undefined if it was too complex to read. */
  marks?: Omit<ReadText, "drafts">;
  /** Whether it read nothing for sure, but marked something that may be a fact. */
  isUnsure: boolean;
}

/** Returns what a model reads in a text: drafts with the model's id, said at the time of `observe`. */
export async function observeBy(
  reader: FactReader,
  runtime: OrgRuntime,
  texts: TextToUnderstand[],
): Promise<ModelReading[]> {
  const timed = await Promise.all(texts.map((text) => withTime(runtime, text)));
  const messages = timed.map(({ content, before = [] }, index) => {
    const context = before.at(-1)?.content ?? texts[index]?.piece_before ?? "";
    return { before: context, text: content.slice(0, MAX_READ_BY_MODEL) };
  });
  const found = await reader.read(messages);
  return inParallel([...timed.entries()], CONCURRENT_TASKS, async ([index, text]) => {
    const [message, mentions, given] = [messages[index], found[index], texts[index]];
    if (message === undefined || mentions === undefined || given === undefined) throw new Error("a text was not read");
    // What the piece before states was read with that piece.
    const own = mentions.filter(
      (mention) => isWorthReading(mention) && (mention.part === "text" || text.before !== undefined),
    );
    const likely = own.filter(isLikely);
    const input = { text, message, mentions: own, least: reader.least };
    const none = { text: message.text, drafts: [], doubtful: [], instructions: [] };
    const { drafts, ...marks } = own.length === 0 ? none : await runTextTask(mentionsTask, input, { org: runtime.org });
    return {
      at: timeOf(text, given),
      drafts: drafts.map((draft) => ({ ...draft, read_by: reader.id })),
      marks,
      isUnsure: likely.length > 0 && likely.every(({ confidence }) => confidence < reader.least),
    };
  });
}

/** Returns what a language model reads in a stored text of which the other model was unsure; undefined if none does. */
export async function observeWhenUnsure(runtime: MemoryScope, text: TextToUnderstand): Promise<Observed | undefined> {
  if (!asksWhenUnsure(runtime)) return undefined;
  const settings = await loadProcessingSettings(runtime);
  const extraction = await extractBy(runtime, settings, text, { extract_entities: false });
  countReading(countingFor(runtime, settings), extraction);
  if (extraction.fallback || !readsByModel(extraction)) return undefined;
  const read_by = `${extraction.provider}:${extraction.model}`;
  return { at: extraction.said_at, drafts: extraction.drafts.map((draft) => ({ ...draft, read_by })) };
}

/** Maximum characters that a model reads of a text: longer ones are documents rather than messages. */
const MAX_READ_BY_MODEL = 8_000;
const CONCURRENT_TASKS = 4;

function extractionSettings({ mode, config }: ProcessingSettings, isWanted: boolean): ExtractionSettings {
  return {
    ...mode.settings,
    extraction_enabled: isWanted && mode.settings.extraction_enabled && config.algorithms.promem.enabled,
    max_processing_time_ms: timeLimitOf({ config }),
  };
}

/** Returns the user's name if the id that a client gave is one: "ada", "mara.lindqvist". */
function nameOfUser(user_id: string | undefined): string | undefined {
  const parts = user_id?.split(/[\s._-]+/) ?? [];
  return parts.length > 0 && parts.length <= MAX_NAME_PARTS && parts.every((part) => NAME_PART.test(part))
    ? parts.join(" ")
    : undefined;
}

const MAX_NAME_PARTS = 3;
const NAME_PART = /^\p{L}{2,40}$/u;

/** Returns the messages before a text; the question that it answers is another speaker's. */
function beforeIn({ before, in_reply_to, speaker, metadata }: TextToUnderstand): MemoryText["before"] {
  if (before !== undefined || in_reply_to === undefined) return before;
  const isOfAssistant = (speaker ?? metadata.role) === ASSISTANT_ROLE;
  return [{ role: isOfAssistant ? USER_ROLE : ASSISTANT_ROLE, content: in_reply_to }];
}

async function withTime(runtime: Pick<OrgRuntime, "ports" | "org">, text: TextToUnderstand): Promise<MemoryText> {
  const { content, speaker, messages, isSplit, user_id, metadata, occurred_at, stored_at } = text;
  const said_at = await withOffset(runtime, text, occurred_at ?? stored_at);
  const time = occurred_at === undefined ? { stored_at: said_at } : { occurred_at: said_at };
  const user_name = nameOfUser(user_id);
  const said = { content, speaker, before: beforeIn(text), messages, isSplit, user_id, metadata };
  return { ...said, ...(user_name !== undefined && { user_name }), ...time };
}

/** Returns when a text was said: the given time, otherwise the time in its metadata, otherwise when it was stored. */
function timeOf({ occurred_at, stored_at }: MemoryText, text: TextToUnderstand): string {
  return occurred_at ?? anchorOf(text.metadata, stored_at)?.instant.toISOString() ?? text.stored_at;
}

/** Returns entities with their ids. People get the names of the user's, or the agent's own, other memories. */
async function identifyEntities(
  { ports, org, viewer }: MemoryScope,
  { user_id: user, agent_id }: Pick<TextToUnderstand, "user_id" | "agent_id">,
  { entities }: Pick<Extraction, "entities">,
): Promise<Memory["entities"]> {
  const hasSingleNames = entities.some(isSingleName);
  const known =
    user === undefined || !hasSingleNames
      ? []
      : await listPeople(ports.records, org, { user, agent: viewer ?? agent_id });
  return resolveAliases(entities, known).map(({ name, type }) => ({ id: entityId(org, type, name), name, type }));
}

async function compressBy(
  { org }: OrgRuntime,
  { mode, config }: ProcessingSettings,
  content: string,
  { compress: isWanted = true, compression_mode = mode.mode }: UnderstandOptions,
): Promise<CompressionSummary> {
  const isOn = isWanted && mode.settings.compression_enabled && config.algorithms.semantic_compression.enabled;
  if (!isOn) return countUncompressed(content);
  const { original_tokens, compressed_tokens, reduction_percentage } = await runTextTask(
    compressionTask,
    { text: content, options: profileOf(compression_mode, config) },
    { org },
  );
  return { original_tokens, compressed_tokens, reduction_percentage };
}

/** Returns the initial result for a text that the workers will process. */
export async function leaveForLater(content: string, job_id: string): Promise<Understanding> {
  const compression = await countUncompressed(content);
  return { facts: [], entities: [], compression, processing: { status: "queued", job_id }, processing_ms: 0 };
}

/** Counts the tokens of a text that is not compressed. */
async function countUncompressed(content: string): Promise<CompressionSummary> {
  const tokens = (await loadTokenCounter()).count(content);
  return { original_tokens: tokens, compressed_tokens: tokens, reduction_percentage: 0 };
}
