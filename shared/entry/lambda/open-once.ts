/** Opens something at first use and keeps it; a failed opening is retried at the next use. */
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
