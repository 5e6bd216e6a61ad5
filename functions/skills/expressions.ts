import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import type { JsonObject } from "../../shared/platform/ports.ts";

/** Longest expression, in characters. */
export const MAX_EXPRESSION_LENGTH = 500;

/** Variables that an expression may name. */
export const VARIABLES = {
  /** Before the first step. */
  conditions: ["context"],
  /** After a step: `last` and `result` are both what it came to. */
  steps: ["context", "last", "result", "step"],
  /** Of what a model made. */
  checks: ["context", "result"],
} as const;

export type Place = keyof typeof VARIABLES;

/** An expression of the chain language: true or false of its variables. Throws ExpressionFailed. */
export type Expression = (variables: JsonObject) => boolean;

/** Why an expression cannot be used, or has no answer in a situation; the message is meant for people. */
export class ExpressionFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExpressionFailed";
  }
}

/** Of an expression; a list or map in it has as many parts at most. */
const LIMITS = { maxAstNodes: 100, maxDepth: 16, maxListElements: 50, maxMapEntries: 20, maxCallArguments: 4 };
/** Each takes time in proportion to its arguments, and none makes anything larger than these. */
const FUNCTIONS = new Set(["has", "size", "string", "int", "double"]);
const METHODS = new Set(["size", "contains", "startsWith", "endsWith", "all", "exists"]);
/** Visit each member of a list; within each other they would take a power of its length. */
const QUANTIFIERS = new Set(["all", "exists"]);
/** Names that lead from a value into JavaScript in interpreters less careful than this one. */
const INNER_NAMES = /^(?:__\w+__|constructor|prototype)$/;

const environments = new Map<Place, Promise<Environment>>();

/**
 * The expression of that text: CEL (Google's Common Expression Language) without its functions that may take long, such
 * as regular expressions and loops within loops. Throws ExpressionFailed for what is no such expression.
 */
export async function parseExpression(text: string, place: Place): Promise<Expression> {
  if (text.length > MAX_EXPRESSION_LENGTH) throw new ExpressionFailed(`at most ${MAX_EXPRESSION_LENGTH} characters`);
  const environment = environments.get(place) ?? openEnvironment(place);
  environments.set(place, environment);
  const parsed = parse(await environment, text);
  refuseUnsafe(parsed.ast, false);
  const { valid, type, error } = parsed.check();
  if (!valid) throw failure(error);
  if (type !== "bool" && type !== "dyn") throw new ExpressionFailed(`it is of type ${type}, not true or false`);
  return (variables) => evaluate(parsed, variables);
}

/** Members of a result that hold what was said, and not how it went. */
const WORDS = new Set(["output", "steps"]);
const RESULTS = new Set(["last", "result"]);

/** Whether an expression of a step may read what the last step said; `last` as a whole holds that too. */
export async function namesWords(text: string): Promise<boolean> {
  const environment = environments.get("steps") ?? openEnvironment("steps");
  return readsWords(parse(await environment, text).ast);
}

function readsWords(node: ASTNode): boolean {
  const name = nameIn(node);
  if (node.op === "id") return RESULTS.has(node.args);
  const [inner] = partsOf(node.args);
  const isOfResult = inner?.op === "id" && RESULTS.has(inner.args);
  if (isOfResult && name !== undefined) return WORDS.has(name);
  return partsOf(node.args).some(readsWords);
}

function parse(environment: Environment, text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw failure(error);
  }
}

function evaluate(parsed: ParseResult, variables: JsonObject): boolean {
  const value = answer(parsed, variables);
  if (typeof value !== "boolean") throw new ExpressionFailed("it is neither true nor false here");
  return value;
}

function answer(parsed: ParseResult, variables: JsonObject): unknown {
  try {
    return parsed(variables);
  } catch (error) {
    throw failure(error);
  }
}

async function openEnvironment(place: Place): Promise<Environment> {
  const { Environment } = await import("@marcbachmann/cel-js");
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS });
  for (const variable of VARIABLES[place]) environment.registerVariable(variable, "map");
  for (const [sign, calculate] of Object.entries(ARITHMETIC)) {
    environment.registerOperator(`double ${sign} int: double`, (one: number, two: bigint) =>
      calculate(one, Number(two)),
    );
    environment.registerOperator(`int ${sign} double: double`, (one: bigint, two: number) =>
      calculate(Number(one), two),
    );
  }
  return environment;
}

/** CEL keeps whole numbers and others apart, which JSON does not: `context.count + 1` is of both. */
const ARITHMETIC: Record<string, (one: number, two: number) => number> = {
  "+": (one, two) => one + two,
  "-": (one, two) => one - two,
  "*": (one, two) => one * two,
  "/": (one, two) => one / two,
  "%": (one, two) => one % two,
};

/** The library's messages draw the place below their first line. */
function failure(error: unknown): ExpressionFailed {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return new ExpressionFailed(message);
}

function refuseUnsafe(node: ASTNode, isWithinQuantifier: boolean): void {
  const name = nameIn(node);
  if (name !== undefined && INNER_NAMES.test(name)) throw new ExpressionFailed(`'${name}' is not to be reached`);
  if (node.op === "call" && !FUNCTIONS.has(node.args[0])) throw unknownFunction(node.args[0]);
  if (node.op === "rcall" && !METHODS.has(node.args[0])) throw unknownFunction(node.args[0]);
  const isQuantifier = node.op === "rcall" && QUANTIFIERS.has(node.args[0]);
  if (isQuantifier && isWithinQuantifier) throw new ExpressionFailed("all and exists cannot be within each other");
  for (const inner of partsOf(node.args)) refuseUnsafe(inner, isWithinQuantifier || isQuantifier);
}

function unknownFunction(name: string): ExpressionFailed {
  const known = [...new Set([...FUNCTIONS, ...METHODS])].join(", ");
  return new ExpressionFailed(`there is no function '${name}'; use one of: ${known}`);
}

/** What a node names: a variable, a field, or a field in brackets. */
function nameIn(node: ASTNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op === "." || node.op === ".?") return node.args[1];
  const key = node.op === "[]" || node.op === "[?]" ? node.args[1] : undefined;
  return key?.op === "value" && typeof key.args === "string" ? key.args : undefined;
}

function partsOf(args: unknown): ASTNode[] {
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.flatMap(partsOf) : [];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
