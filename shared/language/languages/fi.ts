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
    passwords: "salasanan[ai]|salalause",
    pins: "pin-?koodi|vahvistuskoodi|kertakäyttökoodi|tunnusluku",
    codes: "koodi",
    sent: "tekstiviesti|sms|sain|lähetti",
    backupCodes: "(?:vara|palautus)koodit?",
    passports: "passi(?:n(?:umero)?)?|henkilökortti|ajokortti",
    access: String.raw`kirjaud\p{L}{1,4}|tili|wifi`,
    changes: "vaihdoin|uusi on",
  },
} satisfies LanguagePack;
