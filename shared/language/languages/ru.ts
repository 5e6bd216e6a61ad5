import { stemmer } from "@orama/stemmers/russian";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const ru = {
  name: "Russian",
  script: "Cyrillic",
  stems: stemsBy(stemmer),
  functionWords: ``,
} satisfies LanguagePack;
