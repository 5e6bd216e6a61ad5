import type { LambdaEvent } from "hono/aws-lambda";

/** Characters that a URL path cannot contain unescaped. */
const UNESCAPED = /[^\w\-.~!$&'()*+,;=:@/%]+|%(?![\da-f]{2})/giu;

/**
 * The event with its path escaped again. API Gateway's HTTP APIs decode the path except `%25`: without this, a `?` or
 * `#` in a name would end the path, and a name of spaces would disappear. `%2F` stays two segments.
 */
export function withEscapedPath(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event)) return event;
  return { ...event, rawPath: event.rawPath.toWellFormed().replace(UNESCAPED, (text) => encodeURIComponent(text)) };
}
