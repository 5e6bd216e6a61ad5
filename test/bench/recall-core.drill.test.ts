import { expect, test } from "vitest";
import { readConversation } from "./locomo.ts";
import { locomoFiles, NO_LOCOMO } from "./locomo-files.ts";
import { measureRecall } from "./recall-core.ts";

/** The first conversations, whose questions are half of all; `npm run bench:recall` asks those of every one. */
const FILES = locomoFiles().slice(0, 3);
const MULTI_HOP = 1;
/** It takes minutes, on a slow machine more than five. */
const SLOW = 1_200_000;

test(
  "finds the evidence in conversations, and no less of it by spreading activation",
  async ({ skip, annotate }) => {
    if (FILES.length === 0) return skip(NO_LOCOMO);
    const { plain, spreading } = await measureRecall(FILES.map(readConversation));
    for (const [mode, { all, byCategory, questions }] of Object.entries({ plain, spreading })) {
      const categories = [...byCategory].sort().map(([category, recall]) => `${category}: ${recall.toFixed(3)}`);
      await annotate(
        `${mode}: recall@10 ${all.toFixed(3)} of ${questions} questions; by category ${categories.join(", ")}`,
      );
    }
    expect(plain.all).toBeGreaterThanOrEqual(0.74);
    expect(spreading.all).toBeGreaterThanOrEqual(plain.all - 0.01);
    expect(spreading.byCategory.get(MULTI_HOP)).toBeGreaterThanOrEqual(0.46);
  },
  SLOW,
);
