import fc from "fast-check";
import { expect, test } from "vitest";
import { VectorMatrix } from "./matrix.ts";
import { ROWS_PER_BLOCK, VectorPool } from "./pool.ts";

const MEBIBYTE = 1024 * 1024;

function scores({ keys, scores }: { keys: ArrayLike<number>; scores: Float32Array }): Map<number, number> {
  return new Map(Array.from(keys, (key, i) => [key, scores[i] ?? Number.NaN]));
}

/** Sets or deletes a value of a matrix of one dimension, and of its model. */
function change(matrix: VectorMatrix, model: Map<number, number>, key: number, value: number | null): void {
  if (value === null) {
    matrix.delete(key);
    model.delete(key);
  } else {
    matrix.set(key, Float32Array.of(value));
    model.set(key, value);
  }
}

/** The values of a matrix of one dimension. */
function rounded(matrix: VectorMatrix): Map<number, number> {
  const found = scores(matrix.scoreAll(Float32Array.of(1)));
  return new Map([...found].map(([key, score]) => [key, Math.round(score) + 0]));
}

test.each([1, 3, 16, 20, 384])("multiplies vectors of %i dimensions as arithmetic does", async (dimensions) => {
  const random = (_: unknown, i: number) => Math.sin(i * 12.9898 + dimensions) * 2;
  const matrix = new VectorMatrix(new VectorPool(dimensions, MEBIBYTE));
  const rowOf = (row: number) => Array.from({ length: dimensions }, (_, i) => random(_, row * 31 + i));
  const rows = Array.from({ length: 300 }, (_, row) => rowOf(row));
  await matrix.load([rows.map((row, key) => ({ key, vector: Float32Array.of(...row) }))]);
  const query = Float32Array.from({ length: dimensions }, random);
  const expected = rows.map((row) => row.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0));
  const found = scores(matrix.scoreAll(query));
  const spread = 2 * Math.sqrt(dimensions);
  for (const [key, value] of expected.entries()) {
    expect(Math.abs((found.get(key) ?? Number.NaN) - value)).toBeLessThan(spread / 50);
  }
  expect(scores(matrix.scoreSome(query, [7, 299, 300]))).toEqual(new Map([7, 299].map((key) => [key, found.get(key)])));
});

test("scores more rows than one call of the kernel takes", async () => {
  const matrix = new VectorMatrix(new VectorPool(1, MEBIBYTE));
  await matrix.load([Array.from({ length: 10_000 }, (_, key) => ({ key, vector: Float32Array.of(key) }))]);
  const { scores } = matrix.scoreAll(Float32Array.of(2));
  expect([...scores].map(Math.round)).toEqual(Array.from({ length: 10_000 }, (_, key) => 2 * key));
});

test("contains the same as a map after any sets and deletions", () => {
  const write = fc.record({ key: fc.nat(40), value: fc.option(fc.integer({ min: -9, max: 9 })) });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 400 }), (changes) => {
      const matrix = new VectorMatrix(new VectorPool(1, MEBIBYTE));
      const model = new Map<number, number>();
      for (const { key, value } of changes) change(matrix, model, key, value);
      expect(matrix.size).toBe(model.size);
      expect(rounded(matrix)).toEqual(model);
    }),
  );
});

test("clears the least recently used matrices if memory runs out, and reuses it", async () => {
  const pool = new VectorPool(16, 3 * ROWS_PER_BLOCK * 32);
  const fill = async (rows: number) => {
    const matrix = new VectorMatrix(pool);
    await matrix.load([Array.from({ length: rows }, (_, key) => ({ key, vector: Float32Array.of(key) }))]);
    return matrix;
  };
  const [first, second] = [await fill(ROWS_PER_BLOCK), await fill(ROWS_PER_BLOCK)];
  first.scoreAll(new Float32Array(16));
  const third = await fill(2 * ROWS_PER_BLOCK);
  expect([first.loaded, second.loaded, third.loaded]).toEqual([true, false, true]);
  expect(second.size).toBe(0);
  expect(third.scoreAll(Float32Array.of(1)).scores.at(-1)).toBeCloseTo(2 * ROWS_PER_BLOCK - 1);
  expect(first.scoreAll(Float32Array.of(1)).scores.at(-1)).toBeCloseTo(ROWS_PER_BLOCK - 1);
});

test("allows a single matrix to exceed the memory limit", async () => {
  const matrix = new VectorMatrix(new VectorPool(16, 1));
  await matrix.load([Array.from({ length: 5 * ROWS_PER_BLOCK }, (_, key) => ({ key, vector: Float32Array.of(key) }))]);
  expect(matrix.scoreAll(Float32Array.of(1)).scores.at(-1)).toBeCloseTo(5 * ROWS_PER_BLOCK - 1);
});

test.each([384, 768, 4096])("multiplies extreme values of %i dimensions without an overflow", async (dimensions) => {
  const matrix = new VectorMatrix(new VectorPool(dimensions, MEBIBYTE));
  const rows = [1, -1, 0].map((value) => new Array(dimensions).fill(value));
  await matrix.load([rows.map((row, key) => ({ key, vector: Float32Array.of(...row) }))]);
  const { scores } = matrix.scoreAll(new Float32Array(dimensions).fill(1));
  expect([...scores].map((score) => Math.round(score) + 0)).toEqual([dimensions, -dimensions, 0]);
});

test("equals the rows that it was loaded from after any writes between two pages", async () => {
  const value = fc.option(fc.integer({ min: -9, max: 9 }));
  const initial = fc.array(value, { maxLength: 10 });
  const changes = fc.array(fc.array(fc.record({ key: fc.nat(9), value }), { maxLength: 6 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(initial, changes, async (first, between) => {
      const matrix = new VectorMatrix(new VectorPool(1, MEBIBYTE));
      const stored = new Map(first.flatMap((one, key) => (one === null ? [] : [[key, one] as const])));
      function* pages() {
        for (let from = 0; from < 10; from += 2) {
          const page = [...stored].filter(([key]) => key >= from && key < from + 2);
          yield page.map(([key, one]) => ({ key, vector: Float32Array.of(one) }));
        }
      }
      const writes = between.values();
      const loaded = await matrix.load(pages(), async () => {
        for (const { key, value: one } of writes.next().value ?? []) change(matrix, stored, key, one);
      });
      expect(loaded).toBe(true);
      expect(rounded(matrix)).toEqual(stored);
    }),
  );
});

test("is not loaded if its memory was taken meanwhile", async () => {
  const matrix = new VectorMatrix(new VectorPool(1, MEBIBYTE));
  const pages = [[{ key: 1, vector: Float32Array.of(1) }], [{ key: 2, vector: Float32Array.of(2) }]];
  expect(await matrix.load(pages, async () => matrix.clear())).toBe(false);
  expect([matrix.loaded, matrix.isFilling, matrix.size]).toEqual([false, false, 0]);
  expect(await matrix.load(pages)).toBe(true);
  expect(matrix.size).toBe(2);
});
