import { MarkdownWriter } from "./markdown-writer.ts";

/** Properties of events, tasks and contacts in the order in which they are written; others only structure the file. */
const LABELS = new Map([
  ["DTSTART", "Start"],
  ["DTEND", "End"],
  ["DUE", "Due"],
  ["COMPLETED", "Completed"],
  ["RRULE", "Repeats"],
  ["LOCATION", "Location"],
  ["ORGANIZER", "Organizer"],
  ["ATTENDEE", "Attendees"],
  ["STATUS", "Status"],
  ["CATEGORIES", "Categories"],
  ["URL", "Link"],
  ["ORG", "Organization"],
  ["TITLE", "Job title"],
  ["EMAIL", "E-mail"],
  ["TEL", "Phone"],
  ["ADR", "Address"],
  ["BDAY", "Birthday"],
  ["DESCRIPTION", "Description"],
  ["NOTE", "Note"],
]);
const HEADINGS = ["SUMMARY", "FN"];
/** Components with an own heading; alarms and time zones within them are left out. */
const COMPONENT = /^(?:VEVENT|VTODO|VJOURNAL|VCARD)$/;
const LINE = /^(?:[\w-]{1,40}\.)?(?<name>[\w-]{1,60})(?<parameters>;[^:]{0,2000})?:(?<value>.*)$/s;

/** The events and tasks of an iCalendar file, or the contacts of a vCard file, by their fields. */
export function readCalendar(text: string): MarkdownWriter {
  const writer = new MarkdownWriter();
  const open: string[] = [];
  let fields = new Map<string, string[]>();
  for (const line of text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/)) {
    const { name = "", parameters = "", value = "" } = LINE.exec(line)?.groups ?? {};
    const property = name.toUpperCase();
    if (property === "BEGIN") {
      open.push(value.trim().toUpperCase());
      if (COMPONENT.test(open.at(-1) ?? "")) fields = new Map();
    } else if (property === "END") {
      if (COMPONENT.test(open.pop() ?? "")) writeComponent(writer, fields);
    } else if (COMPONENT.test(open.at(-1) ?? "")) {
      const known = fields.get(property);
      if (known) known.push(readValue(property, parameters, value));
      else fields.set(property, [readValue(property, parameters, value)]);
    } else if (property === "X-WR-CALNAME") writer.heading(1, unescaped(value));
  }
  return writer;
}

function writeComponent(writer: MarkdownWriter, fields: Map<string, string[]>): void {
  const heading = HEADINGS.flatMap((name) => fields.get(name) ?? [])[0];
  writer.heading(2, heading ?? "Untitled");
  const lines = [...LABELS].flatMap(([property, label]) => {
    const values = (fields.get(property) ?? []).filter((value) => value !== "");
    return values.length === 0 ? [] : `${label}: ${values.join(", ")}`;
  });
  writer.paragraph(lines.join("\n"));
}

function readValue(property: string, parameters: string, value: string): string {
  if (property === "ATTENDEE" || property === "ORGANIZER") {
    const name = /;CN="?(?<name>[^";]{1,200})/i.exec(parameters)?.groups?.name;
    const address = value.replace(/^mailto:/i, "").trim();
    return name === undefined ? address : `${name} <${address}>`;
  }
  if (property === "ADR" || property === "ORG") return unescaped(value).split(";").filter(Boolean).join(", ");
  const zone = /;TZID=(?<zone>[^;:]{1,60})/i.exec(parameters)?.groups?.zone;
  const time = dateOf(value.trim());
  return time === undefined ? unescaped(value).trim() : zone === undefined ? time : `${time} (${zone})`;
}

/** `20261015T090000Z` as "2026-10-15 09:00 UTC"; undefined for other values. */
function dateOf(value: string): string | undefined {
  const { year, month, day, hour, minute, utc } =
    /^(?<year>\d{4})-?(?<month>\d{2})-?(?<day>\d{2})(?:T(?<hour>\d{2}):?(?<minute>\d{2})(?::?\d{2})?(?<utc>Z)?)?$/.exec(
      value,
    )?.groups ?? {};
  if (year === undefined) return undefined;
  return `${year}-${month}-${day}${hour === undefined ? "" : ` ${hour}:${minute}`}${utc === undefined ? "" : " UTC"}`;
}

function unescaped(value: string): string {
  return value.replace(/\\([nN,;\\])/g, (_, sign: string) => (sign.toLowerCase() === "n" ? "\n" : sign));
}
