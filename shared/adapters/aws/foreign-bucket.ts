import { Readable } from "node:stream";
import { GetObjectCommand, ListObjectsV2Command, S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import * as z from "zod";
import type { BucketAddress, BucketFetch, ForeignBucket } from "../../ports/foreign-bucket.ts";
import { CredentialsRefusedError, innermost, isFault, ProviderError } from "../../ports/provider-faults.ts";

const PAGE = 500;
const ABSENT = new Set(["NoSuchKey", "NotFound"]);
const REFUSED_CREDENTIALS = new Set(
  "InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken TokenRefreshRequired".split(" "),
);
/** Credentials of a bucket without keys; requests are not signed. */
const ANONYMOUS = { accessKeyId: "", secretAccessKey: "" };

/** Opens a third-party bucket on either platform. Uses only its own keys, never the process's. */
export async function openForeignBucket(
  { bucket: Bucket, region, endpoint, credentials }: BucketAddress,
  fetch: BucketFetch,
): Promise<ForeignBucket> {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    credentials: credentials ?? ANONYMOUS,
    ...(!credentials && { signer: { sign: async (request) => request } }),
    maxAttempts: 1,
    // Other vendors' stores refuse unknown checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: handlerOf(fetch),
  });
  return {
    list: ({ prefix, after }) =>
      withMappedErrors(async () => {
        const answer = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: after, MaxKeys: PAGE }),
        );
        const page = ListedObjects.safeParse(answer);
        if (!page.success) throw malformed();
        const objects = page.data.Contents.map(({ Key, ETag, Size }) => ({ key: Key, etag: ETag, bytes: Size }));
        const next = page.data.IsTruncated ? page.data.NextContinuationToken : undefined;
        return { objects, ...(next !== undefined && { next }) };
      }),
    get: (key) =>
      withMappedErrors(async () => {
        try {
          const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
          const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
          return { bytes, ...(ContentType !== undefined && { contentType: ContentType }) };
        } catch (error) {
          if (error instanceof S3ServiceException && ABSENT.has(error.name)) return undefined;
          throw error;
        }
      }),
  };
}

/** A page of a listing; a response without IsTruncated is invalid and must not count as an empty bucket. */
const ListedObjects = z.object({
  IsTruncated: z.boolean(),
  NextContinuationToken: z.string().optional(),
  Contents: z
    .array(z.object({ Key: z.string().min(1), ETag: z.string().default(""), Size: z.number().default(0) }))
    .default([]),
});

function malformed(): ProviderError {
  return new ProviderError("The object store returned an unexpected response.");
}

async function withMappedErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const inner = innermost(error);
    if (isFault(inner)) throw inner;
    // The client attaches the response to an error that occurs while reading it.
    if (error instanceof Error && "$response" in error && !(error instanceof S3ServiceException)) throw malformed();
    if (!(inner instanceof S3ServiceException)) throw inner;
    if (REFUSED_CREDENTIALS.has(inner.name)) throw new CredentialsRefusedError();
    throw new ProviderError(`The object store answers ${inner.name}.`);
  }
}

/** The request handler of the client. It sends only requests without a body: lists and reads. */
function handlerOf(fetch: BucketFetch): NonNullable<ConstructorParameters<typeof S3Client>[0]>["requestHandler"] {
  return {
    async handle({ protocol, hostname, port, path, query, method, headers }: SentRequest) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query ?? {})) {
        for (const item of [value].flat()) search.append(name, item ?? "");
      }
      const authority = port === undefined ? hostname : `${hostname}:${port}`;
      // As signed: a space is %20 (Signature Version 4, "Canonical query string").
      const encoded = search.toString().replaceAll("+", "%20").replaceAll("*", "%2A");
      const url = `${protocol}//${authority}${path}${encoded && `?${encoded}`}`;
      const response = await fetch(url, { method, headers });
      const body = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never);
      return {
        response: {
          statusCode: response.status,
          reason: response.statusText,
          headers: Object.fromEntries(response.headers),
          body,
        },
      };
    },
  } as never;
}

interface SentRequest {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  method: string;
  headers: Record<string, string>;
}
