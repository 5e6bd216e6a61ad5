import { stemmer } from "@orama/stemmers/danish";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const da = {
  name: "Danish",
  stems: stemsBy(stemmer),
  letters: "åæø",
  functionWords: `en et og eller er var har havde at det den de som ikke på med for af til fra i om ved efter under jeg du han hun vi
   mig dig ham hende os min mit mine din dit dine sin sit sine hvad hvem hvor hvornår hvordan også men så nu meget ingen`,
  courtesies: {
    words: "tak",
  },
  mails: {
    salutations: "kære",
  },
  intros: {
    from: "af",
  },
  secrets: {
    devices: "kort* mobil*",
    passwords: "adgangskod* kodeord* kodefrase*",
    keys: "nøgle*",
    access: "*nettet banken overalt",
    changes: "ændrede",
    sent: "fik",
    backups: "nød* gendannelse*",
    equals: "er",
    copulas: "er",
    passports: "pas(?:nummer|set)|kørekort",
  },
  sentences: {
    beforeOrdinals: String.raw`den|d\.`,
  },
} satisfies LanguagePack;
