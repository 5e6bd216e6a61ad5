import { timestamp } from "../kernel/clock.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { listSourcesBroughtBy } from "../sources/records.ts";
import type { Connection, ConnectionRemoval } from "./connection.ts";
import { endLease, type HeldSync, keepLease, LeaseLost, takeLease } from "./lease.ts";
import { announce } from "./queue.ts";
import {
  findConnection,
  listDocuments,
  putConnection,
  removeConnection,
  removeDocument,
  replaceConnection,
} from "./records.ts";
import { deleteIfThere } from "./synchronize.ts";

/** Sources deleted at a time, and between two looks at the clock. */
const WIDTH = 4;
const BATCH = 20;
const WRITES = 100;
const MAX_ATTEMPTS = 8;
/** Lists may lag, and what was being brought when the connection went is stored a little later. */
const SECOND_LOOK_MS = 15_000;
const LOOKS = 2;
const MESSAGE_LATE_MS = 5 * 60_000;

export interface RemovalProgress {
  sources_deleted: number;
  /** Whether all that could be seen by now is gone. */
  isDone: boolean;
}

type Removed = Connection & { removal: ConnectionRemoval };

/** A connection as requests see it: none that is on its way out. Throws CONNECTION_NOT_FOUND. */
export async function getConnection({ ports, org }: OrgHome, id: string): Promise<Connection> {
  const connection = await findConnection(ports.records, org, id);
  if (!connection || connection.removal) throw notFound("connection", id);
  return connection;
}

/**
 * Takes a connection away, its secrets at once; and with `delete_documents` every source that it brought, by the request
 * until `deadline` and by the worker from then on. Throws CONNECTION_NOT_FOUND.
 */
export async function removeNow(
  home: OrgHome,
  id: string,
  delete_documents: boolean,
  deadline: number,
): Promise<RemovalProgress> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const connection = await getConnection(home, id);
    const { sealed: _sealed, ...rest } = connection;
    const removal = { delete_documents, looks: 0, next_at: timestamp(home.clock()) };
    try {
      await home.ports.records.write(replaceConnection(connection, { ...rest, secret_names: [], removal }));
      return await goOnRemoving(home, { ...rest, secret_names: [], removal }, deadline);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ServiceError("CONFLICT", "Others keep changing this connection. Try again.", { connection_id: id });
}

export function isOnItsWayOut(connection: Connection): connection is Removed {
  return connection.removal !== undefined;
}

/** Each step leaves less to do, so that it may end early, come twice or beside itself. */
export async function goOnRemoving(home: OrgHome, connection: Removed, deadline: number): Promise<RemovalProgress> {
  const { org, id: connection_id, removal } = connection;
  const nothing = { sources_deleted: 0, isDone: false };
  const wait = Date.parse(removal.next_at) - home.clock();
  const held = wait > 0 ? undefined : await takeLease(home, connection_id);
  if (!held) {
    await announce(home, { org, connection_id }, Math.max(wait, SECOND_LOOK_MS));
    return nothing;
  }
  try {
    const progress = await look(home, connection, held, deadline);
    if (progress.isDone && removal.looks + 1 >= LOOKS) {
      await home.ports.records.write(...removeConnection(connection));
      home.logger.info("CONNECTION_REMOVED", { org, connection: connection_id });
      return progress;
    }
    await leaveTheRest(home, connection, held, progress.isDone);
    return progress;
  } catch (error) {
    if (error instanceof LeaseLost) return nothing;
    throw error;
  }
}

async function look(home: OrgHome, connection: Removed, held: HeldSync, deadline: number): Promise<RemovalProgress> {
  const { records } = home.ports;
  let sources_deleted = 0;
  let batch: string[] = [];
  const work = async () => {
    const deleted = await inParallel(batch, WIDTH, (source_id) => deleteIfThere(home, source_id));
    sources_deleted += deleted.filter(Boolean).length;
    batch = [];
    await keepLease(home, held);
  };
  if (connection.removal.delete_documents) {
    for await (const source_id of listSourcesBroughtBy(records, home.org, connection.id)) {
      batch.push(source_id);
      if (batch.length < BATCH) continue;
      await work();
      if (home.clock() >= deadline) return { sources_deleted, isDone: false };
    }
    await work();
  }
  for await (const documents of listDocuments(records, connection)) {
    const writes = documents.map(removeDocument);
    for (let first = 0; first < writes.length; first += WRITES)
      await records.write(...writes.slice(first, first + WRITES));
    await keepLease(home, held);
  }
  return { sources_deleted, isDone: true };
}

async function leaveTheRest(home: OrgHome, connection: Removed, held: HeldSync, isDone: boolean): Promise<void> {
  const { org, id: connection_id, removal, revision } = connection;
  const wait = isDone ? SECOND_LOOK_MS : 0;
  const next_at = timestamp(home.clock() + wait);
  const looks = removal.looks + (isDone ? 1 : 0);
  const due_at = timestamp(home.clock() + wait + MESSAGE_LATE_MS);
  const after = { ...connection, removal: { ...removal, looks, next_at }, revision: revision + 1 };
  await endLease(home, { ...held, due_at }, putConnection(after, "present"));
  await announce(home, { org, connection_id }, wait);
}
