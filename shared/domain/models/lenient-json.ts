import { parseJsonIfValid } from "../../kernel/objects.ts";

/** Longer answers are cut, because no task needs so much. */
const MAX_CHARACTERS = 1_000_000;
/** Maximum objects that are read from one answer. */
const MAX_OBJECTS = 16;
const MAX_DEPTH = 64;

const THOUGHT_START = "<think>";
const THOUGHT_END = "</think>";

/**
 * Returns the JSON objects in a language model's answer, longest first: an object alone, or objects in prose, after
 * reasoning (`<think>`) or in a code fence. Trailing commas and raw line breaks in strings are accepted. A truncated
 * object keeps its complete members. Takes time linear in the length of the text.
 */
export function jsonObjectsIn(text: string): object[] {
  const whole = parsedWhole(text);
  if (whole !== undefined) return [whole];
  const answer = withoutThoughts(text.slice(0, MAX_CHARACTERS));
  const found: { value: object; length: number }[] = [];
  let start = answer.indexOf("{");
  while (start !== -1 && found.length < MAX_OBJECTS) {
    const reader = new Reader(answer, start);
    const value = reader.object();
    if (value !== undefined) found.push({ value, length: reader.position - start });
    // Continues where the reader stopped, so that no character is read twice.
    start = answer.indexOf("{", Math.max(reader.position, start + 1));
  }
  return found.sort((one, other) => other.length - one.length).map(({ value }) => value);
}

function parsedWhole(text: string): object | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const value = parseJsonIfValid(text);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Removes reasoning; some servers omit its opening tag. Unfinished reasoning is dropped: the answer was truncated. */
function withoutThoughts(text: string): string {
  const end = text.lastIndexOf(THOUGHT_END);
  const rest = end === -1 ? text : text.slice(end + THOUGHT_END.length);
  const unended = rest.indexOf(THOUGHT_START);
  return unended === -1 ? rest : rest.slice(0, unended);
}

/** The value is not JSON, even by lenient rules. */
const INVALID = Symbol("invalid");
/** The text ends within the value. */
const CUT_OFF = Symbol("cut off");

const WHITESPACE = /[\s\uFEFF]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS = ["true", "false", "null"];
const PLAIN = /[^"\\]+/y;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const UNICODE = /[0-9a-fA-F]{4}/y;

/** Reads one object, and records where it ends. */
class Reader {
  position: number;
  readonly #text: string;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  /** Returns undefined if the text is not an object. */
  object(): object | undefined {
    const value = this.#value(0);
    return typeof value === "object" && value !== null ? value : undefined;
  }

  #value(depth: number): unknown {
    this.#match(WHITESPACE);
    const first = this.#text[this.position];
    if (first === undefined) return CUT_OFF;
    if (depth > MAX_DEPTH) return INVALID;
    if (first === "{") return this.#members(depth);
    if (first === "[") return this.#elements(depth);
    if (first === '"') return this.#string();
    const word = this.#match(WORD);
    if (word !== "") return JSON.parse(word);
    const number = this.#match(NUMBER);
    if (number !== "") return this.#isAtEnd() ? CUT_OFF : Number(number);
    if (!WORDS.some((whole) => whole.startsWith(this.#text.slice(this.position)))) return INVALID;
    this.position = this.#text.length;
    return CUT_OFF;
  }

  #members(depth: number): unknown {
    const members: [string, unknown][] = [];
    this.position++;
    while (true) {
      const next = this.#next("}");
      if (next !== "item") return next === "end" ? Object.fromEntries(members) : INVALID;
      if (this.#text[this.position] !== '"') return INVALID;
      const name = this.#string();
      this.#match(WHITESPACE);
      if (typeof name !== "string" || this.#isAtEnd()) return Object.fromEntries(members);
      if (this.#text[this.position] !== ":") return INVALID;
      this.position++;
      const value = this.#value(depth + 1);
      if (value === INVALID) return INVALID;
      if (value !== CUT_OFF) members.push([name, value]);
    }
  }

  #elements(depth: number): unknown {
    const elements: unknown[] = [];
    this.position++;
    while (true) {
      const next = this.#next("]");
      if (next !== "item") return next === "end" ? elements : INVALID;
      const value = this.#value(depth + 1);
      if (value === INVALID) return INVALID;
      if (value !== CUT_OFF) elements.push(value);
    }
  }

  /** Skips white space and commas up to the next item, or skips the closing bracket. The end of the text also closes it. */
  #next(closing: "}" | "]"): "item" | "end" | "invalid" {
    let commas = 0;
    while (true) {
      this.#match(WHITESPACE);
      const character = this.#text[this.position];
      if (character === undefined) return "end";
      if (character === closing) {
        this.position++;
        return "end";
      }
      if (character !== ",") return "item";
      if (++commas > 1) return "invalid";
      this.position++;
    }
  }

  #string(): unknown {
    let text = "";
    this.position++;
    while (true) {
      text += this.#match(PLAIN);
      const end = this.#text[this.position++];
      if (end === undefined) return CUT_OFF;
      if (end === '"') return text;
      const escaped = this.#text[this.position++];
      if (escaped === undefined) return CUT_OFF;
      const code = escaped === "u" ? this.#match(UNICODE) : "";
      text += code === "" ? (ESCAPED[escaped] ?? escaped) : String.fromCharCode(Number.parseInt(code, 16));
    }
  }

  #isAtEnd(): boolean {
    return this.position >= this.#text.length;
  }

  /** Skips the text that matches here, and returns it. The pattern must be sticky. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const [match = ""] = pattern.exec(this.#text) ?? [];
    this.position += match.length;
    return match;
  }
}
