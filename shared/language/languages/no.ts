import { stemmer } from "@orama/stemmers/norwegian";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const no = {
  name: "Norwegian",
  stems: stemsBy(stemmer),
  letters: "åæø",
  functionWords: `en ei et og eller er var har hadde at det den de som ikke på med for av til fra i om ved etter under jeg du han hun
   vi meg deg ham henne oss min mitt mine din ditt dine sin sitt sine hva hvem hvor når hvordan også men så nå mye ingen`,
  voices: {
    firstPerson: "jeg meg mit",
    orders: "aldri",
    returns: "for_øvrig forresten kan_du",
  },
  mails: {
    mailFields: "fra|til|emne|sendt|dato",
    mailSubjects: "emne",
    salutations: "kjære",
    greetings: "hei",
    closings: "(?:mange )?hilsen(?:er)?",
  },
  secrets: {
    passwords: "passfrase(?:n)?",
    pins: "pin-?kode(?:n)?|(?:engangs|bekreftelses)-?kode(?:n)?",
    codes: "koden?",
    sent: "sms|fikk|sendte",
    backupCodes: "(?:reserve|gjenopprettings)-?(?:koder|nøkkel)",
    passports: "pass(?:nummer|et)|førerkort",
    access: "logg(?:er|e)? inn|konto|wifi",
    changes: "endret|byttet|det nye",
  },
} satisfies LanguagePack;
