import { sha256 } from "../../kernel/digest.ts";
import { derivedId } from "../../kernel/ids.ts";
import { analyse } from "../../kernel/text/text.ts";
import type { Context } from "../../runtime/context.ts";
import { type CreateOptions, createMemory, type MemoryDraft, recordRepetition } from "./create.ts";
import { isUserRole, type Turn, USER_ROLE } from "./extraction/said-by.ts";
import type { ExtractedFact, Omission } from "./extraction/schemas.ts";
import { speakerName, THE_ASSISTANT } from "./extraction/speakers.ts";
import type { ReadingGuidelines } from "./extraction/tasks.ts";
import type { Extraction } from "./extraction.ts";
import { pick } from "./facts/decisions.ts";
import { type ConversationGuidelines, reasonsBy } from "./guidelines.ts";
import { type FactRelation, type MemoryResult, type ResultsOf, toMemoryResult } from "./memory-results.ts";
import { countReading } from "./metrics.ts";
import { countingFor, extractBy, loadProcessingSettings } from "./understand.ts";

export type { Omission as LeftOut } from "./extraction/schemas.ts";

export interface SpokenMessage {
  role: string;
  content: string;
  /** ISO 8601; when it was said, if not at the conversation's time. */
  occurred_at?: string;
}

/** Messages with the properties of their memories. */
export interface Conversation {
  messages: SpokenMessage[];
  /** Preceding messages as context; no memories are extracted from them. */
  before?: SpokenMessage[];
  draft: Omit<MemoryDraft, "id" | "content" | "options">;
  /** Categories with descriptions; memories get the ones that fit. */
  custom_categories?: { [name: string]: string };
  /** Instructions for a model that extracts. */
  wishes?: ConversationGuidelines;
}

const FACT_FIELDS = ["content", "category", "categories", "said_by", "relation", "related_memory_id"] as const;

/** A statement of a conversation that becomes a memory. */
export type Fact = Pick<ExtractedFact, (typeof FACT_FIELDS)[number]>;

/** The result of reading a part: facts, or its messages unchanged if extraction is off. */
export type Found = Fact[] | "messages";

/** The statement-specific fields of a memory; the others come from the conversation. */
type Statement = Pick<MemoryDraft, "content" | "type" | "category" | "categories" | "occurred_at"> &
  FactRelation & {
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
    const messageLength = toTurn(message).length;
    if (length + messageLength > PART_LENGTH) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(message);
    length += messageLength;
  }
  return parts;
}

function isDialogue({ role }: SpokenMessage): boolean {
  return role !== SYSTEM;
}

/** Returns a message as a turn of a text: its role and its content. */
export function toTurn({ role, content }: SpokenMessage): string {
  return `${role}: ${content}`;
}

/** Returns the role of a message's speaker, and the number of lines that `toTurn` makes. */
export function linesOf(message: SpokenMessage): Turn {
  return { role: message.role, lines: toTurn(message).split("\n").length };
}

