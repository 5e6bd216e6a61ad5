import type { ScoredRows } from "./matrix.ts";

export interface ScoredKey {
  key: number;
  score: number;
}

/**
 * The `limit` best rows, best first, ties by key. A bounded heap with the worst kept row at its root: most rows are
 * rejected by one comparison.
 */
export function selectBest({ keys, scores }: ScoredRows, limit: number): ScoredKey[] {
  const heap: ScoredKey[] = [];
  if (limit <= 0) return heap;
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position] ?? 0;
    const root = heap[0];
    if (root !== undefined && heap.length === limit && score < root.score) continue;
    const candidate = { key: keys[position] ?? 0, score };
    if (root === undefined || heap.length < limit) siftUp(heap, candidate);
    else if (compare(candidate, root) < 0) siftDown(heap, candidate);
  }
  return heap.sort(compare);
}

/** Negative when `a` ranks before `b`. */
function compare(a: ScoredKey, b: ScoredKey): number {
  return b.score - a.score || a.key - b.key;
}

/** Adds the row to the heap. */
function siftUp(heap: ScoredKey[], row: ScoredKey): void {
  let place = heap.length;
  heap.push(row);
  while (place > 0) {
    const parentPlace = (place - 1) >> 1;
    const parent = heap[parentPlace];
    if (parent === undefined || compare(parent, row) > 0) break;
    heap[place] = parent;
    place = parentPlace;
  }
  heap[place] = row;
}

/** Replaces the root by the row. */
function siftDown(heap: ScoredKey[], row: ScoredKey): void {
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    const right = heap[2 * place + 2];
    const worse = right !== undefined && left !== undefined && compare(right, left) > 0 ? right : left;
    if (worse === undefined || compare(worse, row) < 0) break;
    heap[place] = worse;
    place = worse === left ? 2 * place + 1 : 2 * place + 2;
  }
  heap[place] = row;
}
