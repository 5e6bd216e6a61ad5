import type { LanguageTable } from "./tables.ts";

export const de: LanguageTable = {
  months:
    "januar|jänner|jan;februar|feber|feb;märz|maerz;april|apr;mai;juni|jun;juli|jul;august|aug;september|sept|sep;oktober|okt;november|nov;dezember|dez",
  weekdays: "montag|mo;dienstag|di;mittwoch|mi;donnerstag|do;freitag|fr;samstag|sonnabend|sa;sonntag|so",
  habits: "montags;dienstags;mittwochs;donnerstags;freitags;samstags;sonntags",
  capitalNouns: true,
  ambiguous: "mai|august|april|juni|jan|juli|jul|jun|mo|di|mi|do|fr|sa|so",
  units:
    "minute|minuten;stunde|stunden;tag|tage|tagen|tages;woche|wochen;wochenende|wochenenden;monat|monate|monaten|monats;jahr|jahre|jahren|jahres",
  seasons: "frühling|frühjahr;sommer;herbst;winter",
  numbers:
    "ein|eine|einem|einer|einen|eins;zwei;drei;vier;fünf;sechs;sieben;acht;neun;zehn;elf;zwölf;dreizehn;vierzehn;fünfzehn",
  few: "ein paar|einigen|einige|wenigen|mehreren",
  days: "vorgestern;gestern|gestern abend|gestern morgen|gestern früh|letzte nacht;heute|heute morgen|heute früh|heute abend|heute nachmittag|heute nacht|heute mittag;morgen|morgen früh|morgen abend|morgen nachmittag|morgen mittag;übermorgen|uebermorgen",
  periods: {
    "month -6": "vor einem halben jahr",
    "year -1": "letztes jahr|voriges jahr",
    "month 0": "ende des monats|monatsende|ende dieses monats",
    "year 0": "ende des jahres|jahresende|ende dieses jahres",
  },
  last: "letzten|letzte|letztes|letzter|letztem|vorigen|vorige|voriges|vergangenen|vergangene|vergangenes|vergangener",
  penultimate: "vorletzten|vorletzte|vorletztes|vorletzter|vorletztem|vorvorigen|vorvorige",
  ordinals:
    "ersten|erste|erstes|erster|1.;zweiten|zweite|zweites|zweiter|2.;dritten|dritte|drittes|dritter|3.;vierten|vierte|viertes|vierter|4.;fünften|fünfte;sechsten|sechste;siebten|siebte;achten|achte;neunten|neunte;zehnten|zehnte;elften|elfte;zwölften|zwölfte;dreizehnten|dreizehnte;vierzehnten|vierzehnte;fünfzehnten|fünfzehnte;sechzehnten|sechzehnte;siebzehnten|siebzehnte;achtzehnten|achtzehnte;neunzehnten|neunzehnte;zwanzigsten|zwanzigste;einundzwanzigsten|einundzwanzigste;zweiundzwanzigsten|zweiundzwanzigste;dreiundzwanzigsten|dreiundzwanzigste;vierundzwanzigsten|vierundzwanzigste;fünfundzwanzigsten|fünfundzwanzigste;sechsundzwanzigsten|sechsundzwanzigste;siebenundzwanzigsten|siebenundzwanzigste;achtundzwanzigsten|achtundzwanzigste;neunundzwanzigsten|neunundzwanzigste;dreißigsten|dreißigste;einunddreißigsten|einunddreißigste",
  this: "diesen|diese|dieses|dieser|diesem",
  next: "nächsten|nächste|nächstes|nächster|nächstem|kommende woche",
  coming: "kommenden|kommende|kommendes|kommender",
  pastMany: "letzten|letzte|vergangenen|vergangene",
  nextMany: "nächsten|nächste|kommenden|kommende",
  ago: "zuvor her",
  agoBefore: "vor",
  ahead: "in",
  later: "später|danach",
  nextDay: "am nächsten tag|am folgenden tag|am tag darauf",
  everyOther: "jeden zweiten|jede zweite|alle zwei",
  every: "jeden|jede|jedes|jedem",
  onDay: "am|vom|zum|bis zum|den|ab dem|seit dem",
  noDate: "guten morgen|schönen morgen|am morgen|rosenmontag|black friday",
  on: "am|im|in|an|um|gegen|vor|nach|ab|zum|beim|anfang|ende|mitte|vom|den|für|von|jahr",
  weak: "den|für|vor|von|zum",
  since: "seit|seit dem",
  until: "bis|bis zum|bis zu|spätestens|bis ende|bis anfang",
  before: "vor|bevor|ehe",
  after: "nach|nachdem",
  from: "vom|von|zwischen",
  to: "bis|bis zum",
  between: "zwischen|zwischen dem",
  and: "und",
  article: "der|die|das|dem|den|des",
  at: "um|gegen|ab",
  oclock: "uhr",
  am: "morgens|vormittags|am morgen|am vormittag|früh",
  pm: "nachmittags|abends|am nachmittag|am abend|nachts|abend|nachmittag",
  lasting: "für|seit",
  approximate: "etwa|ungefähr|rund|circa|ca|fast",
  holidays: { "12-25": "weihnachten", "12-24": "heiligabend", "12-31": "silvester", "1-1": "neujahr" },
  due: "frist|fällig|termin|datum",
  perfect: {
    reach: 25,
    auxiliary: /^(?:habe|hab|hast|hat|haben|habt|bin|bist|ist|sind|seid)$/u,
    participle:
      /^(?:\p{L}{0,8}ge\p{L}{2,}(?:t|en)|(?:be|ver|er|ent|zer|miss)\p{L}{3,}(?:t|en)|\p{L}{3,}iert|gewesen|\p{L}{2,5}ge(?:tan|gangen))$/u,
  },
  moves: { verb: /^(?:verschoben|verlegt|vorverlegt|verlängert|vertagt)$/, to: /^(?:auf|bis)$/ },
  past: /^(?:war|waren|wurde|wurden|hatte|hatten|ging|gingen|kam|kamen|fuhr|fuhren|sah|gab|fand|starb|begann|machte|sagte|lebte|wohnte|arbeitete|kaufte|regnete|zog|lief|flog|blieb|schrieb|traf|nahm|sprach|trank|aß|\p{L}{4,}(?:te|ten))$/u,
  future:
    /^(?:werde|wirst|wird|werden|werdet|möchte|will|wollen|möchte|möchten|muss|müssen|soll|sollen|kann|können|geplant)$/,
  present:
    /^(?:arbeite|warte|biete|heirate|rate|halte|miete|leite|starte|achte|heute|bitte|möchte|könnte|sollte|hätte|wäre|würde|könnten|sollten|möchten|hätten|würden|leute|heute|gute|guten|zweite|dritte|letzte|nächste|beste|ersten|letzten|nächsten|weite|breite|seite)$/u,
  functionWords:
    "ich|der|das|dem|den|ist|nicht|ein|eine|einen|mit|auf|wir|sie|es|zu|von|mein|meine|und|die|bin|habe|hat|im|am|um|seit|bis|vor|für|auch|aber|wird|haben|sind|war|uhr|heute|gestern|morgen|letzten|nächste",
};
