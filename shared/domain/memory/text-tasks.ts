import type { TextTask } from "../../runtime/text-work/task.ts";
import { rulesWithinTask } from "../models/built-in-model.ts";
import { type Extraction, type ExtractionSettings, extract, type MemoryText } from "./extraction.ts";

/** Extracts facts and entities from a text with the built-in rules. */
export const extractionTask: TextTask<{ text: MemoryText; settings: ExtractionSettings }, Extraction> = {
  name: "extract",
  inlineSize: 2_000,
  run: ({ text, settings }) => extract({ fast: rulesWithinTask, verify: rulesWithinTask }, text, settings),
};
