import type { Pattern } from "../../../shared/domain/agents/skills/procedures/patterns.ts";
import { findProcedures } from "../../../shared/domain/agents/skills/procedures.ts";
import type { Figure } from "../report.ts";
import { EXTRACTION_CASES, type ExtractionCase } from "./extraction-cases.ts";

/** The threshold of POST /skills/extract. */
const THRESHOLD = 0.5;
const MIN_PRECISION = 70;
const MIN_RECALL = 60;

interface Extraction {
  case: ExtractionCase;
  right: Pattern[];
  wrong: Pattern[];
  missed: ExtractionCase["procedures"];
}

/** Returns the procedures extracted from the texts of a half, 0 or 1. */
async function extractHalf(half: 0 | 1): Promise<Extraction[]> {
  const extractions: Extraction[] = [];
  for (const each of EXTRACTION_CASES.filter((_, index) => index % 2 === half)) {
    const patterns = (await findProcedures(each.text)).filter(({ confidence }) => confidence >= THRESHOLD);
    const isOf = (pattern: Pattern, expected: ExtractionCase["procedures"][number]) =>
      pattern.trigger.toLowerCase().includes(expected.when) && pattern.action.toLowerCase().includes(expected.do);
    const right = patterns.filter((pattern) => each.procedures.some((expected) => isOf(pattern, expected)));
    const missed = each.procedures.filter((expected) => !patterns.some((pattern) => isOf(pattern, expected)));
    extractions.push({ case: each, right, wrong: patterns.filter((pattern) => !right.includes(pattern)), missed });
  }
  return extractions;
}

/** Measures precision and recall on the texts that no rule was tuned on. */
export async function measureExtraction(): Promise<Figure[]> {
  const extractions = await extractHalf(1);
  const count = (list: "right" | "wrong" | "missed") => extractions.reduce((sum, each) => sum + each[list].length, 0);
  const expected = extractions.reduce((sum, each) => sum + each.case.procedures.length, 0);
  const found = count("right") + count("wrong");
  return [
    {
      what: "POST /skills/extract by rule: precision",
      value: (100 * count("right")) / found,
      unit: "%",
      from: `${count("right")} of ${found}`,
      limit: { atLeast: MIN_PRECISION },
    },
    {
      what: "POST /skills/extract by rule: recall",
      value: (100 * (expected - count("missed"))) / expected,
      unit: "%",
      from: `${expected - count("missed")} of ${expected}`,
      limit: { atLeast: MIN_RECALL },
    },
  ];
}
