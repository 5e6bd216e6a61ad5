import { facetTestOf, metadataPath, valueFacet } from "../../../ports/search-facets.ts";
import type { SearchCondition, SearchExpression, SearchScope } from "../../../ports/search-index.ts";
import { joined, type Sql } from "../storage/sqlite.ts";

/** Documents that an agent may see at a given time. */
const SEEN = "SELECT v.doc FROM viewers v WHERE v.agent = ? AND (v.until_ms IS NULL OR v.until_ms > ?)";

/** The condition of a scope on a row `d` of `documents` as SQL. */
export function conditionOf({ viewer, filters = {}, now, expired }: SearchScope): Sql {
  const parts: Sql[] = [{ text: "TRUE", values: [] }];
  if (expired === undefined) parts.push({ text: "(d.expire_ms IS NULL OR d.expire_ms > ?)", values: [now] });
  if (expired === "only") parts.push({ text: "d.expire_ms <= ?", values: [now] });
  const requireOneOf = (column: string, values: string[] | undefined) => {
    if (values === undefined) return;
    parts.push({ text: `d.${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] });
  };
  if (viewer !== undefined) parts.push({ text: `d.doc IN (${SEEN})`, values: [viewer, now] });
  requireOneOf("id", filters.ids);
  if (filters.entity_ids !== undefined) {
    parts.push({
      text: "d.doc IN (SELECT m.doc FROM mentions m WHERE m.entity IN (SELECT value FROM json_each(?)))",
      values: [JSON.stringify(filters.entity_ids)],
    });
  }
  requireOneOf("user_id", filters.user_id);
  requireOneOf("category", filters.category);
  requireOneOf("type", filters.type);
  const requireBound = (
    test: "created_ms >=" | "created_ms <=" | "occurred_ms >=" | "occurred_ms <=",
    time?: string,
  ) => {
    if (time !== undefined) parts.push({ text: `d.${test} ?`, values: [Date.parse(time)] });
  };
  requireBound("created_ms >=", filters.created_after);
  requireBound("created_ms <=", filters.created_before);
  requireBound("occurred_ms >=", filters.occurred_after);
  requireBound("occurred_ms <=", filters.occurred_before);
  for (const [path, value] of Object.entries(filters.metadata ?? {})) {
    parts.push({
      text: "EXISTS (SELECT 1 FROM facets f WHERE f.term = ? AND f.doc = d.doc)",
      values: [valueFacet(metadataPath(path), value)],
    });
  }
  if (filters.where !== undefined) parts.push(expressionSql(filters.where));
  return joined(parts, " AND ");
}

function expressionSql(expression: SearchExpression): Sql {
  if ("path" in expression) return conditionSql(expression);
  if ("not" in expression) return parenthesized("NOT", expressionSql(expression.not));
  const [operator, parts, ifEmpty] =
    "all" in expression ? ([" AND ", expression.all, "TRUE"] as const) : ([" OR ", expression.any, "FALSE"] as const);
  return parts.length === 0
    ? { text: ifEmpty, values: [] }
    : parenthesized("", joined(parts.map(expressionSql), operator));
}

function parenthesized(prefix: string, { text, values }: Sql): Sql {
  return { text: `${prefix}(${text})`, values };
}

/** An equality test looks up the document's facet. A partial match or a range first looks up all matching facets. */
function conditionSql(condition: SearchCondition): Sql {
  const test = facetTestOf(condition);
  if ("among" in test) {
    const text = "EXISTS (SELECT 1 FROM facets f WHERE f.term IN (SELECT value FROM json_each(?)) AND f.doc = d.doc)";
    return { text, values: [JSON.stringify(test.among)] };
  }
  if ("part" in test) {
    const { prefix, part } = test;
    const text = "f.term >= ? AND f.term < ? AND instr(substr(f.term, ?), ?) > 0";
    return anyFacet(text, [prefix, prefix + AFTER_ANY, [...prefix].length + 1, part]);
  }
  const { from, includesFrom, to, includesTo } = test;
  return anyFacet(`f.term ${includesFrom ? ">=" : ">"} ? AND f.term ${includesTo ? "<=" : "<"} ?`, [from, to]);
}

/** Appended to a prefix, sorts after every text with that prefix. */
const AFTER_ANY = "\u{10FFFF}\u{10FFFF}";

function anyFacet(text: string, values: Sql["values"]): Sql {
  return { text: `d.doc IN (SELECT f.doc FROM facets f WHERE ${text})`, values };
}

/** Whether the scope requires more than that documents have not expired. */
export function isFiltered({ viewer, filters = {}, expired }: SearchScope): boolean {
  const { metadata = {}, ...others } = filters;
  return (
    viewer !== undefined ||
    expired !== undefined ||
    Object.keys(metadata).length > 0 ||
    Object.values(others).some((filter) => filter !== undefined)
  );
}
