import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import type { ConnectionMessage } from "./queue.ts";
import { findConnection, findSync } from "./records.ts";
import { goOnRemoving, isOnItsWayOut } from "./remove.ts";
import { type SyncOptions, synchronize } from "./synchronize.ts";

/** How long the worker goes on with one connection before it makes room for the next. */
const IN_WORKER_MS = 60_000;

/**
 * Does what is to be done about a connection: goes on with its synchronization, begins the one that is due, or removes it.
 * Messages may come twice, late, or when there is nothing left to do. What a provider does wrong is kept by the connection.
 */
export async function workOnConnection(
  base: Home,
  { org, connection_id }: ConnectionMessage,
  options: Pick<SyncOptions, "openBucket">,
): Promise<void> {
  const home = { ...base, org };
  const deadline = home.clock() + IN_WORKER_MS;
  const connection = await findConnection(home.ports.records, org, connection_id);
  if (!connection) return;
  if (isOnItsWayOut(connection)) {
    await goOnRemoving(home, connection, deadline);
    return;
  }
  const state = await findSync(home.ports.records, org, connection_id);
  const isDue = state?.is_running || (state?.due_at !== undefined && state.due_at <= timestamp(home.clock()));
  if (isDue && connection.status === "active") await synchronize(home, connection, { ...options, deadline });
}
