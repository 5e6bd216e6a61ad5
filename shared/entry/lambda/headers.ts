import type { LambdaEvent } from "hono/aws-lambda";

/**
 * The event with a space in its empty headers: Hono's adapter drops empty headers, so an empty Idempotency-Key would
 * count as absent. `Headers` trims the space again.
 */
export function withEmptyHeaders(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event)) return event;
  const headers = Object.entries(event.headers).map(([name, value]) => [name, value === "" ? " " : value]);
  return { ...event, headers: Object.fromEntries(headers) };
}
