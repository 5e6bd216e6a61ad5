import { stemmer } from "@orama/stemmers/swedish";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const sv = {
  name: "Swedish",
  stems: stemsBy(stemmer),
  letters: "åäö",
  functionWords: `en ett och eller är var har hade att det den de som inte på med för av till från i om vid efter under jag du han hon
   vi ni mig dig honom henne oss min mitt mina din ditt dina sin sitt sina vad vem när hur också men så nu mycket ingen`,
  cues: {
    negations: "inte aldrig ingen inga",
    imagined: "kanske",
    claimed: "säger tror påstår",
    formerly: "förr tidigare",
    cancelled: "inställ[dt]",
    lasting: "alltid aldrig framöver",
    clauseOpenings: "och|men",
    firstPerson: "jag vi",
    thirdPerson: "han hon",
    others: `
      mamma pappa syster bror fru man son dotter mormor farmor morfar farfar moster granne kollega chef hund
      katt`,
  },
  voices: {
    speech: "skrev skriver säger sade siger sagde sier sa",
    texts: "meddelande* brev text utskrift citat dikt sång samtal berättelse recension kommentar besked tekst",
    tasks: "översätt* sammanfatta* rätta korrigera* förbättra* oversæt* oversett* opsummer* oppsummer* ret",
    pointing: "detta denna följande nedan dette denne følgende nedenfor ovan",
    fiction: "för_min_berättelse låtsas rollspel föreställ_dig det_var_en_gång",
    ownLabels: "obs kom_ihåg viktigt påminnelse husk vigtigt viktig",
    firstPerson: "jag mig min mitt",
    secondPerson: "ditt din",
    orders: "alltid aldrig",
    documents: "artikel sida dokument fil protokoll resultat",
    returns: "hur_som_helst för_min_del (?:kan|skulle)_du",
    asides: "förresten",
  },
  courtesies: {
    words: "hej tack",
    greetings: "hej",
  },
} satisfies LanguagePack;
