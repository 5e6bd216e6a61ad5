import { type FieldDescriptions, idWords, nameWords, PATH_PARAMETERS, SCHEMAS, SHARED_FIELDS } from "./fields.ts";
import { byName, kindOf, lookUp } from "./kinds.ts";
import {
  type JsonSchema,
  mediaOf,
  nameOfReference,
  type Operation,
  operationsOf,
  type Parameter,
  type PlainDocument,
  partsOf,
} from "./schema.ts";

/**
 * Adds descriptions from `fields.ts` and from the groups' `fields.ts` to schemas, fields and parameters that the zod
 * schemas do not describe. Throws if two of them describe the same.
 */
export function describeFields(document: PlainDocument, ofGroups: FieldDescriptions[] = []): void {
  const fields = byName(SHARED_FIELDS, ...ofGroups);
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (SCHEMAS[name] !== undefined) schema.description ??= SCHEMAS[name];
  }
  for (const [owner, property, schema] of propertiesOf(document)) {
    const text = lookUp(fields, [owner, property], kindOf(owner)) ?? nameWords(property);
    if (text !== undefined && !isDescribed(schema, document)) schema.description = text;
  }
  for (const [path, { operationId, parameters = [] }] of itemsOf(document)) {
    for (const parameter of parameters) describeParameter(parameter, path, operationId, fields);
  }
}

function describeParameter(parameter: Parameter, path: string, operationId: string, fields: FieldDescriptions): void {
  if (parameter.$ref !== undefined) return;
  const { name, schema } = parameter;
  const text = parameter.in === "path" ? pathWords(path, name) : queryWords(operationId, name, fields);
  parameter.description ??= schema.description ?? text;
  delete schema.description;
}

function queryWords(operationId: string, name: string, fields: FieldDescriptions): string | undefined {
  return fields[`${operationId}.${name}`] ?? lookUp(fields, ["query", name], undefined) ?? nameWords(name);
}

/** The description of a path parameter by the preceding path segment and the name, by the name, or by what it is of. */
function pathWords(path: string, name: string): string | undefined {
  const segments = path.split("/");
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
  const kind = /id$/i.test(name) ? kindOf(name === "id" ? before : name) : undefined;
  return PATH_PARAMETERS[`${before}/${name}`] ?? PATH_PARAMETERS[name] ?? (kind && idWords(kind));
}

function itemsOf({ paths }: PlainDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => [path, operation] as const),
  );
}

/** Missing summaries, descriptions and examples of the document, one line each. */
export function gapsOf(document: PlainDocument): string[] {
  const fields = [...propertiesOf(document)]
    .filter(([, , schema]) => !isDescribed(schema, document))
    .map(([owner, property]) => `field \`${property}\` of \`${owner}\` has no description`);
  const tags = document.tags
    .filter(({ description }) => !description)
    .map(({ name }) => `tag \`${name}\` has no description`);
  return [...tags, ...new Set(fields), ...operationsOf(document).flatMap(gapsOfOperation)];
}

function gapsOfOperation({ operationId, summary, description, parameters, requestBody, responses }: Operation) {
  const missing = [
    ...(summary ? [] : ["summary"]),
    ...(description ? [] : ["description"]),
    ...(parameters ?? [])
      .filter((each) => each.$ref === undefined && !each.description)
      .map(({ name }) => `description of the parameter \`${name}\``),
    ...mediaOf(requestBody, ...Object.values(responses))
      .filter(({ schema, example }) => schema && example === undefined)
      .map(() => "example"),
  ];
  return missing.map((each) => `operation \`${operationId}\` has no ${each}`);
}

function isDescribed(schema: JsonSchema, { components }: PlainDocument): boolean {
  if (schema.description) return true;
  const name = nameOfReference(schema);
  return name !== undefined && Boolean(components.schemas[name]?.description);
}

/** Yields every property with its owner: the name of the schema, or of the property that holds the object. */
function* propertiesOf({
  paths,
  components,
}: PlainDocument): Generator<[owner: string, name: string, schema: JsonSchema]> {
  for (const [name, schema] of Object.entries(components.schemas)) yield* propertiesIn(schema, name);
  for (const [name, response] of Object.entries(components.responses)) {
    for (const { schema = {} } of mediaOf(response)) yield* propertiesIn(schema, name);
  }
  for (const { operationId, requestBody, responses } of operationsOf({ paths, components, tags: [] })) {
    for (const { schema = {} } of mediaOf(requestBody, ...Object.values(responses))) {
      yield* propertiesIn(schema, operationId);
    }
  }
}

function* propertiesIn(schema: JsonSchema, owner: string): ReturnType<typeof propertiesOf> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [owner, name, property];
    yield* propertiesIn(property, name);
  }
  for (const part of partsOf(schema)) yield* propertiesIn(part, owner);
}
