import type { LambdaEvent } from "hono/aws-lambda";

/**
 * The event of a GET or HEAD with the body replaced by its length: a Request of these methods accepts no body, and the
 * pipeline refuses the length with a 400.
 */
export function withoutUnreadBody(event: LambdaEvent): LambdaEvent {
  if (!("rawPath" in event) || !event.body) return event;
  if (!["GET", "HEAD"].includes(event.requestContext.http.method)) return event;
  const { body, ...rest } = event;
  return { ...rest, body: null, headers: { ...event.headers, "content-length": String(body.length) } };
}
