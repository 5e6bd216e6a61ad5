import type { JSONSchema } from "json-schema-to-typescript";
import { OPERATIONS } from "../clients/typescript/src/operations.ts";
import { type ClientOperation, isAlias, readOperations, referenceOf, schemas, titled } from "./client-operations.ts";

/** Operations that the adapters of the Python client call besides the verbs. */
const ADAPTERS = {
  listWhere: { method: "POST", path: "/v3/memories" },
  searchWhere: { method: "POST", path: "/v3/memories/search" },
  addMessages: { method: "POST", path: "/v3/memories/add" },
} as const;

/** Fields that a verb takes as an argument of its own, or sets itself. */
const OWN_ARGUMENTS: Record<string, readonly string[]> = {
  remember: ["content"],
  recall: ["query"],
  search: ["query"],
  rememberMany: ["memories"],
  list: ["offset"],
  listFacts: ["offset"],
  listMessages: ["offset"],
};

const WIDTH = 120;
const HEADER = `"""Generated from openapi.json by \`npm run client:types\`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict
from typing_extensions import Required, TypedDict

from .operation import Operation

Moment: TypeAlias = datetime | date | str


class Answer(BaseModel):
    """What the service answers; fields that this release of the client does not know are kept."""

    model_config = ConfigDict(extra="allow")
`;

/**
 * A request's enums are exact and its dates may be given as `Moment`; an answer's are plain strings, because a later service
 * may add values.
 */
type Side = "request" | "answer";

/** Returns the source of the Python client's module with its models, request fields and operations. */
export function pythonTypes(): string {
  const classes = new Classes();
  const verbs = readOperations(OPERATIONS);
  for (const { name, title, path, body, query } of verbs) {
    // As in the TypeScript client, verbs about one thing take no parameters besides its id, except lists of its parts.
    const fields = body ?? (path.includes("{") && !name.startsWith("list") ? undefined : query);
    if (fields !== undefined) classes.add(`${title}Fields`, fields, "request", OWN_ARGUMENTS[name]);
  }
  const table = [...verbs, ...readOperations(ADAPTERS)].map((operation) => constantOf(operation, classes));
  return `${[HEADER, ...classes.written()].join("\n\n")}\n\n${table.join("\n")}\n`;
}

function constantOf({ name, title, method, path, answer }: ClientOperation, classes: Classes): string {
  const model = classes.model(`${title}Answer`, answer);
  const constant = name.replace(/[A-Z]/g, "_$&").toUpperCase();
  return `${constant} = Operation(${JSON.stringify(method)}, ${JSON.stringify(path)}, ${model})`;
}

class Classes {
  /** Source by class name in the order that Python requires: a class follows those that it uses. */
  readonly #written = new Map<string, string>();

  written(): Iterable<string> {
    return this.#written.values();
  }

  /** Adds the class of an answer and returns its name. */
  model(name: string, schema: JSONSchema): string {
    const referred = referenceOf(schema);
    return referred === undefined
      ? this.add(name, schema, "answer")
      : this.add(referred, schemas[referred] ?? {}, "answer");
  }

  /** Adds the class of an object and returns its name. */
  add(name: string, schema: JSONSchema, side: Side, omitted: readonly string[] = []): string {
    if (this.#written.has(name)) return name;
    const referred = referenceOf(schema);
    const { properties = {}, required = [] } = referred === undefined ? schema : (schemas[referred] ?? {});
    const fields = Object.entries(properties)
      .filter(([field, value]) => !omitted.includes(field) && !isAlias(value))
      .map(([field, value]) =>
        this.#field(name, field, value, side, Array.isArray(required) && required.includes(field)),
      );
    const head = side === "answer" ? `class ${name}(Answer):` : `class ${name}(TypedDict, total=False):`;
    this.#written.set(name, `${[head, ...(fields.length === 0 ? ["    pass"] : fields)].join("\n")}\n`);
    return name;
  }

  #field(owner: string, name: string, schema: JSONSchema, side: Side, isRequired: boolean): string {
    const type = this.#typeOf(`${owner.replace(/Fields$/, "")}${camel(name)}`, schema, side);
    const remark = comment(schema.description);
    if (side === "request") return `${remark}    ${name}: ${isRequired ? `Required[${type}]` : type}`;
    if (isRequired) return `${remark}    ${name}: ${type}`;
    return `${remark}    ${name}: ${type.endsWith("| None") ? type : `${type} | None`} = None`;
  }

  #typeOf(name: string, schema: JSONSchema, side: Side): string {
    const referred = referenceOf(schema);
    if (referred !== undefined) return this.add(referred, schemas[referred] ?? {}, side);
    const members = schema.anyOf ?? schema.oneOf;
    if (members !== undefined) return union(members.map((member: JSONSchema) => this.#typeOf(name, member, side)));
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.#typeOf(name, { ...schema, type }, side)));
    if (schema.enum !== undefined && side === "request") {
      return `Literal[${schema.enum.map((value: unknown) => JSON.stringify(value)).join(", ")}]`;
    }
    switch (schema.type) {
      case "string":
        return side === "request" && /^date(-time)?$/.test(schema.format ?? "") ? "Moment" : "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `list[${this.#typeOf(singular(name), (schema.items as JSONSchema | undefined) ?? {}, side)}]`;
      case "object":
        if (schema.properties !== undefined) return this.add(name, schema, side);
        return "dict[str, Any]";
      default:
        return "Any";
    }
  }
}

function union(types: string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== "None");
  return [...distinct, ...(types.includes("None") ? ["None"] : [])].join(" | ");
}

function camel(name: string): string {
  return name.split("_").map(titled).join("");
}

/** `Facts` as `Fact`, `Memories` as `Memory`. */
function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** A description as comment lines of at most the project's width. */
function comment(description: string | undefined): string {
  if (description === undefined) return "";
  const lines: string[] = [];
  for (const word of description.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`    # ${word}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}
