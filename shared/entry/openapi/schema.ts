import type { OpenApiDocument } from "./document.ts";

/** The parts of a JSON Schema that the document's builder reads and writes. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  description?: string;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Media {
  schema?: JsonSchema;
  example?: unknown;
}

export interface Content {
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** The document as the steps after the generator see it. */
export interface PlainDocument {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Content>;
  };
}

/** The generator's types cover all of OpenAPI; the document uses only a part. */
export function asPlain(document: OpenApiDocument): PlainDocument {
  return document as unknown as PlainDocument;
}

export function operationsOf({ paths }: PlainDocument): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** The name of the schema that a reference points to. */
export function nameOfReference({ $ref }: JsonSchema): string | undefined {
  return $ref?.slice($ref.lastIndexOf("/") + 1);
}

/** Schemas directly inside another one that describe the same value or its items. */
export function partsOf({ items, additionalProperties, anyOf, oneOf, allOf }: JsonSchema): JsonSchema[] {
  const values = typeof additionalProperties === "object" ? [additionalProperties] : [];
  return [...(items ? [items] : []), ...values, ...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
}

/**
 * Corrects nullable named schemas everywhere inside a part of the document. The generator writes `allOf` of the reference
 * and of a type with null, which refuses null.
 */
export function allowNulls(part: object): void {
  for (const inner of Object.values(part)) if (typeof inner === "object" && inner !== null) allowNulls(inner);
  const schema = part as JsonSchema;
  const [reference, nullable] = schema.allOf ?? [];
  if (reference?.$ref === undefined || !nullable?.type?.includes("null")) return;
  delete schema.allOf;
  schema.anyOf = [reference, { type: "null" }];
}

/** The forms of request bodies or responses. */
export function mediaOf(...bodies: (Content | undefined)[]): Media[] {
  return bodies.flatMap((each) => Object.values(each?.content ?? {}));
}
