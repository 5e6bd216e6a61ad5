import { dateOf } from "../../kernel/clock.ts";
import { annotateDates } from "../../language/dates/annotate.ts";
import { namesOf, readFacts } from "../../language/facts/read-facts.ts";
import { loadLemmatizer } from "../../language/facts/verb-group.ts";
import { checkedFacts } from "../../language/facts/written.ts";
import type { FactDraft } from "../../language/slots/fact.ts";
import { slotKey } from "../../language/slots/slot-key.ts";
import { align, uncoveredStatements } from "../../language/statements/alignment.ts";
import { readsAsEnglish } from "../../language/statements/english.ts";
import { findEntities } from "../../language/statements/entities.ts";
import { mergeEntities, mergeFacts } from "../../language/statements/merging.ts";
import {
  complexityOf,
  type MemoryText,
  type Passage,
  readPassage,
  speakerOfText,
} from "../../language/statements/passage.ts";
import { itemsWithin, type Piece, splitMessage } from "../../language/statements/pieces.ts";
import { withSpeakers } from "../../language/statements/said-by.ts";
import {
  type ExtractedEntity,
  type ExtractedFact,
  type Findings,
  MAX_DATES,
  type Omission,
  type ReadFact,
} from "../../language/statements/schemas.ts";
import type { Span } from "../../language/statements/spans.ts";
import { loadTagger } from "../../language/statements/tagging.ts";
import {
  factsIn,
  type KnownFact,
  PROMPT_VERSION,
  type ReadingGuidelines,
  type RelatedMemory,
  readingTask,
  verifyingTask,
} from "../../language/statements/tasks.ts";
import type { Json } from "../../ports/json.ts";
import type { LanguageAnswer, LanguageModel, TokenUsage } from "../../ports/language-model.ts";
import { type CompressionConfig, DEFAULT_CONFIG, DEFAULT_MODE, type ModeRecord } from "../compression/settings.ts";
import { createBuiltInModel } from "../models/built-in-model.ts";
import type { ModelAnswers } from "./model-answers.ts";

export type { MemoryText } from "../../language/statements/passage.ts";
export type { ExtractedEntity, ExtractedFact } from "../../language/statements/schemas.ts";

/** `fast` extracts; `verify` checks the result. They may be the same model. */
export interface ModelPair {
  fast: LanguageModel;
  verify: LanguageModel;
}

/** The extraction settings under their names in the API. */
export type ExtractionSettings = Omit<ModeRecord["settings"], "compression_enabled"> &
  Pick<CompressionConfig["performance"], "max_processing_time_ms">;

export const DEFAULT_EXTRACTION_SETTINGS: ExtractionSettings = {
  ...DEFAULT_MODE.settings,
  max_processing_time_ms: DEFAULT_CONFIG.performance.max_processing_time_ms,
};

export interface ReadingContext {
  org?: string;
  guidelines?: ReadingGuidelines | undefined;
  /** Related memories of the same user, and the facts of their slots and the given ones; called if a model reads. */
  findRelated?: (slots: string[]) => Promise<Related>;
  /** Cached model answers about the user's texts. */
  answers?: ModelAnswers<AnsweredReading>;
}

export interface Related {
  memories: RelatedMemory[];
  facts: KnownFact[];
}

/** A model's result for a text. */
export type AnsweredReading = Pick<
  Extraction,
  "facts" | "entities" | "provider" | "model" | "omitted" | "iterations" | "rejected" | "verified" | "confidence"
>;

export interface Extraction {
  /** Most mentioned first, at most 40. */
  entities: ExtractedEntity[];
  /** In text order, at most 60. */
  facts: ExtractedFact[];
  /** The provider and the model that read the text; empty if extraction is off. */
  provider: string;
  model: string;
  /** Whether a model was asked and the built-in rules answered at least once. */
  fallback: boolean;
  /** Statements verbatim that the model left out. Empty if the rules read. */
  uncovered: ExtractedFact[];
  /** Sentences that are not statements, with reasons. */
  omitted: Omission[];
  /** Facts by slot, always read by rule. */
  drafts: FactDraft[];
  /** The parts of a message that become memories, if they were asked for. */
  pieces: PieceReading[];
  /** Number of readings. */
  iterations: number;
  /** Statements that verification rejected. */
  rejected: number;
  verified: boolean;
  /** 0..1: the facts' confidence and their coverage of the text. */
  confidence: number;
  complexity: number;
  usage: { fast: TokenUsage; verify: TokenUsage };
  runs: { fast: Runs; verify: Runs };
}

