import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlobStore } from "../../shared/ports/blob-store.ts";

/** One adapter and a way to follow its links. */
export interface BlobStoreUnderTest {
  blobs: BlobStore;
  /** Requests a presigned link as a browser would: the real `fetch`, or the handler that serves such links. */
  request(link: string, init?: RequestInit): Promise<Response>;
  /** Lets this many seconds pass: moves an injected clock, or waits. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface BlobStoreSuiteOptions {
  /** False for an engine that serves links without checking signature and expiry; those tests then show as skipped. Default true. */
  checksLinks?: boolean;
}

export type OpenBlobStore = () => Promise<BlobStoreUnderTest>;

/** The behaviour of every `BlobStore`, tested with each adapter. */
export function describeBlobStore(name: string, open: OpenBlobStore, options: BlobStoreSuiteOptions = {}): void {
  describe(`${name}: BlobStore`, () => {
    let subject: BlobStoreUnderTest;
    let blobs: BlobStore;

    beforeAll(async () => {
      subject = await open();
      blobs = subject.blobs;
    });
    afterAll(() => subject.close());

    it("returns the bytes and the content type that were put", async () => {
      const key = newKey();
      const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
      await blobs.put(key, { bytes, contentType: "application/x-test; charset=utf-8" });
      const read = await blobs.get(key);
      expect(read?.contentType).toBe("application/x-test; charset=utf-8");
      expect([...(read?.bytes ?? [])]).toEqual([...bytes]);
    });

    it("returns how full its disk is, if it has one", async () => {
      const space = await blobs.space();
      if (space === undefined) return;
      expect(space.used).toBeGreaterThan(0);
      expect(space.used).toBeLessThanOrEqual(space.total);
    });

    it("stores an empty blob and one of several megabytes", async () => {
      for (const size of [0, 5_000_000]) {
        const key = newKey();
        await blobs.put(key, text("x".repeat(size)));
        expect((await blobs.get(key))?.bytes.byteLength).toBe(size);
      }
    });

    it("returns a blob in parts as well, with its size and content type", async () => {
      for (const size of [0, 1, 5_000_000]) {
        const key = newKey();
        const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 31) % 256));
        await blobs.put(key, { bytes, contentType: "application/x-parts" });
        const opened = await blobs.open(key);
        expect(opened).toMatchObject({ size, contentType: "application/x-parts" });
        const parts: Uint8Array[] = [];
        for await (const part of opened!.parts) parts.push(part);
        expect(Buffer.concat(parts).equals(bytes)).toBe(true);
        if (size > 1_000_000) expect(parts.length).toBeGreaterThan(1);
      }
    });

    it("stores a blob from parts of any length, and replaces the former one", async () => {
      const key = newKey();
      for (const sizes of [[], [0], [1, 2, 3], [7_000_000, 4_000_000, 1, 9_000_000]]) {
        const parts = sizes.map((size, index) => Buffer.alloc(size, `part ${index}`));
        await blobs.write(key, { parts: each(parts), contentType: "application/x-written" });
        const read = await blobs.get(key);
        expect(read?.contentType).toBe("application/x-written");
        expect(Buffer.from(read?.bytes ?? "none").equals(Buffer.concat(parts))).toBe(true);
      }
    });

    it("keeps the former blob if a part fails, and shows no part before the last one", async () => {
      const [key, absent] = [newKey(), newKey()];
      await blobs.put(key, text("kept"));
      async function* failing() {
        for (let time = 0; time < 3; time++) yield Buffer.alloc(9_000_000);
        expect(await contentOf(blobs, key)).toBe("kept");
        throw new Error("no more");
      }
      for (const each of [key, absent]) {
        const writing = blobs.write(each, { parts: failing(), contentType: "text/plain" });
        await expect(writing).rejects.toThrow("no more");
      }
      expect(await contentOf(blobs, key)).toBe("kept");
      expect(await blobs.get(absent)).toBeUndefined();
    });

    it("lets a reader of parts stop early, or never start", async () => {
      const key = newKey();
      await blobs.put(key, text("x".repeat(5_000_000)));
      for (let time = 0; time < 100; time++) await blobs.open(key);
      for (let time = 0; time < 10; time++) {
        for await (const part of (await blobs.open(key))!.parts) {
          expect(part.byteLength).toBeGreaterThan(0);
          break;
        }
      }
      expect((await blobs.get(key))?.bytes.byteLength).toBe(5_000_000);
    });

    it("fails if the key does not exist, or if the blob is deleted before it is read", async () => {
      const key = newKey();
      expect(await blobs.open(key)).toBeUndefined();
      await blobs.put(key, text("here"));
      const opened = await blobs.open(key);
      await blobs.delete(key);
      const read = async () => {
        for await (const part of opened!.parts) expect(part).toBeUndefined();
      };
      await expect(read()).rejects.toThrow();
    });

    it("replaces the whole blob", async () => {
      const key = newKey();
      await blobs.put(key, text("a longer text"));
      await blobs.put(key, { bytes: Buffer.from("{}"), contentType: "application/json" });
      expect(await contentOf(blobs, key)).toBe("{}");
      expect((await blobs.get(key))?.contentType).toBe("application/json");
    });

    it("returns undefined for a missing key and deletes it without an error", async () => {
      const key = newKey();
      expect(await blobs.get(key)).toBeUndefined();
      await blobs.delete(key);
      await blobs.put(key, text("here"));
      await blobs.delete(key);
      expect(await blobs.get(key)).toBeUndefined();
    });

    it("accepts a key that is the beginning of another one", async () => {
      const key = newKey();
      await blobs.put(key, text("short"));
      await blobs.put(`${key}/more`, text("long"));
      await blobs.put(`${key}.more`, text("dotted"));
      expect(await contentOf(blobs, key)).toBe("short");
      expect(await contentOf(blobs, `${key}/more`)).toBe("long");
      await blobs.delete(key);
      expect(await contentOf(blobs, `${key}/more`)).toBe("long");
    });

    it("lists blobs with a prefix in the order of their keys, in pages of any size", async () => {
      const prefix = `listed/${randomUUID()}/`;
      const names = ["a", "a-b", "a.b", "a/b", "a/b/c", "a/c", "a0", "B/x", "b", "b/x", "b_c"];
      const keys = names.map((name) => prefix + name).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      await Promise.all(keys.toReversed().map((key) => blobs.put(key, text(key))));
      await blobs.put(`${prefix.slice(0, -1)}-beside/a`, text("not listed"));
      for (const limit of [1, 2, 5, 1000]) {
        const found: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await blobs.list({ prefix, limit, after });
          expect(page.blobs.length).toBeLessThanOrEqual(limit);
          found.push(...page.blobs.map(({ key }) => key));
          after = page.cursor;
          if (after === undefined) break;
        }
        expect(found).toEqual(keys);
      }
      expect((await blobs.list({ prefix: `${prefix}a`, limit: 1000 })).blobs.map(({ key }) => key)).toEqual(
        keys.filter((key) => key.startsWith(`${prefix}a`)),
      );
    });

    it("lists the size and time of a blob, and an empty list if there is none", async () => {
      const key = newKey();
      const before = Date.now();
      await blobs.put(key, text("ten bytes."));
      const { blobs: found, cursor } = await blobs.list({ prefix: key, limit: 10 });
      expect(found).toEqual([{ key, size: 10, modifiedAt: expect.any(Number) }]);
      expect(cursor).toBeUndefined();
      // Stores return whole seconds of their own clock.
      expect(Math.abs((found[0]?.modifiedAt ?? 0) - before)).toBeLessThan(10_000);
      expect(await blobs.list({ prefix: newKey(), limit: 10 })).toEqual({ blobs: [] });
      await blobs.delete(key);
      expect(await blobs.list({ prefix: key, limit: 10 })).toEqual({ blobs: [] });
    });

    const FOREIGN = [
      "",
      "/",
      "/etc/passwd",
      "..",
      "../x",
      "a/../../x",
      "a/./b",
      "a//b",
      "a/",
      "a b",
      "a\\b",
      "a\0b",
      "ä",
    ];
    it.each(FOREIGN.map((key) => ({ key, label: JSON.stringify(key) })))("refuses the key $label", async ({ key }) => {
      await expect(blobs.put(key, text("x"))).rejects.toThrow();
      await expect(blobs.get(key)).rejects.toThrow();
      await expect(blobs.open(key)).rejects.toThrow();
      await expect(blobs.delete(key)).rejects.toThrow();
      await expect(blobs.presign(key, "get", 60)).rejects.toThrow();
    });

    it("keeps one of two concurrent puts whole", async () => {
      const key = newKey();
      const contents = ["a".repeat(300_000), "b".repeat(300_000)];
      await Promise.all(contents.map((content) => blobs.put(key, text(content))));
      expect(contents).toContain(await contentOf(blobs, key));
    });

    it("creates links that read", async () => {
      const key = newKey();
      await blobs.put(key, text("linked"));
      const response = await subject.request(await blobs.presign(key, "get", 60));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/plain");
      expect(await response.text()).toBe("linked");
    });

    it("creates links that answer 404 for missing blobs", async () => {
      const response = await subject.request(await blobs.presign(newKey(), "get", 60));
      expect(response.status).toBe(404);
    });

    it("creates links that write", async () => {
      const key = newKey();
      const link = await blobs.presign(key, "put", 60);
      const headers = { "content-type": "text/csv" };
      const response = await subject.request(link, { method: "PUT", body: "a,b", headers });
      expect(response.status).toBe(200);
      expect(await blobs.get(key)).toMatchObject({ contentType: "text/csv" });
      expect(await contentOf(blobs, key)).toBe("a,b");
    });

    describe.skipIf(options.checksLinks === false)("links", () => {
      it("work with their method only", async () => {
        const key = newKey();
        await blobs.put(key, text("kept"));
        const link = await blobs.presign(key, "get", 60);
        expect((await subject.request(link, { method: "PUT", body: "replaced" })).status).toBe(403);
        expect(await contentOf(blobs, key)).toBe("kept");
      });

      it("work with their key only", async () => {
        const [key, other] = [newKey(), newKey()];
        await blobs.put(key, text("mine"));
        await blobs.put(other, text("theirs"));
        const link = await blobs.presign(key, "get", 60);
        expect((await subject.request(link.replace(key, other))).status).toBe(403);
      });

      it("expire", async () => {
        const key = newKey();
        await blobs.put(key, text("short-lived"));
        const link = await blobs.presign(key, "get", 2);
        expect((await subject.request(link)).status).toBe(200);
        await subject.pass(3);
        expect((await subject.request(link)).status).toBe(403);
      });
    });

    it("answers a ping", async () => {
      await expect(blobs.ping()).resolves.toBeUndefined();
    });
  });
}

async function* each(parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

function newKey(): string {
  return `test/${randomUUID()}/Part_1.v2-x`;
}

function text(content: string) {
  return { bytes: Buffer.from(content), contentType: "text/plain" };
}

async function contentOf(blobs: BlobStore, key: string): Promise<string> {
  return Buffer.from((await blobs.get(key))?.bytes ?? []).toString();
}
