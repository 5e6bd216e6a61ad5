import { describe, expect, it } from "vitest";
import { processorTimeOf } from "../../../../../test/support/processor-time.ts";
import { readDocument } from "./document.ts";
import { sniff } from "./sniff.ts";

async function read(content: string, name: string) {
  const bytes = Buffer.from(content);
  const sniffed = await sniff(bytes.subarray(0, 65_536), { name });
  return { ...(await readDocument(bytes, sniffed)), sniffed };
}

describe("an XML document", () => {
  it("of data is written by the names of its elements, similar ones as a table", async () => {
    const parts = '<part id="1"><name>Bolt</name></part><part id="2"><name>Nut &amp; washer</name></part>';
    const { text } = await read(`<?xml version="1.0"?><catalog><owner>Ada</owner>${parts}</catalog>`, "a.xml");
    expect(text).toBe("- owner: Ada\n\n# part\n\n| id | name |\n|---|---|\n| 1 | Bolt |\n| 2 | Nut & washer |");
  });

  it("of prose is written in its order", async () => {
    const prose =
      "<section><title>Pans</title><para>H<sub>2</sub>O and salt.</para><note>Rakes.</note><para>Gulls.</para></section>";
    const { text, title } = await read(`<article><title>Salt</title>${prose}</article>`, "a.xml");
    expect([text, title]).toEqual(["# Salt\n\n## Pans\n\nH2O and salt.\n\nRakes.\n\nGulls.", "Salt"]);
  });

  it("is decoded as it declares", async () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a><b>\xcc\xc1</b></a>', "latin1");
    expect((await readDocument(bytes, await sniff(bytes, { name: "a.xml" }))).text).toBe("- b: МБ");
  });

  it("defines no entities", async () => {
    const bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;">]><a><b>&y;</b></a>';
    expect((await read(bomb, "a.xml")).text?.length).toBeLessThan(200);
  });

  it.each([
    ["deep", `<?xml version="1.0"?>${"<a>".repeat(200_000)}`],
    ["wide", `<?xml version="1.0"?><r>${"<a/>".repeat(400_000)}</r>`],
    [
      "with many names",
      `<?xml version="1.0"?><r>${Array.from({ length: 100_000 }, (_, n) => `<a${n}>x</a${n}>`).join("")}</r>`,
    ],
    [
      "with many attributes",
      `<?xml version="1.0"?><r ${Array.from({ length: 100_000 }, (_, n) => `a${n}="x"`).join(" ")}/>`,
    ],
    ["not closed", `<?xml version="1.0"?>${"<a b='".repeat(200_000)}`],
  ])("that is %s is read in little time", async (_what, xml) => {
    expect(await processorTimeOf(() => read(xml, "a.xml"))).toBeLessThan(6_000);
  });
});

describe("a calendar", () => {
  it("is read by the fields of its events", async () => {
    const event =
      "BEGIN:VEVENT\r\nSUMMARY:Fair\\, west\r\nDTSTART:20261015T090000Z\r\nDTEND;VALUE=DATE:20261016\r\nDESCRIPTION:One\\nlo\r\n ng\r\n";
    const alarm = "BEGIN:VALARM\r\nDESCRIPTION:Ring\r\nEND:VALARM\r\n";
    const { text, sniffed } = await read(`BEGIN:VCALENDAR\r\n${event}${alarm}END:VEVENT\r\nEND:VCALENDAR\r\n`, "a.ics");
    expect(text).toBe("## Fair, west\n\nStart: 2026-10-15 09:00 UTC\nEnd: 2026-10-16\nDescription: One\nlong");
    expect(sniffed).toEqual({ kind: "data", content_type: "text/calendar" });
  });

  it("of any lines is read in linear time", async () => {
    for (const line of ["ATTENDEE:mailto:a@b\r\n", ";;;;:", "BEGIN:VEVENT\r\n", 'A;CN="', " \r\n "]) {
      const calendar = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${line.repeat(1_000_000 / line.length)}\r\nEND:VEVENT`;
      expect(await processorTimeOf(() => read(calendar, "a.ics"))).toBeLessThan(3_000);
    }
  });
});
