import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import type { ForeignGrammar } from "./grammar.ts";
import { SPANISH } from "./spanish.ts";

/** Languages that have a grammar of their own. */
export const FOREIGN_GRAMMARS: readonly (ForeignGrammar & { language: "de" | "fr" | "es" })[] = [
  { ...GERMAN, language: "de" },
  { ...FRENCH, language: "fr" },
  { ...SPANISH, language: "es" },
];