/** What was read from a text by rule. */
export type Reading = Pick<Extraction, "facts" | "drafts" | "entities" | "confidence">;

/** A piece of a message with what was read from it; the positions of facts are those in the piece. */
export type PieceReading = Piece & Reading;

/** Counts of model tasks, their requests, and answers by the rules. */
export interface Runs {
  asked: number;
  calls: number;
  fallbacks: number;
  /** The last reason for an answer by the rules. */
  failure?: string;
}

/** Returns the extraction of a text that nobody read. */
export function emptyExtraction(complexity: number): Extraction {
  return {
    entities: [],
    facts: [],
    provider: "",
    model: "",
    fallback: false,
    uncovered: [],
    omitted: [],
    drafts: [],
    pieces: [],
    iterations: 0,
    rejected: 0,
    verified: false,
    confidence: 0,
    complexity,
    usage: { fast: { inputTokens: 0, outputTokens: 0 }, verify: { inputTokens: 0, outputTokens: 0 } },
    runs: { fast: { asked: 0, calls: 0, fallbacks: 0 }, verify: { asked: 0, calls: 0, fallbacks: 0 } },
  };
}

const builtIn = createBuiltInModel();

/**
 * Extracts facts and entities from any text with one model request, or none if it has no statements. Depending on
 * settings and confidence, verifies the facts and reads missed parts again (after ProMem, iterative extraction).
 */
export async function extract(
  models: ModelPair,
  memory: MemoryText,
  settings: ExtractionSettings = DEFAULT_EXTRACTION_SETTINGS,
  context: ReadingContext = {},
): Promise<Extraction> {
  if (!settings.extraction_enabled) return emptyExtraction(0);
  const passage = await readPassage(memory);
  const rules = await draftsIn(passage, memory);
  const extraction = await read(models, { passage, rules, memory }, settings, context);
  const drafts = readsByModel(extraction) ? extraction.facts.flatMap((fact) => fact.drafts ?? []) : rules;
  const split = memory.isSplit ? await piecesIn(passage, memory, extraction, drafts) : undefined;
  return {
    ...extraction,
    facts: withSpeakers(extraction.facts, passage),
    uncovered: withSpeakers(extraction.uncovered, passage),
    drafts,
    ...(split && { pieces: split.pieces, omitted: split.leftOut }),
  };
}

/** Returns the pieces of a message, each with its share of what was read from the whole message. */
async function piecesIn(
  passage: Passage,
  memory: MemoryText,
  { facts, confidence }: Extraction,
  drafts: FactDraft[],
): Promise<{ pieces: PieceReading[]; leftOut: Omission[] }> {
  const { content } = memory;
  const tag = await loadTagger();
  const isEnglish = readsAsEnglish(passage.sentences);
  const found = drafts.toSorted((one, other) => one.span.start - other.span.start);
  const read = found.flatMap(({ attribute, span }) => (attribute === "" ? [] : [span]));
  const { pieces, leftOut } = splitMessage(content, { passage, speaker: speakerOfText(memory), read, tag });
  const [sentencesOf, draftsOf] = [itemsWithin(passage.sentences, pieces), itemsWithin(found, pieces)];
  const readings = pieces.map((piece, index): PieceReading => {
    const text = content.slice(piece.start, piece.end);
    const named = passage.names.filter(({ name }) => text.includes(name)).map((name) => ({ ...name, aliases: [] }));
    return {
      ...piece,
      facts: facts.filter((fact) => text.includes(fact.content)),
      drafts: (draftsOf[index] ?? []).map((draft) => ({ ...draft, span: within(draft.span, piece) })),
      entities: mergeEntities([...named, ...findEntities(sentencesOf[index] ?? [], tag, isEnglish)]),
      confidence,
    };
  });
  return { pieces: readings, leftOut };
}

