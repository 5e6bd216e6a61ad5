import { describe, expect, it } from "vitest";
import { LINEAR, orderOfGrowth } from "../../../../../test/support/processor-time.ts";
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

describe("a text that declares no charset is recognized as", () => {
  it.each([
    [
      "Shift-JIS",
      "ie+LY4OBg4KBRo2Ci7SCs4Lxgs2R5Y3jkXGMyYLMkkmJtYK1gvCSU5OWgrWC3IK3gUI=",
      "会議メモ：高橋さんは大阪倉庫の棚卸しを担当します。",
    ],
    ["Shift-JIS, in few words", "lWmU1CySUIm/CjQ3MTEsMTIwiX4K", "品番,単価\n4711,120円\n"],
    ["half-width kana", "w73EIIqUjq6J747Q", "ﾃｽﾄ 株式会社"],
    [
      "EUC-JP",
      "svG1xKXhpeKhp7nitraktaTzpM/C57rlwdK4y6TOw6qyt6S3pPLDtMX2pLek3qS5oaM=",
      "会議メモ：高橋さんは大阪倉庫の棚卸しを担当します。",
    ],
    ["ISO-2022-JP", "GyRCMnE1RCVhJWIbKEI=", "会議メモ"],
    [
      "GB18030",
      "sbjN/KO6wfXR87i61PC6vNbdsta/4rXExcy146OsvdjWucjVxtrKx8qu1MLKrs7lyNWhow==",
      "备忘：刘洋负责杭州仓库的盘点，截止日期是十月十五日。",
    ],
    [
      "Big5",
      "s8an0aFHvEKsdq10s2Swqravrdyud6q6vUzCSaFBukmk7qTptMGsT6RRpOukUaStpOmhQw==",
      "備忘：劉洋負責高雄倉庫的盤點，截止日期是十月十五日。",
    ],
    [
      "EUC-KR",
      "uN648DogudrB9sjGwLogtOuxuCDDorDtwMcgwOew7SDBtrvnuKYgtOO058fVtM+02S4=",
      "메모: 박지훈은 대구 창고의 재고 조사를 담당합니다.",
    ],
    [
      "Windows-1251",
      "bmFtZSxub3RlCngs0ejk7vDu4uAg7vLi5ffg5fIg5+Ag8err4OQg4iDR4Ozg8OUK",
      "name,note\nx,Сидорова отвечает за склад в Самаре\n",
    ],
    ["Windows-1251, one word", "9uXt4A==", "цена"],
    ["KOI8-U", "68mn1ywg08vMwcQg2sHeyc7RpNTY09EgzyDQJ9HUpso7IKfWwQ==", "Київ, склад зачиняється о п'ятій; їжа"],
    ["ISO-8859-5", "wdjU3uDe0tAg3uLS1efQ1eIg19Ag4drb0NQg0iDB0NzQ4NU=", "Сидорова отвечает за склад в Самаре"],
    ["IBM866", "kaikruCuoqAgruKipeegpeIgp6Ag4aqroKQgoiCRoKyg4KU=", "Сидорова отвечает за склад в Самаре"],
    [
      "Windows-1253",
      "xyDh8O/o3urnIPTn8iDQ3PTx4fIg6uvl3+3l6SDz9OnyIPDd7fTlIPTvIOHw/OPl9ezhLg==",
      "Η αποθήκη της Πάτρας κλείνει στις πέντε το απόγευμα.",
    ],
    [
      "Windows-1256",
      "x+Hj08rmz9og3e0gx+HP5s3JIO3b4d4gx+HTx9rJIMfhzsfj08kg49PHwQ==",
      "المستودع في الدوحة يغلق الساعة الخامسة مساء",
    ],
    [
      "ISO-8859-6",
      "x+Tl08roz9kg4eogx+TP6M3JIOra5OIgx+TTx9nJIMfkzsfl08kg5dPHwQ==",
      "المستودع في الدوحة يغلق الساعة الخامسة مساء",
    ],
    ["Windows-1255", "5O7n8e8g4efp9OQg8PHi+CDh+fLkIOfu+SDg5/gg5Pbk+Onp7Q==", "המחסן בחיפה נסגר בשעה חמש אחר הצהריים"],
    ["Windows-874", "pMXRp8rUuaTp0rfV6OCq1cKn48vB6LvUtLXNucvp0uLBp+DC57k=", "คลังสินค้าที่เชียงใหม่ปิดตอนห้าโมงเย็น"],
    [
      "Windows-1250",
      "U2tsYWQgdiBCcm7sIHphdu1y4SB2IHDsdCBob2RpbiBvZHBvbGVkbmUsIPhla2wgSmn47S4=",
      "Sklad v Brně zavírá v pět hodin odpoledne, řekl Jiří.",
    ],
    [
      "Windows-1254",
      "3XN0YW5idWwgZGVwb3N1IHNhYXQgYmX+dGUga2FwYW79eW9yLCBkZWRpIN78a3L8Lg==",
      "İstanbul deposu saat beşte kapanıyor, dedi Şükrü.",
    ],
    ["Windows-1252, in German", "U3RyYd9lO0dy9t9lO9ZmZm51bmcKQTs1OzgK", "Straße;Größe;Öffnung\nA;5;8\n"],
    [
      "Windows-1252, in French",
      "TJJlbnRyZXD0dCBkZSBCZXNhbudvbiBmZXJtZSDgIGNpbnEgaGV1cmVzIJYgZGl0IEjpbOhuZYU=",
      "L’entrepôt de Besançon ferme à cinq heures – dit Hélène…",
    ],
    ["Windows-1252, one letter", "8Q==", "ñ"],
    ["Windows-1252, signs", "MTAgtW0gsSAyILBDLCA1IIA=", "10 µm ± 2 °C, 5 €"],
  ])("%s", (_charset, base64, text) => {
    expect(decodeText(Buffer.from(base64, "base64"), { strict: true })).toBe(text);
  });

  it("damaged UTF-8, of which the rest is read", () => {
    expect(decodeText(Buffer.concat([Buffer.from("Größe für Köln, über"), latin1("ü")]))).toBe(
      "Größe für Köln, über\ufffd",
    );
  });

  it("none if it is written in no known one: it is refused if it must be read", () => {
    const ebcdic = Buffer.from("yIWTk5ZAppaZk4RrQKOIiaJAiaJAxcLDxMnDQKOFp6NL", "base64");
    expect(() => decodeText(ebcdic, { strict: true })).toThrow(/its character encoding is not known; save it as UTF-8/);
    expect(decodeText(ebcdic)).toHaveLength(ebcdic.length);
  });

  it("quickly, whatever its length", async () => {
    const noise = (length: number) => Uint8Array.from({ length }, (_, index) => 128 + ((index * 7919) % 128));
    const guessing = (length: number) => {
      const bytes = noise(length);
      return () => encodingOf(bytes);
    };
    expect(await orderOfGrowth([800_000, 8_000_000], guessing, LINEAR)).toBeLessThanOrEqual(LINEAR);
  });
});
