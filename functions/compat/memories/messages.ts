import type * as z from "zod";
import type { LeftOut, SpokenMessage } from "../../../shared/domain/memory/conversation.ts";
import { isObject } from "../../../shared/kernel/objects.ts";
import { isUserRole } from "../../../shared/language/statements/said-by.ts";
import { Message, type MessagePart } from "../common/messages.ts";

type GivenMessage = z.output<typeof Message>;
type Part = z.output<typeof MessagePart>;

/** Types of parts whose `text` is the speaker's: Chat Completions, Messages and Responses. */
const TEXT_TYPES = new Set(["text", "input_text", "output_text"]);
/** Fields of a part that say where its content is. */
const ADDRESSES = ["url", "filename", "file_id"] as const;

/**
 * Returns the messages that have text, and what else they contain. Users' names are speakers if there are several; a
 * single one is the user's.
 */
export function readMessages(given: GivenMessage[]): { messages: SpokenMessage[]; leftOut: LeftOut[] } {
  const users = new Set(given.flatMap(({ role, name }) => (isUserRole(role) && name ? [name] : [])));
  const spoken = given.map(({ role, name, content }) => {
    const isNamed = users.size > 1 && isUserRole(role) && name;
    return { role, content: textOf(content), ...(isNamed && { speaker: name }) };
  });
  const media = given.flatMap(({ content }) => partsOf(content).filter((part) => !isText(part)));
  const fields = new Set(given.flatMap((message) => Object.keys(message).filter((name) => !(name in Message.shape))));
  return {
    messages: spoken.filter(({ content }) => content.trim() !== ""),
    leftOut: [
      ...media.map((part) => ({ text: describePart(part), reason: "not_text" as const })),
      ...[...fields].map((name) => ({ text: `messages.${name}`, reason: "unknown_field" as const })),
    ],
  };
}

function textOf(content: GivenMessage["content"]): string {
  return partsOf(content)
    .filter(isText)
    .map(({ text }) => text)
    .join("\n")
    .toWellFormed();
}

function partsOf(content: GivenMessage["content"]): Part[] {
  if (content === undefined || content === null) return [];
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part));
}

function isText(part: Part): part is Part & { text: string } {
  return TEXT_TYPES.has(part.type) && typeof part.text === "string";
}

/** Returns the type of a part and where its content is. */
function describePart(part: Part): string {
  const content = part[part.type] ?? part.source ?? part;
  const address = isObject(content) ? ADDRESSES.map((field) => content[field]).find(isFilled) : content;
  return isFilled(address) ? `${part.type}: ${withoutContent(address)}` : part.type;
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns an address without its query, which may contain a secret, and a data URL without its data. */
function withoutContent(address: string): string {
  const end = address.search(/^data:/i) === 0 ? address.search(/[;,]/) : address.search(/[?#]/);
  return end === -1 ? address : address.slice(0, end);
}
