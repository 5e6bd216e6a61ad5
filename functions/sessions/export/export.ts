import { getSessionWithContext } from "../../../shared/domain/sessions/change.ts";
import { putChore } from "../../../shared/domain/sessions/chores.ts";
import { readMessages } from "../../../shared/domain/sessions/message-records.ts";
import type { SessionMessage } from "../../../shared/domain/sessions/session.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { ServiceError } from "../../../shared/kernel/errors.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { runTextTask } from "../../../shared/runtime/text-work/run.ts";
import type * as schemas from "../schemas.ts";
import { attachment, plainFileName } from "./file-name.ts";
import { pdfTask } from "./pdf-task.ts";
import { jsonOf, markdownOf } from "./text.ts";
import { type Transcript, titleOf, tooLongForPdf } from "./transcript.ts";

type Format = Input<typeof schemas.ExportSession>["format"];

const EXTENSIONS: Record<Format, string> = { json: "json", markdown: "md", pdf: "pdf" };

export const EXPORT_TYPES: Record<Format, string> = {
  json: "application/json",
  markdown: "text/markdown; charset=utf-8",
  pdf: "application/pdf",
};

/** Base64 or escapes may expand this to the 6 MB that a function's response may have. */
const MAX_INLINE_BYTES = 2_900_000;
const MEGABYTE = 1024 * 1024;
/** Several times this size fits into a function's memory. */
const MAX_BYTES = 128 * MEGABYTE;
/** Far more than can be typeset within a request. */
const MAX_PDF_CHARACTERS = 20_000_000;
const LINK_SECONDS = 900;
/** How long a download file is kept: until long after its link has expired. */
const FILE_KEPT_MS = 3_600_000;
/** Time limit for reading and writing an export in a request. */
const EXPORT_MS = 22_000;

/** A session as a file: in the response or, if it is too large, as a temporary link. */
export async function exportSession(
  ctx: Context,
  id: string,
  { format, include_metadata }: Input<typeof schemas.ExportSession>,
): Promise<Response> {
  const found = await getSessionWithContext(ctx, id);
  const { session } = found;
  const messages = readMessages(ctx, session);
  const exportedAt = timestamp(ctx.clock());
  const transcript: Transcript = { ...found, messages, includeMetadata: include_metadata, exportedAt };
  const bytes = await render(ctx, transcript, format);
  const headers = { "Content-Type": EXPORT_TYPES[format] };
  if (bytes.byteLength > MAX_INLINE_BYTES) return respondWithLink(ctx, transcript, format, bytes);
  const disposition = attachment(titleOf(session), id, EXTENSIONS[format]);
  return new Response(new Uint8Array(bytes), { headers: { ...headers, "Content-Disposition": disposition } });
}

async function render(ctx: Context, transcript: Transcript, format: Format): Promise<Uint8Array> {
  const deadline = performance.now() + EXPORT_MS;
  if (format === "json") return collect(transcript, jsonOf(transcript), deadline);
  if (format === "markdown") return collect(transcript, markdownOf(transcript), deadline);
  const { messages, ...heading } = transcript;
  const input = {
    heading,
    messages: await collectMessages(transcript, messages),
    timeMs: deadline - performance.now(),
  };
  return runTextTask(pdfTask, input, ctx);
}

/** All messages, for the typesetting thread. */
async function collectMessages({ session }: Transcript, messages: Transcript["messages"]): Promise<SessionMessage[]> {
  const collected: SessionMessage[] = [];
  let characters = 0;
  for await (const batch of messages) {
    collected.push(...batch);
    characters += batch.reduce((sum, { content }) => sum + content.length, 0);
    if (characters > MAX_PDF_CHARACTERS) throw tooLongForPdf(session);
  }
  return collected;
}

async function collect({ session }: Transcript, pieces: AsyncIterable<string>, deadline: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const part = Buffer.from(piece, "utf8");
    parts.push(part);
    size += part.byteLength;
    if (size > MAX_BYTES || performance.now() > deadline) {
      throw new ServiceError(
        "PAYLOAD_TOO_LARGE",
        `The session is too long for one file. Read it page by page: GET /sessions/${session.id}/messages.`,
        { session_id: session.id, message_count: session.message_count, max_bytes: MAX_BYTES },
      );
    }
  }
  return Buffer.concat(parts);
}

/** Stores the file of a download link and records its expiry first, so that no file is forgotten. */
async function respondWithLink(
  ctx: Context,
  { session }: Transcript,
  format: Format,
  bytes: Uint8Array,
): Promise<Response> {
  const name = plainFileName(titleOf(session), session.id, EXTENSIONS[format]);
  const blob = `exports/${ctx.org}/${session.id}/${ctx.ids("job")}/${name}`;
  await ctx.ports.records.write(putChore({ what: "drop", blob, due: timestamp(ctx.clock() + FILE_KEPT_MS) }));
  await ctx.ports.blobs.put(blob, { bytes, contentType: EXPORT_TYPES[format] });
  const location = await ctx.ports.blobs.presign(blob, "get", LINK_SECONDS);
  const expires_at = timestamp(ctx.clock() + LINK_SECONDS * 1000);
  return Response.json(
    { download_url: location, expires_at, file_name: name, bytes: bytes.byteLength },
    { status: 303, headers: { Location: location } },
  );
}
