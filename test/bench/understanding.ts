/**
 * Measures what the service extracts from texts without a model: facts, entities, dates and duplicates of the cases in
 * ../shared/bench, what an add of mem0's interface loses, what compression keeps, and what session contexts say.
 */

import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { COMPRESSION_MODES } from "../../shared/domain/compression/engine.ts";
import { openService } from "../support/service.ts";
import { answersOfCut, measureAnswers, readConversations } from "./compression-quality.ts";
import { measureKeptFacts } from "./kept-facts.ts";
import { DEVELOPMENT, HELD_OUT, measureContexts, readContext, readStories } from "./life-context.ts";
import { type Figure, report, skip } from "./report.ts";
import { type CompressionCase, isEnglish, NO_CASES, readCases } from "./understanding-cases.ts";
import {
  type Count,
  measureDuplicates,
  measureExtraction,
  measureLoss,
  measureTruth,
} from "./understanding-quality.ts";

const EXTRACTION_AIMS = { recall: 0.85, precision: 0.93, entities: 0.9, dates: 0.85 };
const FINDABLE_AIMS = { english: 0.85, other: 0.75 };
const DUPLICATES_AIM = 0.8;
const KEPT_AIMS = { extract: 0.99, balanced: 0.97, aggressive: 0.88 };

const cases = readCases();
if (cases === undefined) {
  skip(NO_CASES);
} else {
  const service = await openService();
  const english = cases.extraction.filter(isEnglish);
  const other = cases.extraction.filter((each) => !isEnglish(each));
  const ofEnglish = await measureExtraction(service, english);
  const ofOther = await measureExtraction(service, other);
  const lossEnglish = await measureLoss(service, english);
  const lossOther = await measureLoss(service, other);
  const duplicates = await measureDuplicates(service, cases.duplicates);
  const truth = await measureTruth(service, cases.truths);
  await service.close();
  report([
    share("facts found, English", ofEnglish.recall, EXTRACTION_AIMS.recall),
    share("facts found, other languages", ofOther.recall),
    share("facts that are right, English", ofEnglish.precision, EXTRACTION_AIMS.precision),
    share("facts that are right, other languages", ofOther.precision),
    { what: "facts with words that a case forbids", value: ofEnglish.falseFacts + ofOther.falseFacts, unit: "" },
    share("facts in their category", both(ofEnglish.categories, ofOther.categories)),
    share("entities found, English", ofEnglish.entities, EXTRACTION_AIMS.entities),
    share("entities found, other languages", ofOther.entities),
    share("entities of the right type", both(ofEnglish.types, ofOther.types)),
    share("entities that are right, English", ofEnglish.entityPrecision, EXTRACTION_AIMS.entities),
    share("entities that are right, other languages", ofOther.entityPrecision),
    share("dates found", both(ofEnglish.dates, ofOther.dates), EXTRACTION_AIMS.dates),
    none("texts of which a /v3 add stores nothing", missing(lossEnglish.stored) + missing(lossOther.stored)),
    share("facts findable after a /v3 add, English", lossEnglish.findable, FINDABLE_AIMS.english),
    share("facts findable after a /v3 add, other languages", lossOther.findable, FINDABLE_AIMS.other),
    share("duplicates skipped", duplicates.found, DUPLICATES_AIM),
    none("different texts skipped as duplicates", duplicates.lost.hits, `of ${duplicates.lost.of}`),
    share("questions about changes whose first answer holds now", truth),
    ...(await compressionOfCases(cases.compression)),
    ...(await compressionOfLocomo()),
    ...(await contexts()),
  ]);
}

function share(what: string, { hits, of }: Count, aim?: number): Figure {
  const limit = aim === undefined ? {} : { limit: { atLeast: aim } };
  return { what, value: of === 0 ? 1 : hits / of, unit: "", ...limit, from: `${hits} of ${of}` };
}

function none(what: string, value: number, from?: string): Figure {
  return { what, value, unit: "", limit: { atMost: 0 }, ...(from !== undefined && { from }) };
}

function both(one: Count, other: Count): Count {
  return { hits: one.hits + other.hits, of: one.of + other.of };
}

function missing({ hits, of }: Count): number {
  return of - hits;
}

async function compressionOfCases(all: CompressionCase[]): Promise<Figure[]> {
  const tokens = await loadTokenCounter();
  return COMPRESSION_MODES.map((mode) => {
    const { facts, kept, keptOfBeginnings, keptOfEnds, saved } = measureKeptFacts(tokens, all, mode);
    const cut = Math.max(keptOfBeginnings, keptOfEnds) / facts;
    return {
      what: `facts kept by ${mode}`,
      value: kept / facts,
      unit: "",
      limit: { atLeast: KEPT_AIMS[mode] },
      from: `${percent(saved)} saved; cut to as many tokens: ${cut.toFixed(2)}`,
    };
  });
}

async function compressionOfLocomo(): Promise<Figure[]> {
  const conversations = readConversations();
  if (conversations === undefined) return [];
  const figures: Figure[] = [];
  for (const mode of COMPRESSION_MODES) {
    const { evidence, saved } = await measureAnswers(conversations, { mode });
    const cut = await answersOfCut(conversations, { mode });
    figures.push({
      what: `evidence of LoCoMo's questions kept by ${mode}`,
      value: evidence,
      unit: "",
      from: `${percent(saved)} saved; cut to as many tokens: ${cut.evidence.toFixed(2)}`,
    });
  }
  return figures;
}

async function contexts(): Promise<Figure[]> {
  const halves = [
    { half: "odd", name: "written with the rules", assertions: DEVELOPMENT },
    { half: "even", name: "written from the stories alone", assertions: HELD_OUT },
  ] as const;
  const figures: Figure[] = [];
  for (const { half, name, assertions } of halves) {
    const stories = readStories(half);
    if (stories === undefined) continue;
    const { held, asserted, faults, lines } = await measureContexts(stories, assertions, readContext);
    figures.push({
      ...share(`assertions on contexts of sessions that hold, ${name}`, { hits: held, of: asserted }),
      from: `${held} of ${asserted}; ${faults.length} faults of form in ${lines} lines`,
    });
  }
  return figures;
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}
