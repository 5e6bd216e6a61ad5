import { expect, it, vi } from "vitest";
import { createOutput } from "../../clients/typescript/src/cli/output.ts";

it("ends the line of a progress bar before it writes another line", () => {
  let written = "";
  const keep = (text: string | Uint8Array) => {
    written += text;
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockImplementation(keep);
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    const output = createOutput(false);
    output.progress(1, 2, "rows");
    output.note("row 1: empty");
    output.progress(2, 2, "rows");
    output.progress(1, 3, "rows");
    output.print({}, () => "done");
  } finally {
    process.stderr.isTTY = isTTY;
    vi.restoreAllMocks();
  }
  const bar = (marks: number) => `\r[${"#".repeat(marks)}${"-".repeat(30 - marks)}]`;
  expect(written.split("\n")).toEqual([
    `${bar(15)} 1 of 2 rows`,
    "row 1: empty",
    `${bar(30)} 2 of 2 rows`,
    `${bar(10)} 1 of 3 rows`,
    "done",
    "",
  ]);
});
