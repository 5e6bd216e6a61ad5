import { publicUrlOf } from "../../../kernel/config.ts";
import { PERMISSIONS, type Permission } from "../../../runtime/access/permissions.ts";
import { type ResourcePath, resourceOf } from "../../../runtime/access/resource.ts";
import type { Runtime } from "../../../runtime/context.ts";

type Configured = Pick<Runtime, "config">;

/** What a client may be granted: every permission but the one that implies the others. */
export const SCOPES: readonly Permission[] = PERMISSIONS.filter((name) => name !== "admin:all");
/** What the tools of MCP need, and what a client gets that asks for nothing. */
export const DEFAULT_SCOPES: readonly Permission[] = ["memory:read", "memory:write", "memory:delete", "search:read"];

/** The issuer's identifier (RFC 8414, RFC 9207). */
export function issuerOf({ config }: Configured): string {
  return publicUrlOf(config);
}

/** The path of a requested resource, with or without a slash at its end; undefined for one of another service. */
export function pathOfResource({ config }: Configured, requested: string): ResourcePath | undefined {
  const plain = requested.endsWith("/") ? requested.slice(0, -1) : requested;
  return (["/mcp", ""] as const).find((path) => resourceOf(config, path) === plain);
}
