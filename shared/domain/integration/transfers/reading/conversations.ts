import * as z from "zod";
import { eventTimeOfNumber, toEventTime } from "../../../../kernel/event-time.ts";
import { isObject } from "../../../../kernel/objects.ts";
import { excerpt } from "../../../../kernel/strings.ts";
import { damagedRow, type ImportEntry } from "./entry.ts";
import { foreignRow } from "./other-services.ts";

const MAX_TITLE_LENGTH = 200;
const USER_ROLE = "user";
const ASSISTANT_ROLE = "assistant";

const ChatGptMessage = z.object({
  id: z.string().optional(),
  author: z.object({ role: z.string() }),
  create_time: z.number().nullish(),
  content: z.object({ content_type: z.string().optional(), parts: z.array(z.unknown()).optional() }).nullish(),
  metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
});
const ChatGptNode = z.object({ message: z.unknown(), parent: z.string().nullish() });
const ChatGptConversation = z.object({
  title: z.string().nullish(),
  create_time: z.number().nullish(),
  conversation_id: z.string().optional(),
  id: z.string().optional(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), ChatGptNode),
});

const ClaudeMessage = z.object({
  uuid: z.string().optional(),
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.object({ type: z.string().optional(), text: z.string().nullish() })).nullish(),
  attachments: z
    .array(z.object({ file_name: z.string().nullish(), extracted_content: z.string().nullish() }))
    .nullish(),
  files: z.unknown().optional(),
  created_at: z.string().nullish(),
});
/** A message of OpenAI's form, which many programs store. */
const PlainMessage = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  timestamp: z.union([z.string(), z.number()]).nullish(),
  created_at: z.union([z.string(), z.number()]).nullish(),
});
const ClaudeConversation = z.object({
  uuid: z.string().optional(),
  name: z.string().nullish(),
  created_at: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

interface ConversationLabels {
  imported_from: "chatgpt" | "claude" | "messages";
  id: string | undefined;
  title: string | null | undefined;
}

/** The user's visible messages in a conversation of ChatGPT, of Claude or of messages; undefined for other values. */
export function messagesOf(value: unknown): ImportEntry[] | undefined {
  if (!isConversation(value)) return undefined;
  if (isTranscript(value)) {
    const reader = new PlainMessages();
    return value.messages.flatMap((message) => reader.read(message));
  }
  if ("mapping" in value) return readBy(ChatGptConversation, value, messagesOfChatGpt);
  return readBy(ClaudeConversation, value, messagesOfClaude);
}

/** Whether a JSON value is a conversation of ChatGPT, of Claude or of messages, damaged or not. */
export function isConversation(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ("mapping" in value || "chat_messages" in value || isTranscript(value));
}

function isTranscript(value: Record<string, unknown>): value is { messages: unknown[] } {
  return Array.isArray(value.messages) && value.messages.length > 0 && value.messages.every(isPlainMessage);
}

/** Whether a JSON value is a message of the form `{role, content}`. */
export function isPlainMessage(value: unknown): boolean {
  return isObject(value) && typeof value.role === "string" && "content" in value && !("memory" in value);
}

/** Reads messages `{role, content}` in order: each needs the assistant's message before it. */
export class PlainMessages {
  #before: string | undefined;

  read(value: unknown): ImportEntry[] {
    const { success, data } = PlainMessage.safeParse(value);
    if (!success) return [damagedRow("is no message with `role` and `content`")];
    const { role, content, timestamp, created_at } = data;
    const text = typeof content === "string" ? content : textOfParts(content ?? []);
    const asked = this.#before;
    this.#before = role === ASSISTANT_ROLE ? text : undefined;
    if (role !== USER_ROLE) return [];
    const time = timestamp ?? created_at;
    const at = typeof time === "number" ? timeOfNumber(time) : timeOfText(time);
    if (text.trim() === "" && content) return [damagedRow(NO_TEXT)];
    const labels = { imported_from: "messages", id: undefined, title: undefined } as const;
    return [...entryOf(labels, text, at, asked), ...skippedParts(typeof content === "string" ? [] : content)];
  }
}

/** Why a message of pictures or recordings alone is not imported. */
const NO_TEXT = "has no text; pictures and recordings are not imported";

/** The text of a message's parts, with the transcripts of what was spoken. */
function textOfParts(parts: readonly unknown[]): string {
  return parts.flatMap((part) => textOfPart(part) ?? []).join("\n");
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  const text = isObject(part) && "text" in part ? part.text : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Names what a message has beside its text, such as pictures; a recording is read by its transcript. */
function skippedParts(parts: readonly unknown[] | null | undefined): ImportEntry[] {
  const kinds = (parts ?? []).flatMap((part) => {
    if (!isObject(part) || textOfPart(part) !== undefined) return [];
    const kind = part.content_type ?? part.type;
    return [nameOfKind(kind)];
  });
  const isTranscribed = parts?.some((part) => isObject(part) && part.content_type === TRANSCRIPT);
  const skipped = kinds.filter((kind) => !isTranscribed || !RECORDING.test(kind));
  if (skipped.length === 0) return [];
  const names = [...new Set(skipped)].slice(0, MAX_NAMED_KINDS).join(", ");
  const [count, are] = skipped.length === 1 ? ["1 part", "is"] : [`${skipped.length} parts`, "are"];
  return [{ skipped: `${count} beside a message's text (${names}) ${are} not imported` }];
}

const TRANSCRIPT = "audio_transcription";
const RECORDING = /audio/;
const MAX_NAMED_KINDS = 10;
const KIND = /^[\w.-]{1,64}$/;

/** A kind as the export names it, unless it is a text. */
const nameOfKind = (kind: unknown): string => (typeof kind === "string" && KIND.test(kind) ? kind : "unknown");

function readBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  read: (conversation: z.output<Schema>) => ImportEntry[],
): ImportEntry[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return read(parsed.data);
  const [issue] = parsed.error.issues;
  return [damagedRow(`is no conversation as it is exported: ${issue?.path.join(".")} ${issue?.message}`)];
}

function messagesOfChatGpt(conversation: z.output<typeof ChatGptConversation>): ImportEntry[] {
  const labels = {
    imported_from: "chatgpt",
    id: conversation.conversation_id ?? conversation.id,
    title: conversation.title,
  } as const;
  let before: string | undefined;
  return branchOf(conversation).flatMap((node) => {
    if (node.message === null || node.message === undefined) return [];
    const { success, data } = ChatGptMessage.safeParse(node.message);
    if (!success) return [damagedRow("is no message as ChatGPT exports it")];
    const { author, content, create_time, metadata } = data;
    const kind = content?.content_type ?? "text";
    const isText = kind === "text" || kind === "multimodal_text";
    if (metadata?.is_visually_hidden_from_conversation) return [];
    if (!isText) return author.role === USER_ROLE ? [skippedKind(kind)] : [];
    const text = textOfParts(content?.parts ?? []);
    const asked = before;
    before = author.role === ASSISTANT_ROLE ? text : undefined;
    if (author.role !== USER_ROLE) return [];
    if (text.trim() === "" && content?.parts?.some(isObject)) return [damagedRow(NO_TEXT)];
    const time = timeOfNumber(create_time) ?? timeOfNumber(conversation.create_time);
    return [...entryOf(labels, text, time, asked), ...skippedParts(content?.parts)];
  });
}

const skippedKind = (kind: string): ImportEntry => ({
  skipped: `a message of the kind ${nameOfKind(kind)} is not imported`,
});

/** The messages from the first to the current one; all in order if the file does not name the current one. */
function branchOf({ mapping, current_node }: z.output<typeof ChatGptConversation>): z.output<typeof ChatGptNode>[] {
  if (current_node === null || current_node === undefined) return Object.values(mapping);
  const branch: z.output<typeof ChatGptNode>[] = [];
  const seen = new Set<string>();
  for (let id: string | null | undefined = current_node; id && !seen.has(id); ) {
    seen.add(id);
    const node: z.output<typeof ChatGptNode> | undefined = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
    if (node) branch.push(node);
    id = node?.parent;
  }
  return branch.reverse();
}

function messagesOfClaude(conversation: z.output<typeof ClaudeConversation>): ImportEntry[] {
  const labels = { imported_from: "claude", id: conversation.uuid, title: conversation.name } as const;
  let before: string | undefined;
  return conversation.chat_messages.flatMap((message) => {
    const { success, data } = ClaudeMessage.safeParse(message);
    if (!success) return [damagedRow("is no message as Claude exports it")];
    const blocks = data.content?.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])) ?? [];
    const text = blocks.length > 0 ? blocks.join("\n") : (data.text ?? "");
    const asked = before;
    before = data.sender === ASSISTANT_ROLE ? text : undefined;
    if (data.sender !== "human") return [];
    const time = timeOfText(data.created_at) ?? timeOfText(conversation.created_at);
    return [
      ...entryOf(labels, text, time, asked),
      ...attachmentsOf(labels, data, time),
      ...skippedParts(data.content?.filter(({ type }) => type !== "text")),
      ...skippedFiles(data),
    ];
  });
}

