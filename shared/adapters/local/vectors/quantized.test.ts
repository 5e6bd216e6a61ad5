import { expect, test } from "vitest";
import { bytesOf, dotProduct, vectorOfBytes } from "./quantized.ts";

const DIMENSIONS = 384;

function unitVector(seed: number): Float32Array {
  const numbers = Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(i * 12.9898 + seed * 78.233));
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

test("keeps cosines to four decimals in half of the bytes, whatever the address", () => {
  for (let seed = 0; seed < 50; seed++) {
    const [stored, query] = [unitVector(seed), unitVector(seed + 0.5)];
    const bytes = bytesOf(stored);
    expect(bytes.byteLength).toBe(2 * DIMENSIONS + 4);
    const exact = stored.reduce((sum, number, i) => sum + number * (query[i] ?? 0), 0);
    const shifted = new Uint8Array(bytes.byteLength + 1);
    shifted.set(bytes, 1);
    for (const form of [bytes, shifted.subarray(1)])
      expect(Math.abs(dotProduct(query, form) - exact)).toBeLessThan(5e-5);
    expect(bytesOf(vectorOfBytes(bytes)).subarray(4)).toEqual(bytes.subarray(4));
    expect(dotProduct(stored, bytes)).toBeLessThan(1 + 1e-6);
  }
});

test("stores zeros", () => {
  expect([...vectorOfBytes(bytesOf(new Float32Array(3)))]).toEqual([0, 0, 0]);
});
