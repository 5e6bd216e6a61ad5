/**
 * Returns a function that calls `open` at first use and keeps its result; a failed call is repeated at the next use.
 */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
}

/** During init, Lambda gives any function a whole core. What fails is repeated, and answered, at the first invocation. */
export async function openAtInit(open: () => Promise<unknown>): Promise<void> {
  await open().catch(() => undefined);
}
