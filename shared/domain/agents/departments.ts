import type { JsonObject, RecordQuery } from "../../ports/ports.ts";

/** Maximum length of a department's name in characters. */
export const MAX_DEPARTMENT_LENGTH = 256;

/** A list by creation: of everything, or of a department if one is named. */
export function listedBy(list: string, department: string | undefined): Required<Pick<RecordQuery, "index" | "pk">> {
  return department === undefined ? { index: "gsi1", pk: list } : { index: "gsi2", pk: `${list}#${department}` };
}

/** The positions of a record in both lists. */
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

/** The department of `metadata.department`, if it is valid. */
export function departmentIn({ department }: JsonObject): string | undefined {
  const isName = typeof department === "string" && department.trim() !== "";
  return isName && department.length <= MAX_DEPARTMENT_LENGTH ? department : undefined;
}
