import type { LambdaEvent } from "hono/aws-lambda";

/**
 * The event with something in its empty headers: Hono's adapter leaves these out, so that an empty Idempotency-Key would
 * be taken for none. `Headers` trims the space again.
 */
export function withEmptyHeaders(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event)) return event;
  const headers = Object.entries(event.headers).map(([name, value]) => [name, value === "" ? " " : value]);
  return { ...event, headers: Object.fromEntries(headers) };
}
