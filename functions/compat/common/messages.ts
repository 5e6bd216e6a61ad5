import * as z from "zod";
import { filledText, moment } from "../../../shared/runtime/schemas/fields.ts";
import { TOLERATED } from "./tolerated.ts";

/** Maximum size of an add: a message may contain a picture, and a function accepts no larger request. */
export const MAX_ADD_BYTES = 4_500_000;
export const MAX_CONTENT_LENGTH = 100_000;
/** Maximum characters of text in the messages of an add. */
const MAX_TEXT_LENGTH = 1_000_000;
const TOO_MUCH_TEXT = `must have at most ${MAX_TEXT_LENGTH} characters of text`;
const MAX_MESSAGES = 200;
const MAX_PARTS = 200;

/** A bare date lasts until the end of that day in UTC. */
export const expirationDate = z.union([z.iso.date().transform((day) => `${day}T23:59:59.999Z`), moment]).meta({
  type: "string",
  description: "When it expires (ISO 8601): at an instant, or at the end of a day in UTC; null: never.",
});

const messageText = z.string().max(MAX_CONTENT_LENGTH);

export const MessagePart = z
  .looseObject({
    type: filledText(64).describe("`text`, or any other, such as `image_url`."),
    text: messageText.nullish(),
  })
  .describe("Only text is stored; the event names other parts in `left_out`.");

/** Models and frameworks add fields of their own: the event names unknown ones. */
export const Message = z.looseObject({
  role: filledText(64).default("user"),
  content: z
    .union(
      [messageText, z.array(z.union([messageText, MessagePart])).max(MAX_PARTS), MessagePart],
      "must be a text, a part with a `type`, or a list of parts",
    )
    .nullish()
    .describe("null if a message calls a tool without text."),
  ...TOLERATED.message,
  name: z.string().max(64).nullish().describe("Who speaks, if several users do."),
});

/** Messages, at least one. */
export const messageList = z.array(Message).min(1).max(MAX_MESSAGES).refine(isShortEnough, TOO_MUCH_TEXT);

export const messages = z
  .union([
    filledText(MAX_CONTENT_LENGTH).transform((content) => [{ role: "user", name: null, content }]),
    messageList,
    Message.transform((message) => [message]).refine(isShortEnough, TOO_MUCH_TEXT),
  ])
  .describe("Messages, or a single text.");

function isShortEnough(given: z.output<typeof Message>[]): boolean {
  const lengths = given.flatMap(({ content }) => {
    const parts = Array.isArray(content) ? content : [content ?? ""];
    return parts.map((part) => (typeof part === "string" ? part : (part.text ?? "")).length);
  });
  return lengths.reduce((sum, length) => sum + length, 0) <= MAX_TEXT_LENGTH;
}
