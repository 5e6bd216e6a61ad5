import { DatabaseSync } from "node:sqlite";
import { DynamoDBServiceException, ThrottlingException } from "@aws-sdk/client-dynamodb";
import { errors as openSearch } from "@opensearch-project/opensearch";
import { describe, expect, it } from "vitest";
import { ModelProviderError } from "../domain/models/remote-model.ts";
import { isBackendFault, isOutOfSpace } from "./backend-faults.ts";
import { BackendBusyError, ConditionFailedError, RecordTooLargeError } from "./errors.ts";

const answered = (statusCode: number) =>
  new openSearch.ResponseError({ statusCode, body: {}, headers: {}, warnings: null, meta: {} as never });

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** The error of a database that is full because its page count is limited. */
function fullDatabase(): unknown {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (v); PRAGMA max_page_count = 2");
  return thrownBy(() => database.exec("INSERT INTO t VALUES (zeroblob(100000))"));
}

const failure = (name: string, $fault: "client" | "server", httpStatusCode: number) =>
  new DynamoDBServiceException({ name, $fault, $metadata: { httpStatusCode } });

const OVERLOADED = new ModelProviderError("status 503", true);
const FAULTS: Record<string, unknown> = {
  "a reset connection": Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  "a fetch that failed": new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }),
  "all of several": new AggregateError([Object.assign(new Error(), { code: "EAI_AGAIN" })]),
  "a throttled table": new ThrottlingException({ message: "slow down", $metadata: { httpStatusCode: 400 } }),
  "a failing service": failure("InternalFailure", "server", 500),
  "a failing search": answered(503),
  "a throttled search": answered(429),
  "a slow search": new openSearch.TimeoutError("Request timed out", {} as never),
  "a model that took too long": failure("ModelTimeoutException", "client", 408),
  "an overloaded provider": OVERLOADED,
  "a provider that overload left no time": new ModelProviderError("out of time", false, undefined, OVERLOADED),
  "an engine that was too busy for long": new BackendBusyError("too busy for 3 of 5 documents"),
  "a full database": fullDatabase(),
  "a full disk": Object.assign(new Error("no space left"), { code: "ENOSPC" }),
};
const OTHERS: Record<string, unknown> = {
  "a refused condition": new ConditionFailedError(0, undefined),
  "a record too large": new RecordTooLargeError(),
  "a slip of ours": new TypeError("undefined is not a function"),
  "a query of ours that is wrong": answered(400),
  "a request of ours that is wrong": failure("ValidationException", "client", 400),
  "what a provider refuses": new ModelProviderError("status 400", false),
  "wrong SQL": thrownBy(() => new DatabaseSync(":memory:").exec("SELEKT")),
  "what is no error": "ECONNRESET",
  nothing: undefined,
};

describe("isBackendFault", () => {
  it.each(Object.entries(FAULTS))("attributes %s to the backend", (_name, fault) => {
    expect(isBackendFault(fault)).toBe(true);
  });

  it.each(Object.entries(OTHERS))("does not attribute %s to the backend", (_name, other) => {
    expect(isBackendFault(other)).toBe(false);
  });

  it("ends with an error that is its own cause", () => {
    const error: Error = new Error("round");
    error.cause = error;
    expect(isBackendFault(error)).toBe(false);
  });
});

it.each(Object.entries({ ...FAULTS, ...OTHERS }))("isOutOfSpace knows whether %s is one", (name, error) => {
  expect(isOutOfSpace(error)).toBe(["a full database", "a full disk"].includes(name));
});