/** Returns a range of a piece, whose text is `own`, with its share of what was read from the piece. */
export function cutReading(piece: PieceReading, own: string, range: Span): PieceReading {
  if (range.start === 0 && range.end === own.length) return piece;
  const { in_reply_to, facts, drafts, entities, ...rest } = piece;
  const text = own.slice(range.start, range.end);
  return {
    ...rest,
    ...(in_reply_to !== undefined && range.start === 0 && { in_reply_to }),
    start: piece.start + range.start,
    end: piece.start + range.end,
    facts: facts.filter(({ content }) => text.includes(content)),
    drafts: drafts.flatMap((draft) =>
      draft.span.start >= range.start && draft.span.start < range.end
        ? [{ ...draft, span: within(draft.span, range) }]
        : [],
    ),
    entities: entities.filter(({ name, aliases }) => [name, ...aliases].some((each) => text.includes(each))),
  };
}

function within({ start, end }: FactDraft["span"], piece: Span): FactDraft["span"] {
  return { start: start - piece.start, end: Math.min(end, piece.end) - piece.start };
}

/** Whether a model quoted what it read, so that its facts by slot are kept, and those of the rules are not. */
export function readsByModel({ facts }: Pick<Extraction, "facts">): boolean {
  return facts.some(({ drafts }) => drafts !== undefined);
}

/** A text as the rules read it. */
interface RuledText {
  passage: Passage;
  rules: FactDraft[];
  memory: MemoryText;
}

async function read(models: ModelPair, text: RuledText, settings: ExtractionSettings, context: ReadingContext) {
  const { passage } = text;
  const { omitted } = passage;
  const byRules = { ...models, fast: builtIn };
  if (models.fast.isRules) return { ...(await readPassageBy(models, text, settings, context)), omitted };
  if (passage.statements.length === 0) {
    const { runs } = emptyExtraction(0);
    return { ...(await readPassageBy(byRules, text, settings, context)), omitted, runs };
  }
  const cacheKey = cacheKeyOf(passage, settings, context.guidelines);
  const known = await context.answers?.find(cacheKey);
  if (known) return withUncovered({ ...emptyExtraction(complexityOf(passage)), ...known }, passage);
  const slots = text.rules.map(({ subject, attribute }) => slotKey(subject, attribute));
  const related = await context.findRelated?.([...new Set(slots)]);
  const extraction = await readPassageBy(models, text, settings, context, related);
  if (!extraction.fallback && extraction.facts.length > 0) await context.answers?.keep(cacheKey, answerOf(extraction));
  return withUncovered(extraction, passage);
}

/** Returns all that an answer depends on: the text with its context, the day, the instructions and the settings. */
function cacheKeyOf(
  { sentences, context, anchor }: Passage,
  settings: ExtractionSettings,
  guidelines?: ReadingGuidelines,
): Json {
  const { max_processing_time_ms, ...steps } = settings;
  const lines = [...context, ...sentences].map(({ speaker, text, dates, isContext, said_by }) => [
    ...[speaker, text, ...(isContext ? [isContext] : []), ...(said_by ? [said_by.role, said_by.turn] : [])],
    ...dates.map(({ value, end_value = null }) => [value, end_value]),
  ]);
  const day = anchor === undefined ? null : dateOf(anchor.instant.getTime());
  return [PROMPT_VERSION, day, lines, JSON.stringify(guidelines ?? null), JSON.stringify(steps)];
}

function answerOf(extraction: Extraction): AnsweredReading {
  const { facts, entities, provider, model, omitted, iterations, rejected, verified, confidence } = extraction;
  return { facts, entities, provider, model, omitted, iterations, rejected, verified, confidence };
}

