import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Session } from "../../../shared/domain/sessions/session.ts";
import { newMessage } from "../../../test/support/session-messages.ts";
import { blocksOf, renderPdf } from "./pdf.ts";

const SCRIPTS = {
  latin: "Naïve café, Łódź, İstanbul, Việt Nam",
  greek: "Γειά σου Κόσμε",
  cyrillic: "Съешь ещё булок",
  chinese: "你好世界",
  japanese: "働く峠とカタカナ",
  korean: "안녕하세요",
  hebrew: "שלום",
  arabic: "مرحبا",
  hindi: "नमस्ते",
  thai: "สวัสดี",
  emoji: "😀🇬🇷",
  symbols: "→≤√★€",
};

const SESSION = {
  id: "sess_1",
  user_id: "ada",
  agent_id: "bot",
  title: "Greetings",
  status: "active",
  metadata: {},
  message_count: 2,
  total_tokens: 2,
  created_at: "2026-01-31T12:00:00.000Z",
} as Partial<Session> as Session;

function render(contents: string[], deadline = Number.POSITIVE_INFINITY): Promise<Buffer> {
  async function* messages() {
    yield contents.map((content, index) => newMessage(index + 1, { content }));
  }
  const exportedAt = "2026-02-01T00:00:00.000Z";
  const context = { initial_context: {}, current: {} };
  return renderPdf({ session: SESSION, context, messages: messages(), includeMetadata: true, exportedAt }, deadline);
}

/** All streams of a PDF that contain text after decompression: drawing commands of pages, and the characters of glyphs. */
function unpackedStreams(pdf: Buffer): string[] {
  const raw = pdf.toString("latin1");
  return [...raw.matchAll(/\/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)].map(([, packed = ""]) =>
    inflateSync(Buffer.from(packed, "latin1")).toString("latin1"),
  );
}

const pagesOf = (pdf: Buffer) => [...pdf.toString("latin1").matchAll(/\/Type \/Page\n/g)].length;

function charactersOf(pdf: Buffer): Set<string> {
  const maps = unpackedStreams(pdf).filter((stream) => stream.includes("beginbfrange"));
  const codes = maps.flatMap((map) =>
    [...map.matchAll(/<([0-9a-f ]+)>/g)].map(([, hex = ""]) => hex.replace(/ /g, "")),
  );
  return new Set(codes.flatMap((hex) => [...Buffer.from(hex, "hex").swap16().toString("utf16le")]));
}

describe("a PDF", () => {
  it.each(Object.entries(SCRIPTS))("shows %s in a suitable font, as text that can be copied", async (_script, text) => {
    const pdf = await render([text, "and back"]);
    expect(pdf.toString("latin1", 0, 5)).toBe("%PDF-");
    const shown = charactersOf(pdf);
    for (const character of text.normalize("NFC")) expect([...shown], text).toContain(character);
    const drawn = unpackedStreams(pdf).filter((stream) => stream.includes("TJ"));
    expect(drawn.length).toBeGreaterThan(0);
    const glyphs = drawn.flatMap((stream) =>
      [...stream.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex?.match(/..../g)),
    );
    expect(glyphs.length).toBeGreaterThan(20);
    expect(glyphs, "the glyph of a missing character").not.toContain("0000");
  });

  it("shows a character without a font by its code point", async () => {
    const shown = charactersOf(await render(["\u{e123} \u{10ffff}"]));
    expect([..."[U+E123]"].every((character) => shown.has(character))).toBe(true);
  });

  it("continues on further pages", async () => {
    const short = pagesOf(await render(["one line"]));
    const long = pagesOf(await render(Array.from({ length: 60 }, (_, index) => `message ${index}\n`.repeat(10))));
    expect(short).toBe(1);
    expect(long).toBeGreaterThan(10);
    expect(long).toBeLessThan(40);
  });

  it("renders any content of a message", async () => {
    const hostile = [
      "\u0000\u001b[31m\u202e\ufeff",
      "a".repeat(5_000),
      "\u0301".repeat(300),
      "😀".repeat(500),
      "```",
      "\n\n\n",
      "\ud800".toWellFormed(),
    ];
    expect(pagesOf(await render(hostile))).toBeGreaterThan(1);
  });

  it("stops when its time limit is reached", async () => {
    const refused = render(["one", "two"], performance.now() - 1);
    await expect(refused).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });
});

describe("a message's text", () => {
  it("is split into prose and code", () => {
    expect(blocksOf("Look:\n\n```ts\nconst a = `b`;\n\n~~~\n```\nDone.")).toEqual([
      { text: "Look:", isCode: false },
      { text: "const a = `b`;\n\n~~~", isCode: true },
      { text: "Done.", isCode: false },
    ]);
  });

  it("keeps code without an end, and the indentation of prose", () => {
    expect(blocksOf("  two spaces\n````\n```\nx")).toEqual([
      { text: "  two spaces", isCode: false },
      { text: "```\nx", isCode: true },
    ]);
    expect(blocksOf("")).toEqual([]);
  });
});
