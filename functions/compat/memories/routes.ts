import type { RouteGroup } from "../../../shared/http/group.ts";

/** Storing, searching and listing memories, and the verbs of one memory. */
export function addMemoryRoutes(_routes: RouteGroup): void {}
