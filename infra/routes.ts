/** `npm run routes` prints every route: method, path, permission, row of the rate-limit table, group. */
import { loadGroups } from "./groups.ts";

const rows = (await loadGroups()).flatMap(({ manifest, routes }) =>
  routes.map(({ isPublic, definition }) => ({
    method: definition.method.toUpperCase(),
    path: definition.path,
    permission: "permission" in definition && !isPublic ? definition.permission : "public",
    limit: definition.limit ?? "general",
    group: manifest.name,
  })),
);
console.table(rows);
