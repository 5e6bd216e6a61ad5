import type { CompressionMode } from "../compression/engine.ts";
import { withinReach } from "../compression/providers.ts";
import { type CompressionConfig, type ModeRecord, profileOf } from "../compression/settings.ts";
import { compressionConfig, compressionMode } from "../compression/stored-settings.ts";
import { compressionTask } from "../compression/text-tasks.ts";
import { loadTokenCounter } from "../compression/tokens.ts";
import { BUILT_IN } from "../models/built-in-model.ts";
import type { Home, OrgHome, ViewerHome } from "../platform/context.ts";
import type { JsonObject } from "../platform/ports.ts";
import { runTextTask } from "../text-work/run.ts";
import { findSimilar } from "./duplicates.ts";
import { entityId } from "./entity-identity.ts";
import { anchorOf } from "./extraction/dates.ts";
import { resolveAliases } from "./extraction/merging.ts";
import type { ReadingWishes, RelatedMemory } from "./extraction/tasks.ts";
import {
  type AnsweredReading,
  type Extraction,
  type ExtractionSettings,
  extract,
  type MemoryText,
} from "./extraction.ts";
import { type Counting, countFailure, countUnderstanding } from "./figures.ts";
import { MOST_PROCESSING_MS } from "./jobs.ts";
import type { CompressionSummary, Memory, Observed } from "./memory.ts";
import { type ModelAnswers, modelAnswers } from "./model-answers.ts";
import { listPeople } from "./people.ts";
import { withOffset } from "./said-at.ts";
import { extractionTask } from "./text-tasks.ts";

/** A text and what helps to read it. */
export interface TextToUnderstand {
  /** Of the memory that it is, where there is one. */
  id?: string;
  content: string;
  /** What was said before it, which helps to read it. */
  context?: string | undefined;
  /** The lines of a conversation by who said them. */
  turns?: MemoryText["turns"];
  user_id?: string;
  /** Agent that stored it; it is read by what that agent may know. */
  agent_id?: string;
  /** Principal that stored it. */
  created_by?: string;
  metadata: JsonObject;
  /** ISO, with its offset where that is known; what relative dates count from. */
  occurred_at?: string;
  /** ISO; what they count from where neither that nor the metadata tell. */
  stored_at: string;
  /** What the organization wants of it. */
  wishes?: ReadingWishes | undefined;
}

/** Steps to leave out (all are taken by default), and a compression mode other than the stored one. */
export interface UnderstandOptions {
  extract_facts?: boolean;
  extract_entities?: boolean;
  compress?: boolean;
  compression_mode?: CompressionMode;
  /** Of a text that a model made, or is not to see. */
  by_rules?: boolean;
  /** The text is one statement: what it says is observed, and not listed as facts besides. */
  is_statement?: boolean;
}

export type Understanding = Pick<
  Memory,
  "facts" | "observed" | "entities" | "compression" | "processing_ms" | "processing"
>;

/** What the deployment's settings say about understanding, as far as this home can carry it out. */
export interface Steering {
  mode: ModeRecord;
  config: CompressionConfig;
}

export async function readSteering({ settings, config, ports }: Home): Promise<Steering> {
  const [mode, stored] = await Promise.all([settings.read(compressionMode(config)), settings.read(compressionConfig)]);
  return { mode: withinReach(ports.models, mode), config: stored };
}

function withRules({ mode, config }: Steering): Steering {
  const rules = { ...BUILT_IN, cost_per_1k: 0 };
  return { mode: { ...mode, providers: { fast: rules, verify: rules } }, config };
}

/** Extracts facts and entities, gives entities their organization-wide ids, and measures what compression gains. */
export async function understand(
  home: ViewerHome,
  text: TextToUnderstand,
  options: UnderstandOptions = {},
): Promise<Understanding> {
  const stored = await readSteering(home);
  const steering = options.by_rules ? withRules(stored) : stored;
  try {
    return await understandBy(home, steering, text, options);
  } catch (error) {
    countFailure(countingFor(home, steering));
    throw error;
  }
}

