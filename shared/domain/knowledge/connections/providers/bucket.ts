import type { ForeignBucket } from "../../../../ports/foreign-bucket.ts";
import { carry } from "../../../../runtime/fetching/secret-destinations.ts";
import type { FoundDocument } from "../connection.ts";
import type { ConnectionSecrets, SettingsOf } from "../settings.ts";
import type { Listing, Position, ProviderSession, ReadResult, SessionTools } from "./provider.ts";

/** The objects of a bucket by ETag. Without keys, requests are anonymous and never use the service's credentials. */
export async function openObjectStore(
  settings: SettingsOf<"object_store">,
  { secret_access_key, session_token }: ConnectionSecrets,
  tools: SessionTools,
): Promise<ProviderSession> {
  const { bucket, region, base_url, access_key_id, prefix } = settings;
  const credentials =
    access_key_id !== undefined && secret_access_key !== undefined
      ? { accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken: session_token }
      : undefined;
  const opened = await tools.openBucket(
    { bucket, region, endpoint: base_url, ...(credentials && { credentials }) },
    // Signatures and session tokens are in the headers.
    (url, { headers, ...request } = {}) =>
      tools.fetch(url, { ...request, secrets: [carry("bucket_keys", { config: settings }, headers)] }),
  );
  return {
    list: (position) => listPart(opened, { bucket, prefix }, position),
    read: (document) => readObject(opened, bucket, document),
  };
}

async function listPart(
  opened: ForeignBucket,
  { bucket, prefix }: Pick<SettingsOf<"object_store">, "bucket" | "prefix">,
  { place }: Position,
): Promise<Listing> {
  const after = typeof place === "string" ? place : undefined;
  const { objects, next } = await opened.list({ prefix, after });
  // By convention of the consoles, folders are empty objects.
  const found = objects
    .filter(({ bytes }) => bytes > 0)
    .map(({ key, etag }) => ({ external_id: `${bucket}/${key}`, version: etag, hint: { key } }));
  return next === undefined ? { found, isInventory: true } : { found, next };
}

async function readObject(opened: ForeignBucket, bucket: string, { hint }: FoundDocument): Promise<ReadResult> {
  const key = String(hint.key);
  const object = await opened.get(key);
  if (!object) return "gone";
  if (object.bytes.byteLength === 0) return "no_text";
  const { bytes, contentType } = object;
  return {
    title: key,
    url: `s3://${bucket}/${key}`,
    content: { file: { bytes, name: key, content_type: contentType } },
  };
}
