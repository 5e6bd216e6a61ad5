import { ProviderError } from "../../../../ports/provider-faults.ts";
import type { ReadDocument } from "./provider.ts";
import { discard, type ProviderFetch } from "./requests.ts";

const GONE = [404, 410];

/** Downloads the file of a link for a source. Throws ProviderError. */
export async function download(
  fetch: ProviderFetch,
  url: string,
  { name, content_type }: { name: string; content_type?: string | undefined },
): Promise<ReadDocument["content"] | "gone"> {
  const response = await fetch(url);
  if (!response.ok) {
    await discard(response);
    if (GONE.includes(response.status)) return "gone";
    throw new ProviderError(`The file's link answers with the status ${response.status}.`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = content_type ?? response.headers.get("content-type") ?? undefined;
  return { file: { bytes, name, ...(type !== undefined && { content_type: type }) } };
}
