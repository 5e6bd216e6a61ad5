import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import { type FieldProblem, invalid } from "../../shared/kernel/errors.ts";
import type { JsonObject } from "../../shared/ports/json.ts";

/** Maximum length of an expression in characters. */
export const MAX_EXPRESSION_LENGTH = 500;

/** Variables of an expression. */
export const VARIABLES = {
  /** Before the first step. */
  conditions: ["context"],
  /** After a step: `last` and `result` are both its result. */
  steps: ["context", "last", "result", "step"],
  /** For a model's result. */
  checks: ["context", "result"],
} as const;

export type Location = keyof typeof VARIABLES;

/** An expression of the chain language: a boolean function of its variables. Throws ExpressionError. */
export type Expression = (variables: JsonObject) => boolean;

/** Why an expression is invalid or has no value; the message is for people. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
}

/** Limits of an expression, including the members of a list or map in it. */
const LIMITS = { maxAstNodes: 100, maxDepth: 16, maxListElements: 50, maxMapEntries: 20, maxCallArguments: 4 };
/** Allowed functions: each takes time linear in its arguments, and none returns a larger value. */
const FUNCTIONS = new Set(["has", "size", "string", "int", "double"]);
const METHODS = new Set(["size", "contains", "startsWith", "endsWith", "all", "exists"]);
/** Quantifiers over a list; nested ones would be polynomial in its length. */
const QUANTIFIERS = new Set(["all", "exists"]);
/** Names that could reach JavaScript internals in a less careful interpreter. */
const INNER_NAMES = /^(?:__\w+__|constructor|prototype)$/;

const environments = new Map<Location, Promise<Environment>>();

/**
 * Parses an expression: CEL (Google's Common Expression Language) without functions that may take long, such as regular
 * expressions and nested loops. Throws ExpressionError for an invalid one.
 */
export async function parseExpression(text: string, location: Location): Promise<Expression> {
  if (text.length > MAX_EXPRESSION_LENGTH) throw new ExpressionError(`at most ${MAX_EXPRESSION_LENGTH} characters`);
  const environment = environments.get(location) ?? openEnvironment(location);
  environments.set(location, environment);
  const parsed = parse(await environment, text);
  refuseUnsafe(parsed.ast, false);
  const { valid, type, error } = parsed.check();
  if (!valid) throw toExpressionError(error);
  if (type !== "bool" && type !== "dyn") throw new ExpressionError(`its type is ${type}, not bool`);
  return (variables) => evaluate(parsed, variables);
}

/** An expression of a request with its position and its allowed variables. */
export interface GivenExpression {
  field: string;
  text: string;
  location: Location;
}

/** Throws a VALIDATION_ERROR that names each invalid expression. */
export async function requireValidExpressions(expressions: GivenExpression[]): Promise<void> {
  const problems = await Promise.all(expressions.map(problemOf));
  const found = problems.flatMap((problem) => problem ?? []);
  if (found.length > 0) throw invalid(...found);
}

async function problemOf({ field, text, location }: GivenExpression): Promise<FieldProblem | undefined> {
  try {
    await parseExpression(text, location);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return { field, problem: error.message };
    throw error;
  }
}

/** Members of a result that contain words instead of outcomes. */
const WORDS = new Set(["output", "steps"]);
const RESULTS = new Set(["last", "result"]);

/** Whether a step's expression may read the words of the last step, including `last` as a whole. */
export async function namesWords(text: string): Promise<boolean> {
  const environment = environments.get("steps") ?? openEnvironment("steps");
  return readsWords(parse(await environment, text).ast);
}

function readsWords(node: ASTNode): boolean {
  const name = nameIn(node);
  if (node.op === "id") return RESULTS.has(node.args);
  const [inner] = childrenOf(node.args);
  const isOfResult = inner?.op === "id" && RESULTS.has(inner.args);
  if (isOfResult && name !== undefined) return WORDS.has(name);
  return childrenOf(node.args).some(readsWords);
}

/** Runs the library and throws its errors as ExpressionError. */
function run<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toExpressionError(error);
  }
}

function parse(environment: Environment, text: string): ParseResult {
  return run(() => environment.parse(text));
}

function evaluate(parsed: ParseResult, variables: JsonObject): boolean {
  const value = run<unknown>(() => parsed(variables));
  if (typeof value !== "boolean") throw new ExpressionError("its value is neither true nor false");
  return value;
}

async function openEnvironment(location: Location): Promise<Environment> {
  const { Environment } = await import("@marcbachmann/cel-js");
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS });
  for (const variable of VARIABLES[location]) environment.registerVariable(variable, "map");
  for (const [operator, calculate] of Object.entries(ARITHMETIC)) {
    environment.registerOperator(`double ${operator} int: double`, (one: number, two: bigint) =>
      calculate(one, Number(two)),
    );
    environment.registerOperator(`int ${operator} double: double`, (one: bigint, two: number) =>
      calculate(Number(one), two),
    );
  }
  return environment;
}

/** CEL separates integers from other numbers, JSON does not: `context.count + 1` mixes both. */
const ARITHMETIC: Record<string, (one: number, two: number) => number> = {
  "+": (one, two) => one + two,
  "-": (one, two) => one - two,
  "*": (one, two) => one * two,
  "/": (one, two) => one / two,
  "%": (one, two) => one % two,
};

/** Keeps the first line of the library's message; the other lines show the position. */
function toExpressionError(error: unknown): ExpressionError {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return new ExpressionError(message);
}

function refuseUnsafe(node: ASTNode, isWithinQuantifier: boolean): void {
  const name = nameIn(node);
  if (name !== undefined && INNER_NAMES.test(name)) throw new ExpressionError(`'${name}' is not allowed`);
  if (node.op === "call" && !FUNCTIONS.has(node.args[0])) throw unknownFunction(node.args[0]);
  if (node.op === "rcall" && !METHODS.has(node.args[0])) throw unknownFunction(node.args[0]);
  const isQuantifier = node.op === "rcall" && QUANTIFIERS.has(node.args[0]);
  if (isQuantifier && isWithinQuantifier) throw new ExpressionError("all and exists cannot be nested");
  for (const inner of childrenOf(node.args)) refuseUnsafe(inner, isWithinQuantifier || isQuantifier);
}

function unknownFunction(name: string): ExpressionError {
  const known = [...new Set([...FUNCTIONS, ...METHODS])].join(", ");
  return new ExpressionError(`there is no function '${name}'; use one of: ${known}`);
}

/** The name of a node: a variable, a field, or a field in brackets. */
function nameIn(node: ASTNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op === "." || node.op === ".?") return node.args[1];
  const key = node.op === "[]" || node.op === "[?]" ? node.args[1] : undefined;
  return key?.op === "value" && typeof key.args === "string" ? key.args : undefined;
}

function childrenOf(args: unknown): ASTNode[] {
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.flatMap(childrenOf) : [];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
