import { dateOf } from "../../kernel/clock.ts";
import { type ReadText, readTextOf } from "../../language/facts/merged-drafts.ts";
import { namesOf } from "../../language/facts/read-facts.ts";
import { readPassage } from "../../language/statements/passage.ts";
import type { Mention, MessageToRead } from "../../ports/fact-reader.ts";
import type { TextTask } from "../../runtime/text-work/task.ts";
import { rulesWithinTask } from "../models/built-in-model.ts";
import { type Extraction, type ExtractionSettings, extract, type MemoryText } from "./extraction.ts";

/** Extracts facts and entities from a text with the built-in rules. */
export const extractionTask: TextTask<{ text: MemoryText; settings: ExtractionSettings }, Extraction> = {
  name: "extract",
  inlineSize: 2_000,
  run: ({ text, settings }) => extract({ fast: rulesWithinTask, verify: rulesWithinTask }, text, settings),
};

interface Found {
  text: MemoryText;
  message: MessageToRead;
  mentions: Mention[];
  /** The least confidence of a fact. */
  least: number;
}

/** Turns what a model found in a text into draft facts and instructions. */
export const mentionsTask: TextTask<Found, ReadText> = {
  name: "mentions",
  inlineSize: 2_000,
  async run({ text, message, mentions, least }) {
    const passage = await readPassage(text);
    const day = dateOf(passage.anchor?.instant.toISOString() ?? text.stored_at ?? "");
    return readTextOf(mentions, { message, passage, day, userNames: namesOf(text.user_name) }, least);
  },
};
