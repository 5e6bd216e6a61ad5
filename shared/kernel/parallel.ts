/** Splits a list into lists of at most `size` items, in order. */
export function inBatches<Item>(all: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Splits items in order into batches of at most `maxItems` and `maxSize` together; a larger item is its own batch. */
export function inSizedBatches<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  { maxSize, maxItems = Number.POSITIVE_INFINITY }: { maxSize: number; maxItems?: number },
): Item[][] {
  const batches: Item[][] = [];
  let remaining = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const batch = batches.at(-1);
    if (batch && size <= remaining && batch.length < maxItems) batch.push(item);
    else {
      batches.push([item]);
      remaining = maxSize;
    }
    remaining -= size;
  }
  return batches;
}

/** Runs `act` on every item with at most `width` running at a time; returns the results in the items' order. */
export async function inParallel<Item, T>(
  items: Item[],
  width: number,
  act: (item: Item, index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = new Array(items.length);
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await act(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
  return results;
}
