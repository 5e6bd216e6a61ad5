import {
  type CompatEvent,
  type EventFailure,
  type EventProgress,
  ended,
  findEvent,
  getEvent,
  isOver,
  moveEvent,
} from "../compat/events.ts";
import { timestamp } from "../kernel/clock.ts";
import { invalid } from "../kernel/errors.ts";
import type { Context, OrgHome } from "../platform/context.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import { beginExport, type ExportRequest, writeFiles } from "./export.ts";
import { importRows } from "./import.ts";
import { announce } from "./queue.ts";
import { findTransfer, listFailures, putTransfer } from "./records.ts";
import type { Export, Transfer } from "./transfer.ts";

/** How often a transfer is begun that gets no further, before it is given up. */
const MAX_ATTEMPTS = 4;
const RETRY_SECONDS = 5;
/** How often a write of an event is repeated that met another one. */
const MAX_WRITES = 8;
const GIVEN_UP = "INTERNAL_ERROR";
/** Rows that failed, as many as the event itself names; all of them are listed by their own route. */
const NAMED_FAILURES = 100;

/**
 * Goes on with an import or an export, for about so many milliseconds; what is left then waits for another turn. A message
 * may come twice, late, or when there is nothing left to do. What goes wrong on the way is tried again later, and in the
 * end told by the event.
 */
export async function workOn(home: OrgHome, id: string, turnMs: number): Promise<void> {
  const transfer = await findTransfer(home.ports.records, home.org, id);
  if (!transfer || transfer.ended_at !== undefined) return;
  const begun = { ...transfer, attempts: transfer.attempts + 1, queued_at: timestamp(home.clock()) };
  try {
    if (transfer.attempts >= MAX_ATTEMPTS)
      return await end(home, transfer, "it could not be carried out; ask for it again");
    await home.ports.records.write(putTransfer(begun, transfer));
    await tell(home, begun, { status: "RUNNING" });
    const { transfer: reached, isComplete } = await goOn(home, begun, turnMs);
    if (isComplete) await end(home, reached);
    else await announce(home, reached);
  } catch (error) {
    // Somebody else goes on with it, or ended it.
    if (error instanceof Superseded) return;
    if (!(error instanceof ConditionFailed))
      home.logger.error("TRANSFER_FAILED", { org: home.org, transfer: id, error });
    await announce(home, begun, RETRY_SECONDS * begun.attempts ** 2);
  }
}

/** How long an export is written before the answer; what is left then is written by the workers. */
const EXPORT_AT_ONCE_MS = 2000;

/** Exports what is asked for, as far as a request has time for it; answers how far that has come. */
export async function runExport(
  ctx: Context,
  request: ExportRequest,
): Promise<{ event: CompatEvent; transfer: Export }> {
  const begun = await beginExport(ctx, request);
  await workOn(ctx, begun.id, EXPORT_AT_ONCE_MS);
  const [event, transfer] = await Promise.all([
    getEvent(ctx, begun.id),
    findTransfer(ctx.ports.records, ctx.org, begun.id),
  ]);
  return { event, transfer: transfer?.what === "export" ? transfer : begun };
}

async function goOn(
  home: OrgHome,
  begun: Transfer,
  turnMs: number,
): Promise<{ transfer: Transfer; isComplete: boolean }> {
  if (begun.what === "export") return writeFiles(home, begun, turnMs);
  const transfer = begun.position < begun.total ? await importRows(home, begun, turnMs) : begun;
  return { transfer, isComplete: transfer.position >= transfer.total };
}

// ---------------------------------------------------------------- what the event tells

type Said = Partial<Pick<CompatEvent, "status" | "errors">>;

/** Has the event say how far its transfer has come. One that is over stays as it ended. */
async function tell(home: OrgHome, transfer: Transfer, said: Said): Promise<void> {
  for (let attempt = 1; attempt <= MAX_WRITES; attempt++) {
    const event = await findEvent({ ...home, viewer: undefined }, transfer.id);
    if (!event || isOver(event)) return;
    if (await moveEvent(home, told(home, event, transfer, said))) return;
  }
  throw new Error(`others keep changing the event ${transfer.id}`);
}

function told({ clock }: OrgHome, event: CompatEvent, transfer: Transfer, said: Said): CompatEvent {
  const now = clock();
  const after = { ...event, ...said, progress: progressOf(transfer) };
  if (isOver(after)) return ended(after, now, said);
  return { ...after, updated_at: timestamp(now), started_at: event.started_at ?? timestamp(now) };
}

export function progressOf(transfer: Transfer): EventProgress {
  if (transfer.what === "export") {
    const { expected, written, ended_at } = transfer;
    return { total: ended_at === undefined ? Math.max(expected, written) : written, done: written, failed: 0 };
  }
  const { total, imported, skipped, failed } = transfer;
  return { total, done: imported + skipped, failed };
}

// ---------------------------------------------------------------- the end

/** The event ends first: where this is cut short, the transfer is still pending, and ends with its next turn. */
async function end(home: OrgHome, transfer: Transfer, reason?: string): Promise<void> {
  const over: Transfer = { ...transfer, ended_at: timestamp(home.clock()) };
  const errors = [
    ...(reason === undefined ? [] : [{ code: GIVEN_UP, message: reason }]),
    ...(await failuresOf(home, transfer)),
  ];
  const isFailed = reason !== undefined || (transfer.what === "import" && transfer.failed === transfer.total);
  await tell(home, over, { status: isFailed ? "FAILED" : "COMPLETED", errors });
  await home.ports.records.write(putTransfer(over, transfer));
  if (transfer.what === "import") await home.ports.blobs.delete(transfer.blob);
}

async function failuresOf(home: OrgHome, transfer: Transfer): Promise<EventFailure[]> {
  if (transfer.what === "export" || transfer.failed === 0) return [];
  const page = { limit: NAMED_FAILURES, offset: 0 };
  const { failures } = await listFailures(home.ports.records, home.org, transfer.id, page);
  return failures.map(({ index, fields }) => {
    const { code, message } = invalid(...fields);
    return { index, code, message };
  });
}
