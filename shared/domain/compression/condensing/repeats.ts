/** A repeated phrase: its length in items, and the first index of each occurrence (unordered; they may overlap). */
export interface Repeat {
  length: number;
  positions: Int32Array;
}

/**
 * Yields the inner nodes of the radix tree over a sequence's suffixes, cut at `maxLength` items: each is a phrase that
 * occurs at least twice and cannot be extended without losing an occurrence. Built from a suffix array (prefix
 * doubling, Manber & Myers 1993) and its intervals of common prefixes, in O(n log maxLength + n * maxLength).
 * Items are small non-negative integers; there is at most one node per suffix.
 */
export function* repeatsOf(items: Int32Array, maxLength: number): Generator<Repeat> {
  const order = sortSuffixes(items, maxLength);
  const open: { length: number; from: number }[] = [];
  for (let i = 1; i <= order.length; i++) {
    const common = i < order.length ? commonPrefix(items, at(order, i - 1), at(order, i), maxLength) : 0;
    let from = i - 1;
    for (let top = open.at(-1); top !== undefined && top.length > common; top = open.at(-1)) {
      open.pop();
      from = top.from;
      yield { length: top.length, positions: order.subarray(from, i) };
    }
    if (common > (open.at(-1)?.length ?? 0)) open.push({ length: common, from });
  }
}

/** Sorts the suffixes by their first `maxLength` items (rounded up to a power of two). */
function sortSuffixes(items: Int32Array, maxLength: number): Int32Array {
  let order = countingSort(
    items.map((_, position) => position),
    items,
  );
  let names = rename(order, (a, b) => at(items, a) === at(items, b));
  for (let width = 1; width < maxLength && !allDiffer(names, order); width *= 2) {
    const second = names.map((_, position) => (position + width < names.length ? at(names, position + width) + 1 : 0));
    order = countingSort(countingSort(order, second), names);
    const first = names;
    names = rename(order, (a, b) => at(first, a) === at(first, b) && at(second, a) === at(second, b));
  }
  return order;
}

/** Whether all suffixes differ: the last suffix's name, the highest, equals the last index only if no two are equal. */
function allDiffer(names: Int32Array, order: Int32Array): boolean {
  return order.length === 0 || at(names, at(order, order.length - 1)) === order.length - 1;
}

/** Stable counting sort by `keys[position]`. */
function countingSort(positions: Int32Array, keys: Int32Array): Int32Array {
  let highest = 0;
  for (const key of keys) if (key > highest) highest = key;
  const starts = new Int32Array(highest + 2);
  for (const key of keys) starts[key + 1] = at(starts, key + 1) + 1;
  for (let key = 1; key < starts.length; key++) starts[key] = at(starts, key) + at(starts, key - 1);
  const sorted = new Int32Array(positions.length);
  for (const position of positions) {
    const key = at(keys, position);
    const target = at(starts, key);
    sorted[target] = position;
    starts[key] = target + 1;
  }
  return sorted;
}

/** Numbers the suffixes by their order; equal ones get the same number. */
function rename(order: Int32Array, equal: (a: number, b: number) => boolean): Int32Array {
  const names = new Int32Array(order.length);
  let name = 0;
  for (let i = 1; i < order.length; i++) {
    if (!equal(at(order, i - 1), at(order, i))) name++;
    names[at(order, i)] = name;
  }
  return names;
}

function commonPrefix(items: Int32Array, a: number, b: number, maxLength: number): number {
  const limit = Math.min(maxLength, items.length - Math.max(a, b));
  let length = 0;
  while (length < limit && items[a + length] === items[b + length]) length++;
  return length;
}

/** Reads an index that the caller knows to exist. */
function at(array: Int32Array, position: number): number {
  return array[position] ?? 0;
}
