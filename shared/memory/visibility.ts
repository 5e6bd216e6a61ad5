import { ServiceError } from "../kernel/errors.ts";
import type { Memory, Share } from "./memory.ts";

/** How a memory may be shared: `read_write` lets its content and metadata be changed, and neither deletes it. */
export const SHARED_ACCESS = ["read", "read_write"] as const;

export type SharedAccess = (typeof SHARED_ACCESS)[number];

/** What somebody may do with a memory. `own`: all that can be done. */
export type Reach = "own" | SharedAccess;

type Seen = Pick<Memory, "agent_id" | "shares">;

/**
 * The rule of who sees what: an agent has what was stored by keys made for it, and sees what is shared with it for as
 * long as that lasts; everybody else in the organization (no viewer) has all. Undefined: for the viewer there is none.
 */
export function reachOf({ agent_id, shares = [] }: Seen, viewer: string | undefined, now: number): Reach | undefined {
  if (viewer === undefined || agent_id === viewer) return "own";
  return shares.find((share) => share.agent_id === viewer && lasts(share, now))?.access_type;
}

/** Whether a share's time is not up. */
export function lasts({ expires_at }: Pick<Share, "expires_at">, now: number): boolean {
  return expires_at === undefined || Date.parse(expires_at) > now;
}

/** An agent that may see a memory, and until when (ISO) if not for good. */
export interface Viewer {
  agent: string;
  reach: Reach;
  until?: string;
}

/** Every agent that the rule lets see a memory. */
export function viewersOf({ agent_id, shares = [] }: Seen, now: number): Viewer[] {
  const owner: Viewer[] = agent_id === undefined ? [] : [{ agent: agent_id, reach: "own" }];
  const lasting = shares.filter((share) => lasts(share, now));
  return [...owner, ...lasting.map(toViewer)];
}

export function toViewer({ agent_id, access_type, expires_at }: Share): Viewer {
  return { agent: agent_id, reach: access_type, until: expires_at };
}

const ORDER: readonly Reach[] = ["read", "read_write", "own"];

/** Throws FORBIDDEN where a memory that the viewer sees is not the viewer's to change (`read_write`) or to end (`own`). */
export function requireReach(
  memory: Seen & Pick<Memory, "id">,
  { viewer, clock }: { viewer: string | undefined; clock: () => number },
  needed: Exclude<Reach, "read">,
): void {
  const reach = reachOf(memory, viewer, clock());
  if (reach !== undefined && ORDER.indexOf(reach) >= ORDER.indexOf(needed)) return;
  const reason = needed === "own" ? "Only who stored it decides how long it lives." : "It is shared for reading alone.";
  throw new ServiceError("FORBIDDEN", `The memory is shared with this agent. ${reason}`, {
    memory_id: memory.id,
    access_type: reach,
  });
}
