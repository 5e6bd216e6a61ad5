import type { LambdaEvent } from "hono/aws-lambda";

/** Characters that a URL path cannot contain unescaped. */
const UNESCAPED = /[^\w\-.~!$&'()*+,;=:@/%]+|%(?![\da-f]{2})/giu;

/**
 * Returns the event with its path escaped again. API Gateway's HTTP APIs decode the path except `%25`: without this, a
 * `?` or `#` in a name would end the path, and a name of spaces would disappear. A decoded `%2F` stays a separator.
 */
export function withEscapedPath(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event)) return event;
  return { ...event, rawPath: event.rawPath.toWellFormed().replace(UNESCAPED, (text) => encodeURIComponent(text)) };
}

/**
 * Returns the event with a space in its empty headers: Hono's adapter drops empty headers, so an empty Idempotency-Key
 * would count as absent. `Headers` trims the space again.
 */
export function withEmptyHeaders(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event)) return event;
  const headers = Object.entries(event.headers).map(([name, value]) => [name, value === "" ? " " : value]);
  return { ...event, headers: Object.fromEntries(headers) };
}

/**
 * Returns the event; of a GET or HEAD, the body is replaced by its length: a Request of these methods accepts no body,
 * and the pipeline refuses the length with a 400.
 */
export function withoutUnreadBody(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event) || !event.body) return event;
  if (!["GET", "HEAD"].includes(event.requestContext.http.method)) return event;
  const { body, ...rest } = event;
  return { ...rest, body: null, headers: { ...event.headers, "content-length": String(body.length) } };
}
