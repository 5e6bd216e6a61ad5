import type * as z from "zod";
import { type FieldProblem, invalid, ServiceError } from "../../kernel/errors.ts";
import { type Noun, requireKnownNames } from "./known-fields.ts";

/** Maximum nesting of arrays and objects: about twice as deep as the deepest valid body. */
const MAX_NESTING = 64;

/** Whether JSON text nests arrays and objects beyond the limit. */
function isNestedDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "[" || character === "{") {
      if (++depth > MAX_NESTING) return true;
    } else if (character === "]" || character === "}") depth--;
  }
  return false;
}

/** Parses a JSON body, undefined if absent. Throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON or VALIDATION_ERROR. */
export function parseJson(text: string, contentType: string | null): unknown {
  if (text === "") return undefined;
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? "")) {
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON with Content-Type: application/json.");
  }
  if (isNestedDeep(text)) throw invalid({ field: "body", problem: `is nested more than ${MAX_NESTING} deep` });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError("MALFORMED_JSON", "The body is not valid JSON.", { reason: jsonFault(error) });
  }
}

/** Returns why JSON.parse refused a text, without quoting it, because it may contain a password or part of a memory. */
function jsonFault(error: unknown): string {
  if (!(error instanceof Error)) return "not JSON";
  return error.message.replace(/, (\.{3})?".*"(\.{3})? is not valid JSON$/s, " is not what is expected there");
}

/** Returns the problems of a validation error; each field has the name under which it was sent. */
function problemsOf(error: z.ZodError, sentAs: ReadonlyMap<string, string>): FieldProblem[] {
  return error.issues.map(({ path, message }) => {
    const field = path.join(".");
    return { field: (sentAs.get(field) ?? field) || "body", problem: message };
  });
}

/** Parses a value with its schema. Throws a VALIDATION_ERROR that names each invalid or unknown field. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  noun: Noun = "field",
): z.output<Schema> {
  const { value: named, sentAs } = requireKnownNames(schema, value, noun);
  return validateNamed(schema, named, sentAs);
}

/** Parses a value that may have more fields than the schema names. Throws VALIDATION_ERROR. */
export function validateNamed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  sentAs: ReadonlyMap<string, string> = new Map(),
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(...problemsOf(parsed.error, sentAs));
  return parsed.data;
}
