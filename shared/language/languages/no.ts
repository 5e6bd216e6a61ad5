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
    devices: "kort* mobil*",
    passwords: "passord* passfras*",
    keys: "nøkkel*",
    access: "logg* *nettet banken overalt",
    users: "bruker*",
    changes: "endret byttet",
    sent: "fikk sendte",
    backups: "gjenoppretting*",
    equals: "er",
    copulas: "er",
    passports: "pass(?:nummer|et)|førerkort",
  },
} satisfies LanguagePack;
