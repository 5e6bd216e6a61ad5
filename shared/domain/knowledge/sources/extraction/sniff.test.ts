import { describe, expect, it } from "vitest";
import { processorTimeOf } from "../../../../../test/support/processor-time.ts";
import { sniff } from "./sniff.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

const PNG = bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 0, 4, 0, 0, 0, 3, 8, 2, 0, 0, 0], "1234");

describe("a file is known by its content:", () => {
  it.each([
    ["a PDF", bytes("%PDF-1.7\n"), "pdf", "application/pdf"],
    ["a PNG", PNG, "image", "image/png"],
    ["a JPEG", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], "JFIF"), "image", "image/jpeg"],
    ["a GIF", bytes("GIF89a", [1, 0, 1, 0, 0, 0, 0]), "image", "image/gif"],
    ["a WAV", bytes("RIFF", [36, 0, 0, 0], "WAVEfmt ", [16, 0, 0, 0]), "audio", "audio/wav"],
    ["an MP3", bytes("ID3", [4, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64]), "audio", "audio/mpeg"],
    ["a ZIP", bytes("PK", [3, 4, 20, 0, 0, 0, 0, 0]), "attachment", "application/zip"],
    ["an ELF program", bytes([0x7f], "ELF", [2, 1, 1, 0]), "attachment", "application/x-elf"],
    ["HTML", bytes("\n<!DOCTYPE html><html>"), "html", "text/html"],
    ["HTML behind comments", bytes("<!-- a --> <!-- b -->\n<html lang=en>"), "html", "text/html"],
    ["SVG, which may hold scripts", bytes("<?xml version='1.0'?><svg xmlns='x'>"), "attachment", "image/svg+xml"],
    ["XML", bytes('<?xml version="1.0"?><catalog><part/>'), "data", "application/xml"],
    ["a calendar", bytes("BEGIN:VCALENDAR\r\nVERSION:2.0"), "data", "text/calendar"],
    ["a contact", bytes("begin:vcard\r\nFN:Ada"), "data", "text/vcard"],
    [
      "a Word document of 1997",
      bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "x".repeat(600)),
      "attachment",
      "application/x-cfb",
    ],
    ["plain text", bytes("Hello, world"), "text", "text/plain"],
    ["text in another encoding", bytes("Gr", [0xfc], "sse"), "text", "text/plain"],
    ["UTF-16 with a mark", bytes([0xff, 0xfe], "H\0i\0"), "text", "text/plain"],
    ["bytes of no kind", bytes([0, 1, 2, 3, 4, 5, 200, 201]), "attachment", "application/octet-stream"],
  ])("%s", async (_what, head, kind, content_type) => {
    for (const name of ["a.txt", "a.pdf", "a.png", "a.html", undefined]) {
      expect(await sniff(head, { name, declared: "image/png" })).toEqual({ kind, content_type });
    }
  });

  it("as Markdown by its name or declared type if it is text", async () => {
    expect((await sniff(bytes("# Title"), { name: "A.MD" })).kind).toBe("markdown");
    expect((await sniff(bytes("# Title"), { declared: "text/markdown; charset=utf-8" })).kind).toBe("markdown");
    expect((await sniff(PNG, { name: "a.md", declared: "text/markdown" })).kind).toBe("image");
  });

  it("in bounded time, with any beginning", async () => {
    for (const unit of ["<!---->", "<!--", "<?xml", " ", "<"]) {
      expect(await processorTimeOf(() => sniff(bytes(unit.repeat(65_536 / unit.length))))).toBeLessThan(2_000);
    }
  });
});
