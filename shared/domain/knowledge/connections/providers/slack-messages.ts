import * as z from "zod";
import { each } from "../../../../runtime/schemas/fields.ts";

/** Content that apps add below a message, and link previews (Slack reference, "Secondary message attachments"). */
const Attachment = z.object({
  ...each(z.string().optional(), "pretext", "author_name", "title", "title_link", "text", "fallback"),
  fields: z.array(z.object({ title: z.string().optional(), value: z.string().optional() })).optional(),
});

/** A deleted or external file has no download link. */
export const SharedFile = z.object({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().optional(),
  mode: z.string().optional(),
  timestamp: z.number().optional(),
  permalink: z.string().optional(),
  url_private_download: z.string().optional(),
});

export const Message = z.object({
  ts: z.string(),
  ...each(z.string().optional(), "text", "user", "username", "subtype", "thread_ts"),
  reply_count: z.number().optional(),
  latest_reply: z.string().optional(),
  edited: z.object({ ts: z.string() }).optional(),
  attachments: z.array(Attachment).optional(),
  files: z.array(SharedFile).optional(),
});
export type Message = z.infer<typeof Message>;

/** Subtypes of messages that are not part of a conversation, such as joins and leaves. */
const SILENT = new Set(["channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name"]);

/** The text of a message with its attachments; for a thread that is a separate document, only its size. */
export function lineOf(message: Message, names: Map<string, string>, isInThread = false): string[] {
  const { ts, text = "", user, username, subtype, attachments = [], files = [], reply_count = 0 } = message;
  if (subtype !== undefined && SILENT.has(subtype)) return [];
  const texts = [readable(text, names), ...attachments.map((attachment) => attachmentText(attachment, names))];
  const shared = files.flatMap(({ name, title }) => (name || title ? [`[file: ${title || name}]`] : []));
  const parts = [...texts, ...shared].filter((part) => part.trim() !== "");
  if (parts.length === 0) return [];
  const author = (user !== undefined && (names.get(user) ?? user)) || username || "somebody";
  const time = new Date(Number(ts) * 1000).toISOString().slice(11, 16);
  const replies = isInThread || reply_count === 0 ? "" : ` (${reply_count} ${reply_count === 1 ? "reply" : "replies"})`;
  return [`${time} ${author}: ${parts.join("\n").replaceAll("\n", "\n  ")}${replies}`];
}

function attachmentText(attachment: z.infer<typeof Attachment>, names: Map<string, string>): string {
  const { pretext, author_name, title, title_link, text, fallback, fields = [] } = attachment;
  const heading = title && title_link ? `${title} (${title_link})` : title;
  const fieldTexts = fields.map(({ title: name, value }) => [name, value].filter((part) => part).join(": "));
  const parts = [pretext, author_name, heading, text, ...fieldTexts].filter(
    (part) => part !== undefined && part !== "",
  );
  return readable((parts.length > 0 ? parts : [fallback ?? ""]).join("\n"), names);
}

/** Slack's notation of people, channels, links and symbols as displayed (Slack documentation, "Formatting text"). */
export function readable(text: string, names: Map<string, string>): string {
  return text
    .replace(/<@(\w+)(?:\|([^<>]*))?>/g, (_, id: string, label?: string) => `@${names.get(id) ?? label ?? id}`)
    .replace(/<#\w+\|([^<>]*)>/g, "#$1")
    .replace(/<!(\w+)[^<>]*>/g, "@$1")
    .replace(/<([^<|>]+)\|([^<>]*)>/g, "$2 ($1)")
    .replace(/<([^<>]+)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
