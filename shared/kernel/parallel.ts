/** Splits a list into lists of at most `size` items, in order. */
export function inBatches<Item>(all: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
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
