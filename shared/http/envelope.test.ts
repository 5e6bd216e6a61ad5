import { expect, it } from "vitest";
import { ServiceError } from "../kernel/errors.ts";
import { failure, toServiceError } from "./envelope.ts";

it("tells nothing of an error that is not the service's own, and logs all of it", async () => {
  const logged: unknown[] = [];
  const note = (message: string, fields?: object) => logged.push([message, fields]);
  const logger = { debug: note, info: note, warn: note, error: note };
  const error = new Error("connect ECONNREFUSED 10.0.0.7:5432 with the password hunter2");
  const answer = failure(toServiceError(error, logger), "req_1", 0, true);
  const text = await answer.text();
  expect(answer.status).toBe(500);
  expect(text).not.toMatch(/10\.0\.0\.7|hunter2|ECONNREFUSED/);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "INTERNAL_ERROR", details: {} } });
  expect(logged).toEqual([["UNEXPECTED_ERROR", { error }]]);
});

it("tells an error of the service in its own words", () => {
  const own = new ServiceError("NOT_FOUND", "There is no such path.");
  expect(toServiceError(own, { debug() {}, info() {}, warn() {}, error() {} })).toBe(own);
});
