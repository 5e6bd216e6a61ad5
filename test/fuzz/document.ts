import { makeThings, SAMPLES, THINGS } from "../routes/samples/index.ts";
import type { Service } from "../support/service.ts";

interface Parameter {
  $ref?: string;
  in?: string;
  name?: string;
  schema?: object;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  "x-permission"?: string;
}

/** What is changed of the API's document before it is handed to the fuzzer. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

/** Things of each kind that a route is given: it may delete one. */
const THINGS_A_ROUTE = 2;

const IF_MATCH: Parameter = { in: "header", name: "If-Match", schema: { type: "string", enum: ["*", '"1"', '"2"'] } };

/**
 * The document of the paths to be tried, where requests can also succeed: paths may name things that there are, and
 * X-Permission what the route needs.
 */
export async function withKnown(
  { paths, ...rest }: ApiDocument,
  tried: RegExp,
  service: Service,
  key: string,
): Promise<ApiDocument> {
  const kept = Object.fromEntries(Object.entries(paths).filter(([path]) => tried.test(path)));
  for (const operation of Object.values(kept).flatMap((those) => Object.values(those))) {
    const ids = await idsFor(operation.operationId, service, key);
    const own = operation.parameters
      ?.map((parameter) => rest.components.parameters[parameter.$ref?.split("/").at(-1) ?? ""] ?? parameter)
      .filter(({ schema }) => !isAlias(schema));
    operation.parameters = own?.map((parameter) => {
      if (parameter.name === "X-Permission") return permissionOf(operation);
      if (parameter.name === IF_MATCH.name) return IF_MATCH;
      // A path that two routes share names its parameter after both.
      const names = parameter.name?.split("_or_") ?? [];
      const known = ids.flatMap((each) => names.map((name) => each[name])).filter((id) => id !== undefined);
      if (parameter.in !== "path" || known.length === 0) return parameter;
      return { ...parameter, schema: { anyOf: [{ type: "string", enum: known }, parameter.schema] } };
    });
  }
  withoutAliases([kept, rest]);
  return { ...rest, paths: kept };
}

/** Whether a schema is that of another name of a field: two that differ are refused, which JSON Schema cannot tell. */
function isAlias(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && "x-alias-of" in schema;
}

/** Takes aliases out of all objects of the document. */
function withoutAliases(part: unknown): void {
  if (typeof part !== "object" || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (isAlias(inner)) delete (part as Record<string, unknown>)[name];
    else withoutAliases(inner);
  }
}

function permissionOf({ "x-permission": permission = "any" }: Operation): Parameter {
  const schema = { type: "string", enum: [permission === "any" ? "memory:read" : permission] };
  return { in: "header", name: "X-Permission", schema };
}

async function idsFor(route: string, service: Service, key: string): Promise<Record<string, string>[]> {
  const { params = {}, kinds = {} } = SAMPLES[route] ?? {};
  const makable = Object.fromEntries(Object.entries(params).filter(([, thing]) => thing in THINGS));
  const made: Record<string, string>[] = [];
  for (let n = 0; n < THINGS_A_ROUTE; n++) {
    made.push({ ...kinds, ...(await makeThings(service, key, makable, `${route} ${n}`)) });
  }
  return made;
}
