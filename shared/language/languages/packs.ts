import { ar } from "./ar.ts";
import { cs } from "./cs.ts";
import { da } from "./da.ts";
import type { DateWords } from "./date-words.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fi } from "./fi.ts";
import { fr } from "./fr.ts";
import { further } from "./further.ts";
import { hi } from "./hi.ts";
import { hu } from "./hu.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import { nl } from "./nl.ts";
import { no } from "./no.ts";
import type { LanguagePack, LanguageWords } from "./pack.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { sv } from "./sv.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";

/** All languages; where two are equally likely, the first is taken. */
const ALL = { en, de, fr, es, it, pt, nl, sv, da, no, fi, pl, tr, ru, ja, zh };
export type Language = keyof typeof ALL;

/** The packs by ISO 639-1 code. */
export const PACKS: Readonly<Record<Language, LanguagePack>> & { en: { dates: DateWords } } = ALL;

/** The languages in Latin script. */
export const LATIN_LANGUAGES = (Object.keys(ALL) as Language[]).filter((code) => PACKS[code].script === undefined);

/** Those of languages of which only words are known: the detector does not tell these. */
export const ALL_WORDS: readonly LanguageWords[] = [...Object.values(ALL), ko, hi, ar, hu, cs, further];
