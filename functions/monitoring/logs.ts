import type * as z from "zod";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { invalid } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { LogFilter, LogLine } from "../../shared/ports/log-store.ts";
import type { RecordStore } from "../../shared/ports/record-store.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import { AUDIT_LEVELS, type AuditFilter, type AuditRecord, listAudit } from "../../shared/runtime/audit/records.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Maximum number of entries that are read from each source for one page. */
const MAX_DEPTH = 10_000;

type Entry = z.input<typeof schemas.LogEntry>;

/** Log lines and audit records in one list, newest first. Throws FORBIDDEN for all but the operator. */
export async function readLogs(ctx: Context, input: Input<typeof schemas.ReadLogs>) {
  requireOperator(ctx.principal);
  const { level, service, limit, offset } = input;
  const to = input.end_time ?? timestamp(ctx.clock());
  const from = input.start_time ?? timestamp(Math.max(0, Date.parse(to) - DAY_MS));
  if (from > to) throw invalid({ field: "start_time", problem: "must not be after end_time" });
  const depth = offset + limit + 1;
  if (depth > MAX_DEPTH) {
    throw invalid({
      field: "offset",
      problem: `must be below ${MAX_DEPTH} together with limit; request a shorter time range instead`,
    });
  }
  const filter: LogFilter = { ...(level && { level }), ...(service && { service }), from, to };
  const [logged, audited] = await Promise.all([
    ctx.ports.logs.find(filter, depth),
    findAudit(ctx.ports.records, filter, depth),
  ]);
  const entries = [...logged.lines.map(ofLine), ...audited.entries.map(ofAudit)].sort(newestFirst);
  const shown = entries.slice(offset, offset + limit);
  const total = logged.total + audited.total;
  return { logs: shown, pagination: pagination({ limit, offset }, total, entries.length > offset + limit) };
}

/** Sorts newest first; entries of the same millisecond keep their order. */
function newestFirst(a: Entry, b: Entry): number {
  if (a.timestamp === b.timestamp) return 0;
  return a.timestamp < b.timestamp ? 1 : -1;
}

async function findAudit(
  records: RecordStore,
  { level, ...rest }: LogFilter,
  depth: number,
): Promise<{ entries: AuditRecord[]; total: number }> {
  const known = AUDIT_LEVELS.find((auditLevel) => auditLevel === level);
  if (level !== undefined && known === undefined) return { entries: [], total: 0 };
  const filter: AuditFilter = { ...rest, ...(known && { level: known }) };
  return listAudit(records, "deployment", filter, { limit: depth, offset: 0 });
}

function ofLine({ at, fields: { user_id, ...fields }, ...line }: LogLine): Entry {
  const user = typeof user_id === "string" ? user_id : null;
  return { ...line, timestamp: at, user_id: user, metadata: { kind: "line", ...fields } };
}

function ofAudit({ id, at, level, service, action, ...rest }: AuditRecord): Entry {
  const user_id = rest.actor.kind === "user" ? (rest.actor.id ?? null) : null;
  return { id, timestamp: at, level, service, message: action, user_id, metadata: { kind: "audit", ...rest } };
}
