import type { FactDraft } from "../facts/fact.ts";
import { readFacts } from "../facts/read/read-facts.ts";
import { loadLemmatizer } from "../facts/read/verb-group.ts";
import type { LanguageAnswer, LanguageModel, TokenUsage } from "../platform/ports.ts";
import { annotateDates } from "./dates/annotate.ts";
import { align, untoldBy } from "./extraction/alignment.ts";
import { complexityOf } from "./extraction/complexity.ts";
import { mergeEntities, mergeFacts } from "./extraction/merging.ts";
import { type MemoryText, type Passage, readPassage } from "./extraction/passage.ts";
import {
  type ExtractedEntity,
  type ExtractedFact,
  type Findings,
  MAX_DATES,
  type Omission,
} from "./extraction/schemas.ts";
import { loadTagger } from "./extraction/tagging.ts";
import { factsIn, readingTask, verifyingTask } from "./extraction/tasks.ts";

export type { MemoryText } from "./extraction/passage.ts";
export type { ExtractedEntity, ExtractedFact } from "./extraction/schemas.ts";

/** `fast` reads; `verify` is asked back about what it read. They may be one and the same. */
export interface ModelPair {
  fast: LanguageModel;
  verify: LanguageModel;
}

/** The contract's settings, by its own names. */
export interface ExtractionSettings {
  extraction_enabled: boolean;
  /** Whether what was read is checked against the text by the verify model. */
  verification_enabled: boolean;
  /** 0..1. A text below it is read once by the fast model alone. */
  complexity_threshold: number;
  /** Most readings of one text, at least 1. */
  max_iterations: number;
  /** 0..1. Reading stops when the extraction's confidence is at least this. */
  confidence_threshold: number;
  /** What a model has not answered by then, the rules answer; no further reading begins. */
  max_processing_time_ms: number;
}

export const DEFAULT_EXTRACTION_SETTINGS: ExtractionSettings = {
  extraction_enabled: true,
  verification_enabled: true,
  complexity_threshold: 0.5,
  max_iterations: 3,
  confidence_threshold: 0.8,
  max_processing_time_ms: 20_000,
};

export interface Extraction {
  /** Most mentioned first, at most 40. */
  entities: ExtractedEntity[];
  /** In the order of the text, at most 60. */
  facts: ExtractedFact[];
  /** Who read the text; empty when extraction is off. */
  provider: string;
  model: string;
  /** True when a model was asked and the built-in rules had to answer, be it once. */
  fallback: boolean;
  /** What a model told of no statement: these in their own words. Empty where the rules read. */
  untold: ExtractedFact[];
  /** What is no statement, and why. */
  omitted: Omission[];
  /** What the text says of the slots of its subjects, by rule, whoever read it. */
  drafts: FactDraft[];
  /** How often the text was read. */
  iterations: number;
  /** Statements that the check rejected. */
  rejected: number;
  verified: boolean;
  /** 0..1: how sure the facts are and how much of the text they tell. */
  confidence: number;
  complexity: number;
  usage: { fast: TokenUsage; verify: TokenUsage };
  runs: { fast: Runs; verify: Runs };
}

/** How often a model was asked, and how often the rules had to answer for it. */
export interface Runs {
  asked: number;
  fallbacks: number;
}

function nothingYet(complexity: number): Extraction {
  return {
    entities: [],
    facts: [],
    provider: "",
    model: "",
    fallback: false,
    untold: [],
    omitted: [],
    drafts: [],
    iterations: 0,
    rejected: 0,
    verified: false,
    confidence: 0,
    complexity,
    usage: { fast: { inputTokens: 0, outputTokens: 0 }, verify: { inputTokens: 0, outputTokens: 0 } },
    runs: { fast: { asked: 0, fallbacks: 0 }, verify: { asked: 0, fallbacks: 0 } },
  };
}

/**
 * Reads facts and entities out of a memory: read, lay the facts beside the text, check them, read again what was missed,
 * until the confidence suffices. (After ProMem: proactive, iterative extraction with self-questioning.)
 * Takes any text; one that says nothing yields nothing.
 */
