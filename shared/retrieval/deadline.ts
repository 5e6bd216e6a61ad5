import { ServiceError } from "../kernel/errors.ts";

/** When the time of a signal that `within` made is up, by `performance.now()`. */
const ends = new WeakMap<AbortSignal, number>();

/** Milliseconds until the work of a signal is given up; Infinity for one that `within` did not make. */
export function timeLeft(signal: AbortSignal): number {
  const end = ends.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - performance.now());
}

/**
 * Does work for no longer than so many milliseconds. Then throws SEARCH_TIMEOUT at once, however the work hangs, and
 * aborts the signal that the work was given; work that held up the process beyond its time is too late as well.
 */
export async function within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await abortAfter(milliseconds, () => timedOut(milliseconds), work);
  if (performance.now() - startedAt > milliseconds) throw timedOut(milliseconds);
  return result;
}

/** Does work until so many milliseconds are over: throws the error then, and aborts the signal that the work was given. */
export async function abortAfter<T>(
  milliseconds: number,
  toError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    const error = toError();
    reject(error);
    controller.abort(error);
  };
  ends.set(controller.signal, performance.now() + milliseconds);
  const timer = setTimeout(giveUp, milliseconds);
  try {
    return await Promise.race([work(controller.signal), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(milliseconds: number): ServiceError {
  return new ServiceError(
    "SEARCH_TIMEOUT",
    `The search took longer than ${milliseconds} ms. Narrow it, or try again.`,
    {
      timeout_ms: milliseconds,
    },
  );
}
