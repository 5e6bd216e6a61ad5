import type * as z from "zod";
import { type FieldProblem, ServiceError } from "../../kernel/errors.ts";
import { aliasesOf, withOwnNames } from "./aliases.ts";
import { nearestName } from "./nearest-name.ts";
import { partOf, type Shape, shapeOf } from "./schema-parts.ts";

/** Maximum number of problems in one response. */
export const MAX_NAMED = 20;
/** Maximum length of an unknown name in a message, and maximum number of known names that a message lists. */
const MAX_NAME_LENGTH = 64;
const MAX_LISTED = 20;

/** The kind of names in a request, for error messages. */
export type Noun = "field" | "query parameter" | "form field";

/** A value under its schema's own names, with the problems of the names that were sent. */
export interface NamedValue {
  value: unknown;
  problems: FieldProblem[];
  /** The number of unknown names that exceed the limit of `problems`. */
  unnamed: number;
  /** The names that were sent, by the path of the schema's own name. */
  sentAs: ReadonlyMap<string, string>;
}

/** Reads the names of a value at every depth: aliases become the schema's own names; unknown names become problems. */
export function readNames(schema: z.ZodType, value: unknown, noun: Noun = "field"): NamedValue {
  const reader = new NameReader(noun);
  const read = reader.read(schema, value, []);
  const { problems, unnamed, sentAs } = reader;
  return { value: read, problems, unnamed, sentAs };
}

/** Returns the value under its schema's own names. Throws a VALIDATION_ERROR that names each unknown field. */
export function requireKnownNames(
  schema: z.ZodType,
  given: unknown,
  noun: Noun = "field",
): Pick<NamedValue, "value" | "sentAs"> {
  const { value, problems, unnamed, sentAs } = readNames(schema, given, noun);
  if (problems.length > 0) throw nameError(problems, unnamed);
  return { value, sentAs };
}

/** Returns a VALIDATION_ERROR about names. */
export function nameError(problems: FieldProblem[], unnamed = 0): ServiceError {
  const sentences = problems.map(({ problem }) => `${problem}.`.replace(/([?!.])\.$/, "$1"));
  const rest = unnamed > 0 ? [`There are ${unnamed} more.`] : [];
  return new ServiceError("VALIDATION_ERROR", [...sentences, ...rest].join(" "), { fields: problems });
}

/** Reads objects without changing them; objects with aliases are copied. */
class NameReader {
  readonly #noun: Noun;
  readonly problems: FieldProblem[] = [];
  unnamed = 0;
  readonly sentAs = new Map<string, string>();
  /** Shapes with names that a problem has already listed. */
  readonly #listed = new Set<Shape>();

  constructor(noun: Noun) {
    this.#noun = noun;
  }

  read(schema: z.ZodType, value: unknown, path: string[]): unknown {
    if (typeof value !== "object" || value === null) return this.#readPrepared(schema, value, path);
    const part = partOf(schema);
    if (part.kind === "preprocessed") return this.#readPrepared(schema, value, path);
    if (part.kind === "union") return this.#readUnion(part.options, value, path);
    if (Array.isArray(value)) {
      if (part.kind !== "list") return value;
      return mapUnlessSame(value, (each, index) => this.read(part.element, each, [...path, String(index)]));
    }
    const fields = value as Record<string, unknown>;
    if (part.kind === "object") return this.#readObject(part.shape, part.isOpen, fields, path);
    if (part.kind !== "record") return value;
    return mapFields(fields, (each, name) => this.read(part.values, each, [...path, shortened(name)]));
  }

