import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import wabt from "wabt";
import { KERNEL_BASE64 } from "./kernel.ts";

test("the module in kernel.ts is what kernel.wat compiles to", async () => {
  const source = await readFile(new URL("kernel.wat", import.meta.url), "utf8");
  const module = (await wabt()).parseWat("kernel.wat", source, { simd: true });
  expect(KERNEL_BASE64).toBe(Buffer.from(module.toBinary({}).buffer).toString("base64"));
});
