import type { MiddlewareHandler } from "hono";
import { parseAccept } from "hono/utils/accept";

/** The media type of RFC 9457. */
const PROBLEM_TYPE = "application/problem+json";

/** The service's error envelope. */
interface Envelope {
  success: false;
  error: { code: string; message: string; details: Record<string, unknown> };
  meta: { request_id: string; timestamp: string };
}

/**
 * Answers errors as RFC 9457 describes them if the request prefers that to JSON. The envelope stays the default, and the
 * errors of protocols that define their own are not changed.
 */
export function problemDetails(): MiddlewareHandler {
  return async (http, next) => {
    await next();
    const { res } = http;
    if (res.status < 400 || !prefersProblem(http.req.header("accept"))) return;
    if (!res.headers.get("content-type")?.startsWith("application/json")) return;
    const body: unknown = await res.clone().json();
    if (!isEnvelope(body)) return;
    const headers = new Headers(res.headers);
    headers.set("content-type", PROBLEM_TYPE);
    http.res = undefined;
    http.res = new Response(JSON.stringify(toProblem(body, res.status)), { status: res.status, headers });
  };
}

function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(PROBLEM_TYPE)) return false;
  const ranked = parseAccept(accept).map(({ type }) => type.toLowerCase());
  const plain = ranked.indexOf("application/json");
  return plain < 0 || ranked.indexOf(PROBLEM_TYPE) < plain;
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === "object" && body !== null && "success" in body && "error" in body && "meta" in body;
}

/** The code is a member of its own: with `about:blank`, the title is the name of the status. */
function toProblem({ error: { code, message, details }, meta }: Envelope, status: number): object {
  return {
    type: "about:blank",
    title: TITLES[status] ?? (status < 500 ? "Bad Request" : "Internal Server Error"),
    status,
    detail: message,
    code,
    details,
    request_id: meta.request_id,
    timestamp: meta.timestamp,
  };
}

/** The names of the statuses that errors have. */
const TITLES: { readonly [status: number]: string } = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};
