import { expect, it } from "vitest";
import { summaryTask } from "./summary.ts";

const summaryOf = async (lead: string) => (await summaryTask.builtIn({ title: "", lead, headings: [] })).summary;

it.each([
  [
    "rows of a table",
    "| Berth | Fee |\n|---|---|\n| North quay | 120 |\n\nThe fee of the pier rises to 80 euros in May.",
  ],
  ["a mail's header", "From: Ada <ada@example.org>\nDate: 2024-03-05\n\nThe fee of the pier rises to 80 euros in May."],
])("the summary of a document leaves out %s", async (_what, lead) => {
  expect(await summaryOf(lead)).toBe("The fee of the pier rises to 80 euros in May.");
});

it("the summary of a document with only a table consists of its rows", async () => {
  expect(await summaryOf("| Berth | Fee |\n|---|---|\n| North quay | 120 |")).toContain("North quay");
});
