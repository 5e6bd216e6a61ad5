import { newGroup } from "../../shared/runtime/http/group.ts";
import { CompatQuery } from "./common/tolerated.ts";
import { group } from "./group.ts";
import { addOlderRoutes } from "./memories/older.ts";
import { addMemoryRoutes } from "./memories/routes.ts";
import { addRestRoutes } from "./rest/routes.ts";
import { refuseUnsupported } from "./unsupported.ts";

export const routes = newGroup(
  group,
  { bare: true, permission: "memory:write", query: CompatQuery },
  { get: { permission: "memory:read" }, delete: { permission: "memory:delete" } },
);

addMemoryRoutes(routes);
addOlderRoutes(routes);
addRestRoutes(routes);
refuseUnsupported(routes);
