import type * as z from "zod";
import { timestamp } from "../../../kernel/clock.ts";
import type { Context } from "../../../runtime/context.ts";
import { FILES_KEPT_MS } from "./export.ts";
import type { Export } from "./transfer.ts";
import type { LinkedFile } from "./wire.ts";

/** Maximum lifetime of a download link. */
const LINK_SECONDS = 900;
/** Maximum size of a file that is sent in the response. */
const MAX_INLINE_BYTES = 1_000_000;

export interface LinkedFiles {
  files: z.infer<typeof LinkedFile>[];
  /** Lifetime of the links in seconds. */
  download_expires_in: number;
  /** ISO 8601; when the files are deleted. */
  expires_at: string;
}

/** The files of an export with links; undefined before it is complete and after its files are deleted. */
export async function downloadLinksOf({ ports, clock }: Context, job: Export): Promise<LinkedFiles | undefined> {
  const end = Date.parse(job.submitted_at) + FILES_KEPT_MS;
  const seconds = Math.min(LINK_SECONDS, Math.floor((end - clock()) / 1000));
  if (job.state !== "completed" || seconds <= 0) return undefined;
  const files = job.checkpoint.files.map(async ({ blob, bytes, memories }) => {
    return { download_url: await ports.blobs.presign(blob, "get", seconds), bytes, memories };
  });
  return { files: await Promise.all(files), download_expires_in: seconds, expires_at: timestamp(end) };
}

/** The rows of an export with one short JSON file; otherwise undefined. */
export async function readRows(
  { ports }: Context,
  { state, checkpoint, input }: Export,
): Promise<unknown[] | undefined> {
  if (input.format !== undefined && input.format !== "json") return undefined;
  const [file, ...others] = checkpoint.files;
  if (state !== "completed" || !file || others.length > 0 || file.bytes > MAX_INLINE_BYTES) return undefined;
  const blob = await ports.blobs.get(file.blob);
  return blob && JSON.parse(Buffer.from(blob.bytes).toString("utf8")).memories;
}
