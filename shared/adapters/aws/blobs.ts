import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Logger } from "../../kernel/logger.ts";
import type { Blob, BlobListing, BlobStore, BlobStream } from "../../ports/blob-store.ts";
import { requireBlobKey, requireQueryLimit } from "../../ports/preconditions.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";

const DEFAULT_CONTENT_TYPE = "application/octet-stream";

export function openBlobs(environment: Environment, logger: Logger): BlobStore {
  const isLocal = [environment.AWS_ENDPOINT_URL_S3, environment.AWS_ENDPOINT_URL].some((endpoint) => endpoint);
  const client = new S3Client({
    // Local engines serve one host, where a bucket cannot be a subdomain.
    forcePathStyle: isLocal,
    // Otherwise a presigned upload would contain and require the checksum of an empty body.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return new S3BlobStore(client, required(environment, ENVIRONMENT.bucketName), logger);
}

/** S3 allows 10,000 parts of at least 5 MB; parts double in size, so that uploads can reach its maximum object size. */
const FIRST_PIECE_BYTES = 8 * 1024 * 1024;
const PIECES_OF_ONE_SIZE = 1000;

/** Combines chunks of any length into the parts of an upload. */
async function* piecesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let buffered: Uint8Array[] = [];
  let size = 0;
  let pieces = 0;
  for await (const part of parts) {
    buffered.push(part);
    size += part.byteLength;
    if (size < FIRST_PIECE_BYTES * 2 ** Math.floor(pieces / PIECES_OF_ONE_SIZE)) continue;
    yield Buffer.concat(buffered);
    [buffered, size] = [[], 0];
    pieces += 1;
  }
  if (size > 0) yield Buffer.concat(buffered);
}

/** A multipart upload in progress; the blob does not exist until it is completed. */
interface Upload {
  target: { Bucket: string; Key: string; UploadId: string | undefined };
  sent: { ETag: string | undefined; PartNumber: number }[];
}

/** BlobStore on one S3 bucket. */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #logger: Logger;

  constructor(client: S3Client, bucket: string, logger: Logger) {
    this.#client = client;
    this.#bucket = bucket;
    this.#logger = logger;
  }

  async put(key: string, { bytes, contentType }: Blob): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#object(key), Body: bytes, ContentType: contentType }));
  }

  async write(key: string, { parts, contentType }: Omit<BlobStream, "size">): Promise<void> {
    let upload: Upload | undefined;
    const waiting: Buffer[] = [];
    try {
      for await (const piece of piecesOf(parts)) {
        waiting.push(piece);
        // A blob with a single part is stored with one request.
        if (upload === undefined && waiting.length === 1) continue;
        upload ??= await this.#begin(key, contentType);
        for (const next of waiting.splice(0)) await this.#send(upload, next);
      }
      if (upload === undefined) return await this.put(key, { bytes: waiting[0] ?? new Uint8Array(), contentType });
      const { target, sent: Parts } = upload;
      await this.#client.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts } }));
    } catch (error) {
      if (upload !== undefined) await this.#abort(upload);
      throw error;
    }
  }

  async #begin(key: string, ContentType: string): Promise<Upload> {
    const object = this.#object(key);
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand({ ...object, ContentType }));
    return { target: { ...object, UploadId }, sent: [] };
  }

  async #send({ target, sent }: Upload, Body: Buffer): Promise<void> {
    const PartNumber = sent.length + 1;
    const { ETag } = await this.#client.send(new UploadPartCommand({ ...target, PartNumber, Body }));
    sent.push({ ETag, PartNumber });
  }

  /** Never throws: the caller is already handling an error, and the bucket's lifecycle removes abandoned uploads. */
  async #abort({ target }: Upload): Promise<void> {
    try {
      await this.#client.send(new AbortMultipartUploadCommand(target));
    } catch (error) {
      this.#logger.warn("UPLOAD_NOT_ABORTED", { upload_id: target.UploadId, error });
    }
  }

  async get(key: string): Promise<Blob | undefined> {
    const found = await unlessAbsent(this.#client.send(new GetObjectCommand(this.#object(key))));
    if (found === undefined) return undefined;
    const { Body, ContentType = DEFAULT_CONTENT_TYPE } = found;
    return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), contentType: ContentType };
  }

  async open(key: string): Promise<BlobStream | undefined> {
    const object = this.#object(key);
    const found = await unlessAbsent(this.#client.send(new HeadObjectCommand(object)));
    if (found === undefined) return undefined;
    const { ContentLength = 0, ContentType = DEFAULT_CONTENT_TYPE } = found;
    return { size: ContentLength, contentType: ContentType, parts: this.#read(object) };
  }

  async *#read(object: { Bucket: string; Key: string }): AsyncGenerator<Uint8Array> {
    const { Body } = await this.#client.send(new GetObjectCommand(object));
    if (Body) yield* Body as AsyncIterable<Uint8Array>;
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(key)));
  }

  async list(request: { prefix?: string; limit: number; after?: string }): Promise<BlobListing> {
    requireQueryLimit(request);
    const { prefix, limit, after } = request;
    const { Contents = [], IsTruncated } = await this.#client.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, MaxKeys: limit, StartAfter: after }),
    );
    const blobs = Contents.map(({ Key = "", Size = 0, LastModified }) => ({
      key: Key,
      size: Size,
      modifiedAt: LastModified?.getTime() ?? 0,
    }));
    const last = IsTruncated ? blobs.at(-1) : undefined;
    return last ? { blobs, cursor: last.key } : { blobs };
  }

  async presign(key: string, verb: "get" | "put", expiresInSeconds: number): Promise<string> {
    const object = this.#object(key);
    const command = verb === "get" ? new GetObjectCommand(object) : new PutObjectCommand(object);
    return getSignedUrl(this.#client, command, { expiresIn: expiresInSeconds });
  }

  /** S3 has no capacity limit. */
  async space(): Promise<undefined> {}

  async ping(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
  }

  #object(key: string): { Bucket: string; Key: string } {
    requireBlobKey(key);
    return { Bucket: this.#bucket, Key: key };
  }
}

/** Undefined if the object does not exist, which a GET and a HEAD report under different names. */
async function unlessAbsent<Output>(response: Promise<Output>): Promise<Output | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound")) return undefined;
    throw error;
  }
}
