/** Splits requests in order into batches of at most so many bytes and items; a larger single item is its own batch. */
export function batchesOf<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  { maxBytes, maxItems = Number.POSITIVE_INFINITY }: { maxBytes: number; maxItems?: number },
): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    const batch = batches.at(-1);
    if (batch && bytes <= room && batch.length < maxItems) batch.push(item);
    else {
      batches.push([item]);
      room = maxBytes;
    }
    room -= bytes;
  }
  return batches;
}
