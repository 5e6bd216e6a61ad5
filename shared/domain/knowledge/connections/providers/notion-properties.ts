import * as z from "zod";
import { nameInPath } from "../../sources/file-names.ts";

/** The documented parts of Notion's property values; another shape has no text. */
const RichText = z
  .array(z.looseObject({ plain_text: z.string() }))
  .transform((parts) => parts.map((part) => part.plain_text).join(""));
const Named = z.looseObject({ name: z.string() }).transform(({ name }) => name);
const DateValue = z
  .looseObject({ start: z.string(), end: z.string().nullish() })
  .transform(({ start, end }) => (end ? `${start} to ${end}` : start));
const Numeric = z.number().transform(String);
const YesOrNo = z.boolean().transform((isSet) => (isSet ? "yes" : "no"));
const listOf = (item: z.ZodType<string>) => z.array(item).transform((items) => items.join(", "));

/** Parsers of values by property type. Automatic properties, such as the last editor, and references have no text. */
const VALUES: Readonly<Record<string, z.ZodType<string>>> = {
  title: RichText,
  rich_text: RichText,
  number: Numeric,
  select: Named,
  status: Named,
  multi_select: listOf(Named),
  people: listOf(Named),
  files: listOf(Named),
  date: DateValue,
  checkbox: YesOrNo,
  url: z.string(),
  email: z.string(),
  phone_number: z.string(),
  string: z.string(),
  boolean: YesOrNo,
  unique_id: z
    .looseObject({ prefix: z.string().nullish(), number: z.number() })
    .transform(({ prefix, number }) => (prefix ? `${prefix}-${number}` : String(number))),
};
/** Types of properties whose value is itself a property of another type. */
const COMPUTED = new Set(["formula", "rollup"]);
const MAX_DEPTH = 3;

const Property = z.looseObject({ type: z.string() });

/** A property's value as text; empty if it has none. */
function textOfValue(candidate: unknown, depth = 1): string {
  const property = Property.safeParse(candidate);
  if (!property.success || depth > MAX_DEPTH) return "";
  const { type, [type]: value } = property.data;
  if (COMPUTED.has(type)) return textOfValue(value, depth + 1);
  if (type === "array" && Array.isArray(value)) {
    return value
      .map((item) => textOfValue(item, depth + 1))
      .filter((text) => text !== "")
      .join(", ");
  }
  return VALUES[type]?.safeParse(value).data?.trim() ?? "";
}

/** The text of a page's title property. */
export function titleIn(properties: Record<string, unknown>): string {
  return textOfValue(Object.values(properties).find(isTitle));
}

function isTitle(property: unknown): boolean {
  return Property.safeParse(property).data?.type === "title";
}

/** The properties of a page except its title, as a Markdown list: `- Name: value`. */
export function propertiesAsText(properties: Record<string, unknown>): string {
  return Object.entries(properties)
    .flatMap(([name, property]) => {
      const value = isTitle(property) ? "" : textOfValue(property);
      return value === "" ? [] : [`- ${name}: ${value.replaceAll("\n", "\n  ")}`];
    })
    .join("\n");
}

/** A file hosted by the workspace; its signed link is valid for an hour. */
export interface HostedFile {
  name: string;
  url: string;
}

const Hosted = z.looseObject({ name: z.string().optional(), file: z.looseObject({ url: z.string() }) });

/** The file of a file block or of an entry of a files property; undefined for an external link. */
export function hostedFile(value: unknown): HostedFile | undefined {
  const { data } = Hosted.safeParse(value);
  if (!data) return undefined;
  const path = URL.parse(data.file.url)?.pathname ?? "";
  return { name: data.name ?? (nameInPath(path) || "file"), url: data.file.url };
}

/** Files of a page's properties by property name and index. */
export function filesInProperties(properties: Record<string, unknown>): { place: string; file: HostedFile }[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const { data } = z.looseObject({ files: z.array(z.unknown()) }).safeParse(property);
    return (data?.files ?? []).flatMap((entry, index) => {
      const file = hostedFile(entry);
      return file ? [{ place: `${name}/${index}`, file }] : [];
    });
  });
}
