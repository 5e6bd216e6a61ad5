import { fileURLToPath } from "node:url";
import { extract } from "../../../shared/domain/memory/extraction.ts";
import type { PlacedFact } from "../../../shared/domain/memory/fact-reader.ts";
import { placeFacts } from "../../../shared/domain/memory/facts/timeline/timeline.ts";
import { rulesWithinTask } from "../../../shared/domain/models/built-in-model.ts";
import { FactTagger } from "../../../shared/domain/models/onnx/fact-tagger.ts";
import { readReaderFolder } from "../../../shared/domain/models/onnx/model-folder.ts";
import { mergedDrafts, readTextOf } from "../../../shared/language/facts/merged-drafts.ts";
import type { FactDraft } from "../../../shared/language/slots/fact.ts";
import { slotKey } from "../../../shared/language/slots/slot-key.ts";
import { readPassage } from "../../../shared/language/statements/passage.ts";
import type { JsonObject } from "../../../shared/ports/json.ts";
import type { Stored } from "./questions.ts";

const READER = fileURLToPath(new URL("../../../models/reader", import.meta.url));
const ASSISTANT = "assistant";

type Stated = FactDraft & Pick<PlacedFact, "id" | "memory_id" | "observed_at">;

/** Reads texts by rules and model, as the service does. Returns the placed facts by the id of their text. */
export async function readFacts(stored: Stored[]) {
  const tagger = await FactTagger.open(READER);
  const { least } = readReaderFolder(READER).labels;
  const slots = new Map<string, Stated[]>();
  for (const { id, user, content, created_at, speaker } of stored) {
    if (speaker === ASSISTANT) continue;
    const metadata: JsonObject = speaker === undefined ? {} : { speaker };
    const memory = { content, metadata, occurred_at: created_at };
    const message = { before: "", text: content };
    const input = {
      message,
      passage: await readPassage(memory),
      day: created_at.slice(0, 10),
      userNames: new Set<string>(),
    };
    const rules = (await extract({ fast: rulesWithinTask, verify: rulesWithinTask }, memory)).drafts;
    const drafts = mergedDrafts(rules, readTextOf(await tagger.read(message), input, least));
    for (const [place, draft] of drafts.entries()) {
      const slot = `${user}|${slotKey(draft.subject, draft.attribute)}`;
      const fact = { ...draft, id: `${id}#${place}`, memory_id: id, observed_at: created_at };
      if (draft.attribute !== "") slots.set(slot, [...(slots.get(slot) ?? []), fact]);
    }
  }
  const placed = [...slots.values()].flatMap((facts) => placeFacts(facts, new Date()));
  return Map.groupBy(placed, ({ memory_id }) => memory_id);
}
