import { describe, expect, it } from "vitest";
import { decodeStream, decodeText, encodingOf } from "./charset.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const declaring = (charset: string) => ({ declared: `text/plain; charset=${charset}` });
const HTML = { html: true };
const RUSSIAN = '<meta charset="windows-1251">';
const OLD_RUSSIAN = "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>";

describe("a text is decoded by", () => {
  it.each([
    ["UTF-8 by default", Buffer.from("Grüße 語 😀"), {}, "Grüße 語 😀"],
    ["a byte order mark of UTF-8, which is removed", Buffer.from("\ufeffGrüße"), {}, "Grüße"],
    ["a byte order mark of UTF-16", Buffer.from("\ufeffGrüße", "utf16le"), declaring("utf-8"), "Grüße"],
    ["a byte order mark of UTF-16, big endian", utf16be("\ufeffGrüße"), {}, "Grüße"],
    ["the declared charset", latin1("Gr\xfc\xdfe"), declaring('"ISO-8859-1"'), "Grüße"],
    ["the declared charset, in Japanese", Buffer.from([0x93, 0xfa, 0x96, 0x7b]), declaring("shift_jis"), "日本"],
    ["windows-1252 if it is not UTF-8", latin1("Gr\xfc\xdfe \x80"), {}, "Grüße €"],
    ["windows-1252 if it is declared as UTF-8 but is not", latin1("Gr\xfc\xdfe"), declaring("utf-8"), "Grüße"],
    ["UTF-8 if the declared charset is unknown", Buffer.from("Grüße"), declaring("klingon"), "Grüße"],
    ["a meta element", latin1(`${RUSSIAN}\xcf\xf0\xe8\xe2\xe5\xf2`), HTML, `${RUSSIAN}Привет`],
    ["an old meta element", latin1(`${OLD_RUSSIAN}\xf0\xd2\xc9`), HTML, `${OLD_RUSSIAN}При`],
    ["UTF-8 if a meta element claims UTF-16", Buffer.from("<meta charset=utf-16>ü"), HTML, "<meta charset=utf-16>ü"],
  ])("%s", (_what, bytes, options, text) => {
    expect(decodeText(bytes, options)).toBe(text);
  });

  it("the declared charset before a meta element, which only HTML has", () => {
    const bytes = latin1('<meta charset="koi8-r">\xe9');
    expect(encodingOf(bytes, { html: true, declared: "text/html; charset=iso-8859-2" })).toBe("iso-8859-2");
    expect(encodingOf(bytes)).toBe("windows-1252");
  });

  it("the same as a whole or in parts of any size", async () => {
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

  it("some charset for any bytes", () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 197) % 256);
    expect(decodeText(bytes)).toHaveLength(1000);
    expect(decodeText(new Uint8Array())).toBe("");
  });
});
