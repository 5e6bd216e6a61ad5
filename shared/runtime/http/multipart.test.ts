import { describe, expect, it } from "vitest";
import { CONSTANT, orderOfGrowth } from "../../../test/support/processor-time.ts";
import { MAX_FILE_BYTES, readForm } from "./multipart.ts";

const BOUNDARY = "frontier";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

function request(body: RequestInit["body"], contentType = TYPE): Request {
  const headers = { "content-type": contentType };
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" });
}

function part(disposition: string, content: string, type?: string): string {
  const header = type === undefined ? "" : `\r\nContent-Type: ${type}`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}${header}\r\n\r\n${content}\r\n`;
}

const END = `--${BOUNDARY}--\r\n`;
const FILE = part('name="file"; filename="a.txt"', "hello", "text/plain");
const read = (body: RequestInit["body"], contentType?: string) => readForm(request(body, contentType));

describe("a form", () => {
  it("contains its fields and its file, as browsers and fetch send them", async () => {
    const form = new FormData();
    form.set("title", "Grüße");
    const bytes = new Uint8Array([0, 255, 13, 10, 45, 45]);
    form.set("file", new File([bytes], "Grüße 語.bin", { type: "application/x-test" }));
    const { fields, file } = await readForm(new Request("http://localhost/", { method: "POST", body: form }));
    expect(fields).toEqual({ title: "Grüße" });
    expect(file).toMatchObject({ name: "Grüße 語.bin", content_type: "application/x-test" });
    expect([...file.bytes]).toEqual([0, 255, 13, 10, 45, 45]);
  });

  it("keeps field names such as __proto__", async () => {
    const fields = part('name="title"', "first") + part('name="constructor"', "x");
    expect((await read(fields + FILE + END)).fields).toEqual({ title: "first", constructor: "x" });
  });

  it("with two fields of one name is refused", async () => {
    const fields = part('name="title"', "first") + part('name="title"', "second");
    await expect(read(fields + FILE + END)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { fields: [{ field: "title", problem: "is given more than once" }] },
    });
  });

  it("may contain an empty file and one of the maximum length", async () => {
    expect((await read(part('name="file"; filename="a"', "") + END)).file.bytes).toHaveLength(0);
    const greatest = part('name="file"; filename="a"', "x".repeat(MAX_FILE_BYTES));
    expect((await read(greatest + END)).file.bytes).toHaveLength(MAX_FILE_BYTES);
  });

  it.each([
    ["a longer file", part('name="file"; filename="a"', "x".repeat(MAX_FILE_BYTES + 1)) + END],
    ["much more", "x".repeat(6_000_000)],
  ])("with %s is refused with a hint where to send it", async (_what, body) => {
    await expect(read(body)).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining("upload-url"),
    });
  });

  it("of unlimited length is refused at the limit", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
    await expect(read(endless)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it.each([
    ["JSON", "{}", "application/json"],
    ["a form of another kind", "a=b", "application/x-www-form-urlencoded"],
    ["anything without a type", "x", ""],
  ])("is not %s", async (_what, body, type) => {
    await expect(read(body, type)).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  it.each([
    ["no boundary", FILE + END, "multipart/form-data"],
    ["no body", null, TYPE],
    ["an empty body", "", TYPE],
    ["another boundary", FILE + END, "multipart/form-data; boundary=other"],
    ["no end", FILE, TYPE],
    ["an end within the file", FILE.slice(0, -6), TYPE],
    ["an end within a header", FILE.slice(0, 30), TYPE],
    ["an end within a field", part('name="title"', "half").slice(0, -4), TYPE],
    ["no file", part('name="title"', "x") + END, TYPE],
    ["a file that has no name", part('name="file"', "text") + END, TYPE],
    ["a file in another field", part('name="document"; filename="a"', "x") + END, TYPE],
    ["two files", FILE + FILE + END, TYPE],
    ["too many fields", Array.from({ length: 40 }, (_, n) => part(`name="f${n}"`, "x")).join("") + FILE + END, TYPE],
    ["a field that is too long", part('name="title"', "x".repeat(70_000)) + FILE + END, TYPE],
    ["a part without a name", `--${BOUNDARY}\r\n\r\nx\r\n${END}`, TYPE],
    ["bytes of no form", "\0\r\n\r\n--\r\n", TYPE],
  ])("with %s is refused", async (_what, body, type) => {
    await expect(read(body, type)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("of endless parts is refused early", async () => {
    const reading = (parts: number) => {
      const form = part('name="a"', "x").repeat(parts) + FILE + END;
      return () => expect(read(form)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    };
    expect(await orderOfGrowth([5_000, 50_000], reading, CONSTANT)).toBeLessThanOrEqual(CONSTANT);
  });

  it("that is truncated anywhere is read or refused without waiting", async () => {
    const whole = part('name="title"', "x") + FILE + END;
    for (let length = 0; length <= whole.length; length++) {
      const outcome = await read(whole.slice(0, length)).then(
        ({ file }) => Buffer.from(file.bytes).toString(),
        ({ code }) => code,
      );
      expect(["hello", "VALIDATION_ERROR"]).toContain(outcome);
    }
  });
});
