import { ServiceError } from "../../kernel/errors.ts";
import type { Memory, Share } from "./memory.ts";

/** How a memory may be shared: `read_write` allows changes to its content and metadata; neither allows deletion. */
export const SHARED_ACCESS = ["read", "read_write"] as const;

export type SharedAccess = (typeof SHARED_ACCESS)[number];

/** What a viewer may do with a memory; `own` allows everything. */
export type AccessLevel = "own" | SharedAccess;

type SharedMemory = Pick<Memory, "agent_id" | "shares">;

/**
 * Returns the viewer's access to a memory, if it has any. An agent owns what its keys stored, and sees what is shared
 * with it until the share expires. Everybody else in the organization (no viewer) owns everything.
 */
export function accessLevelOf(
  { agent_id, shares = [] }: SharedMemory,
  viewer: string | undefined,
  now: number,
): AccessLevel | undefined {
  if (viewer === undefined || agent_id === viewer) return "own";
  return shares.find((share) => share.agent_id === viewer && lasts(share, now))?.access_type;
}

/** Whether a share has not expired. */
export function lasts({ expires_at }: Pick<Share, "expires_at">, now: number): boolean {
  return expires_at === undefined || Date.parse(expires_at) > now;
}

/** An agent that may see a memory, and the end of its access (ISO 8601), if there is one. */
export interface Viewer {
  agent: string;
  reach: AccessLevel;
  until?: string;
}

/** Returns every agent that may see a memory. */
export function viewersOf({ agent_id, shares = [] }: SharedMemory, now: number): Viewer[] {
  const owner: Viewer[] = agent_id === undefined ? [] : [{ agent: agent_id, reach: "own" }];
  const active = shares.filter((share) => lasts(share, now));
  return [...owner, ...active.map(toViewer)];
}

export function toViewer({ agent_id, access_type, expires_at }: Share): Viewer {
  return { agent: agent_id, reach: access_type, until: expires_at };
}

const ORDER: readonly AccessLevel[] = ["read", "read_write", "own"];

/** Throws FORBIDDEN if the viewer may not change a memory (`read_write`), or delete it or change its expiry (`own`). */
export function requireAccess(
  memory: SharedMemory & Pick<Memory, "id">,
  { viewer, clock }: { viewer: string | undefined; clock: () => number },
  needed: Exclude<AccessLevel, "read">,
): void {
  const reach = accessLevelOf(memory, viewer, clock());
  if (reach !== undefined && ORDER.indexOf(reach) >= ORDER.indexOf(needed)) return;
  const reason =
    needed === "own" ? "Only the user who stored the memory can change its expiry." : "The memory is shared read-only.";
  throw new ServiceError("FORBIDDEN", `The memory is shared with this agent. ${reason}`, {
    memory_id: memory.id,
    access_type: reach,
  });
}
