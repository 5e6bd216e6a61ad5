import type * as z from "zod";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { ServiceError } from "../../../shared/kernel/errors.ts";
import type { Context } from "../../../shared/platform/context.ts";
import { getSessionWithContext } from "../../../shared/sessions/change.ts";
import { putChore } from "../../../shared/sessions/chores.ts";
import { readMessages } from "../../../shared/sessions/records.ts";
import type { SessionMessage } from "../../../shared/sessions/session.ts";
import { runTextTask } from "../../../shared/text-work/run.ts";
import type * as schemas from "../schemas.ts";
import { attachment, plainFileName } from "./file-name.ts";
import { pdfTask } from "./pdf-task.ts";
import { jsonOf, markdownOf } from "./text.ts";
import { type Transcript, titleOf, tooLongForPdf } from "./transcript.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;
type Format = Input<typeof schemas.ExportSession>["format"];

const EXTENSIONS: Record<Format, string> = { json: "json", markdown: "md", pdf: "pdf" };

export const EXPORT_TYPES: Record<Format, string> = {
  json: "application/json",
  markdown: "text/markdown; charset=utf-8",
  pdf: "application/pdf",
};

/** A function's answer has at most 6 MB, which base64 or escapes may make of this. */
const MOST_INLINE_BYTES = 2_900_000;
const MEGABYTE = 1024 * 1024;
/** As much as fits into a function's memory a few times. */
const MOST_BYTES = 128 * MEGABYTE;
/** Far more than can be set in the time of a request. */
const MAX_PDF_CHARACTERS = 20_000_000;
const LINK_SECONDS = 900;
/** A file that was fetched or not goes when its link has long run out. */
const FILE_KEPT_MS = 3_600_000;
/** So long a request may take to read and write what it exports. */
const EXPORT_MS = 22_000;

/** A session as a file: answered at once, or where it is too large for that, by a link to where it lies for a while. */
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
  if (bytes.byteLength > MOST_INLINE_BYTES) return leadTo(ctx, transcript, format, bytes);
  const disposition = attachment(titleOf(session), id, EXTENSIONS[format]);
  return new Response(new Uint8Array(bytes), { headers: { ...headers, "Content-Disposition": disposition } });
}

async function render(ctx: Context, transcript: Transcript, format: Format): Promise<Uint8Array> {
  const deadline = performance.now() + EXPORT_MS;
  if (format === "json") return collect(transcript, jsonOf(transcript), deadline);
  if (format === "markdown") return collect(transcript, markdownOf(transcript), deadline);
  const { messages, ...heading } = transcript;
  const input = { heading, messages: await gather(transcript, messages), timeMs: deadline - performance.now() };
  return runTextTask(pdfTask, input, ctx);
}

/** All messages, for the thread that sets them. */
async function gather({ session }: Transcript, messages: Transcript["messages"]): Promise<SessionMessage[]> {
  const gathered: SessionMessage[] = [];
  let characters = 0;
  for await (const batch of messages) {
    gathered.push(...batch);
    characters += batch.reduce((sum, { content }) => sum + content.length, 0);
    if (characters > MAX_PDF_CHARACTERS) throw tooLongForPdf(session);
  }
  return gathered;
}

async function collect({ session }: Transcript, pieces: AsyncIterable<string>, deadline: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const part = Buffer.from(piece, "utf8");
    parts.push(part);
    size += part.byteLength;
    if (size > MOST_BYTES || performance.now() > deadline) {
      throw new ServiceError(
        "PAYLOAD_TOO_LARGE",
        `The session is too long for one file. Read it page by page: GET /sessions/${session.id}/messages.`,
        { session_id: session.id, message_count: session.message_count, max_bytes: MOST_BYTES },
      );
    }
  }
  return Buffer.concat(parts);
}

/** Puts the file where a link leads to, and notes that it goes; the note comes first, so that no file is forgotten. */
async function leadTo(ctx: Context, { session }: Transcript, format: Format, bytes: Uint8Array): Promise<Response> {
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
