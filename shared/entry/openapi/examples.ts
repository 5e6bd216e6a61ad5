import { derivedId } from "../../kernel/ids.ts";
import { isObject } from "../../kernel/objects.ts";
import { EXAMPLES, MOMENT } from "./example-values.ts";
import { kindOf, lookUp } from "./kinds.ts";
import { type JsonSchema, mediaOf, nameOfReference, operationsOf, type PlainDocument } from "./schema.ts";

const ULID = "01K9ZQ4T6XH2M8V3NRB7C5DWEF";
const ENDS_WITH_TIME = /_at$|^at$|_(after|before|until)$/;

/** Gives every body with a schema an example. Throws if a required text has none. */
export function addExamples(document: PlainDocument): void {
  for (const operation of operationsOf(document)) {
    const { operationId, tags = [], requestBody, responses } = operation;
    const generator = new ExampleGenerator(document.components.schemas, tags[0] ?? "");
    for (const media of mediaOf(requestBody, ...Object.values(responses))) {
      if (media.schema) media.example ??= generator.of(media.schema, operationId, "");
    }
  }
}

/** Makes an object of the required fields and of those optional fields that have an example. */
class ExampleGenerator {
  readonly #schemas: Record<string, JsonSchema>;
  readonly #tag: string;

  constructor(schemas: Record<string, JsonSchema>, tag: string) {
    this.#schemas = schemas;
    this.#tag = tag;
  }

  /** The owner is the name of the schema, or of the property that holds the object. */
  of(schema: JsonSchema, owner: string, name: string): unknown {
    const reference = nameOfReference(schema);
    const given = schema.examples?.[0] ?? this.#given(schema, reference ?? owner, reference === undefined ? name : "");
    if (given !== undefined) return given;
    if (reference !== undefined) return this.of(this.#schemas[reference] ?? {}, reference, "");
    if (schema.const !== undefined) return schema.const;
    if (schema.default !== undefined && schema.default !== null && typeof schema.default !== "object")
      return schema.default;
    if (schema.enum) return schema.enum[0];
    const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (options) return this.of(options.find(({ type }) => type !== "null") ?? {}, owner, name);
    const type = [schema.type].flat().find((each) => each !== "null");
    if (schema.properties) return this.#object(schema, name === "" ? owner : name);
    if (type === "array") return schema.items ? [this.of(schema.items, owner, name)] : [];
    if (type === "object" || schema.additionalProperties) return {};
    if (type === "boolean") return false;
    if (type === "integer" || type === "number") return numberFor(schema);
    if (type === "string") return this.#text(schema, owner, name);
    return null;
  }

  #given(schema: JsonSchema, owner: string, name: string): unknown {
    if (name === "") return EXAMPLES[owner];
    return lookUp(EXAMPLES, [owner, name], this.#kindOf(owner), (example) => this.#fits(example, schema));
  }

  #kindOf(owner: string) {
    return kindOf(owner) ?? kindOf(this.#tag);
  }

  /** Whether a value has the schema's form; names such as `memory` are a text here and an object there. */
  #fits(value: unknown, schema: JsonSchema): boolean {
    const {
      type,
      properties = {},
      required = [],
      items,
      ...rest
    } = this.#schemas[nameOfReference(schema) ?? ""] ?? schema;
    if (rest.enum) return rest.enum.includes(value);
    const options = rest.anyOf ?? rest.oneOf;
    if (options) return options.some((option) => this.#fits(value, option));
    if (type !== undefined && ![type].flat().some((each) => hasType(value, each))) return false;
    if (typeof value === "number") return value >= (rest.minimum ?? value) && value <= (rest.maximum ?? value);
    if (typeof value === "string")
      return value.length >= (rest.minLength ?? 0) && value.length <= (rest.maxLength ?? value.length);
    if (Array.isArray(value)) return items === undefined || value.every((each) => this.#fits(each, items));
    if (!isObject(value)) return true;
    return (
      required.every((name) => name in value) &&
      Object.entries(value).every(([name, inner]) => this.#fits(inner, properties[name] ?? {}))
    );
  }

  #object({ properties = {}, required = [] }: JsonSchema, owner: string): Record<string, unknown> {
    const shown = Object.entries(properties).filter(
      ([name, schema]) =>
        !("x-alias-of" in schema) &&
        (required.includes(name) || schema.examples || this.#given(schema, owner, name) !== undefined),
    );
    return Object.fromEntries(shown.map(([name, schema]) => [name, this.of(schema, owner, name)]));
  }

  #text({ format }: JsonSchema, owner: string, name: string): string {
    if (format === "date-time" || ENDS_WITH_TIME.test(name)) return MOMENT;
    const kind = kindOf(name) ?? (/(^|_)ids?$/.test(name) ? this.#kindOf(owner) : undefined);
    if (kind !== undefined) return derivedId(kind, ULID);
    throw new Error(`the text \`${name}\` of \`${owner}\` needs an example: add one to the schema or to EXAMPLES`);
  }
}

function numberFor({ type, minimum = 0, maximum = Number.POSITIVE_INFINITY }: JsonSchema): number {
  const preferred = [type].flat().includes("integer") ? 12 : 0.82;
  return Math.min(Math.max(preferred, minimum), maximum);
}

function hasType(value: unknown, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return isObject(value);
  if (type === "null") return value === null;
  return typeof value === type;
}
