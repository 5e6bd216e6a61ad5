import { describe, expect, it } from "vitest";
import { decodeStream, decodeText, encodingOf } from "./charset.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("a text is decoded by", () => {
  it.each([
    ["UTF-8, unless it says", Buffer.from("Grüße 語 😀"), {}, "Grüße 語 😀"],
    ["a mark of UTF-8, which goes", Buffer.from("\ufeffGrüße"), {}, "Grüße"],
    ["a mark of UTF-16", Buffer.from("\ufeffGrüße", "utf16le"), { declared: "text/plain; charset=utf-8" }, "Grüße"],
    ["a mark of UTF-16, big end first", utf16be("\ufeffGrüße"), {}, "Grüße"],
    ["what was declared", latin1("Gr\xfc\xdfe"), { declared: 'text/plain; charset="ISO-8859-1"' }, "Grüße"],
    [
      "what was declared, in Japanese",
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      { declared: "text/plain; charset=shift_jis" },
      "日本",
    ],
    ["windows-1252 where it is not UTF-8", latin1("Gr\xfc\xdfe \x80"), {}, "Grüße €"],
    [
      "windows-1252 where it was called UTF-8 and is not",
      latin1("Gr\xfc\xdfe"),
      { declared: "text/plain; charset=utf-8" },
      "Grüße",
    ],
    [
      "UTF-8 where it was called what there is not",
      Buffer.from("Grüße"),
      { declared: "text/plain; charset=klingon" },
      "Grüße",
    ],
    [
      "a meta element",
      latin1('<meta charset="windows-1251">\xcf\xf0\xe8\xe2\xe5\xf2'),
      { html: true },
      '<meta charset="windows-1251">Привет',
    ],
    [
      "an old meta element",
      latin1("<META http-equiv=Content-Type content='text/html; charset=koi8-r'>\xf0\xd2\xc9"),
      { html: true },
      "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>При",
    ],
    [
      "UTF-8 where a meta element claims UTF-16",
      Buffer.from("<meta charset=utf-16>ü"),
      { html: true },
      "<meta charset=utf-16>ü",
    ],
  ])("%s", (_what, bytes, options, text) => {
    expect(decodeText(bytes, options)).toBe(text);
  });

  it("what was declared rather than a meta element, which only HTML has", () => {
    const bytes = latin1('<meta charset="koi8-r">\xe9');
    expect(encodingOf(bytes, { html: true, declared: "text/html; charset=iso-8859-2" })).toBe("iso-8859-2");
    expect(encodingOf(bytes)).toBe("windows-1252");
  });

  it("the same whether it comes whole or in parts of any size", async () => {
    const text = "Grüße 語 😀 ".repeat(50);
    for (const size of [1, 2, 3, 7, 1000]) {
      async function* parts() {
        const bytes = Buffer.from(text);
        for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
      }
      let decoded = "";
      for await (const part of decodeStream(parts())) decoded += part;
      expect(decoded).toBe(text);
    }
  });

  it("nothing fails, whatever the bytes", () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, place) => (place * 197) % 256);
    expect(decodeText(bytes)).toHaveLength(1000);
    expect(decodeText(new Uint8Array())).toBe("");
  });
});
