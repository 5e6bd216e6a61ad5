import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { RateLimiter } from "../../shared/runtime/access/rate-limit.ts";
import { createTable, deleteTable } from "./resources.ts";

describe("the rate limiter on DynamoDB", () => {
  let table: string;

  beforeAll(async () => {
    table = await createTable();
  });
  afterAll(() => deleteTable(table));

  /** A limiter as in a function instance: with its own client and memory. */
  const newLimiter = () =>
    new RateLimiter(new DynamoRecordStore(new DynamoDBClient(), table, systemClock), systemClock, silentLogger, {
      whenDown: "refuse",
    });

  it("allows at most 25 of the concurrent requests of many keys of one organization, and loses no token", async () => {
    const instances = Array.from({ length: 4 }, newLimiter);
    const take = async (turn: number, limiter = instances[turn % 4]) => {
      const key = { kind: "api_key", id: `ak_${turn % 8}`, org: "org_many", operator: false } as const;
      try {
        await limiter?.take({ ...key, plan: "free", permissions: [] }, "update_memory");
        return "passed";
      } catch (error) {
        if (error instanceof ServiceError && error.code === "RATE_LIMITED") return error.details.limit;
        throw error;
      }
    };
    const started = Date.now();
    const outcomes = await Promise.all(Array.from({ length: 96 }, (_, turn) => take(turn)));
    // Tokens of requests that were refused for another reason are returned, as another instance sees.
    const later = newLimiter();
    for (let turn = 0; turn < 40; turn++) outcomes.push(await take(turn, later));
    const flowedIn = Math.ceil(((Date.now() - started) * 25) / 60_000);
    const passed = outcomes.filter((outcome) => outcome === "passed").length;
    expect(passed).toBeGreaterThanOrEqual(25);
    expect(passed).toBeLessThanOrEqual(25 + flowedIn);
    expect(outcomes).toContain("organization_update_memory");
  });

  it.each([
    ["one bucket", [{ name: "key", perMinute: 1, burst: 50 }]],
    [
      "the tightest of three buckets",
      [
        { name: "general", perMinute: 100, burst: 100 },
        { name: "create_memory", perMinute: 60, burst: 120 },
        { name: "key", perMinute: 1, burst: 50 },
      ],
    ],
  ])(
    "allows exactly 50 of 200 concurrent requests of four instances at a limit of 50: %s",
    async (subject, buckets) => {
      const instances = Array.from({ length: 4 }, newLimiter);
      const take = async (turn: number) => {
        try {
          await instances[turn % instances.length]?.takeFrom(subject, buckets);
          return true;
        } catch (error) {
          if (error instanceof ServiceError && error.code === "RATE_LIMITED") return false;
          throw error;
        }
      };
      const outcomes = await Promise.all(Array.from({ length: 200 }, (_, turn) => take(turn)));
      expect(outcomes.filter(Boolean)).toHaveLength(50);
    },
  );
});
