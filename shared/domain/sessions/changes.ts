import { sentenceCase } from "../../kernel/strings.ts";
import { INSTRUCTION, USER } from "../../language/slots/fact.ts";
import { UNNAMED_SPEAKER } from "../../language/statements/speakers.ts";
import type { PlacedFact } from "../memory/fact-reader.ts";
import { closed } from "./sentences.ts";

type ChangedFact = Pick<PlacedFact, "subject" | "attribute" | "value" | "content" | "status" | "valid_from">;

/** Attributes that are verbs ("works_at"), and attributes that follow "is" ("allergic_to"); all others are nouns. */
const VERB =
  /^(?:lives|works|studies|learns|speaks|plays|eats|drinks|does_not|drives|owns|takes|uses|likes|dislikes|prefers)(?:_|$)/;
const PREDICATE = /^(?:from|born|afraid_of|(?:allergic|assigned)_to|responsible_for)$/;

/** Returns the change by a fact as a sentence: "The user now lives in Hamburg, formerly Berlin." */
export function describeChange(fact: ChangedFact, former: Pick<PlacedFact, "value" | "content"> | undefined): string {
  const { subject, attribute, content } = fact;
  if (attribute === INSTRUCTION) {
    const replaced = former === undefined ? "" : ` instead of "${unquoted(former.content)}"`;
    return `Now "${unquoted(content)}" holds${replaced}.`;
  }
  const owner = subject === USER ? UNNAMED_SPEAKER : subject;
  const before =
    former === undefined ? "" : `, ${fact.status === "planned" ? "until then" : "formerly"} ${former.value}`;
  return closed(sentenceCase(`${statementOf(owner, fact)}${before}`));
}

function statementOf(owner: string, { attribute, value, status, valid_from }: ChangedFact): string {
  const words = attribute.replaceAll("_", " ");
  const isPlanned = status === "planned";
  const time = isPlanned ? "" : "now ";
  const from = isPlanned ? ` from ${valid_from.slice(0, "2026-11-23".length)} on` : "";
  if (VERB.test(attribute)) return `${owner} ${time}${words} ${value}${from}`;
  if (PREDICATE.test(attribute)) return `${owner} is ${time}${words} ${value}${from}`;
  return `${owner}'s ${words} is ${time}${value}${from}`;
}

function unquoted(text: string): string {
  return text.replaceAll('"', "'");
}
