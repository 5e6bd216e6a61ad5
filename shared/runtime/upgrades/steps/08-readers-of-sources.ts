import { type AddingStep, adding } from "./step.ts";

export const step: AddingStep = {
  version: 4,
  name: "store which reader read the content of sources",
  kinds: ["source"],
  upgrade: adding(({ content_hash, reader }) =>
    content_hash === undefined || reader !== undefined ? undefined : { reader: "1" },
  ),
};
