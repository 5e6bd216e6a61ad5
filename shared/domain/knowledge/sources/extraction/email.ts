import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { JsonObject } from "../../../../ports/json.ts";
import { readHtml } from "./html.ts";
import type { Reading } from "./jobs.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { SNIFFED_BYTES, type Sniffed, sniff } from "./sniff.ts";
import { UnreadableError } from "./unreadable.ts";

/** Maximum number of attachments read per message; others are only named. */
const MAX_ATTACHMENTS_READ = 50;
const MAX_ATTACHMENTS_NAMED = 200;
/** Maximum nesting of messages. */
const MAX_DEPTH = 3;
const OPTIONS = { forceRfc822Attachments: true, maxNestingDepth: 50, maxHeadersSize: 1024 * 1024 };
const HEADING_LEVELS_BELOW = "##";

/** Reads an attachment by its type. Throws UnreadableError. */
export type AttachmentReader = (bytes: Uint8Array, file: Sniffed, depth: number) => Promise<Reading>;

/** The text of an email: subject, sender, recipients, date, body, attachments. Throws UnreadableError. */
export async function readEmail(bytes: Uint8Array, readAttachment: AttachmentReader, depth = 0): Promise<Reading> {
  const email = await parse(bytes);
  const writer = new MarkdownWriter();
  const { subject = "", attachments } = email;
  writer.heading(1, subject);
  writer.paragraph(headerLines(email).join("\n"));
  writer.markdown(bodyOf(email));
  const read = await writeAttachments(writer, attachments, readAttachment, depth);
  const details: JsonObject = {
    ...(attachments.length > 0 && { attachments: attachments.length, attachments_read: read }),
    ...(writer.isCut && { text_cut: true }),
  };
  return { text: writer.text, ...(subject.trim() !== "" && { title: subject.trim() }), details };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    const email = await PostalMime.parse(bytes, OPTIONS);
    if (email.headers.length > 0) return email;
  } catch {
    // Messages of mail programs never reach the parser's limits.
  }
  throw new UnreadableError("it is not a valid e-mail");
}

function headerLines({ from, to, cc, date }: Email): string[] {
  const lines: [string, string][] = [
    ["From", from ? nameOf(from) : ""],
    ["To", (to ?? []).map(nameOf).join(", ")],
    ["Cc", (cc ?? []).map(nameOf).join(", ")],
    ["Date", date ?? ""],
  ];
  return lines.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
}

function nameOf({ name, address }: Address): string {
  if (address === undefined || address === "") return name;
  return name === "" ? address : `${name} <${address}>`;
}

/** The plain text part, otherwise the text of the HTML part. */
function bodyOf({ text, html }: Email): string {
  if (text !== undefined && text.trim() !== "") return text;
  return html === undefined ? "" : readHtml(html, { page: false }).text;
}

async function writeAttachments(
  writer: MarkdownWriter,
  attachments: Attachment[],
  readAttachment: AttachmentReader,
  depth: number,
): Promise<number> {
  let read = 0;
  for (const [index, attachment] of attachments.slice(0, MAX_ATTACHMENTS_NAMED).entries()) {
    const { filename, content } = attachment;
    const bytes = new Uint8Array(content as ArrayBuffer);
    const text =
      index < MAX_ATTACHMENTS_READ && depth < MAX_DEPTH ? await textOf(bytes, attachment, readAttachment, depth) : "";
    writer.heading(2, `Attachment: ${filename ?? attachment.mimeType}`);
    writer.markdown(text.replaceAll("\f", "").replace(/^#{1,4} /gm, (marks) => HEADING_LEVELS_BELOW + marks));
    if (text !== "") read++;
  }
  return read;
}

/** The text of an attachment; empty if it is unreadable, so that the message is still read. */
async function textOf(
  bytes: Uint8Array,
  { filename, mimeType }: Attachment,
  readAttachment: AttachmentReader,
  depth: number,
): Promise<string> {
  const hints = { name: filename ?? undefined, declared: mimeType };
  const sniffed = await sniff(bytes.subarray(0, SNIFFED_BYTES), hints);
  try {
    return (await readAttachment(bytes, sniffed, depth + 1)).text ?? "";
  } catch (error) {
    if (error instanceof UnreadableError) return "";
    throw error;
  }
}
