import { expect, it } from "vitest";
import { IS_FULL, measure } from "./linear.ts";
import { SHAPES, TELLING_SHAPES } from "./shapes.ts";
import { SLOW, VERBS } from "./verbs.ts";

const shapes = IS_FULL ? Object.keys(SHAPES) : TELLING_SHAPES;
const FULL_MS = 1_800_000;

it.each(Object.entries(VERBS))(
  "a pass over people's text takes time in proportion to its length: %s",
  async (name, verb) => {
    await verb(SHAPES.prose?.(5_000) ?? "");
    const faults: string[] = [];
    for (const shape of shapes) {
      const { ms, length, fault } = await measure(verb, SHAPES[shape] ?? String, SLOW[name]);
      if (fault !== undefined) faults.push(`${shape}: ${fault}`);
      if (IS_FULL) process.stdout.write(`MEASURED\t${Math.round(ms)}\t${length}\t${name}\t${shape}\n`);
    }
    expect(faults).toEqual([]);
  },
  FULL_MS,
);

it("a pass that takes time in proportion to the square of the length is a fault", async () => {
  // Time and not steps, which a fast machine would end below the noise.
  const spin = ({ length }: string) => {
    const started = process.threadCpuUsage();
    for (let spent = 0; spent < (length / 75) ** 2; ) {
      const { user, system } = process.threadCpuUsage(started);
      spent = user + system;
    }
  };
  expect(await measure(spin, (length) => "a".repeat(length))).toHaveProperty("fault");
});
