/** The parts of an OpenAPI 3.1 document that the page reads. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, ApiResponse>;
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string }>;
  };
}

export interface Reference {
  $ref: string;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, ApiResponse | Reference>;
  "x-permission"?: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface ApiResponse {
  description: string;
  headers?: Record<string, Reference>;
  content?: Content;
}

type Content = Record<string, { schema?: Schema }>;

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** The last part of `#/components/<kind>/<name>`. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** The component of a reference, or the value itself. Throws on a dangling reference. */
export function resolve<Component extends object>(
  part: Component | Reference,
  components: Record<string, Component>,
): Component {
  if (!isReference(part)) return part;
  const found = components[nameOf(part.$ref)];
  if (!found) throw new Error(`the document has no ${part.$ref}`);
  return found;
}

function isReference(part: object): part is Reference {
  return "$ref" in part && typeof part.$ref === "string";
}
