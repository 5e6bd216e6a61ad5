import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, expect, it, vi } from "vitest";
import { silentLogger } from "../../kernel/logger.ts";
import { S3BlobStore } from "./blobs.ts";

const MB = 1024 * 1024;

const s3 = mockClient(S3Client);
const warn = vi.fn();
const blobs = new S3BlobStore(new S3Client({ region: "us-east-1" }), "bucket", { ...silentLogger, warn });

/** A blob of this many pieces; `state` shows whether its iterator was closed. */
function source(pieces: number, fault?: Error) {
  const state = { isClosed: false };
  async function* parts() {
    try {
      for (let piece = 0; piece < pieces; piece++) yield Buffer.alloc(8 * MB, `${piece}`);
      if (fault) throw fault;
    } finally {
      state.isClosed = true;
    }
  }
  return { state, blob: { parts: parts(), contentType: "text/plain" } };
}

const piecesSent = () => s3.commandCalls(UploadPartCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  s3.reset();
  warn.mockReset();
  s3.on(CreateMultipartUploadCommand).resolves({ UploadId: "upload" });
  s3.on(UploadPartCommand).callsFake(({ PartNumber }) => ({ ETag: `etag ${PartNumber}` }));
});

it("uploads several pieces one by one, in order, and completes the upload with all of them", async () => {
  await blobs.write("key", source(3).blob);
  const pieces = piecesSent().map(({ PartNumber, Body }) => `${PartNumber}: ${String(Body).slice(0, 1)}`);
  expect(pieces).toEqual(["1: 0", "2: 1", "3: 2"]);
  const [completed] = s3.commandCalls(CompleteMultipartUploadCommand);
  expect(completed?.args[0].input).toEqual({
    Bucket: "bucket",
    Key: "key",
    UploadId: "upload",
    MultipartUpload: { Parts: [1, 2, 3].map((PartNumber) => ({ ETag: `etag ${PartNumber}`, PartNumber })) },
  });
  expect(s3.commandCalls(AbortMultipartUploadCommand)).toEqual([]);
});

it.each([0, 1])("uploads %i pieces in one request", async (pieces) => {
  await blobs.write("key", source(pieces).blob);
  const sizes = s3.commandCalls(PutObjectCommand).map(({ args }) => (args[0].input.Body as Uint8Array).byteLength);
  expect(sizes).toEqual([pieces * 8 * MB]);
  expect(s3.commandCalls(CreateMultipartUploadCommand)).toEqual([]);
});

it("reports the first failure if an upload cannot be aborted either, logs the second, and closes the source", async () => {
  s3.on(UploadPartCommand).rejects(new Error("no such piece"));
  s3.on(AbortMultipartUploadCommand).rejects(new Error("no such upload"));
  const { state, blob } = source(3);
  await expect(blobs.write("key", blob)).rejects.toThrow("no such piece");
  expect(state.isClosed).toBe(true);
  expect(warn.mock.calls).toEqual([
    ["UPLOAD_NOT_ABORTED", { upload_id: "upload", error: expect.objectContaining({ message: "no such upload" }) }],
  ]);
});

it("aborts an upload whose source fails", async () => {
  await expect(blobs.write("key", source(2, new Error("torn")).blob)).rejects.toThrow("torn");
  expect(s3.commandCalls(AbortMultipartUploadCommand)).toHaveLength(1);
  expect(s3.commandCalls(CompleteMultipartUploadCommand)).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
});

it("closes the source of an upload that cannot begin, and aborts nothing", async () => {
  s3.on(CreateMultipartUploadCommand).rejects(new Error("not now"));
  const { state, blob } = source(3);
  await expect(blobs.write("key", blob)).rejects.toThrow("not now");
  expect(state.isClosed).toBe(true);
  expect(s3.commandCalls(AbortMultipartUploadCommand)).toEqual([]);
});
