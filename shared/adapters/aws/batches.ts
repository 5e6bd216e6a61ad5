/** Splits items in order into batches of at most `maxBytes` and `maxItems`; a larger single item is its own batch. */
export function batchesOf<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  { maxBytes, maxItems = Number.POSITIVE_INFINITY }: { maxBytes: number; maxItems?: number },
): Item[][] {
  const batches: Item[][] = [];
  let remainingBytes = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    const batch = batches.at(-1);
    if (batch && bytes <= remainingBytes && batch.length < maxItems) batch.push(item);
    else {
      batches.push([item]);
      remainingBytes = maxBytes;
    }
    remainingBytes -= bytes;
  }
  return batches;
}
