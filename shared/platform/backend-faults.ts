/** What Node's own network and file calls say when a backend is out of reach, broke off, or has no room. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "EBUSY",
  "EDQUOT",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOSPC",
  "EROFS",
]);
/** SQLite's primary result codes: busy, locked, out of memory, read-only, I/O error, full, cannot open. */
const SQLITE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);
/** What Node and SQLite (the latter: full, and no room for its shared memory) say of a disk or a quota that is used up. */
const FULL_SYSTEM_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const FULL_SQLITE_CODES: ReadonlySet<unknown> = new Set([13, 4874]);
/** What clients of AWS and OpenSearch call a failure of the connection. */
const CONNECTION_NAMES: ReadonlySet<string> = new Set(["ConnectionError", "NoLivingConnectionsError", "TimeoutError"]);
const THROTTLED = /Thrott|TooManyRequests|LimitExceeded|SlowDown|ProvisionedThroughputExceeded/;
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429]);
/** Errors have causes, and those have causes; one that is its own ends here. */
const DEEPEST = 5;

/** What errors of Node, the AWS SDK, OpenSearch's client and SQLite may carry besides a message. */
interface Marked {
  name?: unknown;
  code?: unknown;
  errcode?: unknown;
  $fault?: unknown;
  $retryable?: unknown;
  $metadata?: { httpStatusCode?: unknown };
  statusCode?: unknown;
  /** Of our own errors that tell so of a backend: ProviderFailure, BackendBusy. */
  passing?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/**
 * Whether an error is a backend's: out of reach, too slow, throttling, failing or full. What it was asked for may have been
 * done or not, and may work in a moment; anything else is a fault of our own.
 */
export function isBackendFault(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > DEEPEST) return false;
  const marked: Marked = error;
  if (isMarked(marked)) return true;
  const within = Array.isArray(marked.errors) ? marked.errors : [];
  return [marked.cause, ...within].some((each) => isBackendFault(each, depth + 1));
}

/** Whether there was no room to write in. Nothing was written then, and reading goes on. */
export function isOutOfSpace(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, errcode }: Marked = error;
  return FULL_SYSTEM_CODES.has(code) || (code === "ERR_SQLITE_ERROR" && FULL_SQLITE_CODES.has(errcode));
}

function isMarked({ name, code, errcode, $fault, $retryable, $metadata, statusCode, passing }: Marked): boolean {
  if (SYSTEM_CODES.has(code) || String(code).startsWith("UND_ERR_")) return true;
  if (code === "ERR_SQLITE_ERROR") return typeof errcode === "number" && SQLITE_CODES.has(errcode & 0xff);
  if ($fault === "server" || $retryable !== undefined || passing === true) return true;
  if (CONNECTION_NAMES.has(String(name)) || THROTTLED.test(String(name))) return true;
  return [statusCode, $metadata?.httpStatusCode].some(isFailingStatus);
}

function isFailingStatus(status: unknown): boolean {
  return typeof status === "number" && (status >= 500 || PASSING_STATUSES.has(status));
}