  /** Reads a value that may be parsed into an object before validation, such as a text; other scalars have no names. */
  #readPrepared(schema: z.ZodType, value: unknown, path: string[]): unknown {
    const part = partOf(schema);
    if (part.kind !== "preprocessed") return value;
    const prepared = part.prepare.safeParse(value);
    if (!prepared.success || typeof prepared.data !== "object") return value;
    const read = this.read(part.schema, prepared.data, path);
    return read === prepared.data ? value : read;
  }

  /** Uses the option that knows most of the names. */
  #readUnion(options: z.ZodType[], value: object, path: string[]): unknown {
    const read = options
      .filter((option) => mayTake(option, value))
      .map((option) => {
        const reader = new NameReader(this.#noun);
        return { reader, value: reader.read(option, value, path) };
      });
    const [best] = read.toSorted((a, b) => a.reader.problems.length - b.reader.problems.length);
    if (!best) return value;
    for (const problem of best.reader.problems) this.#add(problem);
    this.unnamed += best.reader.unnamed;
    for (const [own, alias] of best.reader.sentAs) this.sentAs.set(own, alias);
    return best.value;
  }

  #readObject(shape: Shape, isOpen: boolean, given: Record<string, unknown>, path: string[]): unknown {
    const { value, problems, renamed } = withOwnNames(shape, given);
    for (const [alias, own] of renamed) this.sentAs.set([...path, own].join("."), [...path, alias].join("."));
    for (const { field, problem } of problems) this.#add({ field: [...path, field].join("."), problem });
    return mapFields(value, (inner, name) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field) return this.read(field, inner, [...path, name]);
      const isContradiction = problems.some((problem) => problem.field === name);
      if (!isOpen && !isContradiction) this.#refuse(shape, name, path);
      return inner;
    });
  }

  #refuse(shape: Shape, name: string, path: string[]): void {
    if (this.problems.length >= MAX_NAMED) {
      this.unnamed += 1;
      return;
    }
    const field = [...path, shortened(name)].join(".");
    this.#add({ field, problem: this.#explain(field, name, shape) });
  }

  #explain(field: string, name: string, shape: Shape): string {
    const unknown = `Unknown ${this.#noun} \`${field}\``;
    const meant = nearestName(name, namesOf(shape));
    if (meant !== undefined) return `${unknown}: did you mean \`${meant}\`?`;
    const known = Object.keys(shape).map((each) => `\`${each}\``);
    if (known.length === 0) return `${unknown}: none is taken here`;
    if (this.#listed.has(shape)) return unknown;
    this.#listed.add(shape);
    return `${unknown}: known are ${known.slice(0, MAX_LISTED).join(", ")}${known.length > MAX_LISTED ? ", …" : ""}`;
  }

  #add(problem: FieldProblem): void {
    if (this.problems.length < MAX_NAMED) this.problems.push(problem);
    else this.unnamed += 1;
  }
}

/** Returns the names that a shape accepts: its own, then aliases, then paths of fields of nested objects. */
function namesOf(shape: Shape): string[] {
  const within = Object.entries(shape).flatMap(([name, schema]) =>
    Object.keys(shapeOf(schema) ?? {}).map((inner) => `${name}.${inner}`),
  );
  return [...Object.keys(shape), ...aliasesOf(shape).keys(), ...within];
}

/** Schema types that are never an object or a list. */
const SCALARS = new Set(["string", "number", "boolean", "enum", "literal", "null"]);

/** Whether an option of a union can accept an object or a list. */
function mayTake(option: z.ZodType, value: object): boolean {
  const part = partOf(option);
  if (part.kind === "list") return Array.isArray(value);
  if (part.kind === "object" || part.kind === "record") return !Array.isArray(value);
  return !SCALARS.has(part.kind === "other" ? part.type : "");
}

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…`.toWellFormed() : name.toWellFormed();
}

function mapUnlessSame(list: unknown[], change: (each: unknown, index: number) => unknown): unknown[] {
  const changed = list.map(change);
  return changed.every((each, index) => each === list[index]) ? list : changed;
}

/** Changes each value; returns the same object if nothing changes. Keeps names such as `__proto__` as own names. */
function mapFields(
  object: Record<string, unknown>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(object).map(([name, value]) => [name, value, change(value, name)] as const);
  if (entries.every(([, before, after]) => before === after)) return object;
  return Object.fromEntries(entries.map(([name, , after]) => [name, after]));
}
