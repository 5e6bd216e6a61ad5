import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Blob, BlobListing, BlobStore, BlobStream } from "../ports.ts";
import { requireBlobKey, requireQueryLimit } from "../preconditions.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";

const DEFAULT_CONTENT_TYPE = "application/octet-stream";

export function openBlobs(environment: Environment): BlobStore {
  const isLocal = [environment.AWS_ENDPOINT_URL_S3, environment.AWS_ENDPOINT_URL].some((endpoint) => endpoint);
  const client = new S3Client({
    // Local engines answer on one host, where a bucket cannot be a subdomain.
    forcePathStyle: isLocal,
    // Else a presigned upload would carry, and demand, the checksum of no bytes at all.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return new S3BlobStore(client, required(environment, ENVIRONMENT.bucketName));
}

/** BlobStore on one S3 bucket. */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async put(key: string, { bytes, contentType }: Blob): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#object(key), Body: bytes, ContentType: contentType }));
  }

  async get(key: string): Promise<Blob | undefined> {
    try {
      const { Body, ContentType = DEFAULT_CONTENT_TYPE } = await this.#client.send(
        new GetObjectCommand(this.#object(key)),
      );
      return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), contentType: ContentType };
    } catch (error) {
      if (error instanceof Error && error.name === "NoSuchKey") return undefined;
      throw error;
    }
  }

  async open(key: string): Promise<BlobStream | undefined> {
    const object = this.#object(key);
    try {
      const { ContentLength = 0, ContentType = DEFAULT_CONTENT_TYPE } = await this.#client.send(
        new HeadObjectCommand(object),
      );
      return { size: ContentLength, contentType: ContentType, parts: this.#read(object) };
    } catch (error) {
      if (error instanceof Error && error.name === "NotFound") return undefined;
      throw error;
    }
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

  async ping(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
  }

  #object(key: string): { Bucket: string; Key: string } {
    requireBlobKey(key);
    return { Bucket: this.#bucket, Key: key };
  }
}