async function understandBy(
  home: ViewerHome,
  steering: Steering,
  text: TextToUnderstand,
  options: UnderstandOptions,
): Promise<Understanding> {
  const startedAt = performance.now();
  const extraction = await extractBy(home, steering, text, options);
  const omitsFacts = options.extract_facts === false || options.is_statement === true;
  const understood: Understanding = {
    facts: omitsFacts ? [] : extraction.facts.map((fact) => ({ id: home.ids("fact"), ...fact })),
    observed: { at: extraction.said_at, drafts: options.extract_facts === false ? [] : extraction.drafts },
    entities: options.extract_entities === false ? [] : await identifyEntities(home, text, extraction),
    compression: await compressBy(home, steering, text.content, options),
    processing: processingOf(extraction),
    processing_ms: Math.round(performance.now() - startedAt),
  };
  countUnderstanding(countingFor(home, steering), extraction, understood);
  return understood;
}

/** How long models may take for one memory, in milliseconds. */
export function timeLimitOf({ config }: Pick<Steering, "config">): number {
  return Math.min(config.performance.max_processing_time_ms, MOST_PROCESSING_MS);
}

export function countingFor({ rollups, clock, org }: OrgHome, { mode, config }: Steering): Counting {
  return { rollups, clock, org, providers: mode.providers, monitoring: config.monitoring };
}

/** Whether the rules read what is stored from now on, and no model. */
export async function isReadByRules(home: Home): Promise<boolean> {
  const { mode, config } = await readSteering(home);
  if (!mode.settings.extraction_enabled || !config.algorithms.promem.enabled) return true;
  const { fast, verify } = mode.providers;
  const models = await Promise.all([fast, verify].map((name) => home.ports.models.open(name)));
  return models.every(({ isRules }) => isRules);
}

/** Memories that a model is shown: few, as each costs tokens. */
const MAX_RELATED = 6;

/** What was read out of a text, and when that was said: ISO, with its offset where that is known. */
type DatedExtraction = Extraction & { said_at: string };

/** Reads a text with the models and by the settings that are in force. */
export async function extractBy(
  home: ViewerHome,
  { mode, config }: Steering,
  text: TextToUnderstand,
  { extract_facts, extract_entities }: UnderstandOptions = {},
): Promise<DatedExtraction> {
  const { ports, org } = home;
  const isWanted = extract_facts !== false || extract_entities !== false;
  const settings = extractionSettings({ mode, config }, isWanted);
  const [fast, verify] = await Promise.all([
    ports.models.open(mode.providers.fast),
    ports.models.open(mode.providers.verify),
  ]);
  const given = await withTime(home, text);
  const said_at = timeOf(given, text);
  if (fast.isRules && verify.isRules)
    return { ...(await runTextTask(extractionTask, { text: given, settings }, { org })), said_at };
  const findRelated = () => relatedTo(home, text);
  const answers = answersFor(home, mode.providers, text);
  const context = { org, wishes: text.wishes, findRelated, answers };
  return { ...(await extract({ fast, verify }, given, settings, context)), said_at };
}

/** What these models made of the user's texts. */
function answersFor(
  home: ViewerHome,
  { fast, verify }: ModeRecord["providers"],
  { user_id, agent_id }: TextToUnderstand,
): ModelAnswers<AnsweredReading> {
  const kept = modelAnswers<AnsweredReading>(home, { user_id, viewer: home.viewer ?? agent_id });
  const models = [fast, verify].map(({ provider, model }) => [provider, model]);
  return {
    find: (question) => kept.find([models, question]),
    keep: (question, answer) => kept.keep([models, question], answer),
  };
}

/** What is of no user may be of anybody, so that nothing is known to be related to it. */
async function relatedTo(home: ViewerHome, { id, user_id, content }: TextToUnderstand): Promise<RelatedMemory[]> {
  if (user_id === undefined) return [];
  const similar = await findSimilar(home, { user_id, content });
  return similar.filter((memory) => memory.id !== id).slice(0, MAX_RELATED);
}

