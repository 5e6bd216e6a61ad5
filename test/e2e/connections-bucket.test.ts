import { randomUUID } from "node:crypto";
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

/** A third-party S3 server: that of the engines if they run, otherwise one in this process. */
interface ObjectStore {
  url: string;
  keys: { accessKeyId: string; secretAccessKey: string };
  close(): Promise<void>;
}

async function openStore(): Promise<ObjectStore> {
  const url = process.env.AWS_ENDPOINT_URL_S3;
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  const close = async () => undefined;
  if (url) return { url, keys: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }, close };
  const server = await startFauxqs({ port: 0, logger: false });
  return {
    url: server.address,
    keys: { accessKeyId: "test", secretAccessKey: "test-secret" },
    close: () => server.stop(),
  };
}

const Bucket = `documents-${randomUUID()}`;
let target: Target;
let store: ObjectStore;
let client: S3Client;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
  caller = await target.organization();
  store = await openStore();
  const { url: endpoint, keys: credentials } = store;
  client = new S3Client({
    endpoint,
    credentials,
    region: "us-east-1",
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  client.destroy();
  await target.close();
  await store.close();
});

const put = (Key: string, Body: string, ContentType = "text/plain") =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, ContentLength: Buffer.byteLength(Body) }));

async function titles(): Promise<string[]> {
  return (await caller.get("/sources?limit=100")).body.sources.map(({ title }: { title: string }) => title).sort();
}

async function connect(config: object) {
  const { body, status } = await caller.post("/connections/object_store", {
    config: {
      sync_interval_minutes: 0,
      base_url: store.url,
      bucket: Bucket,
      access_key_id: store.keys.accessKeyId,
      secret_access_key: store.keys.secretAccessKey,
      ...config,
    },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

it("imports the objects of a bucket, then only changed ones, and removes deleted ones", async () => {
  await put("docs/ropes.txt", "Ropes are in the shed.");
  await put("docs/a b+ü/sails.md", "# Sails\n\nSails are in the loft.", "text/markdown");
  await put("docs/page.html", "<html><body><h1>Masts</h1><p>Masts are tall.</p></body></html>", "text/html");
  await put("docs/folder/", "");
  await put("elsewhere.txt", "Not below the prefix.");
  const id = await connect({ prefix: "docs/" });
  const sync = async () => (await caller.post(`/connections/${id}/sync`, {})).body;
  const none = {
    connection_id: id,
    status: "completed",
    sources_created: 0,
    sources_updated: 0,
    sources_removed: 0,
    skipped: 0,
    failed: [],
  };
  expect(await sync()).toEqual({ ...none, sources_created: 3 });
  await eventually(async () =>
    expect(await titles()).toEqual(["docs/a b+ü/sails.md", "docs/page.html", "docs/ropes.txt"]),
  );
  await put("docs/ropes.txt", "Ropes are in the boat.");
  await client.send(new DeleteObjectCommand({ Bucket, Key: "docs/page.html" }));
  expect(await sync()).toEqual({ ...none, sources_updated: 1, sources_removed: 1, skipped: 1 });
  await eventually(async () => expect(await titles()).toEqual(["docs/a b+ü/sails.md", "docs/ropes.txt"]));
  expect((await caller.delete(`/connections/${id}?delete_documents=true`)).body).toMatchObject({ sources_deleted: 2 });
});

it("reads all pages of a large bucket", { timeout: 120_000 }, async () => {
  const names = Array.from({ length: 510 }, (_, index) => `many/${index}`);
  for (let first = 0; first < names.length; first += 30) {
    await Promise.all(names.slice(first, first + 30).map((name) => put(name, "")));
  }
  await put("many/zz", "The last of them.");
  const id = await connect({ prefix: "many/" });
  const { body } = await caller.post(`/connections/${id}/sync`, {});
  expect(body).toMatchObject({ status: "completed", sources_created: 1 });
});

it("returns FETCH_FAILED for a missing bucket", async () => {
  const id = await connect({ bucket: `absent-${randomUUID()}` });
  const { status, body } = await caller.post(`/connections/${id}/sync`, {});
  expect([status, body.error?.code]).toEqual([502, "FETCH_FAILED"]);
  expect(body.error?.message).toContain("NoSuchBucket");
  expect(JSON.stringify(body)).not.toContain(store.keys.secretAccessKey);
});
