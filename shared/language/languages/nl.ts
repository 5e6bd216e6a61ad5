import { stemmer } from "@orama/stemmers/dutch";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const nl = {
  name: "Dutch",
  stems: stemsBy(stemmer),
  letters: "ëïé",
  functionWords: `de het een en of is zijn was waren heeft hebben had wordt worden werd niet ook op met voor van naar aan bij uit over
   onder in te dat die dit deze wie wat waar wanneer hoe ik jij je hij zij ze wij we jullie mij hem haar ons mijn jouw
   onze hun er maar nog al geen om als dan`,
  markers: `
    uur avonds ochtends spreken afspraak af mee mensen weer zou moeten zullen morgens s
    heb nu moet wil twee zegt nooit wel weg altijd sinds keer alleen zit laat jaar iets elke eens door graag even
    vandaag morgen gisteren kan kunnen gaat ga dus meer koffie stuur geloof veel tot iemand tijd lieve toch anders
    daar minder zeg`,
  dates: {
    months:
      "januari|jan;februari|feb;maart|mrt;april|apr;mei;juni|jun;juli|jul;augustus|aug;september|sept|sep;oktober|okt;november|nov;december|dec",
    weekdays: "maandag|ma;dinsdag|di;woensdag|wo;donderdag|do;vrijdag|vr;zaterdag|za;zondag|zo",
    habits: "maandags|'s maandags;dinsdags;woensdags|'s woensdags;donderdags;vrijdags;zaterdags;zondags|'s zondags",
    ambiguous: "jan|mei|april|juni|augustus|juli|jun|jul|ma|di|wo|do|vr|za|zo|mrt|feb|apr|sep|okt|nov|dec",
    units: "minuut|minuten;uur|uren;dag|dagen;week|weken;weekend|weekeinde;maand|maanden;jaar|jaren",
    seasons: "lente|voorjaar;zomer;herfst|najaar;winter",
    numbers: "een|één;twee;drie;vier;vijf;zes;zeven;acht;negen;tien;elf;twaalf;dertien;veertien;vijftien",
    few: "een paar|enkele|enige",
    days: "eergisteren;gisteren|gisteravond|gisterochtend|gistermiddag|vannacht|gisteren avond;vandaag|vanmorgen|vanochtend|vanmiddag|vanavond;morgen|morgenochtend|morgenavond|morgenmiddag;overmorgen",
    last: "vorige|vorig|afgelopen|laatste",
    penultimate: "voorlaatste|eervorige",
    ordinals: "eerste;tweede;derde;vierde",
    this: "deze|dit",
    next: "volgende|volgend",
    coming: "komende|aanstaande|komend",
    nextIsOfNextWeek: true,
    pastMany: "afgelopen|laatste|voorbije|vorige",
    nextMany: "komende|volgende|aankomende",
    ago: "geleden",
    ahead: "over",
    later: "later|daarna",
    nextDay: "de volgende dag|de dag daarna",
    every: "elke|iedere|elk|ieder",
    onDay: "op|vanaf|per",
    noDate: "goede morgen|black friday|goede vrijdag",
    on: "op|in|om|van|voor|na|tegen|tijdens|rond|vanaf|begin|eind|half|medio|per|jaar|de",
    weak: "de|voor|van|na",
    since: "sinds|sedert",
    until: "tot|tot en met|uiterlijk|voor|tegen",
    before: "voor|voordat",
    after: "na|nadat",
    from: "van|vanaf",
    to: "tot|tot en met|t/m",
    between: "tussen",
    and: "en",
    article: "de|het|van",
    at: "om|rond|vanaf",
    oclock: "uur|u",
    am: "vanmorgen|vanochtend|morgenochtend|gisterochtend|'s ochtends|'s morgens|ochtend",
    pm: "vanavond|vanmiddag|morgenavond|morgenmiddag|gisteravond|gistermiddag|'s middags|'s avonds|'s nachts|avond|middag",
    lasting: "gedurende",
    approximate: "ongeveer|bijna|circa|zo'n",
    holidays: {
      "12-25": "kerst|kerstmis",
      "12-24": "kerstavond",
      "12-31": "oudjaarsavond|oudjaar",
      "1-1": "nieuwjaarsdag",
    },
    due: "datum|deadline",
    perfect: {
      reach: 25,
      auxiliary: /^(?:heb|hebt|heeft|hebben|ben|bent|is|zijn)$/u,
      participle: /^(?:\p{L}{0,6}ge\p{L}{2,}(?:d|t|en)|(?:ver|be|ont|her)\p{L}{3,}(?:d|t|en))$/u,
    },
    moves: { verb: /^(?:verplaatst|verzet|uitgesteld|verschoven|verlengd)$/, to: /^(?:naar|tot)$/ },
    past: /^(?:was|waren|werd|werden|had|hadden|ging|gingen|kwam|kwamen|zag|gaf|vond|stierf|begon|begonnen|deed|zei|woonde|werkte|regende|viel|liep|schreef|nam|bleef|kocht|dacht|bracht|las|at|dronk|reed|vloog|sprak)$/u,
    future: /^(?:zal|zullen|zult|ga|gaat|gaan|wil|willen|moet|moeten|kan|kunnen)$/,
    functionWords:
      "het|een|ik|van|niet|en|de|is|op|te|dat|die|voor|met|mijn|we|zijn|heb|heeft|ben|er|om|aan|ook|maar|wij|je|naar|sinds|was|hebben|geleden",
  },
} satisfies LanguagePack;
