import type { JsonObject, RecordQuery } from "../platform/ports.ts";

/** Longest name of a department, in characters. */
export const MAX_DEPARTMENT_LENGTH = 256;

/** A list by creation: the whole one or, where a department is named, that department's part of it. */
export function listedBy(list: string, department: string | undefined): Required<Pick<RecordQuery, "index" | "pk">> {
  return department === undefined ? { index: "gsi1", pk: list } : { index: "gsi2", pk: `${list}#${department}` };
}

/** Where something stands in both lists. */
export function placeIn(
  list: string,
  { id, created_at, department }: { id: string; created_at: string; department?: string },
): { gsi1pk: string; gsi1sk: string; gsi2pk?: string; gsi2sk?: string } {
  const place = `${created_at}#${id}`;
  const isOfDepartment = department !== undefined;
  return {
    gsi1pk: list,
    gsi1sk: place,
    gsi2pk: isOfDepartment ? listedBy(list, department).pk : undefined,
    gsi2sk: isOfDepartment ? place : undefined,
  };
}

/** What `metadata.department` says, as far as that can be a department. */
export function departmentIn({ department }: JsonObject): string | undefined {
  const isName = typeof department === "string" && department.trim() !== "";
  return isName && department.length <= MAX_DEPARTMENT_LENGTH ? department : undefined;
}
