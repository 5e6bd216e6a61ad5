import type { LambdaEvent } from "hono/aws-lambda";

/** What no path of a URL holds as it is. */
const UNESCAPED = /[^\w\-.~!$&'()*+,;=:@/%]+|%(?![\da-f]{2})/giu;

/**
 * The event with its path escaped again. API Gateway's HTTP APIs decode what was sent, all but `%25`: else a name with a
 * `?` or a `#` in it would end the path, and one of spaces would be gone. What was sent as `%2F` stays two segments.
 */
export function withEscapedPath(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event)) return event;
  return { ...event, rawPath: event.rawPath.toWellFormed().replace(UNESCAPED, (text) => encodeURIComponent(text)) };
}
