import type * as z from "zod";

/** The parts of a zod schema's definition that this file reads. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  innerType?: z.ZodType;
  valueType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  getter?: () => z.ZodType;
}

/** Fields of an object by their names. */
export type Shape = Record<string, z.ZodType>;

/** The kind of a schema without wrappers such as `optional`. */
export type Part =
  | { kind: "object"; shape: Shape; isOpen: boolean }
  | { kind: "list"; element: z.ZodType }
  | { kind: "record"; values: z.ZodType }
  | { kind: "union"; options: z.ZodType[] }
  | { kind: "preprocessed"; prepare: z.ZodType; schema: z.ZodType }
  | { kind: "other"; type: string };

const CHECKED_BY_VERB = new WeakMap<z.ZodType, z.ZodType>();

/** Marks a part of a body that the verb validates itself, with `schema`; the pipeline still checks the part's names. */
export function leaveToVerb<Schema extends z.ZodType>(part: Schema, schema: z.ZodType): Schema {
  CHECKED_BY_VERB.set(part, schema);
  return part;
}

/** Returns the kind of a schema and its inner schemas. A pipe counts as its input. */
export function partOf(schema: z.ZodType): Part {
  const definition = schema._zod.def as unknown as Definition;
  const { type, shape, catchall, element, options, innerType, valueType, getter } = definition;
  if (type === "object" && shape) return { kind: "object", shape, isOpen: isOpen(catchall) };
  if (type === "array" && element) return { kind: "list", element };
  if (type === "record" && valueType) return { kind: "record", values: valueType };
  if (type === "union" && options) return { kind: "union", options };
  if (type === "pipe" && definition.in && definition.out) {
    const { in: first, out } = definition;
    return first._zod.def.type === "transform" ? { kind: "preprocessed", prepare: first, schema: out } : partOf(first);
  }
  if (innerType) return partOf(innerType);
  return getter ? partOf(getter()) : { kind: "other", type };
}

function isOpen(catchall: z.ZodType | undefined): boolean {
  return catchall !== undefined && catchall._zod.def.type !== "never";
}

/** Returns the fields of an object schema; undefined for other schemas and free-form objects. */
export function shapeOf(schema: z.ZodType): Shape | undefined {
  const part = partOf(CHECKED_BY_VERB.get(schema) ?? schema);
  if (part.kind === "preprocessed") return shapeOf(part.schema);
  return part.kind === "object" ? part.shape : undefined;
}

/** Marks a response field that the service measures, such as a use count: a PUT may send back any value. */
export function measured<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), "x-measured": true });
}

/** Whether a field is marked as measured. */
export function isMeasured(schema: z.ZodType): boolean {
  return schema.meta()?.["x-measured"] === true;
}
