import { metadataTerm } from "../../../retrieval/metadata.ts";
import type { SearchScope } from "../../ports.ts";
import type { Sql } from "../sqlite.ts";

/** Documents that an agent may see at a time. */
const SEEN = "SELECT v.doc FROM viewers v WHERE v.agent = ? AND (v.until_ms IS NULL OR v.until_ms > ?)";

/** What a scope demands of a row `d` of `documents`, as an SQL condition. */
export function conditionOf({ viewer, filters = {}, now }: SearchScope): Sql {
  const parts: Sql[] = [{ text: "(d.expire_ms IS NULL OR d.expire_ms > ?)", values: [now] }];
  const among = (column: string, values: string[] | undefined) => {
    if (values === undefined) return;
    parts.push({ text: `d.${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] });
  };
  if (viewer !== undefined) parts.push({ text: `d.doc IN (${SEEN})`, values: [viewer, now] });
  among("id", filters.ids);
  if (filters.entity_ids !== undefined) {
    parts.push({
      text: "d.doc IN (SELECT m.doc FROM mentions m WHERE m.entity IN (SELECT value FROM json_each(?)))",
      values: [JSON.stringify(filters.entity_ids)],
    });
  }
  among("user_id", filters.user_id);
  among("category", filters.category);
  among("type", filters.type);
  if (filters.created_after !== undefined) {
    parts.push({ text: "d.created_ms >= ?", values: [Date.parse(filters.created_after)] });
  }
  if (filters.created_before !== undefined) {
    parts.push({ text: "d.created_ms <= ?", values: [Date.parse(filters.created_before)] });
  }
  for (const [path, value] of Object.entries(filters.metadata ?? {})) {
    parts.push({
      text: "EXISTS (SELECT 1 FROM facets f WHERE f.term = ? AND f.doc = d.doc)",
      values: [metadataTerm(path, value)],
    });
  }
  return { text: parts.map(({ text }) => text).join(" AND "), values: parts.flatMap(({ values }) => values) };
}

/** True when the scope demands more than that documents have not expired. */
export function isFiltered({ viewer, filters = {} }: SearchScope): boolean {
  const { metadata = {}, ...others } = filters;
  return (
    viewer !== undefined ||
    Object.keys(metadata).length > 0 ||
    Object.values(others).some((filter) => filter !== undefined)
  );
}
