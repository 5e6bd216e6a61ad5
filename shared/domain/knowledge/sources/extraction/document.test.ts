import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { zipOf } from "../../../../../test/fixtures/documents.ts";
import { processorTimeOf } from "../../../../../test/support/processor-time.ts";
import { readDocument } from "./document.ts";
import type { Reading } from "./jobs.ts";
import { readPdf } from "./pdf.ts";
import { sniff } from "./sniff.ts";
import { UnreadableError } from "./unreadable.ts";

const FOLDER = new URL("../../../../../test/fixtures/documents/", import.meta.url);
const MEGABYTE = 1024 * 1024;

const fixture = (name: string) => readFileSync(new URL(name, FOLDER));

async function read(bytes: Uint8Array, name: string): Promise<Reading> {
  return readDocument(bytes, await sniff(bytes.subarray(0, 65_536), { name }));
}

const HANDBOOK = `# Harbour handbook

The harbour office of Porto Novo wrote this handbook for the night shift.

## Mooring

A ship over ninety metres needs two tugs, even in calm weather. The pilot decides on a third.

- Check the bollards
- Lay out the fenders
  - Rubber fenders for wooden hulls
- Call the tug
- Take the line

## Fees

| Berth | Keeper | Fee |
|---|---|---|
| North quay |  | 120 € |
| Salt pier | Ada Lovelace | 80 € |

### Exceptions

Lifeboats & research vessels pay nothing — “ever”.`;

const FEES = `| Berth | Keeper | Fee | Since |
|---|---|---|---|
| North quay |  | 120 | 2024-03-05 |
| Salt pier, east | Ada Lovelace | 80.5 | 2023-11-30 |
| Old dock | Grace "Amazing" Hopper |  | 2021-01-01 |`;

const SLIDES = `\f

# Safety at the quay

- Wear a life vest
  - Also in summer
- Never stand in a bight of rope

Notes: Tell the story of the snapped hawser.

\f

# Who to call

| Duty | Number |
|---|---|
| Pilot | 0471 |`;

const WELCOME = "\f\n\n[00:00:01] Welcome to the harbour of Porto Novo.";
const NOON = "\f\n\n[00:00:01] Ada: The tide turns at noon.";

describe("a file of a real program", () => {
  it.each([
    ["handbook.docx", "document", HANDBOOK.replace("- Call", "1. Call").replace("- Take", "2. Take")],
    ["handbook.odt", "document", HANDBOOK],
    ["handbook.rtf", undefined, HANDBOOK],
    ["fees.xlsx", "spreadsheet", `\f\n\n# fees\n\n${FEES}`],
    ["fees.ods", "spreadsheet", `\f\n\n# fees\n\n${FEES}`],
    ["fees.csv", undefined, FEES],
    ["slides.pptx", "presentation", SLIDES],
    ["slides.odp", "presentation", SLIDES],
    ["captions.srt", undefined, `${WELCOME}\n\n\f\n\n[00:01:05] Ada keeps the light & the log.`],
    ["captions.vtt", undefined, `${NOON}\n\n\f\n\n[01:00:05] Grace Hopper: Then we sail.`],
  ])("such as %s is read with its structure", async (name, kind, text) => {
    const reading = await read(fixture(name), name);
    expect(reading.text?.replace(/ \n/g, "\n")).toBe(text);
    expect(reading.found?.kind).toBe(kind);
  });

  it("such as a book has its chapters and tables", async () => {
    const { text, title } = await read(fixture("handbook.epub"), "handbook.epub");
    expect(title).toBe("Harbour handbook");
    expect(text).toMatch(/^\f\n\n/);
    expect(text).toContain("| Salt pier | Ada Lovelace | 80 € |");
  });

  it("such as an e-mail is decoded, with its attachments", async () => {
    const { text = "", title, details } = await read(fixture("fees.eml"), "fees.eml");
    expect(title).toBe("Fees of the salt pier — 2024");
    expect(text).toContain("From: Ada Lovelace <ada@example.org>\nTo: Grace Höpper <grace@example.org>");
    expect(text).toContain("rises to 80 €, see the attachment. Größe zählt.");
    expect(text).toContain("## Attachment: handbook.docx\n\n### Harbour handbook");
    expect(text).toContain(`## Attachment: fées.csv\n\n${FEES}`);
    expect(text).toContain("### Tide table\n\nFrom: pilot@example.org\n\nHigh water is at noon.");
    expect(details).toEqual({ attachments: 4, attachments_read: 3 });
  });

  it("such as a notebook has its text, code and results", async () => {
    const { text } = await read(fixture("tides.ipynb"), "tides.ipynb");
    expect(text).toContain("\f\n\n# Tides\n\nHow high the water stands at the quay.");
    expect(text).toContain("```python\nheights = [1.2, 3.4]\nprint(max(heights))\n```\n\n```output\n3.4\n```");
  });

  it("is read by its content, whatever its name", async () => {
    const names = ["handbook.pdf", "handbook.zip", "handbook.txt", "handbook"];
    for (const name of names) expect((await read(fixture("handbook.docx"), name)).found?.kind).toBe("document");
    expect((await read(fixture("handbook.rtf"), "handbook.docx")).text).toBe(HANDBOOK);
    expect((await read(fixture("fees.eml"), "fees.txt")).title).toBe("Fees of the salt pier — 2024");
  });
});

