import type { StoredRecord } from "../../../ports/record-store.ts";
import { type AddingStep, type Attributes, adding } from "./step.ts";

export const step: AddingStep = {
  version: 3,
  name: "list chains of skills by creation time",
  kinds: ["chain"],
  upgrade: adding(listingOfChain),
};

function listingOfChain({ id, org, created_at, gsi1pk }: StoredRecord): Attributes | undefined {
  if (gsi1pk !== undefined || org === undefined || created_at === undefined) return undefined;
  return { gsi1pk: `${org}#chains`, gsi1sk: `${created_at}#${id}` };
}
