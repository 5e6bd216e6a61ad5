import { describe, expect, it } from "vitest";
import { parseJson } from "../schemas/validate.ts";
import { readBody } from "./request.ts";

const MOST = 10;

/** A request with a body of this many bytes; `headers` may state the length. */
function sent(bytes: number, headers: Record<string, string> = {}): Request {
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.alloc(bytes, "x"));
      controller.close();
    },
  });
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" });
}

describe("a body", () => {
  it.each([
    ["says", { "content-length": `${MOST}` }],
    ["does not say", {}],
  ])("of the maximum length is read if it %s its length", async (_what, headers) => {
    expect(await readBody(sent(MOST, headers), MOST)).toBe("x".repeat(MOST));
  });

  it("that declares to be longer is refused unread", async () => {
    const request = sent(MOST + 1, { "content-length": `${MOST + 1}` });
    await expect(readBody(request, MOST)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(request.bodyUsed).toBe(false);
  });

  it("that does not declare to be longer is refused while it is read", async () => {
    await expect(readBody(sent(MOST + 1), MOST)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });
});

describe("JSON", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  it("may be nested 64 deep, and deeper within strings", () => {
    expect(JSON.stringify(parseJson(nested(64), "application/json"))).toBe(nested(64));
    const text = JSON.stringify({ a: `\\"${nested(1_000)}` });
    expect(JSON.stringify(parseJson(text, "application/json"))).toBe(text);
    expect(parseJson(`[${"[],{},".repeat(1_000)}0]`, "application/json")).toHaveLength(2_001);
  });

  it.each([nested(65), '{"a":'.repeat(65), "[".repeat(500_000), nested(500_000)])(
    "nested deeper is refused",
    (text) => {
      expect(() => parseJson(text, "application/json")).toThrow(
        expect.objectContaining({
          code: "VALIDATION_ERROR",
          details: { fields: [{ field: "body", problem: "is nested more than 64 deep" }] },
        }),
      );
    },
  );
});
