import { words } from "../../kernel/text/text.ts";
import { FOREIGN_GRAMMARS } from "../facts/foreign-lexicon.ts";
import { SYNONYMS } from "../facts/properties.ts";
import { KIN, ROLES } from "../slots/slots.ts";
import type { Query } from "./query.ts";

const ENGLISH: ReadonlyMap<string, string> = new Map([...[...ROLES].map((role) => [role, role] as const), ...KIN]);
const FOREIGN = new Map(
  FOREIGN_GRAMMARS.map(({ language, kin }) => [language, new Map(Object.entries(kin).flatMap(byForm))]),
);

function byForm([slot, forms]: [string, string]): [form: string, slot: string][] {
  return words(forms).map(({ folded }) => [folded, slot]);
}

/** Returns the nouns by which a question names somebody, folded, with the slot of each: "sister", sibling. */
export function relationsIn(query: Query): ReadonlyMap<string, string> {
  return query.once(readRelations);
}

function readRelations({ words: asked, language }: Query): ReadonlyMap<string, string> {
  const nouns = language === "en" ? ENGLISH : FOREIGN.get(language);
  return new Map(
    asked.flatMap(({ folded }): [string, string][] => {
      const slot = nouns?.get(folded);
      return slot === undefined ? [] : [[folded, SYNONYMS.get(slot) ?? slot]];
    }),
  );
}
