import type { Item } from "@langchain/langgraph-checkpoint";
import type * as api from "./api.ts";

/** A memory as returned by lists and searches of the service. */
export type StoredItem = Pick<
  api.ListAnswer["memories"][number],
  "id" | "content" | "metadata" | "created_at" | "updated_at"
>;

type Value = Item["value"];
type ItemKey = Pick<Item, "namespace" | "key">;

/** The metadata of an item's memory, under the key `langgraph`. */
interface ItemMetadata extends ItemKey {
  /** Digests of the namespace and of all its prefixes, for search filters. */
  prefixes: string[];
  /** Whether searches with a query find the item. */
  indexed: boolean;
  /**
   * The value as JSON, because metadata have their own limits. Does not contain the field whose text is the memory's
   * content.
   */
  value: string;
  text_field?: string;
}

/** Returns the content and metadata of an item's memory. Searches find `texts`, by default all texts in the value. */
export async function toMemory(
  { namespace, key, value }: ItemKey & { value: Value },
  texts: string[] = textsIn(value),
  indexed = true,
): Promise<{ content: string; metadata: Record<string, unknown> }> {
  const text = indexed ? texts.join("\n") : "";
  const hasText = text.trim() !== "" && text.isWellFormed();
  const content = hasText ? text : JSON.stringify(value);
  const text_field = hasText ? Object.keys(value).find((name) => value[name] === text) : undefined;
  const { [text_field ?? ""]: _shown, ...rest } = value;
  const langgraph: ItemMetadata = {
    namespace,
    key,
    prefixes: await Promise.all(namespace.map((_, level) => digestOf(namespace.slice(0, level + 1)))),
    indexed,
    value: JSON.stringify(text_field === undefined ? value : rest),
    ...(text_field !== undefined && { text_field }),
  };
  return { content, metadata: { langgraph } };
}

/** Returns the item of a memory. Throws an Error if no store made the memory. */
export function fromMemory({ id, content, metadata, created_at, updated_at }: StoredItem): Item {
  const { namespace, key, text_field, value: json } = (metadata?.langgraph ?? {}) as Partial<ItemMetadata>;
  const value = parsed(json);
  if (!Array.isArray(namespace) || !namespace.every(isText) || !isText(key) || value === undefined) {
    throw new Error(`The memory ${id} is of this store's category, but was not made by a store.`);
  }
  if (isText(text_field)) value[text_field] = content;
  return { namespace, key, value, createdAt: new Date(created_at), updatedAt: new Date(updated_at) };
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Returns the object that the JSON holds; undefined if it does not hold one. */
function parsed(json: unknown): Value | undefined {
  try {
    const value: unknown = JSON.parse(String(json));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the type of an item's memories, by which lists find them directly. */
export async function typeOf(namespace: string[], key: string): Promise<string> {
  return `item_${await digestOf([namespace, key])}`;
}

/** Returns a metadata filter for all items under a prefix. */
export async function prefixFilter(prefix: string[]): Promise<{ prefixes?: string }> {
  return prefix.length === 0 ? {} : { prefixes: await digestOf(prefix) };
}

export function isUnder(namespace: string[], prefix: string[]): boolean {
  return prefix.every((label, level) => namespace[level] === label);
}

const OPERATORS: Record<string, (value: unknown, wanted: unknown) => boolean> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
};

/** Whether a value matches a LangGraph filter. Throws a TypeError if the filter contains an unknown operator. */
export function passes(value: Value, filter: Record<string, unknown> = {}): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const conditions = conditionsOf(wanted);
    return Object.entries(conditions).every(([operator, operand]) => {
      const test = OPERATORS[operator];
      if (test === undefined) throw new TypeError(`There is no operator '${operator}' in filters.`);
      return test(value[name], operand);
    });
  });
}

function conditionsOf(wanted: unknown): Record<string, unknown> {
  const isObject = typeof wanted === "object" && wanted !== null;
  return isObject && Object.keys(wanted).some((name) => name.startsWith("$")) ? { ...wanted } : { $eq: wanted };
}

/** Returns every text in a value, in order. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