async function readPassageBy(
  models: ModelPair,
  { passage, rules, memory }: RuledText,
  settings: ExtractionSettings,
  { org, guidelines }: ReadingContext,
  { memories: related, facts: knownFacts }: Related = { memories: [], facts: [] },
): Promise<Extraction> {
  const deadline = performance.now() + settings.max_processing_time_ms;
  const remaining = () => ({ timeoutMs: Math.max(0, deadline - performance.now()), org });
  let extraction = emptyExtraction(complexityOf(passage));
  const isSimple = extraction.complexity < settings.complexity_threshold;
  const verifier = settings.verification_enabled && !isSimple ? models.verify : undefined;
  const people = models.fast.isRules ? [] : await peopleIn(passage);
  let focus = passage.sentences;
  while (true) {
    const before = extraction;
    const known = before.facts.map(({ content }) => content);
    const attempt = before.iterations + 1;
    const answer = await models.fast.run(
      readingTask,
      { passage, focus, known, attempt, related, facts: knownFacts, guidelines },
      remaining(),
    );
    const written = answer.value.facts.filter(({ content }) => !known.includes(content));
    const found = checkedFacts(written, {
      ...{ passage, rules, known: knownFacts, userNames: namesOf(memory.user_name) },
      people,
      day: dateOf(passage.anchor?.instant.toISOString() ?? memory.stored_at ?? ""),
    });
    const claims = found.map((fact) => toFact(fact, passage, related, guidelines));
    const read = withReading(before, answer, guidelines === undefined ? [] : passage.sentences);
    extraction = withConfidence(withFacts(read, claims), passage);
    const isDoubtful = extraction.confidence < settings.confidence_threshold;
    if (verifier && (verifier.isRules || isDoubtful)) {
      extraction = withConfidence(await verify(verifier, passage, claims, read, remaining()), passage);
    }
    const { missed } = align(passage.sentences, extraction.facts);
    const isSufficient = missed.length === 0 || extraction.confidence >= settings.confidence_threshold;
    const foundNothing = attempt > 1 && extraction.facts.length === before.facts.length;
    const isTimeUp = remaining().timeoutMs === 0;
    if (isSimple || isSufficient || foundNothing || isTimeUp || attempt >= settings.max_iterations) break;
    focus = missed;
  }
  return { ...extraction, entities: mergeEntities(extraction.entities) };
}

/** Returns the names of people in a text, by rule. */
async function peopleIn({ sentences, context }: Passage): Promise<string[]> {
  const all = [...context, ...sentences];
  const entities = findEntities(all, await loadTagger(), readsAsEnglish(all));
  return entities.flatMap(({ type, name }) => (type === "person" ? [name] : []));
}

/** Adds statements that the model left out, except those that instructions exclude. */
async function withUncovered(extraction: Extraction, passage: Passage): Promise<Extraction> {
  const excluded = new Set(extraction.omitted.map(({ text }) => text));
  const included = passage.statements.map((statement) => ({
    ...statement,
    sentences: statement.sentences.filter(({ text }) => !excluded.has(text)),
  }));
  const uncovered = await factsIn(passage, uncoveredStatements(extraction.facts, included));
  const omitted = passage.omitted.filter(({ text }) => !excluded.has(text));
  return { ...extraction, uncovered, omitted: [...omitted, ...extraction.omitted] };
}

/** Sets the confidence to the mean of the facts' confidence and coverage; a text without statements is covered. */
function withConfidence(extraction: Extraction, { sentences }: Passage): Extraction {
  const { facts } = extraction;
  const { coverage } = align(sentences, facts);
  const meanConfidence = facts.reduce((total, { confidence }) => total + confidence, 0) / facts.length;
  return { ...extraction, confidence: facts.length === 0 ? coverage : (meanConfidence + coverage) / 2 };
}

/** Returns a fact that was read, with its references to memories, categories and dates resolved. */
function toFact(
  { content, confidence, category, dates, said_by, relation, memory, categories, quote, drafts }: ReadFact,
  passage: Passage,
  related: RelatedMemory[],
  guidelines: ReadingGuidelines | undefined,
): ExtractedFact {
  const relatedMemory = memory === undefined ? undefined : related[memory - 1];
  const customCategories =
    categories?.filter((name) => guidelines?.categories && Object.hasOwn(guidelines.categories, name)) ?? [];
  return {
    ...withDates({ content, confidence, category, ...(dates && { dates }), ...(said_by && { said_by }) }, passage),
    ...(relatedMemory &&
      relation !== undefined &&
      relation !== "new" && { relation, related_memory_id: relatedMemory.id }),
    ...(customCategories.length > 0 && { categories: customCategories }),
    ...(drafts && { quote, drafts }),
  };
}

