import { afterAll, expect, it } from "vitest";
import { timestamp } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { RecordQuery, RecordStore } from "../../shared/ports/record-store.ts";
import { putAudit } from "../../shared/runtime/audit/records.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { contextOf } from "../../test/support/principals.ts";
import { openService } from "../../test/support/service.ts";
import { readLogs } from "./logs.ts";

const NOW = Date.parse("2026-01-31T12:00:30Z");
const RECORDS = 2_500;
const WRITES = 100;

const service = await openService({}, () => NOW);
const writes = Array.from({ length: RECORDS }, (_, place) => {
  const record = {
    id: `log_${place}`,
    org: `org_${place % 3}`,
    at: timestamp(NOW - 1_000 * (place + 1)),
    actor: { kind: "system" as const },
    action: "user.created" as const,
    service: "user",
    level: "info" as const,
    outcome: "success" as const,
    details: { place },
  };
  return putAudit(record, NOW / 1000 + 86_400);
});
for (let first = 0; first < RECORDS; first += WRITES) {
  await service.runtime.ports.records.write(...writes.slice(first, first + WRITES));
}
afterAll(() => service.close());

/** The operator's context, with the number of records that each query passes over or reads, and that each count reads. */
function watchedOperator(): { ctx: Context; walked: number[]; counted: number[] } {
  const { records } = service.runtime.ports;
  const walked: number[] = [];
  const counted: number[] = [];
  const watched: Pick<RecordStore, "query" | "count"> = {
    query(query: RecordQuery) {
      walked.push((query.offset ?? 0) + query.limit);
      return records.query(query);
    },
    count(query, upTo) {
      counted.push(upTo);
      return records.count(query, upTo);
    },
  };
  const ports = { ...service.runtime.ports, records: watched as RecordStore };
  const ctx = contextOf({ ...service.runtime, ports, logger: silentLogger }, { operator: true });
  return { ctx, walked, counted };
}

it("reads each record before a deep page once, and counts them once", async () => {
  const { ctx, walked, counted } = watchedOperator();
  const { logs, pagination } = await readLogs(ctx, { service: "user", limit: 10, offset: 2_200 });
  expect(logs.map(({ metadata }) => (metadata as { details: { place: number } }).details.place)).toEqual(
    Array.from({ length: 10 }, (_, place) => 2_200 + place),
  );
  expect(pagination).toEqual({ total: RECORDS, limit: 10, offset: 2_200, has_next: true });
  expect(walked.reduce((sum, each) => sum + each)).toBeLessThan(2_220);
  expect(counted).toHaveLength(1);
});

it("reads to the end without counting the records", async () => {
  const { ctx, counted } = watchedOperator();
  const { logs, pagination } = await readLogs(ctx, { service: "user", limit: 100, offset: 2_450 });
  expect(logs).toHaveLength(50);
  expect(pagination).toEqual({ total: RECORDS, limit: 100, offset: 2_450, has_next: false });
  expect(counted).toEqual([]);
});
