import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hashOfViews, PICTURED } from "../console/views.ts";

it("the pictures of the documentation show the console as it is", () => {
  const pictured = readFileSync(PICTURED, "utf8").trim();
  expect(pictured, "The console has changed since: run `npm run screenshots`, and commit the pictures").toBe(
    hashOfViews(),
  );
});
