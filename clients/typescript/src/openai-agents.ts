import type * as api from "./api.ts";
import type { MemoryClient } from "./client.ts";
import { ConflictError } from "./errors.ts";

export interface AgentsSessionOptions {
  client: Pick<MemoryClient, "sessions">;
  /** Id of a session of the service; see `createAgentsSession`. */
  sessionId: string;
}

/** Key of this adapter's data in the metadata of sessions and messages. */
const KEY = "openai_agents_js";
/** Stands for the content of the message in the JSON of its item. */
const CONTENT = "\0content";
const MAX_METADATA_BYTES = 16 * 1024;
/** Maximum offset of messages in the service. */
const MAX_OFFSET = 10_000;
const PAGE = 200;
/** Maximum attempts of a change that conflicts with others. */
const ATTEMPTS = 5;

type Message = api.ListMessagesAnswer["messages"][number];
type NewMessage = api.AppendMessageBody;
/** Start (inclusive) and end (exclusive) position. */
type Range = [start: number, end: number];

/** Creates a session in the service, and returns it as a `Session` of `@openai/agents`. */
export async function createAgentsSession<Item extends object>(
  client: MemoryClient,
  session: api.CreateSessionBody,
): Promise<AgentsSession<Item>> {
  const { id } = await client.sessions.create(session);
  return new AgentsSession<Item>({ client, sessionId: id });
}

/**
 * A `Session` of `@openai/agents`, whose items are messages of a session of the service. Messages of the user and the
 * assistant become memories of the user, according to the session's `config.memory`. The service keeps all messages:
 * popped or cleared items stay in its record, and memories made from them remain.
 */
export class AgentsSession<Item extends object> {
  readonly #sessions: MemoryClient["sessions"];
  readonly #id: string;

  constructor({ client, sessionId }: AgentsSessionOptions) {
    this.#sessions = client.sessions;
    this.#id = sessionId;
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  /** Returns the items in order; with a limit, only the last ones. */
  async getItems(limit?: number): Promise<Item[]> {
    const ranges = keptIn(await this.#sessions.get(this.#id));
    return this.#read(limit === undefined ? ranges : lastOf(ranges, limit));
  }

  async addItems(items: Item[]): Promise<void> {
    for (const item of items) await this.#sessions.append(this.#id, messageOf(item));
  }

  async popItem(): Promise<Item | undefined> {
    return this.#change(async (session) => {
      const [newest] = lastOf(keptIn(session), 1);
      if (newest === undefined) return undefined;
      const [item] = await this.#read([newest]);
      // Everything behind the last item that is left was removed before.
      await this.#remove(session, [...removedOf(session), [newest[0], session.message_count]]);
      return item;
    });
  }

  async clearSession(): Promise<void> {
    await this.#change(async (session) => {
      if (keptIn(session).length > 0) await this.#remove(session, [[0, session.message_count]]);
    });
  }

  async #read(ranges: Range[]): Promise<Item[]> {
    const [first, last] = [ranges[0]?.[0], ranges.at(-1)?.[1]];
    if (first === undefined || last === undefined) return [];
    const items: Item[] = [];
    let position = Math.min(first, MAX_OFFSET);
    for await (const message of this.#sessions.messages(this.#id, { offset: position, limit: PAGE })) {
      if (ranges.some(([start, end]) => start <= position && position < end)) items.push(itemOf<Item>(message));
      position += 1;
      if (position >= last) break;
    }
    return items;
  }

  /** Makes a change, and starts it again if the session was changed at the same time. */
  async #change<Result>(change: (session: api.ReadSessionAnswer) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await change(await this.#sessions.get(this.#id));
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #remove({ version }: api.ReadSessionAnswer, removed: Range[]): Promise<void> {
    const metadata = { [KEY]: { removed: joined(removed) } };
    await this.#sessions.update(this.#id, { metadata }, { ifVersion: version });
  }
}

/**
 * Returns the message of an item. Its text is the content, so that it becomes a memory, and the rest is JSON in the
 * metadata; what is too long for these is JSON in the content.
 */
function messageOf(item: object): NewMessage {
  const { role, content, output } = item as { role?: unknown; content?: unknown; output?: unknown };
  const text = [content, output].map(textIn).find((each) => each.trim() !== "") ?? "";
  const isSpoken = role === "user" || role === "assistant";
  const json = JSON.stringify(item, (_name, value) => (value === text && text !== "" ? CONTENT : value));
  const metadata = { [KEY]: { json } };
  if (new TextEncoder().encode(JSON.stringify(metadata)).length <= MAX_METADATA_BYTES) {
    return { role: isSpoken ? role : "system", content: text || String(Object(item).type ?? "item"), metadata };
  }
  return { role: "system", content: JSON.stringify(item), metadata: { [KEY]: {} } };
}

/** A message that this adapter did not write becomes an item with its role and content. */
function itemOf<Item extends object>({ role, content, metadata }: Message): Item {
  const stored: { json?: string } | undefined = Object(metadata)[KEY];
  if (stored === undefined) return { role, content } as Item;
  return JSON.parse(stored.json ?? content, (_name, value) => (value === CONTENT ? content : value));
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: { text?: unknown }[] = Array.isArray(content) ? content : [Object(content)];
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
}

function removedOf({ metadata }: api.ReadSessionAnswer): Range[] {
  return Object(Object(metadata)[KEY]).removed ?? [];
}

/** The ranges of positions that are not removed. */
function keptIn(session: api.ReadSessionAnswer): Range[] {
  const kept: Range[] = [];
  let start = 0;
  for (const [first, end] of [...joined(removedOf(session)), [session.message_count, session.message_count] as Range]) {
    if (start < first) kept.push([start, first]);
    start = end;
  }
  return kept;
}

/** Ranges in their order, without overlaps. */
function joined(ranges: Range[]): Range[] {
  const all: Range[] = [];
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = all.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** The ranges of the last positions in the given ranges. */
function lastOf(ranges: Range[], limit: number): Range[] {
  const chosen: Range[] = [];
  let left = limit;
  for (const [start, end] of ranges.toReversed()) {
    if (left <= 0) break;
    chosen.unshift([Math.max(start, end - left), end]);
    left -= end - start;
  }
  return chosen;
}
