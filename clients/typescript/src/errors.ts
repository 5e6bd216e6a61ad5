/** The service's error, or the reason why there was no answer. */
export class MemoryError extends Error {
  /**
   * The error code of the service, such as `MEMORY_NOT_FOUND`, or `CONNECTION_FAILED` or `TIMEOUT` if there was no
   * answer.
   */
  readonly code: string;
  /** HTTP status, or 0 if there was no answer. */
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** Include it when you report the problem. */
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

/** 400, 413, 415, 422 and other 4xx: the request must be changed. */
export class InvalidRequestError extends MemoryError {}
/** 401: the key or token is not valid. */
export class AuthenticationError extends MemoryError {}
/** 403: the key or role lacks the permission. */
export class PermissionError extends MemoryError {}
/** 404 */
export class NotFoundError extends MemoryError {}
/** 409, 412: the resource has changed, or the same request is still in progress. */
export class ConflictError extends MemoryError {}
/** 5xx */
export class ServerError extends MemoryError {}
/** No answer: the connection failed or the request timed out. */
export class ConnectionError extends MemoryError {}

/** 429 */
export class RateLimitError extends MemoryError {
  /** Milliseconds until the service accepts another request. */
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

/** Returns the error, with the class for its status. */
export function errorOf(message: string, about: ErrorDetails): MemoryError {
  const Class = BY_STATUS[about.status] ?? (about.status >= 500 ? ServerError : InvalidRequestError);
  return new Class(message, about);
}
