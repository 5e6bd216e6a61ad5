/** Node's error codes for a backend that is unreachable, disconnected or out of space. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  ..."ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH ENETDOWN ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE".split(" "),
  ..."ETIMEDOUT EBUSY EDQUOT EIO EMFILE ENFILE ENOSPC EROFS".split(" "),
]);
/** SQLite's primary result codes: busy, locked, out of memory, read-only, I/O error, full, cannot open. */
const SQLITE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);
/** Error codes of Node and SQLite for a full disk or quota (SQLite: full, or no space for shared memory). */
const FULL_SYSTEM_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const FULL_SQLITE_CODES: ReadonlySet<unknown> = new Set([13, 4874]);
/** Names of connection failures in the clients of AWS and OpenSearch. */
const CONNECTION_NAMES: ReadonlySet<string> = new Set(["ConnectionError", "NoLivingConnectionsError", "TimeoutError"]);
const THROTTLED = /Thrott|TooManyRequests|LimitExceeded|SlowDown|ProvisionedThroughputExceeded/;
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429]);
/** Maximum depth of nested causes; the limit also ends a circular chain. */
const MAX_DEPTH = 5;

/** Fields that errors of Node, the AWS SDK, the OpenSearch client and SQLite may have. */
interface ErrorFields {
  name?: unknown;
  code?: unknown;
  errcode?: unknown;
  $fault?: unknown;
  $retryable?: unknown;
  $metadata?: { httpStatusCode?: unknown };
  statusCode?: unknown;
  /** Set by our own errors about backends: ModelProviderError, BackendBusyError. */
  transient?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/**
 * Whether a backend caused the error: it is unreachable, too slow, throttling, failing or full. The outcome of the
 * request is unknown and a retry may succeed; any other error is a bug.
 */
export function isBackendFault(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return false;
  const fields: ErrorFields = error;
  if (isOfBackend(fields)) return true;
  const inner = Array.isArray(fields.errors) ? fields.errors : [];
  return [fields.cause, ...inner].some((cause) => isBackendFault(cause, depth + 1));
}

/** Whether the disk was full. Nothing was written, and reads still work. */
export function isOutOfSpace(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, errcode }: ErrorFields = error;
  return FULL_SYSTEM_CODES.has(code) || (code === "ERR_SQLITE_ERROR" && FULL_SQLITE_CODES.has(errcode));
}

function isOfBackend(fields: ErrorFields): boolean {
  const { name, code, errcode, $fault, $retryable, $metadata, statusCode, transient } = fields;
  if (SYSTEM_CODES.has(code) || String(code).startsWith("UND_ERR_")) return true;
  if (code === "ERR_SQLITE_ERROR") return typeof errcode === "number" && SQLITE_CODES.has(errcode & 0xff);
  if ($fault === "server" || $retryable !== undefined || transient === true) return true;
  if (CONNECTION_NAMES.has(String(name)) || THROTTLED.test(String(name))) return true;
  return [statusCode, $metadata?.httpStatusCode].some(isFailingStatus);
}

function isFailingStatus(status: unknown): boolean {
  return typeof status === "number" && (status >= 500 || TRANSIENT_STATUSES.has(status));
}