describe("a PDF", () => {
  let text: string;

  beforeAll(async () => {
    const limits = { pages: 10, characters: MEGABYTE, deadline: Number.POSITIVE_INFINITY };
    ({ text } = await readPdf(new Uint8Array(fixture("report.pdf")), limits));
  });

  it("is read column by column, page by page", () => {
    const pages = text.split("\f").slice(1);
    expect(pages).toHaveLength(3);
    const starts = [...text.matchAll(/Column text (\d\.\d) begins\./g)].map(([, number]) => number);
    expect(starts).toEqual([1, 2, 3, 4, 5, 6].flatMap((chapter) => [0, 1, 2, 3].map((part) => `${chapter}.${part}`)));
    expect(pages[0]).toMatch(/^\s*# Harbour report\n\nThis introduction runs over the whole width/);
  });

  it("has its headings, and no running headers and footers", () => {
    const headings = [...text.matchAll(/^#+ .+$/gm)].map(([heading]) => heading);
    const chapters = [1, 2, 3, 4, 5, 6].map((chapter) => `## Chapter ${chapter}`);
    expect(headings).toEqual(["# Harbour report", ...chapters, "## Berths"]);
    expect(text).not.toMatch(/confidential draft|Page \d of/);
  });

  it("has its tables as rows, with their empty cells", () => {
    expect(text).toContain(`The table names all berths.

| Berth | Keeper | Depth | Fee |
|---|---|---|---|
| North quay |  | 9 m | 120 |
| Salt pier | Ada Lovelace |  | 80 |
| Old dock | Grace Hopper | 4 m |  |

After the table.`);
  });
});

describe("JSON", () => {
  it("is read under the names of its members, with tables of similar objects", async () => {
    const value = {
      port: "Porto Novo",
      tags: ["salt", "fish"],
      berths: [
        { name: "North quay", depth: 9 },
        { name: "Salt pier", keeper: "Ada" },
      ],
      office: { phone: "0471", hours: { open: "6:00" } },
    };
    const { text } = await read(Buffer.from(JSON.stringify(value)), "port.json");
    expect(text).toBe(`- port: Porto Novo
- tags: salt, fish

# berths

| name | depth | keeper |
|---|---|---|
| North quay | 9 |  |
| Salt pier |  | Ada |

# office

- phone: 0471

## hours

- open: 6:00`);
    const { text: lines } = await read(Buffer.from('{"a":1}\n{"a":2}\n'), "a.jsonl");
    expect(lines).toBe("a\n\n1\n\n2");
  });
});

const docx = (document: string, declared?: number) =>
  zipOf([{ name: "word/document.xml", bytes: document, ...(declared !== undefined && { declared }) }]);
const DOCUMENT = '<w:document xmlns:w="w"><w:body>';
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe("a hostile file", () => {
  const entities = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${DOCUMENT}${paragraph("&b;")}`;
  const many = Array.from({ length: 30_000 }, (_, n) => ({ name: `f${n}`, bytes: "" }));
  const external = `<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>${DOCUMENT}${paragraph("&a;")}`;

  it.each([
    ["a file that blows up", () => docx(DOCUMENT + " ".repeat(30 * MEGABYTE)), /unpacks to too much/],
    ["a file of 70 MB", () => docx(DOCUMENT + paragraph("x").repeat(2 * MEGABYTE)), /unpacks to too much/],
    ["a file longer than declared", () => docx("x".repeat(9 * MEGABYTE), 100), /broken/],
    ["30,000 files", () => zipOf(many), /more than 20000 files/],
    ["elements within elements", () => docx(DOCUMENT + "<w:p>".repeat(100_000)), /nested too deep/],
    ["entities within entities", () => docx(entities), /document type/],
    ["an entity from outside", () => docx(external), /document type/],
    ["only its first half", () => fixture("handbook.docx").subarray(0, 3_000), /broken/],
    ["no end", () => fixture("handbook.odt").subarray(0, 16_000), /broken/],
    ["no main part", () => zipOf([{ name: "mimetype", bytes: "application/vnd.oasis.opendocument.text" }]), /broken/],
  ])("such as an archive of %s is refused with a reason", async (_what, make, reason) => {
    const bytes = make();
    await expect(readDocument(bytes, { content_type: "application/zip" })).rejects.toThrow(reason);
    await expect(readDocument(bytes, { content_type: "application/zip" })).rejects.toBeInstanceOf(UnreadableError);
  });

  it("such as an archive within archives is not opened", async () => {
    const inner = zipOf([{ name: "word/document.xml", bytes: DOCUMENT + paragraph("deep") }]);
    const { text, found } = await read(zipOf([{ name: "inner.docx", bytes: inner }]), "outer.docx");
    expect([text, found]).toEqual(["", { kind: "attachment", content_type: "application/zip" }]);
  });

  const workbook = '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>';
  const relationships = '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>';
  const sheet = (rows: string) =>
    zipOf([
      { name: "xl/workbook.xml", bytes: workbook },
      { name: "xl/_rels/workbook.xml.rels", bytes: relationships },
      { name: "xl/s.xml", bytes: `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
    ]);

  it("such as a spreadsheet with far cells keeps the columns with values", async () => {
    const rows =
      '<row><c r="A1"><v>1</v></c><c r="ALK1"><v>2</v></c></row><row><c r="XFD2"><v>3</v></c><c r="B2"><v>4</v></c></row>';
    const { text } = await read(sheet(rows), "s.xlsx");
    expect(text).toBe("\f\n\n# S\n\n| 1 |  | 2 |\n|---|---|---|\n|  | 4 |  |");
  });

  const mail = (headers: string, body: string) =>
    Buffer.from(`MIME-Version: 1.0\r\nSubject: Many\r\n${headers}\r\n\r\n${body}`);
  const part = (n: number) =>
    `--b\r\nContent-Type: text/plain; name="a${n}.txt"\r\nContent-Disposition: attachment\r\n\r\nNote ${n}\r\n`;

  it("such as a message with 10,000 attachments is read, the first of them with their text", async () => {
    const parts = Array.from({ length: 10_000 }, (_, n) => part(n)).join("");
    const message = mail('Content-Type: multipart/mixed; boundary="b"', `${parts}--b--`);
    const { text = "", details } = await read(message, "many.eml");
    expect(details).toEqual({ attachments: 10_000, attachments_read: 50 });
    expect(text).toContain("Note 49");
    expect(text.length).toBeLessThan(20_000);
  });

  it("such as nested parts or messages is read as plain text or down to a maximum depth", async () => {
    const multipart = "Content-Type: multipart/mixed; boundary=b";
    const parts = Array.from({ length: 5_000 }, (_, n) => `--b${n}\r\n${multipart}${n + 1}\r\n\r\n`);
    const deep = await read(mail(`${multipart}0`, parts.join("")), "deep.eml");
    expect(deep.found?.kind).toBe("text");
    let message = "MIME-Version: 1.0\r\nSubject: Level 0\r\n\r\nInnermost";
    for (let n = 1; n < 10; n++) {
      message = `MIME-Version: 1.0\r\nSubject: Level ${n}\r\nContent-Type: multipart/mixed; boundary=m${n}\r\n\r\n--m${n}\r\nContent-Type: message/rfc822\r\n\r\n${message}\r\n--m${n}--`;
    }
    const nested = await read(Buffer.from(message), "nested.eml");
    expect(nested.text).toContain("Level 7");
    expect(nested.text).not.toContain("Innermost");
  });

  it.each([
    ["JSON of arrays within arrays", "a.json", "[".repeat(100_000) + "]".repeat(100_000)],
    ["JSON that breaks off", "a.json", '{"a": ["b"'],
    ["CSV with a quote that never ends", "a.csv", `a,"b\n${"c,d\n".repeat(100_000)}`],
    ["a notebook of another shape", "a.ipynb", '{"cells": 3}'],
    ["subtitles without cues", "a.srt", "no cues\n".repeat(1000)],
    ["RTF of groups within groups", "a.rtf", `{\\rtf1 ${"{".repeat(300_000)}Text`],
    ["RTF of backslashes", "a.rtf", `{\\rtf1 ${"\\".repeat(300_000)}`],
  ])("such as %s is read in linear time", async (_what, name, content) => {
    const reading = async () => expect(await read(Buffer.from(content), name)).toHaveProperty("text");
    expect(await processorTimeOf(reading)).toBeLessThan(5_000);
  });
});
