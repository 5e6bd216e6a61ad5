import { describe, expect, it } from "vitest";
import { loadGroups } from "../../../infra/groups.ts";
import openapi from "../../../openapi.json" with { type: "json" };
import type { Route } from "../../runtime/http/group.ts";
import { requireKnownNames } from "../../runtime/schemas/known-fields.ts";
import { type Operation, operationsOf, type PlainDocument } from "./schema.ts";

const operations = new Map(operationsOf(openapi as unknown as PlainDocument).map((each) => [each.operationId, each]));
const routes = (await loadGroups()).flatMap((group) => group.routes);

describe("the examples of openapi.json", () => {
  it.each(routes.filter(({ definition }) => definition.body))("of a body is accepted: $definition.name", (route) => {
    const { body } = route.definition;
    const example = exampleOf(operationOf(route).requestBody?.content);
    expect(body?.safeParse(requireKnownNames(body, example).value).error).toBeUndefined();
  });

  it.each(routes.filter(answersJson))("of a response matches its schema: $definition.name", (route) => {
    const { answer, bare, status = 200 } = route.definition;
    const example = exampleOf(operationOf(route).responses[status]?.content);
    const shown = bare ? example : (example as { data: unknown }).data;
    expect(answer === "raw" || answer.safeParse(shown).error).toBeUndefined();
  });
});

function answersJson({ definition }: Route): boolean {
  return definition.answer !== "raw";
}

function operationOf({ definition: { name } }: Route): Operation {
  const operation = operations.get(name);
  if (!operation) throw new Error(`openapi.json has no operation '${name}'`);
  return operation;
}

function exampleOf(content: Operation["responses"][string]["content"]): unknown {
  const example = (content?.["application/json"] ?? content?.["application/x-www-form-urlencoded"])?.example;
  if (example === undefined) throw new Error("the operation has no example");
  return example;
}
