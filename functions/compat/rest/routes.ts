import type { RouteGroup } from "../../../shared/http/group.ts";

/** Events, imports and exports, and what clients of mem0 ask for besides memories. */
export function addRestRoutes(_routes: RouteGroup): void {}
