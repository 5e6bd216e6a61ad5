import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { respondWith } from "../../shared/runtime/http/page.ts";
import { readDocument } from "./service.ts";

const MAX_COMPRESSED_BYTES = 150_000;

it("sends the document compressed to clients that can read that", async () => {
  const packed = respondWith(await readDocument(), { "accept-encoding": "gzip, br" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(bytes.length).toBeLessThan(MAX_COMPRESSED_BYTES);
  const plain = respondWith(await readDocument(), {});
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(gunzipSync(bytes).toString()).toBe(await plain.text());
});
