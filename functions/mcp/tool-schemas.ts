import * as z from "zod";

/** Keywords that a model does not need: the service checks arguments itself, and each costs tokens in every chat. */
const LEFT_OUT = new Set(["$schema", "additionalProperties", "pattern", "format", "minLength", "maxLength"]);
/** The bounds of `z.int()`, which JSON implies. */
const ANY_INTEGER = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

type JsonSchema = Record<string, unknown>;

/** A schema for the protocol's library: it checks like the given one, and its JSON Schema is short. */
export function withShortJsonSchema(schema: z.ZodObject) {
  let made: JsonSchema | undefined;
  const toJson = (): JsonSchema => {
    made ??= shortened(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })) as JsonSchema;
    return made;
  };
  return { "~standard": { ...schema["~standard"], jsonSchema: { input: toJson, output: toJson } } };
}

function shortened(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => shortened(each));
  if (typeof value !== "object" || value === null) return value;
  if (!isNames && "anyOf" in value && isText(value.anyOf)) {
    const { anyOf: _texts, ...rest } = value;
    return shortened({ type: "string", ...rest });
  }
  const kept = Object.entries(value).filter(
    ([name, inner]) => isNames || !(LEFT_OUT.has(name) || ANY_INTEGER.has(inner)),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, shortened(inner, !isNames && name === "properties")]));
}

/** Whether the options of a union are all texts, in different formats. */
function isText(options: unknown): boolean {
  return Array.isArray(options) && options.every((option) => Object(option).type === "string");
}
