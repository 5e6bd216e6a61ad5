import { createSlices } from "../../kernel/slices.ts";
import { readPassage } from "../../language/statements/passage.ts";
import { loadTagger } from "../../language/statements/tagging.ts";
import { OwnVoice } from "../../language/statements/voice/voices.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import { compressionTask } from "../compression/text-tasks.ts";
import { DEFAULT_EXTRACTION_SETTINGS } from "./extraction.ts";
import { extractionTask } from "./text-tasks.ts";

/** Statements of most kinds that the rules read. */
const SAMPLES = [
  "My sister Anna moved to Lisbon in May 2023 and works at Siemens now; I like green tea.",
  "I am allergic to peanuts. My dentist is Dr. Miller in Boston, and I don't eat meat anymore!",
];

/**
 * Reads sample texts step by step, with pauses for requests in between: the first write of a process would otherwise
 * load the lexicon and the vocabulary, and compile the patterns, in one turn that everybody waits for.
 */
export async function warmUp(): Promise<void> {
  const pause = createSlices({ sliceMs: 0, inBackground: true, org: undefined });
  const steps = [
    loadTagger,
    loadTokenCounter,
    // Patterns are compiled at their first use, and better at their second.
    ...SAMPLES.flatMap((content) => [
      () => new OwnVoice(content),
      () => readPassage({ content }),
      () => extractionTask.run({ text: { content }, settings: DEFAULT_EXTRACTION_SETTINGS }),
      () => compressionTask.run({ text: content, options: {} }),
    ]),
  ];
  for (const step of steps) {
    await step();
    await pause();
  }
}
