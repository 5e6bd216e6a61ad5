import { sha256 } from "../../kernel/digest.ts";
import { derivedId } from "../../kernel/ids.ts";
import { analyse } from "../../kernel/text/text.ts";
import { secretsNamedIn, secretsWithin, type TakenSecret } from "../../language/secrets/redact.ts";
import { isUserRole, type Message, USER_ROLE } from "../../language/statements/said-by.ts";
import type { ExtractedFact, Omission, OmissionReason } from "../../language/statements/schemas.ts";
import type { Span } from "../../language/statements/spans.ts";
import { speakerName, THE_ASSISTANT } from "../../language/statements/speakers.ts";
import type { ReadingGuidelines } from "../../language/statements/tasks.ts";
import { sentenceSegments } from "../../language/words/segments.ts";
import type { Context } from "../../runtime/context.ts";
import { type CreateOptions, createMemory, type MemoryDraft, recordRepetition } from "./create.ts";
import { cutReading, type Extraction, type PieceReading, readsByModel } from "./extraction.ts";
import { pick } from "./facts/decisions.ts";
import { type ConversationGuidelines, reasonsBy } from "./guidelines.ts";
import type { Origin } from "./memory.ts";
import { type FactRelation, type MemoryResult, type ResultsOf, toMemoryResult } from "./memory-results.ts";
import { countReading } from "./metrics.ts";
import { countingFor, extractBy, isReadByRules, loadProcessingSettings, readMessage } from "./understand.ts";

export type { Omission as LeftOut } from "../../language/statements/schemas.ts";

export interface SpokenMessage extends Message {
  /** ISO 8601; when it was said, if not at the conversation's time. */
  occurred_at?: string;
  /** What the placeholders of its content stand for. */
  secrets?: TakenSecret[];
}

/** Messages with the properties of their memories. */
export interface Conversation {
  messages: SpokenMessage[];
  /** Preceding messages as context; no memories are extracted from them. */
  before?: SpokenMessage[];
  draft: Omit<MemoryDraft, "content" | "id" | "options" | keyof Origin>;
  /** Categories with descriptions; memories get the ones that fit. */
  custom_categories?: { [name: string]: string };
  /** Instructions for a model that extracts. */
  wishes?: ConversationGuidelines;
}

const FACT_FIELDS = [
  "content",
  "category",
  "categories",
  "said_by",
  "relation",
  "related_memory_id",
  "quote",
  "drafts",
] as const;

/** A model's statement, which becomes a memory. */
export type Fact = Pick<ExtractedFact, (typeof FACT_FIELDS)[number]>;

/** A piece of a message, which becomes a memory: the index of its message, what was read, and when it was said. */
export type FoundPiece = PieceReading & { turn: number; said_at: string };

/** The result of reading a part: pieces or a model's facts, or its messages unchanged if extraction is off. */
export type Found = (Fact | FoundPiece)[] | "messages";

/** The statement-specific fields of a memory; the others come from the conversation. */
type Statement = Pick<
  MemoryDraft,
  | "content"
  | "type"
  | "category"
  | "categories"
  | "occurred_at"
  | "speaker"
  | "in_reply_to"
  | "quote"
  | "reading"
  | "drafts"
  | "sent"
> &
  FactRelation & {
    /** The piece of the same message before it. */
    previous?: Pick<MemoryDraft, "content" | "in_reply_to" | "sent">;
    /** The speaker's role: nobody else's words may be attributed to the user. */
    role: string;
  };

/** Messages with this role contain instructions and no statements. */
const SYSTEM = "system";
/** Maximum characters read together, at least one message: one reading finds at most 60 facts. */
export const PART_LENGTH = 2500;

/** Splits a conversation into parts that are read one at a time, deterministically. */
export function partsOf(conversation: Conversation): SpokenMessage[][] {
  const parts: SpokenMessage[][] = [];
  let length = PART_LENGTH;
  for (const message of conversation.messages.filter(isDialogue)) {
    const messageLength = message.content.length;
    if (length + messageLength > PART_LENGTH) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(message);
    length += messageLength;
  }
  return parts;
}

