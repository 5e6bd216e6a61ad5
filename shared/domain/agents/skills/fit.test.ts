import { expect, it } from "vitest";
import { DEFAULT_THRESHOLD } from "./finding.ts";
import { fitOf } from "./fit.ts";

it.each([{ isLexical: true as const }, {}])("increases with similarity in meaning and in words: %j", (embedder) => {
  const fit = (meaning: number, keywordScore: number) => fitOf(embedder, { meaning, keywordScore });
  expect(fit(0.5, 0.2)).toBeGreaterThan(fit(0.4, 0.2));
  expect(fit(0.5, 0.3)).toBeGreaterThan(fit(0.5, 0.2));
  expect(fit(1, 1)).toBeGreaterThan(DEFAULT_THRESHOLD);
  expect(fit(0, 0)).toBeLessThan(DEFAULT_THRESHOLD);
});
