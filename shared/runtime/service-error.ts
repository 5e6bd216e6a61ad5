import { ServiceError, unavailable } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { isBackendFault, isOutOfSpace } from "../ports/backend-faults.ts";
import { RecordTooLargeError } from "../ports/errors.ts";
import { logFullDisk } from "../ports/full-disk.ts";

/** Seconds after a backend failure until a client should retry. */
const BACKEND_RETRY_SECONDS = 1;
/** Seconds until a client should retry if the disk is full; longer, because somebody must free space first. */
const FULL_DISK_RETRY_SECONDS = 30;

/**
 * Returns the error that a client receives: the error itself if it is a ServiceError, otherwise PAYLOAD_TOO_LARGE for a
 * record that is too large, SERVICE_UNAVAILABLE for a full disk or a backend fault, and a masked INTERNAL_ERROR for
 * anything else. A full disk, a backend fault and an unexpected error are logged.
 */
export function toServiceError(error: unknown, logger: Logger): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof RecordTooLargeError) {
    return new ServiceError("PAYLOAD_TOO_LARGE", "The stored item would exceed 400 KB. Send less content or metadata.");
  }
  if (isOutOfSpace(error)) {
    logFullDisk(logger, error);
    return unavailable(
      "The disk is full: stored data can be read, but nothing can be written. The operator must free disk space.",
      FULL_DISK_RETRY_SECONDS,
    );
  }
  if (isBackendFault(error)) {
    logger.error("BACKEND_FAILED", { error });
    return unavailable(
      "A store or a model is unreachable, so the outcome of this request is unknown. Check, then try again shortly.",
      BACKEND_RETRY_SECONDS,
    );
  }
  logger.error("UNEXPECTED_ERROR", { error });
  return new ServiceError(
    "INTERNAL_ERROR",
    "An internal error occurred. Try again. If it persists, report the request id.",
  );
}
