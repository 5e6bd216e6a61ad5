import { ServiceError } from "../kernel/errors.ts";

/** About how long a restart takes. */
const RETRY_SECONDS = 5;

/** Refuses a request that did not begin before its process was told to stop. */
export function stopping(): ServiceError {
  return new ServiceError("SERVICE_UNAVAILABLE", "The service is stopping, so this was not done. Try again shortly.", {
    retry_after: RETRY_SECONDS,
  });
}

/** Answers for a request that takes longer than its process may take to stop. */
export function cutOffByStop(): ServiceError {
  return new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The service is stopping, so this may have been done or not. Check, then try again shortly.",
    { retry_after: RETRY_SECONDS },
  );
}
