import { rulesWithinTask } from "../models/built-in-model.ts";
import type { TextTask } from "../text-work/task.ts";
import { type Extraction, type ExtractionSettings, extract, type MemoryText } from "./extraction.ts";

/** Reads facts and entities out of a text by the built-in rules. */
export const extractionTask: TextTask<{ text: MemoryText; settings: ExtractionSettings }, Extraction> = {
  name: "extract",
  inlineSize: 2_000,
  run: ({ text, settings }) => extract({ fast: rulesWithinTask, verify: rulesWithinTask }, text, settings),
};
