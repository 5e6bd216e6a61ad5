import { ServiceError } from "../../../kernel/errors.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { fetchPublic } from "../../../runtime/fetching/fetch-public.ts";
import { decodeText } from "./extraction/charset.ts";
import { readIsolated } from "./extraction/read-isolated.ts";
import { SNIFFED_BYTES, sniff } from "./extraction/sniff.ts";
import { UnreadableError } from "./extraction/unreadable.ts";
import { nameInPath } from "./file-names.ts";
import type { GivenContent } from "./source.ts";

const ACCEPTED = "text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf;q=0.9, */*;q=0.8";

/**
 * Fetches a client's URL by the rules of `fetchPublic`. Returns a page's article with its title, a text, or a file.
 * Throws URL_NOT_ALLOWED, FETCH_FAILED (also for an error status and an empty response) and SOURCE_UNREADABLE.
 */
export async function fetchDocument(runtime: Pick<OrgRuntime, "config" | "org">, url: string): Promise<GivenContent> {
  const response = await fetchPublic(runtime, url, { headers: { accept: ACCEPTED } });
  if (!response.ok) {
    await response.body?.cancel();
    throw fetchFailed(url, `it answers with the status ${response.status}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength === 0) throw fetchFailed(url, "its response is empty");
  return toDocument(runtime.org, bytes, response);
}

function fetchFailed(url: string, reason: string): ServiceError {
  const { host } = new URL(url);
  return new ServiceError("FETCH_FAILED", `${host} could not be read: ${reason}.`, { host, reason });
}

async function toDocument(org: string, bytes: Uint8Array, { url, headers }: Response): Promise<GivenContent> {
  const declared = headers.get("content-type") ?? "";
  const name = nameInPath(new URL(url).pathname);
  const { kind } = await sniff(bytes.subarray(0, SNIFFED_BYTES), { name, declared });
  if (kind === "html") return readPage(org, bytes, declared);
  if (kind !== "text" && kind !== "markdown") return { file: { bytes, name, content_type: declared } };
  const text = readText(bytes, declared);
  if (text.trim() === "") throw unreadable("it holds no text");
  return { text };
}

function readText(bytes: Uint8Array, declared: string): string {
  try {
    return decodeText(bytes, { declared, strict: true });
  } catch (error) {
    throw error instanceof UnreadableError ? unreadable(error.message) : error;
  }
}

async function readPage(org: string, bytes: Uint8Array, declared: string): Promise<GivenContent> {
  try {
    const { text = "", title } = await readIsolated({ kind: "html", bytes, declared, page: true }, { org });
    if (text.trim() === "") throw unreadable("the page holds no text");
    return title === undefined ? { text } : { text, title };
  } catch (error) {
    throw error instanceof UnreadableError ? unreadable(error.message) : error;
  }
}

function unreadable(reason: string): ServiceError {
  return new ServiceError("SOURCE_UNREADABLE", `Nothing could be read from it: ${reason}.`, { reason });
}