/** Returns the facts by slot, of each message by itself. The sentences are already tagged, so reading them again is cheap. */
async function draftsIn({ statements, anchor }: Passage, { content, messages, user_name }: MemoryText) {
  const [tag, lemmaOf] = await Promise.all([loadTagger(), loadLemmatizer()]);
  const ofMessages = Map.groupBy(statements, ({ sentences }) => sentences.find(({ isContext }) => !isContext)?.message);
  const texts =
    messages === undefined
      ? [{ content, statements }]
      : [...ofMessages].flatMap(([message, own]) => (message ? [{ content: message.text, statements: own }] : []));
  return texts.flatMap((text): FactDraft[] => {
    const passage = { statements: text.statements, anchor };
    return readFacts({ content: text.content, passage, tag, lemmaOf, userName: user_name });
  });
}

/** Adds the dates of a statement; the rules find them, also in a model's statement. */
function withDates(fact: ExtractedFact, { anchor }: Passage): ExtractedFact {
  const { dates = annotateDates(fact.content, anchor), ...statement } = fact;
  return dates.length === 0 ? statement : { ...statement, dates: dates.slice(0, MAX_DATES) };
}

/** Adds the result of one reading; `excludable` are the lines that a model may exclude. */
function withReading(
  extraction: Extraction,
  answer: LanguageAnswer<Findings>,
  excludable: Passage["sentences"],
): Extraction {
  const lines = [...new Set(answer.value.excluded_lines ?? [])];
  const excluded = lines.flatMap((line) => excludable[line - 1] ?? []);
  return {
    ...withRun(extraction, "fast", answer),
    omitted: [...extraction.omitted, ...excluded.map(({ text }) => ({ text, reason: "excluded" as const }))],
    entities: [...extraction.entities, ...answer.value.entities],
    provider: answer.provider,
    model: answer.model,
    iterations: extraction.iterations + 1,
  };
}

function withFacts(extraction: Extraction, facts: ExtractedFact[]): Extraction {
  return { ...extraction, facts: mergeFacts([...extraction.facts, ...facts]) };
}

/** Verifies statements with a model; one without a verdict is kept as read. */
async function verify(
  model: LanguageModel,
  passage: Passage,
  claims: ExtractedFact[],
  extraction: Extraction,
  limit: { timeoutMs: number },
): Promise<Extraction> {
  if (claims.length === 0) return extraction;
  const answer = await model.run(verifyingTask, { passage, facts: claims }, limit);
  const verdicts = new Map(answer.value.verdicts.map((verdict) => [verdict.fact, verdict]));
  const kept = claims.flatMap((claim, index) => {
    const verdict = verdicts.get(index);
    if (verdict === undefined) return claim;
    return verdict.supported ? { ...claim, confidence: (claim.confidence + verdict.confidence) / 2 } : [];
  });
  const rejected = extraction.rejected + claims.length - kept.length;
  return { ...withRun(withFacts(extraction, kept), "verify", answer), verified: true, rejected };
}

/** Adds the tokens and counts of a model's answer. */
function withRun(extraction: Extraction, model: keyof ModelPair, answer: LanguageAnswer<unknown>): Extraction {
  const { inputTokens, outputTokens } = extraction.usage[model];
  const { asked, calls, fallbacks, ...earlier } = extraction.runs[model];
  const run = runsOf(answer);
  const usage = {
    inputTokens: inputTokens + answer.usage.inputTokens,
    outputTokens: outputTokens + answer.usage.outputTokens,
  };
  const sums = { asked: asked + run.asked, calls: calls + run.calls, fallbacks: fallbacks + run.fallbacks };
  return {
    ...extraction,
    fallback: extraction.fallback || answer.fallback,
    usage: { ...extraction.usage, [model]: usage },
    runs: { ...extraction.runs, [model]: { ...earlier, ...run, ...sums } },
  };
}

export function runsOf({ fallback, failure, calls }: LanguageAnswer<unknown>): Runs {
  return { asked: 1, calls, fallbacks: fallback ? 1 : 0, ...(failure !== undefined && { failure }) };
}
