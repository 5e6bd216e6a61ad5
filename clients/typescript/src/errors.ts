/** What the service said of a request that it refused, or why there was no answer. */
export class MemoryError extends Error {
  /** The code of the service's envelope, such as `MEMORY_NOT_FOUND`; `CONNECTION_FAILED` or `TIMEOUT` where nothing answered. */
  readonly code: string;
  /** HTTP status; 0 where nothing answered. */
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** To be named in a report of the problem. */
  readonly requestId: string | undefined;

  constructor(message: string, about: ErrorDetails) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.name = new.target.name;
    this.code = about.code;
    this.status = about.status;
    this.details = about.details ?? {};
    this.requestId = about.requestId;
  }
}

export interface ErrorDetails {
  code: string;
  status: number;
  details?: Record<string, unknown> | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** 400, 413, 415, 422: the request must change. */
export class InvalidRequestError extends MemoryError {}
/** 401: the key or token is not valid. */
export class AuthenticationError extends MemoryError {}
/** 403: the key or role lacks the permission. */
export class PermissionError extends MemoryError {}
/** 404 */
export class NotFoundError extends MemoryError {}
/** 409, 412: something else changed it, or the same request is still under way. */
export class ConflictError extends MemoryError {}
/** 5xx */
export class ServerError extends MemoryError {}
/** No answer: refused, broken off or too late. */
export class ConnectionError extends MemoryError {}

/** 429 */
export class RateLimitError extends MemoryError {
  /** When the service takes another request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, about: ErrorDetails) {
    super(message, about);
    this.retryAfterMs = about.retryAfterMs;
  }
}

const BY_STATUS: Record<number, typeof MemoryError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
};

/** The class of error that a status stands for. */
export function errorOf(message: string, about: ErrorDetails): MemoryError {
  const Class = BY_STATUS[about.status] ?? (about.status >= 500 ? ServerError : InvalidRequestError);
  return new Class(message, about);
}