/** What a text states, by rule and by the settings that are in force. */
export async function observe(home: OrgHome, text: TextToUnderstand): Promise<Observed> {
  const [steering, given] = await Promise.all([readSteering(home), withTime(home, text)]);
  const settings = extractionSettings(steering, true);
  const { drafts } = await runTextTask(extractionTask, { text: given, settings }, { org: home.org });
  return { at: timeOf(given, text), drafts };
}

function extractionSettings({ mode, config }: Steering, isWanted: boolean): ExtractionSettings {
  return {
    ...mode.settings,
    extraction_enabled: isWanted && mode.settings.extraction_enabled && config.algorithms.promem.enabled,
    max_processing_time_ms: timeLimitOf({ config }),
  };
}

/** A user's name, where the id that a client gave is one: "ada", "mara.lindqvist". */
function nameOfUser(user_id: string | undefined): string | undefined {
  const parts = user_id?.split(/[\s._-]+/) ?? [];
  return parts.length > 0 && parts.length <= MAX_NAME_PARTS && parts.every((part) => NAME_PART.test(part))
    ? parts.join(" ")
    : undefined;
}

const MAX_NAME_PARTS = 3;
const NAME_PART = /^\p{L}{2,40}$/u;

async function withTime(home: Pick<OrgHome, "ports" | "org">, text: TextToUnderstand): Promise<MemoryText> {
  const { content, context, turns, user_id, metadata, occurred_at, stored_at } = text;
  const said_at = await withOffset(home, text, occurred_at ?? stored_at);
  const time = occurred_at === undefined ? { stored_at: said_at } : { occurred_at: said_at };
  const user_name = nameOfUser(user_id);
  return { content, context, turns, user_id, ...(user_name !== undefined && { user_name }), metadata, ...time };
}

/** When a text was said: as it was given, else as the metadata tell, else when it was stored. */
function timeOf({ occurred_at, stored_at }: MemoryText, text: TextToUnderstand): string {
  return occurred_at ?? anchorOf(text.metadata, stored_at)?.instant.toISOString() ?? text.stored_at;
}

/** Entities by their ids; people by the names that the user's other memories know them by, of one agent those it stored. */
async function identifyEntities(
  { ports, org, viewer }: ViewerHome,
  { user_id: user, agent_id }: Pick<TextToUnderstand, "user_id" | "agent_id">,
  { entities }: Extraction,
): Promise<Memory["entities"]> {
  const hasPeople = entities.some(({ type }) => type === "person");
  const known =
    user === undefined || !hasPeople ? [] : await listPeople(ports.records, org, { user, agent: viewer ?? agent_id });
  return resolveAliases(entities, known).map(({ name, type }) => ({ id: entityId(org, type, name), name, type }));
}

async function compressBy(
  { org }: OrgHome,
  { mode, config }: Steering,
  content: string,
  { compress: isWanted = true, compression_mode = mode.mode }: UnderstandOptions,
): Promise<CompressionSummary> {
  const isOn = isWanted && mode.settings.compression_enabled && config.algorithms.semantic_compression.enabled;
  if (!isOn) return countOnly(content);
  const { original_tokens, compressed_tokens, reduction_percentage } = await runTextTask(
    compressionTask,
    { text: content, options: profileOf(compression_mode, config) },
    { org },
  );
  return { original_tokens, compressed_tokens, reduction_percentage };
}

/** What is known of a text before the workers come to it. */
export async function leaveForLater(content: string, job_id: string): Promise<Understanding> {
  const compression = await countOnly(content);
  return { facts: [], entities: [], compression, processing: { status: "queued", job_id }, processing_ms: 0 };
}

/** Where a text is not to be compressed. */
async function countOnly(content: string): Promise<CompressionSummary> {
  const tokens = (await loadTokenCounter()).count(content);
  return { original_tokens: tokens, compressed_tokens: tokens, reduction_percentage: 0 };
}

function processingOf({ provider, model, fallback, iterations }: Extraction): Memory["processing"] {
  return iterations === 0 ? { status: "done" } : { status: "done", provider, model, fallback };
}
