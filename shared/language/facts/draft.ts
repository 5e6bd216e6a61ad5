import type { Act, Cardinality, FactDraft } from "../slots/fact.ts";
import { cardinalityOf } from "../slots/slots.ts";

import type { Validity } from "./validity.ts";

/** Confidence of a draft by the kind of statement it was read from. */
export const CONFIDENCE = { slot: 0.85, property: 0.8, plan: 0.7, unsure: 0.4 };

/** Below this confidence, an end is a guess. */
const MIN_END_CONFIDENCE = 0.5;

export type Draft = Omit<FactDraft, "span">;

export interface DraftInput {
  subject: string;
  attribute: string;
  value: string;
  act: Act;
  validity?: Validity;
  replaces?: string;
  confidence?: number;
  cardinality?: Cardinality;
}

const MAX_VALUE_CHARACTERS = 300;
const MAX_ATTRIBUTE_CHARACTERS = 80;

/** Returns a draft with bounded lengths. Confidence and cardinality have defaults by slot. */
export function draftOf({
  subject,
  attribute,
  value,
  act,
  validity,
  replaces,
  confidence = CONFIDENCE.slot,
  cardinality,
}: DraftInput): Draft {
  const { from, to } = validity ?? {};
  const isEnd = act === "end" || act === "cancel";
  const end = isEnd ? (to ?? from) : to;
  return {
    subject,
    attribute: attribute.slice(0, MAX_ATTRIBUTE_CHARACTERS),
    cardinality: cardinality ?? cardinalityOf(attribute),
    value: withoutOpenParenthesis(value.replace(TAGS, "")).slice(0, MAX_VALUE_CHARACTERS).toWellFormed().trim(),
    act,
    ...(replaces !== undefined && { replaces }),
    confidence,
    ...(isEnd && confidence < MIN_END_CONFIDENCE && { is_guess: true }),
    ...(from !== undefined && !isEnd && { valid_from: from }),
    ...(end !== undefined && { valid_to: end }),
  };
}

/** Tags and their halves that the cut of a value leaves: "<b>Bob</b>", "b>Bob</b", "lt;b&gt;Bob". */
const TAGS =
  /(?<![\p{L}\p{N}])(?:<|&?lt;)[a-z][\w-]*(?:\s[^<>]*)?(?:>|&gt;?)|^[a-z][a-z\d]*>|(?:<|&?lt;)\/[a-z][a-z\d]*(?:>|&gt;?|$)/giu;

/** Removes a parenthesis whose end is not part of the value: "Miso (our cat". */
function withoutOpenParenthesis(value: string): string {
  const opening = value.lastIndexOf("(");
  return opening <= 0 || value.includes(")", opening) ? value : value.slice(0, opening);
}
