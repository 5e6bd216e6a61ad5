import { expect, it } from "vitest";
import { choose } from "./choose.ts";
import type { Line } from "./line.ts";

function lineOf(id: string, role: Line["role"], text: string): Line {
  const document = { id, content: text } as Line["document"];
  const sorted = { score: 0.5, heading: role, order: 0, worth: 1, tokens: 5 };
  return { id, role, document, text, ...sorted, terms: new Set(text.split(" ")) };
}

it("takes an instruction once, though another line leads to it", () => {
  const found = lineOf("mem_1", "found", "Ada flies to Porto");
  const instruction = lineOf("mem_2", "instruction", "give prices with VAT");
  const followUps = (line: Line) => (line === found ? [instruction] : []);
  const { chosen } = choose([found, instruction], { maxTokens: 100, followUps, serves: () => true });
  expect(chosen.map(({ id }) => id).toSorted()).toEqual(["mem_1", "mem_2"]);
});
