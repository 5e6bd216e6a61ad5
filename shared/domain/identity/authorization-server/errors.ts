import { type ErrorCode, type ServiceError, statusOf } from "../../../kernel/errors.ts";

/** Codes that are errors of OAuth by the same name in lower case. */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(["INVALID_CLIENT", "INVALID_GRANT", "INVALID_REDIRECT_URI", "INVALID_SCOPE", "INVALID_TARGET"] as const),
  ...(["UNSUPPORTED_GRANT_TYPE", "UNSUPPORTED_RESPONSE_TYPE"] as const),
]);

/** Returns the error code of RFC 6749, 7591 or 8707 for a code of the service. */
function oauthCodeOf(code: ErrorCode): string {
  if (OWN_CODES.has(code)) return code.toLowerCase();
  if (code === "RATE_LIMITED" || code === "SERVICE_UNAVAILABLE") return "temporarily_unavailable";
  return statusOf(code) < 500 ? "invalid_request" : "server_error";
}

/** The characters that RFC 6749 allows in a description. */
function described(message: string): string {
  return message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "?");
}

/** The error parameters of RFC 6749, 4.1.2.1 and 5.2. */
export function toOAuthError({ code, message }: Pick<ServiceError, "code" | "message">) {
  return { error: oauthCodeOf(code), error_description: described(message) };
}