function isDialogue({ role }: Message): boolean {
  return role !== SYSTEM;
}

/** The preceding messages that are context for the rules, and how much of each: its end has the question. */
const CONTEXT_MESSAGES = 1;
export const CONTEXT_CHARACTERS = 1_000;

/**
 * Reads a part of a conversation: the rules read each message by itself, a model reads all together. Relative times
 * count from the message's time, else the conversation's, else from `said_at` (ISO 8601).
 */
export async function readPart(
  ctx: Context,
  conversation: Conversation,
  part: SpokenMessage[],
  said_at: string,
): Promise<{ found: Found; leftOut: Omission[] }> {
  if (await isReadByRules(ctx)) return readMessages(ctx, conversation, part, said_at);
  const { before = [], draft, wishes: guidelines, custom_categories } = conversation;
  const text = {
    ...textOf(ctx, draft, said_at),
    content: part.map(({ content }) => content).join("\n"),
    before: before.filter(isDialogue),
    messages: part,
    guidelines: readingGuidelines(guidelines, custom_categories),
  };
  const settings = await loadProcessingSettings(ctx);
  const extraction = await extractBy(ctx, settings, text, { extract_entities: false });
  countReading(countingFor(ctx, settings), extraction);
  if (extraction.iterations === 0) return { found: "messages", leftOut: [] };
  if (extraction.fallback) return readMessages(ctx, conversation, part, said_at);
  // What a model that quotes leaves out keeps its words, but states nothing.
  const unread = readsByModel(extraction) ? { drafts: [] } : {};
  const uncovered = extraction.uncovered.map((fact) => ({ ...fact, ...unread }));
  const { facts, leftOut } = applyGuidelinesByRule({ ...extraction, uncovered }, guidelines);
  return {
    found: facts.map((fact) => pick(fact, FACT_FIELDS) as Fact),
    leftOut: [...extraction.omitted, ...leftOut],
  };
}

/** Returns what all texts of a conversation have in common. */
function textOf(ctx: Context, { user_id, metadata = {}, occurred_at }: Conversation["draft"], stored_at: string) {
  return { user_id, agent_id: ctx.viewer, created_by: ctx.principal.id, metadata, occurred_at, stored_at };
}

/** Reads each message by rule, as if it were stored whole, with the preceding one as context. */
async function readMessages(
  ctx: Context,
  { messages, before = [], draft, wishes }: Conversation,
  part: SpokenMessage[],
  stored_at: string,
): Promise<{ found: Found; leftOut: Omission[] }> {
  const said = [...before, ...messages].filter(isDialogue);
  const found: FoundPiece[] = [];
  const leftOut: Omission[] = [];
  const reasonFor = wishes && reasonsBy(wishes, "all");
  for (const [turn, message] of part.entries()) {
    const index = said.indexOf(message);
    const { content, occurred_at = draft.occurred_at } = message;
    const text = {
      ...textOf(ctx, { ...draft, occurred_at }, stored_at),
      ...speakerField(message),
      content,
      before: said.slice(Math.max(0, index - CONTEXT_MESSAGES), Math.max(0, index)).map(endOf),
    };
    const { pieces, omitted, iterations, said_at } = await readMessage(ctx, text);
    if (iterations === 0) return { found: "messages", leftOut: [] };
    leftOut.push(...omitted);
    const isOfAssistant = speakerName(message.role) === THE_ASSISTANT;
    for (const piece of pieces) {
      const own = content.slice(piece.start, piece.end);
      const { ranges, unwanted } = wantedIn(own, (sentence) => reasonFor?.(sentence, isOfAssistant));
      leftOut.push(...unwanted);
      found.push(...ranges.map((range) => ({ ...cutReading(piece, own, range), turn, said_at })));
    }
  }
  return { found, leftOut };
}

