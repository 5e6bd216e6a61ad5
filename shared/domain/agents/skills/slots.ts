import { analyse } from "../../../kernel/text/text.ts";
import type { Json, JsonObject } from "../../../ports/json.ts";

/** `{order.id}`, `{{order.id}}` or `${order.id}`: the context's value at that path. */
const SLOT = /\$?\{\{?\s*([\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)\s*\}?\}/gu;
/** Maximum characters of a value; longer ones are cut. */
const MAX_VALUE_LENGTH = 2_000;
/** Maximum characters of a filled text. */
const MAX_FILLED_LENGTH = 20_000;
/** `customer_name` and `customerName` both have two words. */
const WORD_BOUNDARY = /[_.-]+|(?<=\p{Ll})(?=\p{Lu})/gu;

export interface Filled {
  text: string;
  /** Context paths whose values were inserted or that the text mentions. */
  used: string[];
  /** Paths of slots without a value in the context; these slots stay unchanged. */
  missing: string[];
}

/** Fills the slots of a text from a context. */
export function fillSlots(text: string, context: JsonObject): Filled {
  const used = new Set<string>();
  const missing = new Set<string>();
  let remaining = MAX_FILLED_LENGTH;
  const filled = text.replace(SLOT, (slot, path: string) => {
    const value = valueAt(context, path.split("."));
    (value === undefined ? missing : used).add(path);
    const inserted = value === undefined ? slot : textOf(value).slice(0, Math.min(remaining, MAX_VALUE_LENGTH));
    remaining -= inserted.length;
    return inserted;
  });
  for (const name of namedIn(text, context)) used.add(name);
  return { text: filled.toWellFormed(), used: [...used], missing: [...missing] };
}

/** The value at a path. Reads only own properties: a path never resolves to JavaScript's prototypes. */
function valueAt(container: Json, [name, ...rest]: string[]): Json | undefined {
  if (name === undefined) return container === null ? undefined : container;
  if (typeof container !== "object" || container === null || !Object.hasOwn(container, name)) return undefined;
  return valueAt((container as JsonObject)[name] ?? null, rest);
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Top-level names of a context that the text mentions: "the order number" means `order_number`. */
function namedIn(text: string, context: JsonObject): string[] {
  const terms = new Set(analyse(text.replace(SLOT, " ")));
  return Object.keys(context).filter((name) => {
    const nameTerms = analyse(name.replace(WORD_BOUNDARY, " "));
    return nameTerms.length > 0 && nameTerms.every((term) => terms.has(term));
  });
}
