import type { TextTask } from "../../runtime/text-work/task.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import type { CompressionOptions } from "../compression/engine.ts";
import { outcomeOf } from "./outcome.ts";
import type { SessionMessage } from "./session.ts";
import { readByRule } from "./state.ts";
import {
  compressAll,
  gistOf,
  keyPointsOf,
  type Segment,
  type SummaryBudget,
  summarize,
  withSegment,
} from "./summary.ts";
import { topicsOf } from "./topics.ts";

/** Inputs up to this many characters run inline. All fields of messages count, not only their content. */
const INLINE_SIZE = 4_000;

interface CompactionInput {
  segments: readonly Segment[];
  messages: SessionMessage[];
  budget: SummaryBudget;
}

/** Adds messages to the summary of a context. */
export const foldMessagesTask: TextTask<CompactionInput, Segment[]> = {
  name: "fold_messages",
  inlineSize: INLINE_SIZE,
  run: async ({ segments, messages, budget }) => {
    const tokens = await loadTokenCounter();
    return withSegment(segments, await summarize(messages, budget.segment, tokens), budget, tokens);
  },
};

interface ContextCompression {
  segments: Segment[];
  messages: SessionMessage[];
  options: CompressionOptions;
  /** Maximum number of tokens of the new segment. */
  most: number;
}

/** Compresses a whole context into one segment. Returns undefined if that saves nothing. */
export const compressContextTask: TextTask<ContextCompression, Segment | undefined> = {
  name: "compress_context",
  inlineSize: INLINE_SIZE,
  run: async ({ segments, messages, options, most }) =>
    compressAll(segments, messages, options, most, await loadTokenCounter()),
};

type StateArguments = Parameters<typeof readByRule>;

/** Reads the state of a conversation with the built-in rules. */
export const readStateByRuleTask: TextTask<
  { previous: StateArguments[0]; messages: StateArguments[1]; before?: StateArguments[2] },
  Awaited<ReturnType<typeof readByRule>>
> = {
  name: "read_state_by_rule",
  inlineSize: INLINE_SIZE,
  run: ({ previous, messages, before }) => readByRule(previous, messages, before),
};

/** Summarizes the newest messages of a short session. */
export const gistTask: TextTask<{ messages: SessionMessage[]; context_window: number }, Segment | undefined> = {
  name: "session_gist",
  inlineSize: INLINE_SIZE,
  run: async ({ messages, context_window }) => gistOf(messages, context_window, await loadTokenCounter()),
};

/** A topic must occur in this many messages, because a single message may mention something by chance. */
const MIN_TOPIC_MESSAGES = 2;

interface OutlineRequest {
  messages: SessionMessage[];
  /** Maximum number of topics. */
  topics: number;
  /** Maximum number of key points. */
  points: number;
}

/** Returns the topics and key points of messages, most important first, and what they settle at their end. */
export const outlineTask: TextTask<OutlineRequest, { topics: string[]; points: string[]; outcome: string[] }> = {
  name: "session_outline",
  inlineSize: INLINE_SIZE,
  run: async ({ messages, topics, points }) => ({
    topics: (await topicsOf(messages, { most: topics, messages: MIN_TOPIC_MESSAGES })).map(({ name }) => name),
    points: (await keyPointsOf(messages, points, await loadTokenCounter())).map(({ text }) => text),
    outcome: await outcomeOf(messages),
  }),
};
