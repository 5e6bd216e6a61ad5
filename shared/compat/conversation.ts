import { createHash } from "node:crypto";
import { timestamp } from "../kernel/clock.ts";
import { derivedId } from "../kernel/ids.ts";
import { type CreateOptions, createMemory, type MemoryDraft } from "../memory/create.ts";
import { extractBy, readSteering } from "../memory/understand.ts";
import type { Context } from "../platform/context.ts";
import { analyse } from "../retrieval/text.ts";
import { type Remembered, toRemembered } from "./results.ts";

export interface SpokenMessage {
  role: string;
  content: string;
}

/** Something that was said, and what its memories are to have. */
export interface Conversation {
  messages: SpokenMessage[];
  draft: Omit<MemoryDraft, "id" | "content" | "options">;
  /** Categories by their names, with what they are for: memories get those that fit. */
  custom_categories?: { [name: string]: string };
}

/** A conversation's role that gives orders and tells nothing. */
const SYSTEM = "system";

/**
 * Stores what is worth remembering of a conversation, a memory a fact, none that is known already. Where no facts are
 * extracted by the deployment's settings, each message is stored as it is. May be repeated under the same `name`: what
 * is stored already stays the only one.
 */
export async function rememberFacts(ctx: Context, name: string, conversation: Conversation): Promise<Remembered[]> {
  const messages = conversation.messages.filter(({ role }) => role !== SYSTEM);
  const steering = await readSteering(ctx);
  const { user_id, metadata = {}, created_at } = conversation.draft;
  const occurred_at = created_at ?? timestamp(ctx.clock());
  const remembered: Remembered[] = [];
  for (const part of partsOf(messages)) {
    const content = part.map(toTurn).join("\n");
    const text = { content, user_id, agent_id: ctx.viewer, metadata, occurred_at };
    const { facts, iterations } = await extractBy(ctx, steering, text, { extract_entities: false });
    if (iterations === 0) return rememberMessages(ctx, name, conversation, { skip_duplicates: true });
    for (const fact of facts) {
      const draft = { type: "fact", category: fact.category, ...conversation.draft };
      const options = { extract_facts: false, skip_duplicates: true };
      remembered.push(await remember(ctx, name, { ...conversation, draft }, fact.content, options));
    }
  }
  return remembered;
}

/** Characters that are read together, a message at least: one reading finds 60 facts at most. */
const PART_LENGTH = 2500;

function partsOf(messages: SpokenMessage[]): SpokenMessage[][] {
  const parts: SpokenMessage[][] = [];
  let length = PART_LENGTH;
  for (const message of messages) {
    const own = toTurn(message).length;
    if (length + own > PART_LENGTH) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(message);
    length += own;
  }
  return parts;
}

function toTurn({ role, content }: SpokenMessage): string {
  return `${role}: ${content}`;
}

/** Stores each message as it is. */
export async function rememberMessages(
  ctx: Context,
  name: string,
  conversation: Conversation,
  options: CreateOptions = {},
): Promise<Remembered[]> {
  const remembered: Remembered[] = [];
  for (const { role, content } of conversation.messages) {
    if (role === SYSTEM || content.trim() === "") continue;
    remembered.push(await remember(ctx, name, conversation, content, { extract_facts: false, ...options }));
  }
  return remembered;
}

async function remember(
  ctx: Context,
  name: string,
  { draft, custom_categories }: Conversation,
  content: string,
  options: CreateOptions,
): Promise<Remembered> {
  const id = derivedId(
    "memory",
    createHash("sha256")
      .update(JSON.stringify([name, content]))
      .digest("hex"),
  );
  const memory = await createMemory(ctx, {
    ...draft,
    ...categorize(content, draft, custom_categories),
    id,
    content,
    options,
  });
  return toRemembered(memory, memory.id === id);
}

/** The categories that a draft names, or those of one's own whose name or purpose shares a word with the content. */
export function categorize(
  content: string,
  { category, categories }: Pick<MemoryDraft, "category" | "categories">,
  own: { [name: string]: string } | undefined,
): Pick<MemoryDraft, "category" | "categories"> {
  if (categories) return { category: categories[0], categories };
  if (!own) return { category };
  const words = new Set(analyse(content));
  const fitting = Object.entries(own).flatMap(([name, purpose]) =>
    analyse(`${name.replaceAll("_", " ")} ${purpose}`).some((word) => words.has(word)) ? [name] : [],
  );
  return fitting.length === 0 ? { category } : { category: fitting[0], categories: fitting };
}
