import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pngOf } from "../fixtures/documents.ts";
import { reduceColours } from "./palette-png.ts";

const SIDE = 32;

/** The parts of an indexed picture by their type. */
function partsOf(png: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    parts.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return parts;
}

/** The colours of an indexed picture, pixel by pixel. */
function coloursOf(png: Buffer): number[][] {
  const parts = partsOf(png);
  const palette = parts.get("PLTE") ?? Buffer.alloc(0);
  const rows = inflateSync(parts.get("IDAT") ?? Buffer.alloc(0));
  const indexes = [...rows].filter((_, place) => place % (SIDE + 1) !== 0);
  return indexes.map((index) => [...palette.subarray(index * 3, index * 3 + 3)]);
}

function pictureOf(colourAt: (place: number) => number[]): { png: Buffer; colours: number[][] } {
  const colours = Array.from({ length: SIDE * SIDE }, (_, place) => colourAt(place));
  const rows = Array.from({ length: SIDE }, (_, row) => [0, ...colours.slice(row * SIDE, (row + 1) * SIDE).flat()]);
  return { png: pngOf(SIDE, SIDE, Buffer.from(rows.flat())), colours };
}

describe("a picture with fewer colours", () => {
  it("keeps up to 256 colours as they are", () => {
    const { png, colours } = pictureOf((place) => [place % 256, 7, 9]);
    expect(coloursOf(reduceColours(png))).toEqual(colours);
  });

  it("keeps more colours nearly, with at most 256 of them", () => {
    const { png, colours } = pictureOf((place) => [place % 256, (place * 7) % 256, (place * 13) % 256]);
    const reduced = coloursOf(reduceColours(png));
    expect(new Set(reduced.map(String)).size).toBeLessThanOrEqual(256);
    const worst = reduced.flatMap((colour, place) =>
      colour.map((each, at) => Math.abs(each - (colours[place]?.[at] ?? 0))),
    );
    expect(Math.max(...worst)).toBeLessThanOrEqual(43);
  });

  it.each([
    ["left", 1, (row: number[]) => row.map((each, at) => (at >= 3 ? each - (row[at - 3] ?? 0) : each) & 255)],
    ["none", 0, (row: number[]) => row],
  ])("reads rows filtered by their neighbour: %s", (_name, filter, apply) => {
    const row = Array.from({ length: SIDE * 3 }, (_, place) => (place * 5) % 256);
    const rows = Array.from({ length: SIDE }, () => [filter, ...apply(row)]);
    const [first] = coloursOf(reduceColours(pngOf(SIDE, SIDE, Buffer.from(rows.flat()))));
    expect(first).toEqual(row.slice(0, 3));
  });

  it("refuses what it cannot read", () => {
    const { png } = pictureOf(() => [0, 0, 0]);
    png[24] = 16;
    expect(() => reduceColours(png)).toThrow("eight bits");
  });
});
