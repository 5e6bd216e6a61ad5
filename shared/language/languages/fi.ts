import { stemmer } from "@orama/stemmers/finnish";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const fi = {
  name: "Finnish",
  stems: stemsBy(stemmer),
  letters: "äö",
  functionWords: `ja tai on ovat oli olivat ei en että se ne tämä nämä hän he minä sinä me te minun sinun hänen mikä mitä kuka missä
   milloin miten kun jos niin myös mutta kuin olen olet vain nyt hyvin`,
  voices: {
    speech: "kirjoitti sanoi",
    texts: "viesti kirje teksti",
    tasks: "käännä tiivistä korjaa",
    pointing: "tämä seuraava",
    firstPerson: "minä minun",
  },
  courtesies: {
    words: "moi kiitos",
  },
  mails: {
    mailFields: "lähettäjä|vastaanottaja|aihe|lähetetty",
    salutations: "hyvä|rakas",
    closings: "ystävällisin terveisin",
  },
  secrets: {
    devices: "kort* puhelin*",
    phrases: "salalaus*",
    passwords: "salasan* salalaus*",
    pins: "tunnusluku",
    codes: "koodi*",
    keys: "avain",
    access: "kirjaud* tili verkko* pankki",
    users: "käyttäj*",
    changes: "vaihdoin",
    sent: "sain lähetti tekstiviesti",
    backups: "vara* palautus*",
    equals: "on",
    copulas: "on",
    passports: "passi(?:n(?:umero)?)?|henkilökortti|ajokortti",
  },
} satisfies LanguagePack;
