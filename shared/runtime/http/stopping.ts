import { ServiceError } from "../../kernel/errors.ts";

/** Typical duration of a restart. */
const RETRY_SECONDS = 5;

/** The error for a request that arrives while the process is stopping. */
export function stopping(): ServiceError {
  return new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The service is stopping and did not process this request. Try again shortly.",
    { retry_after: RETRY_SECONDS },
  );
}

/** The error for a request that runs longer than the stopping process may wait. */
export function cutOffByStop(): ServiceError {
  return new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The service is stopping and the outcome of this request is unknown. Check, then try again shortly.",
    { retry_after: RETRY_SECONDS },
  );
}