/** Returns the ranges of a text between the sentences to leave out, and these sentences with their reasons. */
function wantedIn(content: string, reasonFor: (sentence: string) => OmissionReason | undefined) {
  const ranges: Span[] = [];
  const unwanted: Omission[] = [];
  let isContinued = false;
  for (const { segment, index } of sentenceSegments(content)) {
    const reason = reasonFor(segment);
    const end = index + segment.trimEnd().length;
    const last = ranges.at(-1);
    if (reason !== undefined) unwanted.push({ text: segment.trim(), reason });
    else if (isContinued && last) last.end = end;
    else ranges.push({ start: index, end });
    isContinued = reason === undefined;
  }
  return { ranges, unwanted };
}

/** Returns a message with only its end, which has the question that the next one answers. */
function endOf(message: SpokenMessage): SpokenMessage {
  return { ...message, content: message.content.slice(-CONTEXT_CHARACTERS).toWellFormed() };
}

/** Returns the field for the speaker of a message, if it is not the user. */
function speakerField({ role, speaker = isUserRole(role) ? undefined : role }: Message): Pick<Message, "speaker"> {
  return speaker === undefined ? {} : { speaker };
}

/** Returns the instructions for a model, or undefined if there are none. */
function readingGuidelines(
  guidelines: ConversationGuidelines | undefined,
  categories: Conversation["custom_categories"],
): ReadingGuidelines | undefined {
  if (guidelines === undefined) return undefined;
  const { own, assistants } = guidelines;
  const all = { ...own, assistant_instructions: assistants.instructions, categories };
  return Object.values(all).some((value) => value) ? all : undefined;
}

/** Applies the instructions by rule to the statements that a model left out. */
function applyGuidelinesByRule({ facts, uncovered }: Extraction, guidelines?: ConversationGuidelines) {
  const leftOut: Omission[] = [];
  if (guidelines === undefined) return { facts: [...facts, ...uncovered], leftOut };
  const reasonFor = reasonsBy(guidelines, "all");
  const kept = [...facts];
  for (const fact of uncovered) {
    const isOfAssistant = speakerName(fact.said_by?.role ?? USER_ROLE) === THE_ASSISTANT;
    const reason = reasonFor(fact.content, isOfAssistant);
    if (reason === undefined) kept.push(fact);
    else leftOut.push({ text: fact.content, reason });
  }
  return { facts: kept, leftOut };
}

/** Returns the statements to store of a part that was read. */
export function statementsOf(part: SpokenMessage[], found: Found): Statement[] {
  if (found !== "messages")
    return found.flatMap((each, index) =>
      "turn" in each ? pieceIn(part, each, found[index - 1]) : factIn(part, each),
    );
  return part.flatMap((message) => {
    const { role, content } = message;
    const sent = sentOf(message.secrets);
    return content.trim() === "" ? [] : [{ content, role, ...speakerField(message), ...timeOf(message), ...sent }];
  });
}

function pieceIn(
  part: SpokenMessage[],
  { turn, start, end, in_reply_to, speaker, ...reading }: FoundPiece,
  before: Fact | FoundPiece | undefined,
): Statement[] {
  const message = part[turn];
  if (message === undefined) return [];
  const isOfMessage = before !== undefined && "turn" in before && before.turn === turn;
  const [category] = new Set(reading.facts.map((fact) => fact.category));
  return [
    {
      type: "fact",
      content: message.content.slice(start, end),
      category: reading.facts.length === 1 ? category : undefined,
      role: message.role,
      ...timeOf(message),
      ...speakerField({ ...message, ...(speaker !== undefined && { speaker }) }),
      ...(in_reply_to !== undefined && { in_reply_to }),
      ...(isOfMessage && {
        previous: {
          content: message.content.slice(before.start, before.end),
          in_reply_to: before.in_reply_to,
          ...sentWithin(message, before),
        },
      }),
      ...sentWithin(message, { start, end }),
      reading,
    },
  ];
}

function factIn(part: SpokenMessage[], { said_by, drafts, ...fact }: Fact): Statement {
  const message = part[said_by?.turn ?? 0];
  // With an unknown speaker, not the user if anybody else spoke.
  const role = said_by?.role ?? part.find((other) => !isUserRole(other.role))?.role ?? USER_ROLE;
  const sent = sentOf(message?.secrets && secretsNamedIn(fact.content, message.secrets));
  const span = { start: 0, end: fact.content.length };
  const read = drafts && { drafts: drafts.map((draft) => ({ ...draft, span })) };
  return { type: "fact", role, ...timeOf(message), ...speakerField({ role, content: "" }), ...fact, ...read, ...sent };
}

