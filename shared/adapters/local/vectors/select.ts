import type { ScoredRows } from "./matrix.ts";

export interface ScoredKey {
  key: number;
  score: number;
}

/** The `limit` best rows, best first, ties by key, from a bounded heap: one comparison rejects most rows. */
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
  let index = heap.length;
  heap.push(row);
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (parent === undefined || compare(parent, row) > 0) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = row;
}

/** Replaces the root by the row. */
function siftDown(heap: ScoredKey[], row: ScoredKey): void {
  let index = 0;
  for (;;) {
    const left = heap[2 * index + 1];
    const right = heap[2 * index + 2];
    const worse = right !== undefined && left !== undefined && compare(right, left) > 0 ? right : left;
    if (worse === undefined || compare(worse, row) < 0) break;
    heap[index] = worse;
    index = worse === left ? 2 * index + 1 : 2 * index + 2;
  }
  heap[index] = row;
}
