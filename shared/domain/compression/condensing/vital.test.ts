import { expect, it } from "vitest";
import { compress } from "../engine.ts";

/** Each sentence stands among others that leave room to save; the words must stay together in one sentence. */
const SENTENCES: [string, string[]][] = [
  ["The trip to the lagoon is out, because Priya gets seasick.", ["lagoon", "out", "seasick"]],
  ["Ravi no longer works at the mill.", ["Ravi", "no longer", "mill"]],
  ["Never serve walnuts to Odile, she is allergic.", ["Never", "walnuts", "allergic"]],
  ["Take the drops only if the fever is over 39 degrees.", ["only if", "over 39"]],
  ["The picnic is off unless it stops raining.", ["off", "unless"]],
  ["The deposit of 850 euros is due before 3 May.", ["850", "before 3 May"]],
  ["Der Umzug am 14. Oktober ist abgesagt.", ["14. Oktober", "abgesagt"]],
  ["Le médecin dit qu'il ne faut pas d'aspirine.", ["ne", "pas", "aspirine"]],
];
const FILLING = [
  "Thanks a lot, that sounds really lovely to me and to all of the others as well.",
  "I was just going to say that it is so nice to hear from you again after the summer.",
  "Well, we will see what it is like when we get there, I suppose.",
];

it.each(SENTENCES)("keeps vital words: %s", async (sentence, kept) => {
  const text = [...FILLING, sentence, ...FILLING].join("\n");
  for (const mode of ["extract", "balanced", "aggressive"] as const) {
    const { content, compressed_tokens, original_tokens } = await compress(text, { mode });
    expect(compressed_tokens).toBeLessThan(original_tokens);
    const line = content.split("\n").find((each) => kept.every((words) => each.includes(words)));
    expect(line, `${mode}: ${content}`).toBeDefined();
  }
});
