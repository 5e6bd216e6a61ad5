import * as z from "zod";
import { type Names, toSnakeCase } from "../../../shared/domain/integration/compat/filters.ts";
import { invalid } from "../../../shared/kernel/errors.ts";
import { isObject } from "../../../shared/kernel/objects.ts";
import { label } from "../../../shared/runtime/schemas/fields.ts";

/** The user, agent, app and run of a memory. Clients send null for unused ones. */
export const about = {
  user_id: label.nullish(),
  agent_id: label.nullish(),
  app_id: label.nullish(),
  run_id: label.nullish(),
};

/** The same names as parameters of a query string. */
export const aboutInQuery = {
  user_id: label.optional(),
  agent_id: label.optional(),
  app_id: label.optional(),
  run_id: label.optional(),
};

/** The same names inside filters. Strict, because a typo must not widen a filter. */
export const namesInFilters = z
  .preprocess(
    (given) =>
      isObject(given)
        ? Object.fromEntries(Object.entries(given).map(([name, value]) => [toSnakeCase(name), value]))
        : given,
    z.strictObject(about),
  )
  .describe("The names, if clients send them here.");

/** The same object in a query string, as JSON or as Python prints it, because mem0's client sends that. */
export const namesInQuery = z
  .preprocess((given) => (typeof given === "string" ? parseObject(given) : given), namesInFilters)
  .meta({ type: "string", description: "The names as an object, as JSON or as Python prints it." });

const TEXT = /(?:'[^'"\\]*'|"[^"\\]*")/.source;
const PYTHON_OBJECT = new RegExp(`^\\{(?:${TEXT}: (?:${TEXT}|None)(?:, (?!\\})|(?=\\})))*\\}$`);

/** Parses JSON or a printed Python object. Returns any other text as it is; validation then rejects it. */
function parseObject(text: string): unknown {
  const json = PYTHON_OBJECT.test(text) ? toJson(text) : text;
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}

/** Only texts without escapes are accepted as Python. */
function toJson(python: string): string {
  const tokens = new RegExp(`${TEXT}|None`, "g");
  return python.replace(tokens, (token) => (token === "None" ? "null" : JSON.stringify(token.slice(1, -1))));
}

type Named = z.output<z.ZodObject<typeof about>>;

/** Names at the top level and in the filters. Throws VALIDATION_ERROR if they differ. */
export function namesOf({ filters, ...topLevel }: Named & { filters?: Named | null | undefined }): Names {
  const named = (["user_id", "agent_id", "app_id", "run_id"] as const).map((field) => {
    const [name, inFilters] = [topLevel[field], filters?.[field]];
    if (name && inFilters && name !== inFilters) throw invalid({ field, problem: "is another one than in filters" });
    return [field, name ?? inFilters];
  });
  return Object.fromEntries(named);
}
