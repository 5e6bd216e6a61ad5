import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderPdf } from "../../../../../functions/sessions/export/pdf.ts";
import { LINEAR, orderOfGrowth } from "../../../../../test/support/processor-time.ts";
import { newMessage } from "../../../../../test/support/session-messages.ts";
import { readPdf } from "./pdf.ts";
import { withLigaturesInOrder } from "./pdf-ligatures.ts";
import { rowsOf, textOfRow } from "./pdf-rows.ts";

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await readPdf(bytes, { pages: 10, characters: 100_000, deadline: Number.POSITIVE_INFINITY })).text;
}

const fixture = (name: string) =>
  textOf(new Uint8Array(readFileSync(new URL(`../../../../../test/fixtures/documents/${name}`, import.meta.url))));

describe("PDFs from right to left", () => {
  it("have plain Arabic letters, numbers and Latin words in their order, and tables from the right", async () => {
    const text = await fixture("arabic.pdf");
    for (const piece of [
      "# دليل المكتبة العامة",
      "تفتح المكتبة أبوابها من الأحد إلى الخميس، الساعة 9:00 صباحًا حتى 17:30 مساءً. لا ",
      "بالأكل داخل القاعات إلا في المقهى بالطابق الأول، ولأن الأطفال يلعبون في الحديقة",
      "للأسئلة اكتب إلى info@maktaba.example أو اتصل بالرقم +966 11 555 0199.",
      "| الخدمة | السعر | المدة |",
      "| طباعة ملونة | 2 ريال | صفحة |",
      "الإنترنت (Wi-Fi) مجاني لمدة ساعتين.",
    ])
      expect(text).toContain(piece);
  });

  it("have Hebrew words around numbers and brackets in their order", async () => {
    const text = await fixture("hebrew.pdf");
    for (const piece of [
      "בין השעות 06:30 ל-21:00, וביום שישי עד 14:00. הכניסה לילדים מתחת לגיל 8 מותרת",
      "לפרטים: pool@ir.example או טלפון 03-555-0144. המנוי כולל גישה לסאונה (Sauna) ולחדר הכושר.",
      "| כרטיס | מחיר | תוקף |",
      '| מנוי משפחתי | 310 ש"ח | חודש |',
    ])
      expect(text).toContain(piece);
  });

  it("are read by columns from the right", async () => {
    const text = await fixture("arabic-columns.pdf");
    const places = [
      "# نشرة الحي",
      "بدأ العمل في ترميم",
      "من إصلاحه قبل الشتاء.",
      "وفي الحديقة الكبيرة",
      "ويرجى إحضار الماء.",
    ].map((piece) => text.indexOf(piece));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(-1);
  });

  it("have the letters of ligatures in their order, where a glyph stands for both", async () => {
    const said =
      "لا يُسمح بالأكل إلا في المقهى، ولأن الأطفال يلعبون (Wi-Fi) فالأبواب تُغلق بعد 17:30. الإسلام والآلات والأرض، لم يكن إلا خيالا.";
    const session = { id: "s", user_id: "u", agent_id: "a", title: "تحية", status: "active", metadata: {} };
    async function* messages() {
      yield [newMessage(1, { content: said })];
    }
    const times = { created_at: "2026-01-31T12:00:00.000Z", message_count: 1, total_tokens: 1 };
    const pdf = await renderPdf(
      {
        ...{ session: { ...session, ...times } as never, context: { initial_context: {}, current: {} } },
        ...{ messages: messages(), includeMetadata: false, exportedAt: "2026-02-01T00:00:00.000Z" },
      },
      Number.POSITIVE_INFINITY,
    );
    const text = await textOf(new Uint8Array(pdf));
    expect(text).toContain(said);
    expect(text).toContain("| Status | active |");
  });
});

describe("ligatures", () => {
  const glyphs = ["ن", "لأ", "و", " ", "لا"];

  it("are put in order where the text is the mirror of its glyphs", () => {
    expect(withLigaturesInOrder([{ str: "ال وأل", dir: "rtl" }], ["لأ", "و", "لا"])).toEqual(["لا ولأ"]);
    expect(withLigaturesInOrder([{ str: "ال وألن", dir: "rtl" }], glyphs)).toEqual(["لا ولأن"]);
  });

  it.each([
    ["texts that do not match their glyphs", "كتاب جديد", glyphs],
    ["an article of two glyphs", "الباب", ["ب", "ا", "ب", "ل", "ا"]],
    ["glyphs that were written down as they are drawn", "لا", ["ال"]],
  ])("leave %s", (_, str, drawn) => {
    expect(withLigaturesInOrder([{ str, dir: "rtl" }], drawn)).toEqual([str]);
  });
});

describe("lines", () => {
  const line = (...texts: string[]) => {
    const placed = texts.map((text, index) => ({ text, x: index * 12, y: 0, width: 10, size: 10 }));
    return rowsOf(placed).map(textOfRow);
  };

  it.each([
    [["2026", "سنة", "في"], "في سنة 2026"],
    [["المترجم", "Hello", "World", "يكتب"], "يكتب Hello World المترجم"],
    [["Read", "שלום", "today"], "Read שלום today"],
    [["(", "כן", ")"], "( כן )"],
  ])("%j", (texts, expected) => {
    expect(line(...texts)).toEqual([expected]);
  });

  it("take time in proportion to their texts and marks", async () => {
    const reading = (count: number) => {
      const texts = Array.from({ length: count }, (_, index) => ({
        text: index % 2 ? "\u064f" : "ب",
        x: index,
        y: 0,
        width: 1,
        size: 9,
      }));
      return () => rowsOf(texts);
    };
    expect(await orderOfGrowth([8_000, 80_000], reading, LINEAR)).toBeLessThanOrEqual(LINEAR);
  });
});
