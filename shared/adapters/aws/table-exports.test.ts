import { gzipSync } from "node:zlib";
import {
  DescribeExportCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExportTableToPointInTimeCommand,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { LocalBlobStore } from "../local/blobs.ts";
import { escapeNames, RESTORED_MARK } from "./attribute-names.ts";
import { DynamoInventory } from "./inventory.ts";
import { TABLE_EXPORT_PREFIX } from "./table.ts";
import { TableExports } from "./table-exports.ts";

const TABLE_ARN = "arn:aws:dynamodb:eu-central-1:123456789012:table/records";
const EXPORT_ARN = `${TABLE_ARN}/export/01693685827463-2d8752fd`;
const ID = "bak_1-1";
const PREFIX = `${TABLE_EXPORT_PREFIX}${ID}`;
const FOLDER = "AWSDynamoDB/01693685827463-2d8752fd";
const SUMMARY = `${PREFIX}/${FOLDER}/manifest-summary.json`;
const LARGE = 2 * 1024 ** 3;

const records: StoredRecord[] = [
  { pk: "p", sk: "a", kind: "thing", count: 3, ratio: 0.25, isGood: true, nothing: null },
  { pk: "p", sk: "b", kind: "thing", nested: { list: [1, "two", { three: [] }], constructor: 1, "": "é\n" } },
  { pk: "q", sk: "a", kind: "other", text: "line\nbreak and \u2028 separator" },
];

const client = new DynamoDBClient({ region: "eu-central-1" });
const dynamo = mockClient(client);
const documents = mockClient(DynamoDBDocumentClient);
let blobs: BlobStore;
let inventory: DynamoInventory;

beforeEach(() => {
  const folder = temporaryFolder();
  const options = { clock: Date.now, baseUrl: () => "", signingKey: "key" };
  blobs = new LocalBlobStore({ folder: `${folder}/blobs`, scratch: `${folder}/scratch`, ...options });
  const exports = new TableExports(client, { table: "records", bucket: "bucket", prefix: TABLE_EXPORT_PREFIX, blobs });
  inventory = new DynamoInventory(client, "records", Date.now, exports);
  dynamo.on(DescribeTableCommand).resolves({ Table: { TableArn: TABLE_ARN, TableSizeBytes: LARGE } });
  dynamo.on(ExportTableToPointInTimeCommand).resolves({ ExportDescription: { ExportArn: EXPORT_ARN } });
});
afterEach(() => {
  dynamo.reset();
  documents.reset();
});

const put = (key: string, bytes: Uint8Array | string) =>
  blobs.put(key, { bytes: Buffer.from(bytes), contentType: "application/octet-stream" });

/** One line of a data file, as DynamoDB writes it. */
const lineOf = (record: StoredRecord) =>
  `${JSON.stringify({ Item: marshall(escapeNames({ ...record, [RESTORED_MARK]: true })) })}\n`;

/** The last data file and its line. */
const SECOND = `${PREFIX}/${FOLDER}/data/file1.json.gz`;
const LINE = lineOf(records[2]!);

interface Layout {
  files?: StoredRecord[][];
  /** Overrides of the manifests' content. */
  itemCount?: number;
  firstFileCount?: number;
  format?: string;
  /** Prefix of the keys in the manifests. */
  keyPrefix?: string;
}

/** Stores the files of a completed export, as described in "DynamoDB table export output format". */
async function completed(layout: Layout = {}): Promise<void> {
  const { format = "DYNAMODB_JSON", keyPrefix = `${PREFIX}/` } = layout;
  const { files = [records.slice(0, 2), records.slice(2)] } = layout;
  const itemCount = layout.itemCount ?? files.flat().length;
  const manifest: string[] = [];
  for (const [place, items] of files.entries()) {
    const name = `${FOLDER}/data/file${place}.json.gz`;
    await put(`${PREFIX}/${name}`, gzipSync(items.map(lineOf).join("")));
    const count = place === 0 ? (layout.firstFileCount ?? items.length) : items.length;
    const digests = { md5Checksum: "sQMSpEILNgoQmarvDFonGQ==", etag: "af83-1" };
    manifest.push(JSON.stringify({ itemCount: count, ...digests, dataFileS3Key: keyPrefix + name }));
  }
  await put(`${PREFIX}/${FOLDER}/manifest-files.json`, `${manifest.join("\n")}\n`);
  const summary = {
    ...{ version: "2020-06-30", exportArn: EXPORT_ARN, tableArn: TABLE_ARN, s3Bucket: "bucket", s3Prefix: PREFIX },
    ...{ manifestFilesS3Key: `${keyPrefix}${FOLDER}/manifest-files.json`, itemCount, outputFormat: format },
  };
  await put(SUMMARY, JSON.stringify(summary, undefined, 2));
  const description = { ExportArn: EXPORT_ARN, ExportStatus: "COMPLETED", ExportManifest: SUMMARY } as const;
  dynamo.on(DescribeExportCommand).resolves({ ExportDescription: description });
}

async function readAll(): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  const snapshot = await inventory.requestSnapshot(ID);
  for await (const page of snapshot?.pages ?? []) found.push(...page);
  return found;
}

