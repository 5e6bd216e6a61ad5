import type { Answered } from "./service.ts";

/** The status of an answer, and the fields that it refuses by their names. */
export function refused({ status, body }: Answered): [status: number, fields: string[]] {
  return [status, (body.error?.details.fields ?? []).map(({ field }: { field: string }) => field)];
}
