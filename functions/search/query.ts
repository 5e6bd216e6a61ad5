import type { Query } from "../../shared/language/questions/query.ts";
import { readPassage } from "../../shared/language/statements/passage.ts";
import { readingTask } from "../../shared/language/statements/tasks.ts";

/** The intent of a question by its first words; other queries are about a topic. */
const INTENTS: [RegExp, string][] = [
  [/^how (many|much|often|long)\b/i, "quantity"],
  [/^(when|what (day|date|time|year|month))\b/i, "time"],
  [/^(where|(what|which) (place|city|country))\b/i, "place"],
  [/^(who|whom|whose)\b/i, "person"],
  [/^why\b/i, "reason"],
  [/^how\b/i, "manner"],
  [/^(is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i, "confirmation"],
  [/^(what|which)\b/i, "description"],
];

/** The analysis of a query, by rule: its stemmed content words, as keyword search sees them, its entities and intent. */
export async function analyseQuery({ text, termList }: Query) {
  const passage = await readPassage({ content: text });
  const reading = { passage, focus: passage.sentences, known: [], attempt: 1, related: [], facts: [] };
  const { entities } = await readingTask.builtIn(reading);
  const semantic_intent = INTENTS.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? "topic";
  return { tokens: [...termList], entities: entities.map(({ name, type }) => ({ name, type })), semantic_intent };
}