/** Reads a part into statements. Relative times count from the conversation's time, else from `said_at` (ISO 8601). */
export async function readPart(
  ctx: Context,
  { before = [], draft, wishes: guidelines, custom_categories }: Conversation,
  part: SpokenMessage[],
  said_at: string,
): Promise<{ found: Found; leftOut: Omission[] }> {
  const { user_id, metadata = {}, occurred_at } = draft;
  const content = part.map(toTurn).join("\n");
  const created_by = ctx.principal.id;
  const dialogueBefore = before.filter(isDialogue);
  const text = {
    ...{ content, user_id, agent_id: ctx.viewer, created_by, metadata, occurred_at, stored_at: said_at },
    context: dialogueBefore.map(toTurn).join("\n"),
    turns: { content: part.map(linesOf), context: dialogueBefore.map(linesOf) },
    guidelines: readingGuidelines(guidelines, custom_categories),
  };
  const settings = await loadProcessingSettings(ctx);
  const extraction = await extractBy(ctx, settings, text, { extract_entities: false });
  countReading(countingFor(ctx, settings), extraction);
  if (extraction.iterations === 0) return { found: "messages", leftOut: [] };
  const { facts, leftOut } = applyGuidelinesByRule(extraction, guidelines);
  return {
    found: facts.map((fact) => pick(fact, FACT_FIELDS) as Fact),
    leftOut: [...extraction.omitted, ...leftOut],
  };
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

/** Applies the instructions by rule if the rules replaced a model. */
function applyGuidelinesByRule({ facts, uncovered, fallback }: Extraction, guidelines?: ConversationGuidelines) {
  const leftOut: Omission[] = [];
  if (guidelines === undefined) return { facts: [...facts, ...uncovered], leftOut };
  const reasonFor = reasonsBy(guidelines, "all");
  const kept = fallback ? [] : facts;
  for (const fact of fallback ? [...facts, ...uncovered] : uncovered) {
    const isOfAssistant = speakerName(fact.said_by?.role ?? USER_ROLE) === THE_ASSISTANT;
    const reason = reasonFor(fact.content, isOfAssistant);
    if (reason === undefined) kept.push(fact);
    else leftOut.push({ text: fact.content, reason });
  }
  return { facts: kept, leftOut };
}

/** Returns the statements to store of a part that was read. */
export function statementsOf(part: SpokenMessage[], found: Found): Statement[] {
  if (found !== "messages") {
    return found.map(({ said_by, ...fact }) => ({
      type: "fact",
      // With an unknown speaker, not the user if anybody else spoke.
      role: said_by?.role ?? part.find(({ role }) => !isUserRole(role))?.role ?? USER_ROLE,
      ...timeOf(part[said_by?.turn ?? 0]),
      ...fact,
    }));
  }
  return part.flatMap((message) => {
    const { role, content } = message;
    return content.trim() === "" ? [] : [{ content, role, ...timeOf(message) }];
  });
}

function timeOf(message: SpokenMessage | undefined): Pick<SpokenMessage, "occurred_at"> {
  return message?.occurred_at === undefined ? {} : { occurred_at: message.occurred_at };
}

/** Stores each message unchanged. */
export async function rememberMessages(ctx: Context, name: string, conversation: Conversation, resultsOf: ResultsOf) {
  const remembered: MemoryResult[] = [];
  for (const statement of statementsOf(conversation.messages.filter(isDialogue), "messages")) {
    remembered.push(...(await remember(ctx, { name, conversation, resultsOf }, statement)));
  }
  return remembered;
}

/** The source of statements; `name` derives the ids of their memories. */
export interface StatementSource {
  name: string;
  conversation: Conversation;
  resultsOf: ResultsOf;
}

/** Stores a statement without a model call and returns the events; repeated with the same `name`, it stores it once. */
export async function remember(
  ctx: Context,
  { name, conversation: { draft: own, custom_categories }, resultsOf }: StatementSource,
  { content, role, occurred_at = own.occurred_at, relation, related_memory_id, ...statement }: Statement,
  options: Pick<CreateOptions, "skip_duplicates"> = {},
): Promise<MemoryResult[]> {
  const metadata = role === USER_ROLE ? own.metadata : { ...own.metadata, role };
  const draft = { ...statement, ...own, ...(occurred_at && { occurred_at }), ...(metadata && { metadata }) };
  const id = derivedId("memory", sha256(JSON.stringify([name, content])));
  if (relation === "same" && related_memory_id !== undefined) {
    const same = await recordRepetition(ctx, { ...draft, id, content }, related_memory_id);
    if (same) return [toMemoryResult(same, false)];
  }
  const memory = await createMemory(ctx, {
    ...draft,
    ...categorize(content, draft, custom_categories),
    id,
    content,
    options: { is_statement: true, by_rules: true, ...options },
  });
  const isNew = memory.id === id;
  const [first, ...others] = await resultsOf(ctx, memory, isNew);
  return first === undefined
    ? []
    : [{ ...first, ...(isNew && relation && { relation, related_memory_id }) }, ...others];
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
