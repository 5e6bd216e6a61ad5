import { randomUUID } from "node:crypto";
import { timestamp } from "../kernel/clock.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { type Connection, NO_COUNTS, type SyncState } from "./connection.ts";
import { findSync, putSync } from "./records.ts";

/** After the end of a lease that nobody ended, the sweep has somebody go on. */
const GRACE_MS = 60_000;
/** Longer than reading one document may take; whoever works on a connection prolongs it after every few. */
const LEASE_MS = 120_000;

/** Somebody else works on the connection, or it is gone. */
export class LeaseLost extends Error {}

/** The state before anything was synchronized. */
export function newSync({ org, id }: Pick<Connection, "org" | "id">, due_at: string | undefined): SyncState {
  return {
    org,
    connection_id: id,
    lease_until: 0,
    run: 0,
    is_running: false,
    has_retried: false,
    counts: NO_COUNTS,
    failures: [],
    attempts: 0,
    ...(due_at !== undefined && { due_at }),
  };
}

export type HeldSync = SyncState & { lease: string };

/** The connection's state, to be worked on by nobody else; undefined while somebody is. */
export async function takeLease(home: OrgHome, connection_id: string): Promise<HeldSync | undefined> {
  const now = home.clock();
  const state = await findSync(home.ports.records, home.org, connection_id);
  if (!state || state.lease_until > now) return undefined;
  const held = { ...state, lease: randomUUID(), lease_until: now + LEASE_MS };
  const write = putSync(held, { lease_until: state.lease_until, run: state.run });
  return (await writeUnlessChanged(home, write)) ? held : undefined;
}

/** Stores how far it has come, and goes on holding it. Throws LeaseLost, also where a write that goes along is refused. */
export async function keepLease(home: OrgHome, state: HeldSync, ...along: Write[]): Promise<HeldSync> {
  const lease_until = home.clock() + LEASE_MS;
  const kept = { ...state, lease_until, due_at: timestamp(lease_until + GRACE_MS) };
  await write(home, kept, state.lease, along);
  return kept;
}

/** Stores where it ended, and lets others work on it. Throws LeaseLost. */
export async function endLease(home: OrgHome, { lease, ...state }: HeldSync, ...along: Write[]): Promise<void> {
  await write(home, { ...state, lease_until: 0 }, lease, along);
}

async function write(home: OrgHome, state: SyncState, lease: string, along: Write[]): Promise<void> {
  try {
    await home.ports.records.write(putSync(state, { lease }), ...along);
  } catch (error) {
    throw error instanceof ConditionFailed ? new LeaseLost() : error;
  }
}
