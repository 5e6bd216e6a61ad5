import { type ServiceError, unavailable } from "../../kernel/errors.ts";

/** Seconds after which a client should retry: the typical duration of a restart. */
const RETRY_SECONDS = 5;

/** Returns the error for a request that arrives while the process is stopping. */
export function stopping(): ServiceError {
  return unavailable("The service is stopping and did not process this request. Try again shortly.", RETRY_SECONDS);
}

/** Returns the error for a request that runs longer than the stopping process may wait. */
export function cutOffByStop(): ServiceError {
  const message = "The service is stopping and the outcome of this request is unknown. Check, then try again shortly.";
  return unavailable(message, RETRY_SECONDS);
}
