import type { Json, JsonObject } from "../platform/ports.ts";
import { analyse } from "../retrieval/text.ts";

/** `{order.id}`, `{{order.id}}` or `${order.id}`: what the context has under that path. */
const SLOT = /\$?\{\{?\s*([\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)\s*\}?\}/gu;
/** Characters of one value; a longer one is cut. */
const MAX_VALUE_LENGTH = 2_000;
/** Characters of a filled text. */
const MAX_FILLED_LENGTH = 20_000;
/** `customer_name` and `customerName` are of two words. */
const WORD_BOUNDARY = /[_.-]+|(?<=\p{Ll})(?=\p{Lu})/gu;

export interface Filled {
  text: string;
  /** Paths of the context whose values went into the text, or that it speaks of. */
  used: string[];
  /** Paths of slots that the context has no value for; these slots stay as they are. */
  missing: string[];
}

/** Puts the values of a context into the slots of a text. */
export function fillSlots(text: string, context: JsonObject): Filled {
  const used = new Set<string>();
  const missing = new Set<string>();
  let room = MAX_FILLED_LENGTH;
  const filled = text.replace(SLOT, (slot, path: string) => {
    const value = valueAt(context, path.split("."));
    (value === undefined ? missing : used).add(path);
    const inWords = value === undefined ? slot : textOf(value).slice(0, Math.min(room, MAX_VALUE_LENGTH));
    room -= inWords.length;
    return inWords;
  });
  for (const name of namedIn(text, context)) used.add(name);
  return { text: filled.toWellFormed(), used: [...used], missing: [...missing] };
}

/** Own properties alone: a path never leads into JavaScript. */
function valueAt(within: Json, [name, ...rest]: string[]): Json | undefined {
  if (name === undefined) return within === null ? undefined : within;
  if (typeof within !== "object" || within === null || !Object.hasOwn(within, name)) return undefined;
  return valueAt((within as JsonObject)[name] ?? null, rest);
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Names at the top of a context that the text mentions in words: "the order number" speaks of `order_number`. */
function namedIn(text: string, context: JsonObject): string[] {
  const terms = new Set(analyse(text.replace(SLOT, " ")));
  return Object.keys(context).filter((name) => {
    const own = analyse(name.replace(WORD_BOUNDARY, " "));
    return own.length > 0 && own.every((term) => terms.has(term));
  });
}