export async function extract(
  models: ModelPair,
  memory: MemoryText,
  settings: ExtractionSettings = DEFAULT_EXTRACTION_SETTINGS,
  org?: string,
): Promise<Extraction> {
  if (!settings.extraction_enabled) return nothingYet(0);
  const deadline = performance.now() + settings.max_processing_time_ms;
  const left = () => ({ timeoutMs: Math.max(0, deadline - performance.now()), org });
  const passage = await readPassage(memory);
  let extraction = nothingYet(complexityOf(passage));
  const isSimple = extraction.complexity < settings.complexity_threshold;
  const judge = settings.verification_enabled && !isSimple ? models.verify : undefined;
  let focus = passage.sentences;
  while (true) {
    const before = extraction;
    const known = before.facts.map(({ content }) => content);
    const attempt = before.iterations + 1;
    const answer = await models.fast.run(readingTask, { passage, focus, known, attempt }, left());
    const claims = answer.value.facts
      .filter(({ content }) => !known.includes(content))
      .map((fact) => withDates(fact, passage));
    extraction = withReading(before, answer);
    extraction = judge ? await verified(judge, passage, claims, extraction, left()) : withFacts(extraction, claims);
    const { coverage, missed } = align(passage.sentences, extraction.facts);
    extraction.confidence = confidenceOf(extraction.facts, coverage);
    const enough = missed.length === 0 || extraction.confidence >= settings.confidence_threshold;
    const stuck = attempt > 1 && extraction.facts.length === before.facts.length;
    const late = left().timeoutMs === 0;
    if (isSimple || enough || stuck || late || attempt >= settings.max_iterations) break;
    focus = missed;
  }
  const untold = models.fast.isRules ? [] : await factsIn(passage, untoldBy(extraction.facts, passage.statements));
  return {
    ...extraction,
    entities: mergeEntities(extraction.entities),
    untold,
    omitted: passage.omitted,
    drafts: await draftsIn(passage, memory),
  };
}

/** The sentences are tagged already, so reading them once more costs little. */
async function draftsIn(passage: Passage, { content, user_name }: MemoryText): Promise<FactDraft[]> {
  const [tag, lemmaOf] = await Promise.all([loadTagger(), loadLemmatizer()]);
  return readFacts({ content, passage, tag, lemmaOf, userName: user_name });
}

/** The rules say which dates a statement holds; a model's statements are read for theirs. */
function withDates(fact: ExtractedFact, { anchor }: Passage): ExtractedFact {
  const { dates = annotateDates(fact.content, anchor), ...statement } = fact;
  return dates.length === 0 ? statement : { ...statement, dates: dates.slice(0, MAX_DATES) };
}

function withReading(extraction: Extraction, answer: LanguageAnswer<Findings>): Extraction {
  return {
    ...extraction,
    entities: [...extraction.entities, ...answer.value.entities],
    provider: answer.provider,
    model: answer.model,
    fallback: extraction.fallback || answer.fallback,
    iterations: extraction.iterations + 1,
    usage: { ...extraction.usage, fast: sum(extraction.usage.fast, answer.usage) },
    runs: { ...extraction.runs, fast: withRun(extraction.runs.fast, answer) },
  };
}

function withFacts(extraction: Extraction, facts: ExtractedFact[]): Extraction {
  return { ...extraction, facts: mergeFacts([...extraction.facts, ...facts]) };
}

/** A statement that nobody judged stays as it was read. */
async function verified(
  model: LanguageModel,
  passage: Passage,
  claims: ExtractedFact[],
  extraction: Extraction,
  limit: { timeoutMs: number },
): Promise<Extraction> {
  if (claims.length === 0) return extraction;
  const answer = await model.run(verifyingTask, { passage, facts: claims }, limit);
  const verdicts = new Map(answer.value.verdicts.map((verdict) => [verdict.fact, verdict]));
  const kept = claims.flatMap((claim, place) => {
    const verdict = verdicts.get(place);
    if (verdict === undefined) return claim;
    return verdict.supported ? { ...claim, confidence: (claim.confidence + verdict.confidence) / 2 } : [];
  });
  return {
    ...withFacts(extraction, kept),
    fallback: extraction.fallback || answer.fallback,
    verified: true,
    rejected: extraction.rejected + claims.length - kept.length,
    usage: { ...extraction.usage, verify: sum(extraction.usage.verify, answer.usage) },
    runs: { ...extraction.runs, verify: withRun(extraction.runs.verify, answer) },
  };
}

function sum(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

function withRun({ asked, fallbacks }: Runs, { fallback }: LanguageAnswer<unknown>): Runs {
  return { asked: asked + 1, fallbacks: fallbacks + (fallback ? 1 : 0) };
}

/** Mean of how sure the facts are and how much they tell; a text with nothing to tell is told. */
function confidenceOf(facts: ExtractedFact[], coverage: number): number {
  if (facts.length === 0) return coverage;
  const sure = facts.reduce((total, { confidence }) => total + confidence, 0) / facts.length;
  return (sure + coverage) / 2;
}
