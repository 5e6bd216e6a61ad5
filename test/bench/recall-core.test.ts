import { expect, test } from "vitest";
import { sized } from "../support/drill.ts";
import { type Conversation, readConversation } from "./locomo.ts";
import { locomoFiles, NO_LOCOMO } from "./locomo-files.ts";
import { measureRecall } from "./recall-core.ts";

const FILES = locomoFiles().slice(0, sized(1, Number.POSITIVE_INFINITY));
/** Share of a conversation's turns. */
const SHARE = sized(0.5, 1);
const MULTI_HOP = 1;
/** At full size it takes minutes, on a slow machine more than five. */
const SLOW = 1_200_000;

/** The first turns of a conversation, and the questions whose evidence they hold. */
function beginningOf({ name, turns, questions }: Conversation): Conversation {
  const first = turns.slice(0, Math.ceil(turns.length * SHARE));
  const ids = new Set(first.map(({ dia_id }) => dia_id));
  return { name, turns: first, questions: questions.filter(({ evidence }) => evidence.every((id) => ids.has(id))) };
}

test(
  "finds the evidence in conversations, and no less of it by spreading activation",
  async ({ skip, annotate }) => {
    if (FILES.length === 0) return skip(NO_LOCOMO);
    const { plain, spreading } = await measureRecall(FILES.map((file) => beginningOf(readConversation(file))));
    for (const [mode, { all, byCategory, questions }] of Object.entries({ plain, spreading })) {
      const categories = [...byCategory].sort().map(([category, recall]) => `${category}: ${recall.toFixed(3)}`);
      await annotate(
        `${mode}: recall@10 ${all.toFixed(3)} of ${questions} questions; by category ${categories.join(", ")}`,
      );
    }
    expect(plain.all).toBeGreaterThanOrEqual(0.73);
    expect(spreading.all).toBeGreaterThanOrEqual(plain.all - 0.01);
    // The first conversation has only 32 such questions.
    expect(spreading.byCategory.get(MULTI_HOP)).toBeGreaterThanOrEqual(sized(0.42, 0.45));
  },
  SLOW,
);
