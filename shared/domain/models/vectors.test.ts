import { expect, test } from "vitest";
import { meanVector, normalize, piecesOf } from "./vectors.ts";

test("normalizes to unit length; what has no direction gets one", () => {
  expect([...normalize(Float32Array.of(3, 0, 4))]).toEqual([expect.closeTo(0.6), 0, expect.closeTo(0.8)]);
  expect([...normalize(new Float32Array(3))]).toEqual([1, 0, 0]);
});

test("returns the mean direction of vectors", () => {
  const diagonal = meanVector([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2);
  expect([...diagonal]).toEqual([expect.closeTo(Math.SQRT1_2), expect.closeTo(Math.SQRT1_2)]);
  expect([...meanVector([], 2)]).toEqual([1, 0]);
});

test("splits texts into pieces that join to the whole", () => {
  expect(piecesOf("short")).toEqual(["short"]);
  expect(piecesOf(" ")).toEqual([]);
  expect(piecesOf("x".repeat(12_001)).map(({ length }) => length)).toEqual([6_000, 6_000, 1]);
  expect(piecesOf(`${"x".repeat(5_999)}🎂`).map(({ length }) => length)).toEqual([5_999, 2]);
});
