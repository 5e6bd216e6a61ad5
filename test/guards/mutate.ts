import { parseAst } from "vitest/node";

/** An edit of a source file: an operator, and the names by which its place is found in the syntax tree. */
export interface Edit {
  /** Path from the root of the repository. */
  file: string;
  /** The function, constant or property that has the guard, or `*` for the whole file. */
  scope: string;
  operator: Operator;
  /** A name in the guard; `name/2` is the second place in the scope. */
  name: string;
  /** The new code of `replace`, `set` and `swap`. */
  value: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

interface Place {
  start: number;
  end: number;
  /** The text that replaces it. */
  text: string;
}

type Find = (scope: Node[], name: string, source: string, value: string) => Place[];

const textOf = (source: string, { start, end }: Pick<Node, "start" | "end">) => source.slice(start, end);

/** What each operator does to a guard. */
const OPERATORS = {
  /** Leaves out the statement that calls a function. */
  skip: (scope, name) =>
    scope
      .filter(
        ({ type, expression }) => type === "ExpressionStatement" && calleeOf(awaited(expression as Node)) === name,
      )
      .map((statement) => ({ ...statement, text: "{}" })),
  true: (scope, name) => conditions(scope, name).map((condition) => ({ ...condition, text: "true" })),
  false: (scope, name) => conditions(scope, name).map((condition) => ({ ...condition, text: "false" })),
  /** Leaves out a property of an object, or an element of a list that mentions a name. */
  drop: (scope, name, source) =>
    innermost(scope.flatMap(elementsOf).filter((each) => isNamed(each, name))).map((each) => {
      const comma = /^\s*,/.exec(source.slice(each.end));
      return { start: each.start, end: each.end + (comma?.[0].length ?? 0), text: "" };
    }),
  /** Leaves out an expression of a template, such as the organization of a key. */
  blank: (scope, name) =>
    scope
      .flatMap(({ type, expressions }) => (type === "TemplateLiteral" ? (expressions as Node[]) : []))
      .filter((each) => mentions(each, name))
      .map((each) => ({ ...each, text: '""' })),
  /** Replaces a call by its first argument. */
  unwrap: (scope, name, source) =>
    calls(scope, name).map((call) => ({ ...call, text: textOf(source, (call.arguments as Node[])[0] as Node) })),
  /** Replaces a method's call by the object that it was called on. */
  unchain: (scope, name, source) =>
    calls(scope, name).map((call) => ({ ...call, text: textOf(source, (call.callee as Node).object as Node) })),
  /** Replaces a call by other code. */
  replace: (scope, name, _source, value) => calls(scope, name).map((call) => ({ ...call, text: value })),
  /** Gives a variable, parameter or property another value. */
  set: (scope, name, _source, value) =>
    scope.flatMap((node) => {
      const old = initializerOf(node, name);
      return old ? [{ ...old, text: node.shorthand ? `${name}: ${value}` : value }] : [];
    }),
  /** Replaces a name or a literal. */
  swap: (scope, name, _source, value) =>
    scope.filter((node) => node.name === name || node.value === name).map((node) => ({ ...node, text: value })),
} as const satisfies Record<string, Find>;

export type Operator = keyof typeof OPERATORS;

export const isOperator = (name: string): name is Operator => Object.hasOwn(OPERATORS, name);

/** Returns a source without its guard. Throws if the place is not there or ambiguous. */
function mutate(source: string, { file, scope, operator, name, value }: Edit): string {
  const [label = "", ordinal] = name.split("/");
  const within = scopeOf(parse(source), scope);
  const found = within === undefined ? [] : OPERATORS[operator](nodesOf(within), label, source, value);
  const places = [...new Map(found.map((place) => [place.start, place])).values()].sort((a, b) => a.start - b.start);
  const place = ordinal === undefined && places.length === 1 ? places[0] : places[Number(ordinal) - 1];
  if (!place) throw new Error(`${file}: ${places.length} places in '${scope}' for '${operator} ${name}'`);
  const mutated = source.slice(0, place.start) + place.text + source.slice(place.end);
  if (mutated === source) throw new Error(`${file}: '${operator} ${name}' changes nothing in '${scope}'`);
  parse(mutated);
  return mutated;
}

function parse(source: string): Node {
  return parseAst(source, { lang: "ts" }) as unknown as Node;
}

/** Returns the sources that edits change, without their guards. Edits of one source are made in turn. */
export function mutateAll(edits: Edit[], read: (file: string) => string): Map<string, string> {
  const mutated = new Map<string, string>();
  for (const edit of edits) mutated.set(edit.file, mutate(mutated.get(edit.file) ?? read(edit.file), edit));
  return mutated;
}

/** A node and all below it. */
function nodesOf(node: Node): Node[] {
  return [node, ...Object.values(node).flat().filter(isNode).flatMap(nodesOf)];
}

const isNode = (value: unknown): value is Node => value instanceof Object && "type" in value && "start" in value;

/** The outermost declaration of a name. */
function scopeOf(root: Node, name: string): Node | undefined {
  if (name === "*") return root;
  const named = nodesOf(root).filter((node) => isDeclaration(node) && keyOf(node) === name);
  return named.sort((a, b) => sizeOf(b) - sizeOf(a))[0];
}

const sizeOf = ({ start, end }: Node): number => end - start;

const isDeclaration = ({ type }: Node): boolean =>
  /^(?:FunctionDeclaration|VariableDeclarator|MethodDefinition|PropertyDefinition|Property|ClassDeclaration)$/.test(
    type,
  );

/** The name of what a node declares, with the `#` of a private one. */
function keyOf({ id, key }: Node): string | undefined {
  return nameOf((id ?? key) as Node | undefined);
}

function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === "PrivateIdentifier") return `#${node.name}`;
  return (node?.name ?? node?.value) as string | undefined;
}