/** What the placeholders in a part of a message stand for. */
function sentWithin({ secrets }: SpokenMessage, { start, end }: Span): Pick<Statement, "sent"> {
  return sentOf(secrets && secretsWithin(secrets, start, end));
}

function sentOf(secrets: TakenSecret[] | undefined): Pick<Statement, "sent"> {
  return secrets === undefined || secrets.length === 0 ? {} : { sent: { secrets } };
}

function timeOf(message: SpokenMessage | undefined): Pick<SpokenMessage, "occurred_at"> {
  return message?.occurred_at === undefined ? {} : { occurred_at: message.occurred_at };
}

/** Stores each message unchanged. */
export async function rememberMessages(ctx: Context, source: StatementSource): Promise<MemoryResult[]> {
  const remembered: MemoryResult[] = [];
  for (const statement of statementsOf(source.conversation.messages.filter(isDialogue), "messages")) {
    remembered.push(...(await remember(ctx, source, statement)));
  }
  return remembered;
}

/** The source of statements; `name` derives the ids of their memories. */
export interface StatementSource {
  name: string;
  origin: Origin;
  conversation: Conversation;
  resultsOf: ResultsOf;
}

/** Stores a statement without a model call and returns the events; repeated with the same `name`, it stores it once. */
export async function remember(
  ctx: Context,
  { name, origin, conversation: { draft: own, custom_categories }, resultsOf }: StatementSource,
  { content, role, occurred_at = own.occurred_at, relation, related_memory_id, previous, ...statement }: Statement,
  options: Pick<CreateOptions, "skip_duplicates"> = {},
): Promise<MemoryResult[]> {
  const metadata = role === USER_ROLE ? own.metadata : { ...own.metadata, role };
  const draft = { ...statement, ...own, ...origin, ...(occurred_at && { occurred_at }), ...(metadata && { metadata }) };
  const id = idIn(name, { content, in_reply_to: statement.in_reply_to, sent: statement.sent });
  if (relation === "same" && related_memory_id !== undefined) {
    const same = await recordRepetition(ctx, { ...draft, id, content }, related_memory_id);
    if (same) return [toMemoryResult(same, false)];
  }
  const memory = await createMemory(ctx, {
    ...draft,
    ...categorize(content, draft, custom_categories),
    id,
    content,
    ...(previous && { follows: idIn(name, previous) }),
    options: { by_rules: true, ...options },
  });
  const isNew = memory.id === id;
  const [first, ...others] = await resultsOf(ctx, memory, isNew);
  return first === undefined
    ? []
    : [{ ...first, ...(isNew && relation && { relation, related_memory_id }) }, ...others];
}

/** Returns the id of the memory of a statement. */
function idIn(
  name: string,
  { content, in_reply_to, sent }: Pick<MemoryDraft, "content" | "in_reply_to" | "sent">,
): string {
  const secrets = sent?.secrets.map(({ value }) => value) ?? [];
  const said = [name, content, ...(in_reply_to === undefined ? [] : [in_reply_to]), ...secrets];
  return derivedId("memory", sha256(JSON.stringify(said)));
}

/** Returns the draft's categories, else the custom ones that share a word with the content, else the draft's one. */
export function categorize(
  content: string,
  { category, categories }: Pick<MemoryDraft, "category" | "categories">,
  own: { [name: string]: string } | undefined,
): Pick<MemoryDraft, "category" | "categories"> {
  if (categories) return { category: categories[0], categories };
  if (!own) return { category };
  const words = new Set(analyse(content));
  const matching = Object.entries(own).flatMap(([name, purpose]) =>
    analyse(`${name.replaceAll("_", " ")} ${purpose}`).some((word) => words.has(word)) ? [name] : [],
  );
  return matching.length === 0 ? { category } : { category: matching[0], categories: matching };
}
