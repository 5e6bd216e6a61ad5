import { parametersOf, shapeOf } from "../../runtime/http/group.ts";
import { type Operation, operationsOf, type Parameter, type PlainDocument } from "./schema.ts";

/** Number of operations from which a parameter is a component. */
const MIN_SHARED = 3;

/**
 * Gives paths that differ only in the name of a parameter one name for it, because OpenAPI does not distinguish them:
 * `/connections/{provider}` and `/connections/{connection_id}` become `/connections/{provider_or_connection_id}`.
 */
export function mergeSamePaths(document: PlainDocument): void {
  const merged: PlainDocument["paths"] = {};
  for (const items of Map.groupBy(Object.entries(document.paths), ([path]) => shapeOf(path)).values()) {
    const paths = items.map(([path]) => path);
    const joint = parametersOf(paths[0] ?? "").map((_, index) =>
      [...new Set(paths.map((path) => parametersOf(path)[index] ?? ""))].join("_or_"),
    );
    for (const [path, item] of items) {
      const names = parametersOf(path);
      for (const { parameters = [] } of Object.values(item)) rename(parameters, names, joint);
      let index = 0;
      const common = path.replace(/\{\w+\}/g, () => `{${joint[index++]}}`);
      merged[common] = { ...merged[common], ...item };
    }
  }
  document.paths = merged;
}

function rename(parameters: Parameter[], names: string[], joint: string[]): void {
  for (const parameter of parameters) {
    if (parameter.in === "path") parameter.name = joint[names.indexOf(parameter.name)] ?? parameter.name;
  }
}

/**
 * Makes parameters that several operations have components. A component is named after the parameter; of different
 * parameters with the same name, those that are less frequent are named after their area too.
 */
export function shareParameters(document: PlainDocument): void {
  const { parameters } = document.components;
  const operations = operationsOf(document);
  const names = new Map<string, string>();
  for (const [text, [use]] of frequentParameters(operations)) {
    if (use === undefined) continue;
    const { parameter, tag } = use;
    const name = [parameter.name, `${tag}.${parameter.name}`].find((each) => !(each in parameters));
    if (name === undefined) continue;
    parameters[name] = parameter;
    names.set(text, name);
  }
  for (const operation of operations) operation.parameters = operation.parameters?.map((each) => shared(each, names));
}

function frequentParameters(operations: Operation[]) {
  const uses = operations.flatMap(({ tags: [tag = ""] = [], parameters = [] }) =>
    parameters.filter(({ $ref }) => $ref === undefined).map((parameter) => ({ parameter, tag })),
  );
  return [...Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter))]
    .filter(([, { length }]) => length >= MIN_SHARED)
    .sort(([, a], [, b]) => b.length - a.length);
}

function shared(parameter: Parameter, names: ReadonlyMap<string, string>): Parameter {
  const name = names.get(JSON.stringify(parameter));
  return name === undefined ? parameter : ({ $ref: `#/components/parameters/${name}` } as Parameter);
}
