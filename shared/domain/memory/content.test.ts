import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { LocalBlobStore } from "../../adapters/local/blobs.ts";
import type { Ports } from "../../ports/ports.ts";
import { archiveContent, ContentMissingError, contentKey, loadContent, storeContent } from "./content.ts";

let blobs: LocalBlobStore;
let owner: { ports: Ports };

beforeEach(() => {
  const folder = temporaryFolder();
  blobs = new LocalBlobStore({
    folder: path.join(folder, "blobs"),
    scratch: path.join(folder, "scratch"),
    clock: Date.now,
    baseUrl: () => "",
    signingKey: "test",
  });
  // Content uses no other port.
  owner = { ports: { blobs } as unknown as Ports };
});

const keyOf = (content: string) => contentKey({ org: "org_1", id: "mem_1" }, content);

/** Any text that a request can contain: any code points, but no lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 2_000 }),
  fc.string({ unit: "grapheme", maxLength: 2_000 }),
  fc.tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.nat(5_000)).map(([part, times]) => part.repeat(times)),
);

describe("content", () => {
  it("is read back unchanged, from a record and from an archive", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.boolean(), async (given, packed) => {
        const content = given.toWellFormed();
        const key = keyOf(content);
        expect(await loadContent(owner, await storeContent(owner, key, content))).toBe(content);
        await archiveContent(owner, key, content, packed);
        expect(await loadContent(owner, { content_blob: key })).toBe(content);
      }),
    );
  });

  it("is stored in the record if short, otherwise in the blob store", async () => {
    expect(await storeContent(owner, keyOf("short"), "short")).toEqual({ content: "short" });
    const long = "ä".repeat(40_000);
    const key = keyOf(long);
    const stored = await storeContent(owner, key, long);
    expect(stored).toEqual({ content_blob: key });
    await archiveContent(owner, key, long, true);
    expect(await loadContent(owner, stored)).toBe(long);
  });

  it("throws ContentMissingError if its blob is missing or contains something else", async () => {
    const key = keyOf("any");
    await expect(loadContent(owner, { content_blob: key })).rejects.toThrow(ContentMissingError);
    for (const contentType of ["text/plain", "application/gzip"]) {
      await blobs.put(key, { bytes: Buffer.from("other"), contentType });
      await expect(loadContent(owner, { content_blob: key })).rejects.toThrow(ContentMissingError);
    }
  });
});
