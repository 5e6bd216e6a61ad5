import { ServiceError } from "../../kernel/errors.ts";
import type { Context } from "../../runtime/context.ts";

/** When the time limit of a signal from `within` ends, by `performance.now()`. */
const ends = new WeakMap<AbortSignal, number>();

/** Returns the milliseconds until the signal's time limit; Infinity for a signal that `within` did not create. */
export function timeLeft(signal: AbortSignal): number {
  const end = ends.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - performance.now());
}

/**
 * Runs work with a time limit in milliseconds. At the limit, throws SEARCH_TIMEOUT at once, even if the work hangs, and
 * aborts the signal passed to the work. Also throws it if the work blocked the process beyond the limit.
 */
export async function within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await abortAfter(milliseconds, () => timedOut(milliseconds), work);
  if (performance.now() - startedAt > milliseconds) throw timedOut(milliseconds);
  return result;
}

/**
 * Runs work with a time limit in milliseconds: at the limit, throws the error and aborts the signal passed to the work.
 */
export async function abortAfter<T>(
  milliseconds: number,
  toError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const onTimeout = () => {
    const error = toError();
    reject(error);
    controller.abort(error);
  };
  ends.set(controller.signal, performance.now() + milliseconds);
  const timer = setTimeout(onTimeout, milliseconds);
  try {
    return await Promise.race([work(controller.signal), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a reader whose request ends with this signal too; one without a request gets one. */
export function endingBy<Reader extends Pick<Context, "request">>(reader: Reader, deadline: AbortSignal): Reader {
  const signals = [deadline, reader.request?.signal].filter((signal) => signal !== undefined);
  return { ...reader, request: { id: "", ...reader.request, signal: AbortSignal.any(signals) } };
}

function timedOut(milliseconds: number): ServiceError {
  return new ServiceError(
    "SEARCH_TIMEOUT",
    `The search took longer than ${milliseconds} ms. Narrow it, or try again.`,
    { timeout_ms: milliseconds },
  );
}
