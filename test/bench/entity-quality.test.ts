import { expect, test } from "vitest";
import { measureEntities } from "./entity-quality.ts";

test("built-in extraction finds the entities of a conversation it was not made for", async ({ skip, annotate }) => {
  const quality = await measureEntities();
  if (quality === undefined) return skip("no LoCoMo data beside the project");
  const { labelled, recall, precision, typed, missed, wrong } = quality;
  await annotate(
    `recall ${recall.toFixed(3)} of ${labelled}, precision ${precision.toFixed(3)}, type ${typed.toFixed(3)}`,
  );
  await annotate(`missed: ${missed.join(", ")}; wrong: ${wrong.join(", ")}`);
  expect(labelled).toBeGreaterThanOrEqual(60);
  expect(recall).toBeGreaterThanOrEqual(0.8);
  expect(precision).toBeGreaterThanOrEqual(0.7);
});
