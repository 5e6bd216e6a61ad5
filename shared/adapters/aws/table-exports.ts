import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  type AttributeValue,
  DescribeExportCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ExportTableToPointInTimeCommand,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { splitLines } from "../../kernel/lines.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { pagesOf } from "../../ports/pages.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { toRecord } from "./item-format.ts";

export interface TableExportOptions {
  table: string;
  bucket: string;
  /** Prefix of the keys of all exports. */
  prefix: string;
  /** ARN of the KMS key for exports; the default is S3's own key. */
  key?: string | undefined;
  /** The blob store of the same bucket. */
  blobs: BlobStore;
}

/**
 * Table size in bytes above which an export is used: a scan reads a few megabytes per second and a function has 15
 * minutes, but even the smallest export takes DynamoDB minutes.
 */
const LARGE_BYTES = 1024 ** 3;
const PAGE_RECORDS = 500;
const LISTED_KEYS = 1000;

/** The used parts of `manifest-summary.json` and `manifest-files.json` (DynamoDB guide, "export output format"). */
interface ExportSummary {
  manifestFilesS3Key: string;
  itemCount: number;
  outputFormat: string;
}

interface ExportedFile {
  itemCount: number;
  dataFileS3Key: string;
}

/** Exports of a table to S3, made by DynamoDB from point-in-time recovery: all items as of one moment. */
export class TableExports {
  readonly #client: DynamoDBClient;
  readonly #options: TableExportOptions;

  constructor(client: DynamoDBClient, options: TableExportOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether the table is so large that an export is better than a scan; DynamoDB's size is up to six hours old. */
  async isLarge(): Promise<boolean> {
    return ((await this.#describeTable())?.TableSizeBytes ?? 0) > LARGE_BYTES;
  }

  /** Starts an export on the first call. Returns its records in pages; undefined in progress. Throws if it failed. */
  async request(id: string): Promise<AsyncIterable<StoredRecord[]> | undefined> {
    const { ExportDescription } = await this.#client.send(
      new DescribeExportCommand({ ExportArn: await this.#begin(id) }),
    );
    const { ExportStatus, ExportManifest, FailureCode, FailureMessage } = ExportDescription ?? {};
    if (ExportStatus === "IN_PROGRESS") return undefined;
    if (ExportStatus !== "COMPLETED" || ExportManifest === undefined) {
      throw new Error(
        `DynamoDB's export failed: ${FailureCode ?? ExportStatus}: ${FailureMessage ?? "no reason given"}`,
      );
    }
    return this.#read(id, ExportManifest);
  }

  /** Deletes the files of an export. */
  async discard(id: string): Promise<void> {
    const { blobs } = this.#options;
    const prefix = `${this.#prefixOf(id)}/`;
    for await (const page of pagesOf((after) => blobs.list({ prefix, limit: LISTED_KEYS, after }))) {
      await Promise.all(page.blobs.map(({ key }) => blobs.delete(key)));
    }
  }

  /** Returns the ARN of an export; starts it unless an export with this id as token was started before. */
  async #begin(id: string): Promise<string | undefined> {
    const { bucket, key } = this.#options;
    const table = await this.#describeTable();
    const { ExportDescription } = await this.#client.send(
      new ExportTableToPointInTimeCommand({
        TableArn: table?.TableArn,
        ClientToken: id,
        S3Bucket: bucket,
        S3Prefix: this.#prefixOf(id),
        ExportFormat: "DYNAMODB_JSON",
        ...(key === undefined ? { S3SseAlgorithm: "AES256" } : { S3SseAlgorithm: "KMS", S3SseKmsKeyId: key }),
      }),
    );
    return ExportDescription?.ExportArn;
  }

  async #describeTable() {
    return (await this.#client.send(new DescribeTableCommand({ TableName: this.#options.table }))).Table;
  }

  async *#read(id: string, manifest: string): AsyncGenerator<StoredRecord[]> {
    const summary = JSON.parse((await this.#linesOf(id, manifest)).join("")) as ExportSummary;
    if (summary.outputFormat !== "DYNAMODB_JSON") throw new Error(`an export has the format ${summary.outputFormat}`);
    let items = 0;
    for (const line of await this.#linesOf(id, summary.manifestFilesS3Key)) {
      const file = JSON.parse(line) as ExportedFile;
      for await (const page of this.#recordsOf(id, file)) {
        items += page.length;
        yield page;
      }
    }
    if (items !== summary.itemCount) throw new Error(`an export of ${summary.itemCount} items has ${items}`);
  }

  /** Yields the records of one file in pages. The file has gzipped lines `{"Item": …}` with typed attributes. */
  async *#recordsOf(id: string, { dataFileS3Key, itemCount }: ExportedFile): AsyncGenerator<StoredRecord[]> {
    let page: StoredRecord[] = [];
    let items = 0;
    for await (const line of splitLines(decompressed(await this.#open(id, dataFileS3Key)))) {
      const { Item } = JSON.parse(line.toString()) as { Item: Record<string, AttributeValue> };
      items += 1;
      page.push(toRecord(unmarshall(Item) as StoredRecord));
      if (page.length < PAGE_RECORDS) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
    if (items !== itemCount)
      throw new Error(`the file ${dataFileS3Key} of an export has ${items} of ${itemCount} items`);
  }

  async #linesOf(id: string, key: string): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of splitLines(await this.#open(id, key))) lines.push(line.toString());
    return lines;
  }

  /** Opens a file of an export; its key in a manifest may lack the export's prefix. */
  async #open(id: string, key: string): Promise<AsyncIterable<Uint8Array>> {
    const prefix = this.#prefixOf(id);
    const fullKey = key.startsWith(`${prefix}/`) ? key : `${prefix}/${key}`;
    const opened = await this.#options.blobs.open(fullKey);
    if (!opened) throw new Error(`the file ${fullKey} of an export is missing`);
    return opened.parts;
  }

  #prefixOf(id: string): string {
    return this.#options.prefix + id;
  }
}

/** Returns the decompressed bytes of gzipped ones. */
function decompressed(gzipped: AsyncIterable<Uint8Array>): Readable {
  const gunzip = createGunzip();
  // An error on either side ends the other side and is thrown to the reader of `gunzip`.
  return pipeline(Readable.from(gzipped), gunzip, () => undefined);
}
