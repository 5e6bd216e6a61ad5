import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { announce } from "./queue.ts";
import { listDue } from "./records.ts";

const MAX_ANNOUNCED = 200;

/** Tells the worker of connections whose time has come, or whose message got lost; answers how many. */
export async function announceDue(home: Home): Promise<number> {
  const due = await listDue(home.ports.records, timestamp(home.clock()), MAX_ANNOUNCED);
  for (const state of due) await announce(home, state);
  return due.length;
}
