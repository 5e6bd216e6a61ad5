import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { LocalBlobStore } from "./blobs.ts";

function setUp() {
  const root = temporaryFolder();
  const folder = path.join(root, "blobs");
  const scratch = path.join(root, "unfinished");
  const signingKey = "a key of tests";
  const options = { folder, scratch, clock: movableClock().now, baseUrl: () => "http://127.0.0.1:8080", signingKey };
  return { root, scratch, options, blobs: new LocalBlobStore(options) };
}

const TEXT = { bytes: Buffer.from("text"), contentType: "text/html" };

describe("LocalBlobStore", () => {
  it("writes nothing outside its folder and leaves no unfinished files", async () => {
    const { root, scratch, blobs } = setUp();
    await blobs.put("a/b/c", TEXT);
    for (const key of ["../out", "a/../../out", "/out", "a~/b"]) await expect(blobs.put(key, TEXT)).rejects.toThrow();
    expect(readdirSync(root).sort()).toEqual(["blobs", "unfinished"]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("refuses a content type with a line break", async () => {
    const { blobs } = setUp();
    await expect(blobs.put("a", { bytes: TEXT.bytes, contentType: "text/plain\nmore" })).rejects.toThrow();
    expect(await blobs.get("a")).toBeUndefined();
  });

  it.each([
    { what: "as long as can be found again", contentType: `text/${"x".repeat(1_018)}`, status: 200 },
    { what: "one byte longer", contentType: `text/${"x".repeat(1_019)}`, status: 400 },
    { what: "of fewer characters than bytes, as long as can be", contentType: `text/${"é".repeat(509)}`, status: 200 },
    { what: "of fewer characters than bytes, and too long", contentType: `text/${"é".repeat(510)}`, status: 400 },
  ])("answers an upload by link with a content type $what: $status", async ({ contentType, status }) => {
    const { scratch, blobs } = setUp();
    const link = await blobs.presign("a", "put", 60);
    const headers = { "content-type": contentType };
    const response = await blobs.respond(new Request(link, { method: "PUT", body: "text", headers }));
    expect(response.status).toBe(status);
    const stored = await blobs.open("a");
    expect(stored && { size: stored.size, contentType: stored.contentType }).toEqual(
      status === 200 ? { size: 4, contentType } : undefined,
    );
    expect(await blobs.list({ limit: 10 })).toMatchObject({ blobs: status === 200 ? [{ key: "a", size: 4 }] : [] });
    expect(readdirSync(scratch)).toEqual([]);
    if (status === 400) expect(await response.text()).toContain("content type");
  });

  it("creates its folder if it is missing when checked", async () => {
    const { options, blobs } = setUp();
    await blobs.ping();
    expect(existsSync(options.folder)).toBe(true);
  });

  it("links to the configured address, and serves files so that a browser runs nothing", async () => {
    const { blobs } = setUp();
    await blobs.put("page", TEXT);
    const link = await blobs.presign("page", "get", 60);
    expect(link.startsWith("http://127.0.0.1:8080/blobs/page?")).toBe(true);
    const response = await blobs.respond(new Request(link));
    expect(response.headers.get("content-security-policy")).toBe("sandbox");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["verb", "expires", "signature"])("rejects a link whose %s was changed or left out", async (parameter) => {
    const { blobs } = setUp();
    await blobs.put("a", TEXT);
    const link = new URL(await blobs.presign("a", "get", 60));
    const original = link.searchParams.get(parameter)!;
    const changed = parameter === "verb" ? "put" : String(Number(original.slice(0, 10)) + 1);
    link.searchParams.set(parameter, changed);
    const method = parameter === "verb" ? "PUT" : "GET";
    expect(blobs.verifyLink(method, link.href)).toBeUndefined();
    link.searchParams.delete(parameter);
    expect(blobs.verifyLink(method, link.href)).toBeUndefined();
  });

  it("rejects links of another installation and other methods", async () => {
    const { options, blobs } = setUp();
    const link = await blobs.presign("a", "get", 60);
    expect(blobs.verifyLink("GET", link)).toBe("a");
    expect(blobs.verifyLink("DELETE", link)).toBeUndefined();
    expect(new LocalBlobStore({ ...options, signingKey: "another" }).verifyLink("GET", link)).toBeUndefined();
  });

  it("stops reading an upload that is too large", async () => {
    const { options } = setUp();
    const blobs = new LocalBlobStore({ ...options, maxUploadBytes: 10 * 1024 * 1024 });
    const chunk = new Uint8Array(1024 * 1024);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const link = await blobs.presign("big", "put", 60);
    const response = await blobs.respond(new Request(link, { method: "PUT", body: endless, duplex: "half" }));
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(20 * chunk.byteLength);
    expect(await blobs.get("big")).toBeUndefined();
    expect(readdirSync(options.scratch)).toEqual([]);
  });
});