describe("a requested snapshot of a large table", () => {
  it("is an export, started once with its own token and awaited", async () => {
    dynamo.on(DescribeExportCommand).resolves({ ExportDescription: { ExportStatus: "IN_PROGRESS" } });
    expect(await inventory.requestSnapshot(ID)).toBeUndefined();
    expect(await inventory.requestSnapshot(ID)).toBeUndefined();
    const begun = dynamo.commandCalls(ExportTableToPointInTimeCommand).map(({ args }) => args[0].input);
    const expected = {
      ...{ TableArn: TABLE_ARN, ClientToken: ID, S3Bucket: "bucket", S3Prefix: PREFIX },
      ...{ ExportFormat: "DYNAMODB_JSON", S3SseAlgorithm: "AES256" },
    };
    expect(begun).toEqual([expected, expected]);
    const looked = dynamo.commandCalls(DescribeExportCommand).map(({ args }) => args[0].input.ExportArn);
    expect(looked).toEqual([EXPORT_ARN, EXPORT_ARN]);
    expect(documents.commandCalls(ScanCommand)).toEqual([]);
  });

  it("is encrypted with the deployment's key if there is one", async () => {
    const key = "arn:aws:kms:eu-central-1:123456789012:key/1";
    const exports = new TableExports(client, { table: "records", bucket: "bucket", prefix: "e/", key, blobs });
    dynamo.on(DescribeExportCommand).resolves({ ExportDescription: { ExportStatus: "IN_PROGRESS" } });
    await exports.request(ID);
    const [begun] = dynamo.commandCalls(ExportTableToPointInTimeCommand);
    expect(begun?.args[0].input).toMatchObject({ S3SseAlgorithm: "KMS", S3SseKmsKeyId: key });
  });

  it.each([`${PREFIX}/`, ""])("has all records of one moment (keys with the prefix '%s')", async (keyPrefix) => {
    await completed({ keyPrefix });
    expect((await inventory.requestSnapshot(ID))?.consistency).toBe("moment");
    expect(await readAll()).toEqual(records);
  });

  it("is read page by page, also from files with many records", async () => {
    const many = Array.from({ length: 1_201 }, (_, place) => ({ pk: `p${place}`, sk: "a", kind: "thing", place }));
    await completed({ files: [many, [], records] });
    const sizes: number[] = [];
    for await (const page of (await inventory.requestSnapshot(ID))?.pages ?? []) sizes.push(page.length);
    expect(sizes).toEqual([500, 500, 201, 3]);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ["a file is missing", () => blobs.delete(SECOND), /file1\.json\.gz of an export is missing/],
    ["a file is cut off", () => put(SECOND, gzipSync(LINE).subarray(0, 30)), /unexpected end of file/],
    ["a file is not packed", () => put(SECOND, LINE), /incorrect header check/],
    ["a file has other items", () => completed({ firstFileCount: 3 }), /file0\.json\.gz of an export has 2 of 3 items/],
    ["all have other items", () => completed({ itemCount: 4 }), /export of 4 items has 3/],
    ["it has another format", () => completed({ format: "ION" }), /format ION/],
    ["there is no manifest", () => blobs.delete(SUMMARY), /manifest-summary\.json of an export is missing/],
  ])("is refused if %s", async (_, spoil, reason) => {
    await completed();
    await spoil();
    await expect(readAll()).rejects.toThrow(reason);
  });

  it("fails as DynamoDB's export does", async () => {
    const failed = { ExportStatus: "FAILED" as const, FailureCode: "S3AccessDenied", FailureMessage: "no way in" };
    dynamo.on(DescribeExportCommand).resolves({ ExportDescription: failed });
    await expect(inventory.requestSnapshot(ID)).rejects.toThrow("DynamoDB's export failed: S3AccessDenied: no way in");
  });

  it("is deleted once it is discarded, without the exports of others", async () => {
    await completed();
    const other = `${TABLE_EXPORT_PREFIX}bak_1-10/${FOLDER}/manifest-summary.json`;
    await put(other, "{}");
    await inventory.discardSnapshot(ID);
    expect((await blobs.list({ limit: 10 })).blobs.map(({ key }) => key)).toEqual([other]);
    await inventory.discardSnapshot(ID);
  });
});

describe("a requested snapshot of a small table", () => {
  it("is a scan", async () => {
    dynamo.on(DescribeTableCommand).resolves({ Table: { TableArn: TABLE_ARN, TableSizeBytes: 1024 } });
    documents.on(ScanCommand).resolves({ Items: records.map((record) => escapeNames(record)) });
    expect((await inventory.requestSnapshot(ID))?.consistency).toBe("pages");
    expect(await readAll()).toEqual(records);
    expect(dynamo.commandCalls(ExportTableToPointInTimeCommand)).toEqual([]);
  });

  it("is a scan if the function may not export", async () => {
    documents.on(ScanCommand).resolves({ Items: [] });
    const snapshot = await new DynamoInventory(client, "records", Date.now).requestSnapshot(ID);
    expect(snapshot?.consistency).toBe("pages");
    expect(dynamo.commandCalls(DescribeTableCommand)).toEqual([]);
  });
});
