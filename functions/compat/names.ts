import * as z from "zod";
import { type Names, toSnakeCase } from "../../shared/compat/filters.ts";
import { label } from "../../shared/http/fields.ts";
import { invalid } from "../../shared/kernel/errors.ts";

/** Whom and what a memory is about. Clients send null for what they do not name. */
export const about = {
  user_id: label.nullish(),
  agent_id: label.nullish(),
  app_id: label.nullish(),
  run_id: label.nullish(),
};

/** The same names where a client puts them into filters. Strict: one that is mistyped must not be as good as none. */
export const namesInFilters = z
  .preprocess(
    (given) =>
      typeof given === "object" && given !== null && !Array.isArray(given)
        ? Object.fromEntries(Object.entries(given).map(([name, value]) => [toSnakeCase(name), value]))
        : given,
    z.strictObject(about),
  )
  .meta({ description: "The names, where clients put them here." });

/** The same in a query string, as JSON or as Python prints it, which is how its client sends them. */
export const namesInQuery = z
  .preprocess((given) => (typeof given === "string" ? parseObject(given) : given), namesInFilters)
  .meta({ type: "string", description: "The names as an object, in JSON or as Python prints it." });

const TEXT = /(?:'[^'"\\]*'|"[^"\\]*")/.source;
const PYTHON_OBJECT = new RegExp(`^\\{(?:${TEXT}: (?:${TEXT}|None)(?:, (?!\\})|(?=\\})))*\\}$`);

/** The text itself where it is neither, which then is no object. */
function parseObject(text: string): unknown {
  const json = PYTHON_OBJECT.test(text) ? toJson(text) : text;
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}

/** Of texts that hold no escapes: these alone are taken for Python's. */
function toJson(python: string): string {
  const tokens = new RegExp(`${TEXT}|None`, "g");
  return python.replace(tokens, (token) => (token === "None" ? "null" : JSON.stringify(token.slice(1, -1))));
}

type Named = z.output<z.ZodObject<typeof about>>;

/** Names beside the filters and in them. Throws VALIDATION_ERROR where they contradict each other. */
export function namesOf({ filters, ...beside }: Named & { filters?: Named | null | undefined }): Names {
  const named = (["user_id", "agent_id", "app_id", "run_id"] as const).map((field) => {
    const [name, inFilters] = [beside[field], filters?.[field]];
    if (name && inFilters && name !== inFilters) throw invalid({ field, problem: "is another one than in filters" });
    return [field, name ?? inFilters];
  });
  return Object.fromEntries(named);
}
