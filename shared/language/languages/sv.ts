import { stemmer } from "@orama/stemmers/swedish";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const sv = {
  name: "Swedish",
  stems: stemsBy(stemmer),
  letters: "åäö",
  functionWords: `en ett och eller är var har hade att det den de som inte på med för av till från i om vid efter under jag du han hon
   vi ni mig dig honom henne oss min mitt mina din ditt dina sin sitt sina vad vem när hur också men så nu mycket ingen`,
} satisfies LanguagePack;
