import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { FieldProblem } from "../../kernel/errors.ts";
import { isObject } from "../../kernel/objects.ts";
import { aliasesOf } from "../schemas/aliases.ts";
import { MAX_NAMED, nameError, requireKnownNames } from "../schemas/known-fields.ts";
import { isMeasured, type Shape, shapeOf } from "../schemas/schema-parts.ts";

/** A resource before a change, and the schema of its responses. */
export interface Current {
  answer: z.ZodType;
  read(): Promise<unknown>;
}

/** A field of a body that exists only in responses. */
interface ReadOnlyField {
  path: string[];
  schema: z.ZodType;
  sent: unknown;
}

/**
 * Returns a body without read-only fields, so that a client can send back what GET returned. Throws VALIDATION_ERROR if
 * a read-only field differs from its current value or a name is unknown. Measured fields, which change with every
 * request, are not compared.
 */
export async function withoutReadOnly(body: z.ZodType, { answer, read }: Current, sent: unknown): Promise<unknown> {
  const fields: ReadOnlyField[] = [];
  const rest = removeReadOnly(shapeOf(body), shapeOf(answer), sent, [], fields);
  const compared = fields.filter(({ schema }) => !isMeasured(schema));
  if (compared.length === 0) return rest;
  requireKnownNames(body, rest);
  const now: unknown = JSON.parse(JSON.stringify(await read()));
  const changed = compared.filter(({ schema, path, sent: value }) => !isUnchanged(schema, value, valueAt(now, path)));
  if (changed.length > 0) throw nameError(changed.slice(0, MAX_NAMED).map(toProblem));
  return rest;
}

function toProblem({ path }: ReadOnlyField): FieldProblem {
  const field = path.join(".");
  return { field, problem: `\`${field}\` is read-only and not what was sent: leave it out, or send it as it is` };
}

/** Returns the object without fields that exist only in the response's shape; those are added to `found`. */
function removeReadOnly(
  body: Shape | undefined,
  answer: Shape | undefined,
  sent: unknown,
  path: string[],
  found: ReadOnlyField[],
): unknown {
  if (!body || !answer || !isObject(sent)) return sent;
  const aliases = aliasesOf(body);
  const kept = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    const inAnswer = Object.hasOwn(answer, name) ? answer[name] : undefined;
    const inBody = Object.hasOwn(body, name) ? body[name] : undefined;
    const inner = [...path, name];
    if (inBody) {
      return [[name, inAnswer ? removeReadOnly(shapeOf(inBody), shapeOf(inAnswer), value, inner, found) : value]];
    }
    if (!inAnswer || aliases.has(name)) return [[name, value]];
    found.push({ path: inner, schema: inAnswer, sent: value });
    return [];
  });
  return Object.fromEntries(kept);
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), value);
}

/** Whether a read-only value equals the current one, ignoring measured fields. */
function isUnchanged(schema: z.ZodType, sent: unknown, now: unknown): boolean {
  if (isMeasured(schema)) return true;
  const shape = shapeOf(schema);
  if (!shape || !isObject(sent) || !isObject(now)) return isDeepStrictEqual(sent, now);
  const names = new Set([...Object.keys(sent), ...Object.keys(now)]);
  return [...names].every((name) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field !== undefined && isUnchanged(field, sent[name], now[name]);
  });
}
