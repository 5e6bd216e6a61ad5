import { expect, it } from "vitest";
import { isWholeLine, splitLines } from "./lines.ts";

async function* inParts(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield new Uint8Array(bytes.subarray(start, start + size));
}

async function linesOf(text: string, size: number, longest?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(inParts(text, size), longest)) lines.push(line.toString());
  return lines;
}

it.each([1, 2, 3, 7, 1000])("splits only at line feeds, whatever the parts (of %d bytes)", async (size) => {
  const text = "one\r\n\n\u2028two\u2029 é\u0085\nlast";
  expect(await linesOf(text, size)).toEqual(["one\r\n", "\n", "\u2028two\u2029 é\u0085\n", "last"]);
  expect((await linesOf(`${text}\n`, size)).every((line) => isWholeLine(Buffer.from(line)))).toBe(true);
  expect(await linesOf("", size)).toEqual([]);
});

it("yields the start of a line that is too long before reading all of it", async () => {
  const [first = ""] = await linesOf("x".repeat(1000), 10, 50);
  expect(first).toHaveLength(60);
  expect(isWholeLine(Buffer.from(first))).toBe(false);
});
