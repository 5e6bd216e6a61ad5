/** Every error code with its HTTP status. */
const STATUS_BY_CODE = {
  VALIDATION_ERROR: 400,
  MALFORMED_JSON: 400,
  INVALID_QUERY: 400,
  QUERY_TOO_LONG: 400,
  INVALID_FILTERS: 400,
  INVALID_MODE: 400,
  URL_NOT_ALLOWED: 400,
  CONTEXT_WINDOW_EXCEEDED: 400,
  MESSAGE_LIMIT_EXCEEDED: 400,
  OAUTH_STATE_INVALID: 400,
  INVALID_CLIENT: 400,
  INVALID_GRANT: 400,
  INVALID_REDIRECT_URI: 400,
  INVALID_SCOPE: 400,
  INVALID_TARGET: 400,
  UNSUPPORTED_GRANT_TYPE: 400,
  UNSUPPORTED_RESPONSE_TYPE: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  OAUTH_REFUSED: 401,
  PERMISSION_DENIED: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NOT_OFFERED: 404,
  INSUFFICIENT_RESULTS: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVITE_CLOSED: 409,
  VERSION_CONFLICT: 409,
  LIMIT_REACHED: 409,
  SESSION_CLOSED: 409,
  REQUEST_IN_PROGRESS: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  SOURCE_UNREADABLE: 422,
  TEXT_TOO_COMPLEX: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  COMPRESSION_FAILED: 500,
  WEBHOOK_DELIVERY_FAILED: 500,
  FETCH_FAILED: 502,
  OAUTH_NOT_CONFIGURED: 503,
  CONTENT_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
  SEARCH_TIMEOUT: 504,
} as const;

/** The codes of the table, for their documentation. */
export const ERROR_CODES = Object.keys(STATUS_BY_CODE);

type ResourceName = Uppercase<string>;

/** A code of the table, or a code of one of the two families that every resource has. */
export type ErrorCode = keyof typeof STATUS_BY_CODE | `${ResourceName}_NOT_FOUND` | `${ResourceName}_EXISTS`;

/** The only error class of verbs; the HTTP layer turns it into the contract's envelope. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.details = details;
  }
}

/** Returns the HTTP status of a code: that of the table, otherwise 404 for `_NOT_FOUND` and 409 for `_EXISTS`. */
export function statusOf(code: ErrorCode): number {
  const listed = (STATUS_BY_CODE as Record<string, number | undefined>)[code];
  if (listed !== undefined) return listed;
  return code.endsWith("_NOT_FOUND") ? 404 : 409;
}

/**
 * Returns the error for an unknown id: `notFound("api_key", id)` is API_KEY_NOT_FOUND with the details
 * `{api_key_id: id}`. It is the same for an absent id and for one of another organization.
 */
export function notFound(resource: string, id: string): ServiceError {
  const code = `${resource.toUpperCase() as ResourceName}_NOT_FOUND` as const;
  return new ServiceError(code, `No ${resource.replaceAll("_", " ")} has the id '${id}'. Check the id.`, {
    [`${resource}_id`]: id,
  });
}

/** Returns the error for a request that may succeed `retrySeconds` later. */
export function unavailable(message: string, retrySeconds: number): ServiceError {
  return new ServiceError("SERVICE_UNAVAILABLE", message, { retry_after: retrySeconds });
}

/** Returns whether the work succeeded: false if it was refused with one of the codes. Throws other errors. */
export async function succeeded(work: Promise<unknown>, ...refusals: ErrorCode[]): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && refusals.includes(error.code)) return false;
    throw error;
  }
}

/** Returns what was found under an id; throws `notFound` if that is undefined. */
export function existing<Thing>(thing: Thing | undefined, resource: string, id: string): Thing {
  if (thing === undefined) throw notFound(resource, id);
  return thing;
}

/** One invalid field, as in `details.fields` of a VALIDATION_ERROR. */
export interface FieldProblem {
  field: string;
  problem: string;
}

/** Returns a VALIDATION_ERROR that names each invalid field. */
export function invalid(...fields: FieldProblem[]): ServiceError {
  const named = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new ServiceError("VALIDATION_ERROR", `The request is not valid. ${named}`, { fields });
}