const mentions = (node: Node, name: string): boolean => nodesOf(node).some((each) => nameOf(each) === name);

function isNamed(each: Node, name: string): boolean {
  return each.type === "Property" ? keyOf(each) === name : mentions(each, name);
}

const awaited = (node: Node): Node => (node.type === "AwaitExpression" ? (node.argument as Node) : node);

function calleeOf({ type, callee }: Node): string | undefined {
  if (type !== "CallExpression") return undefined;
  return nameOf(((callee as Node).property ?? callee) as Node);
}

const calls = (scope: Node[], name: string): Node[] => scope.filter((node) => calleeOf(node) === name);

function elementsOf({ type, properties, elements }: Node): Node[] {
  if (type !== "ObjectExpression" && type !== "ArrayExpression") return [];
  return ((properties ?? elements) as (Node | null)[]).filter((each) => each !== null);
}

/** The smallest conditions that mention a name. */
function conditions(scope: Node[], name: string): Node[] {
  return innermost(scope.flatMap(conditionsOf).filter((condition) => mentions(condition, name)));
}

function conditionsOf(node: Node): Node[] {
  const { type, test, left, right, operator, argument, body, init } = node;
  if (test && type !== "SwitchCase") return [test as Node];
  if (type === "LogicalExpression" && operator !== "??") return [left as Node, right as Node];
  if (type === "ReturnStatement" && argument) return [argument as Node];
  if (type === "ArrowFunctionExpression" && (body as Node).type !== "BlockStatement") return [body as Node];
  return type === "VariableDeclarator" && init ? [init as Node] : [];
}

function innermost(nodes: Node[]): Node[] {
  return nodes.filter(
    (node) => !nodes.some((each) => each !== node && each.start >= node.start && each.end <= node.end),
  );
}

function initializerOf(node: Node, name: string): Node | undefined {
  if (node.type === "AssignmentExpression" || node.type === "AssignmentPattern") {
    return mentions(node.left as Node, name) ? (node.right as Node) : undefined;
  }
  if (!isDeclaration(node) || keyOf(node) !== name) return undefined;
  return (node.init ?? node.value) as Node | undefined;
}
