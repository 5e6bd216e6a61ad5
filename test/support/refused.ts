import type { Answered } from "./service.ts";

/** Returns the status of an answer and the names of the fields that it refuses. */
export function refused({ status, body }: Answered): [status: number, fields: string[]] {
  return [status, (body.error?.details.fields ?? []).map(({ field }: { field: string }) => field)];
}