/** Uploaded files, of which the export has no more than the name unless they are attachments, too. */
function skippedFiles({ files, attachments }: z.output<typeof ClaudeMessage>): ImportEntry[] {
  const attached = new Set<unknown>(attachments?.map(({ file_name }) => file_name));
  return (Array.isArray(files) ? files : []).flatMap((file) => {
    if (!isObject(file) || attached.has(file.file_name)) return [];
    const { file_name } = file;
    const name = excerpt(typeof file_name === "string" && file_name ? file_name : "without a name", MAX_TITLE_LENGTH);
    return [{ skipped: `the file ${name} is not in the export` }];
  });
}

/** The text of files that were pasted or attached: a document's words, not the person's. */
function attachmentsOf(
  { id, title }: ConversationLabels,
  { uuid, attachments }: z.output<typeof ClaudeMessage>,
  time: string | undefined,
): ImportEntry[] {
  return (attachments ?? []).map(({ file_name, extracted_content: content }, index) => {
    const name = file_name || "attachment";
    if (!content || content.trim() === "")
      return damagedRow(`is the attachment ${name}, of which the export has no text`);
    const metadata = { conversation_id: id, conversation_title: title, attachment: name };
    return foreignRow("claude", [id, uuid, index, content], { content, occurred_at: time, speaker: name, metadata });
  });
}

/** Characters of the message before: its end has the question that the next one answers. */
const CONTEXT_CHARACTERS = 1_000;

function entryOf(
  { imported_from, id, title }: ConversationLabels,
  text: string,
  time: string | undefined,
  asked: string | undefined,
): ImportEntry[] {
  if (text.trim() === "") return [];
  const metadata = {
    imported_from,
    ...(id !== undefined && { conversation_id: id.slice(0, MAX_TITLE_LENGTH) }),
    ...(title && { conversation_title: excerpt(title, MAX_TITLE_LENGTH) }),
  };
  const content = asked?.slice(-CONTEXT_CHARACTERS).toWellFormed();
  const message = {
    ...{ role: USER_ROLE, content: text, metadata },
    ...(time !== undefined && { occurred_at: time }),
    ...(content && { before: { role: ASSISTANT_ROLE, content } }),
  };
  return [{ message }];
}

function timeOfNumber(seconds: number | null | undefined): string | undefined {
  return seconds === null || seconds === undefined ? undefined : eventTimeOfNumber(seconds);
}

function timeOfText(text: string | null | undefined): string | undefined {
  return text ? toEventTime(text) : undefined;
}
