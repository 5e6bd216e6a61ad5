import { describe, expect, it } from "vitest";
import { ANY_CREDENTIAL, type RouteRow } from "../../infra/route-table.ts";
import { operationOf } from "../support/documented.ts";
import { describeCredentials, GUARDED_ROWS, table, titledRows } from "./credentials.ts";
import { routes } from "./harness.ts";

/** Minimum number of routes; fewer means that a group was not found. */
const MIN_ROUTES = 143;

describe("the route table", () => {
  it("contains every route", () => {
    expect(table.length).toBeGreaterThanOrEqual(MIN_ROUTES);
    expect(table.map(({ name }) => name)).toEqual(routes.map(({ definition }) => definition.name));
  });

  it("gives a reason for each route that accepts any valid credential, and for no other", () => {
    const takesAny = table.filter(({ permission }) => permission === "any").map(({ name }) => name);
    expect(Object.keys(ANY_CREDENTIAL).sort()).toEqual(takesAny.sort());
    for (const reason of Object.values(ANY_CREDENTIAL)) expect(reason.length).toBeGreaterThan(10);
  });

  it.each(titledRows(table))(
    "of the documentation states the requirements of %s",
    (_title, { permission, name, limit }) => {
      const operation = operationOf(name);
      expect(operation["x-permission"]).toBe(permission === "public" ? undefined : permission);
      expect(operation["x-rate-limit"]).toBe(["general", "none"].includes(limit) ? undefined : limit);
      expect(operation.security).toEqual(permission === "public" ? [] : [{ ApiKey: [] }, { Bearer: [] }]);
      const said = { public: /^Public/, any: /any valid credential/ }[permission as string] ?? `\`${permission}\``;
      expect(operation.description).toMatch(said);
    },
  );
});

/** Routes with the same guards have the same code for them: the drill checks every route. */
const guardsOf = ({ group, permission, roles, allowsAgentKeys }: RouteRow) =>
  JSON.stringify([group, permission, roles, allowsAgentKeys]);

describeCredentials([...new Map(GUARDED_ROWS.map((row) => [guardsOf(row), row])).values()]);
