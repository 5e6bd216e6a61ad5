import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../ports/json.ts";
import { isByUser } from "./writer.ts";

const memory = (metadata: JsonObject, fields: { type?: string; agent_id?: string; id?: string } = {}) => ({
  id: "mem_1",
  metadata,
  ...fields,
});

/** What says that a text is somebody else's, as the words of a field's name and its value. */
const ORIGINS: [string[], string | boolean][] = [
  [["source", "url"], "https://example.com"],
  [["tool", "name"], "search"],
  [["document", "id"], "doc_1"],
  [["email", "subject"], "Hello"],
  [["file", "name"], "notes.pdf"],
  [["is", "quoted"], true],
  [["forwarded", "by"], "Mallory"],
  [["message", "role"], "assistant"],
  [["author", "name"], "Mallory"],
  [["content", "type"], "transcript"],
  [["kind"], "search_result"],
  [["web", "page"], "https://example.com"],
];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const nested = (words: string[], value: string | boolean): JsonObject => {
  const [first = "", ...rest] = words;
  return { [first]: rest.length === 0 ? value : nested(rest, value) };
};

const SPELLINGS: Record<string, (words: string[], value: string | boolean) => JsonObject> = {
  snake_case: (words, value) => ({ [words.join("_")]: value }),
  camelCase: ([first = "", ...rest], value) => ({ [first + rest.map(capital).join("")]: value }),
  PascalCase: (words, value) => ({ [words.map(capital).join("")]: value }),
  "kebab-case": (words, value) => ({ [words.join("-")]: value }),
  dotted: (words, value) => ({ [words.join(".")]: value }),
  nested,
};

describe.each(Object.entries(SPELLINGS))("an origin in %s", (_name, spell) => {
  it.each(ORIGINS)("%j: %j is not the user", (words, value) => {
    expect(isByUser(memory(spell(words, value)))).toBe(false);
  });
});

it.each(["transcript", "search_result", "webpage", "quote", "email", "tool", "PDF"])(
  "the type %s is not the user's",
  (type) => {
    expect(isByUser(memory({}, { type }))).toBe(false);
  },
);

it.each<JsonObject>([
  {},
  { role: "user" },
  { speaker: "Human" },
  { session_id: "s", message_index: 3 },
  { topic: "tea", tags: ["a"], room: 7, language: "en", priority: "high", user_role: "premium" },
  { quoted: false, source: null },
])("%j is the user's", (metadata) => {
  expect(isByUser(memory(metadata))).toBe(true);
});

it("what an agent's key stores is the user's only with the role user", () => {
  const agent_id = "agent_1";
  expect(isByUser(memory({}, { agent_id }))).toBe(false);
  expect(isByUser(memory({ role: "assistant" }, { agent_id }))).toBe(false);
  expect(isByUser(memory({ role: "user" }, { agent_id }))).toBe(true);
});
