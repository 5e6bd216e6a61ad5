import { occurredMs } from "../../../kernel/event-time.ts";
import { endsAsQuestion, speakerOf } from "../ranking/features.ts";
import type { NeighboursInTime } from "../ranking/rank.ts";
import type { LineDocument } from "./line.ts";

/** Begins like an answer, or with a word that refers to the previous text. */
const OPENS_WITH_REFERENCE =
  /^\W*(?:yes|yeah|yep|no|nope|not really|sure|exactly|both|neither|either|same|because|he|she|it|they|them|this|that|these|those|there|the (?:first|second|other|latter|former|last)(?: one)?|ja|nein|doch|beide|er|sie|es|das|weil|sí|si|ambos|ella|él|eso|porque|oui|non|elle|il|ça|parce)(?![\p{L}\p{M}])/iu;

/** Returns the previous document of the session if it is needed to understand this one. */
export function neededBefore(
  document: LineDocument,
  { inTime, documents }: NeighboursInTime,
): LineDocument | undefined {
  if (document.session_id === undefined) return undefined;
  const before = new Set((inTime.get(document.id) ?? []).filter((id) => id !== document.id));
  const at = occurredMs(document);
  const previous = documents
    .filter((each) => before.has(each.id) && isBefore(each, document, at))
    .reduce<LineDocument | undefined>(
      (last, each) => (last && isBefore(each, last, occurredMs(last)) ? last : each),
      undefined,
    );
  if (previous === undefined) return undefined;
  const answers = endsAsQuestion(previous.content) && speakerOf(previous) !== speakerOf(document);
  return answers || OPENS_WITH_REFERENCE.test(document.content) ? previous : undefined;
}

function isBefore(one: LineDocument, other: LineDocument, at: number): boolean {
  const between = occurredMs(one) - at;
  return between < 0 || (between === 0 && one.id < other.id);
}
