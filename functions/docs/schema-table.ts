import { nameOf, type Schema } from "./document.ts";
import { type Html, html } from "./html.ts";

/** Deeper objects are shown only by type. */
const MAX_DEPTH = 4;

interface Row {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** One row per property, nested ones by dotted path. A schema that is not an object is a single line. */
export function schemaTable(schema: Schema): Html {
  const rows = rowsOf(schema, "", 0);
  if (rows.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows.map(
    ({ name, schema: field, isRequired }) =>
      html`<tr><td><code>${name}</code>${requiredMark(isRequired)}</td><td>${typeOf(field)}</td><td>${notesOf(field)}</td></tr>`,
  )}</tbody></table></div>`;
}

export function requiredMark(isRequired: boolean): Html | undefined {
  return isRequired ? html` <span class="required">required</span>` : undefined;
}

function rowsOf(schema: Schema, prefix: string, depth: number): Row[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key;
    const inner = field.type === "array" ? field.items : field;
    const innerPrefix = field.type === "array" ? `${name}[].` : `${name}.`;
    const nested = inner && depth < MAX_DEPTH ? rowsOf(inner, innerPrefix, depth + 1) : [];
    return [{ name, schema: field, isRequired: required.includes(key) }, ...nested];
  });
}

/** A schema's type as text with links to components. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return joined(alternatives.map(typeOf), " or ");
  if (schema.allOf) return joined(schema.allOf.map(typeOf), " and ");
  if (schema.type === "array") return html`list of ${schema.items ? typeOf(schema.items) : "anything"}`;
  const types = [schema.type ?? "anything"].flat().join(" or ");
  if (typeof schema.additionalProperties === "object" && Object.keys(schema.additionalProperties).length > 0) {
    return html`object of ${typeOf(schema.additionalProperties)}`;
  }
  return schema.format ? html`${types} (${schema.format})` : html`${types}`;
}

/** A value's constraints and default. */
export function notesOf(schema: Schema): Html {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: byDefault, description } = schema;
  const choices = schema.enum ?? schema.items?.enum;
  const notes = [
    description && html`${description}`,
    choices &&
      html`one of ${joined(
        choices.map((value) => html`<code>${JSON.stringify(value)}</code>`),
        ", ",
      )}`,
    range(minimum, maximum),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " in the list"),
    byDefault !== undefined && html`default <code>${JSON.stringify(byDefault)}</code>`,
  ].filter((note) => typeof note === "object");
  return joined(notes, "; ");
}

function range(least: number | undefined, most: number | undefined, unit?: string): Html | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === undefined) return html`at most ${count(most)}${unit}`;
  return most === undefined ? html`at least ${count(least)}${unit}` : html`${count(least)} to ${count(most)}${unit}`;
}

function count(value: number | undefined): string {
  return value?.toLocaleString("en-GB") ?? "";
}

function joined(parts: Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
