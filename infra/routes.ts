/** `npm run routes` prints every route's guards: permission, rate limit and roles. */
import { ROLES } from "../shared/runtime/access/permissions.ts";
import { loadGroups } from "./groups.ts";
import { ANY_CREDENTIAL, type RouteRow, routeTable } from "./route-table.ts";

const HEADER = ["method", "path", "permission", "limit", ...ROLES, "agent's key", "group"];

function cellsOf({ method, path, permission, limit, roles, allowsAgentKeys, group }: RouteRow): string[] {
  const mark = (isOn: boolean) => (isOn ? "yes" : "-");
  return [
    method,
    path,
    permission,
    limit,
    ...ROLES.map((role) => mark(roles.includes(role))),
    mark(allowsAgentKeys),
    group,
  ];
}

function print(lines: string[][]): void {
  const widths = HEADER.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of lines)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

const rows = routeTable(await loadGroups());
const anyCredential = rows.filter(({ permission }) => permission === "any");
const isPublic = rows.filter(({ permission }) => permission === "public");

print([HEADER, ...rows.map(cellsOf)]);
console.log(`\n${rows.length} routes, ${isPublic.length} of them public.`);
console.log(`\n${anyCredential.length} take any valid credential:`);
for (const { name, method, path } of anyCredential) console.log(`  ${method} ${path}: ${ANY_CREDENTIAL[name] ?? "?"}`);
