import { stemmer } from "@orama/stemmers/german";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const de = {
  name: "German",
  capitalNouns: true,
  stems: stemsBy(stemmer),
  letters: "äöüß",
  functionWords: `der die das den dem des ein eine einen einem einer und oder ist sind war waren hat haben hatte wird werden wurde
   nicht auch auf mit für von zu zum zur im am bei nach aus über unter vor wie was wer wo wann ich du er sie es wir ihr
   mich mir dir ihn ihm uns euch mein meine meinen meinem meiner dein deine sein seine unser unsere dass noch nur schon
   sehr kein keine`,
  markers: `
    jetzt bitte geht seit mehr immer wieder bis zwei also nein kann sag doch durch ohne macht kannst heißt dann
    wär warum steht sich sagt muss mach jede heute morgen ganz gibt mal hab nix ja danke schreib antworte soll
    sollen möchte gerne aber wenn vom drei beim ab reicht heut keiner passt daheim graz frag ehrlich fünf lieber
    nehm dich studiert schreiben recht dritte gestorben angefangen fragt acht machen halt davon kenn fürs wohn`,
  dates: {
    months:
      "januar|jänner|jan;februar|feber|feb;märz|maerz;april|apr;mai;juni|jun;juli|jul;august|aug;september|sept|sep;oktober|okt;november|nov;dezember|dez",
    weekdays: "montag|mo;dienstag|di;mittwoch|mi;donnerstag|do;freitag|fr;samstag|sonnabend|sa;sonntag|so",
    habits: "montags;dienstags;mittwochs;donnerstags;freitags;samstags;sonntags",
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
  },
  grammar: {
    firstPerson: "ich wir",
    pronouns: "mich mir dich dir euch sich uns es er sie man das dies wer was",
    my: "mein meine meinen meinem meiner unser unsere unseren unserem unserer",
    newAdjectives: "neue neuer neues neuen neuem",
    articles: "der die das den dem des",
    indefinite: "ein eine einen einem einer",
    and: "und aber sondern",
    not: "nicht kein keine keinen keinem keiner nie",
    noLonger: ["nicht mehr", "kein mehr", "keine mehr", "keinen mehr"],
    hypothetical: "wenn falls würde würden könnte könnten möchte möchten wollte ob",
    adverbs:
      "künftig neuerdings jetzt nun inzwischen mittlerweile derzeit momentan aktuell gerade seitdem auch noch schon wieder immer endlich früher damals lange zurzeit eigentlich sehr am liebsten besonders gern gerne",
    since: "seit ab",
    until: "bis",
    is: "ist sind lautet",
    pluralIs: "sind",
    pluralEnding: /n$/,
    schedule:
      /^(?:immer )?(?:(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s|jeden \p{L}+tag|um (?:\d|halb )|\d{1,2}(?:[:.]\d{2})? uhr)/iu,
    isCalled: "heißt heisst heißen heissen",
    have: "habe haben",
    please: "bitte",
    lasting: "immer nie niemals stets",
    joins: "am an der im",
    third: "er sie",
    relatives: "mama mutti papa vati oma opa",
    numbered: "zimmer station linie spind gleis platz raum bett",
    moves: /(?<!\p{L})(?:umgezogen|(?:ziehe?n?|zieht|zog|zogen)\s.*(?<!\p{L})um)(?!\p{L})/iu,
    address:
      /^(?:nach (?:der |die )?(?<place>\p{Lu}[\p{L}-]+(?: (?:am|an der|im|\p{Lu}[\p{L}-]+))*)|(?<street>\p{Lu}[\p{L} -]{0,30}(?:straße|strasse|str\.|weg|gasse|platz|allee|ring|ufer|damm|Straße|Weg|Gasse|Platz|Allee|Ring|Ufer|Damm) \d{1,4}\p{Ll}?))/u,
    kin: {
      partner: "mann frau ehemann ehefrau freundin partner partnerin",
      child: "sohn söhne tochter töchter kind kinder",
      sibling: "bruder schwester",
      parent: "eltern mutter vater",
      pet: "hund hündin katze kater kaninchen pferd",
      relative: "oma opa onkel tante cousine cousin",
      boss: "chef chefin",
      dentist: "zahnärztin",
      doctor: "hausarzt hausärztin",
    },
    verbs: [
      {
        forms: "wohne wohnen lebe leben / wohnt lebt / wohnte wohnten lebte lebten gewohnt gelebt",
        slot: "lives_in",
        via: "in",
        value: "name",
      },
      {
        forms: "ziehe ziehen / zieht / zog zogen gezogen umgezogen",
        slot: "lives_in",
        via: "nach",
        effect: "start",
        value: "name",
      },
      {
        forms:
          "arbeite arbeiten unterrichte unterrichten / arbeitet unterrichtet / arbeitete arbeiteten gearbeitet unterrichtete unterrichtet",
        slot: "works_at",
        via: "bei beim für am an im",
        value: "name",
      },
      { forms: "arbeite / arbeitet / arbeitete gearbeitet", slot: "works_as", via: "als", value: "word" },
      { forms: "heiße heisse", slot: "name", value: "name" },
      { forms: "bin / ist", slot: "allergic_to", with: "allergisch", via: "gegen auf", value: "word" },
      { forms: "bin / ist / war", slot: "age", value: { unit: "jahre" } },
      { forms: "mag liebe mögen lieben / mag liebt", slot: "likes", negated: "dislikes", value: "word" },
      { forms: "hasse / hasst", slot: "dislikes", value: "word" },
      { forms: "trinke esse / trinkt isst", slot: "likes", with: "gern gerne liebsten", value: "word" },
      { forms: "spreche / spricht", slot: "speaks", value: "word" },
      { forms: "studiere / studiert / studierte studiert", slot: "studies", value: "word" },
    ],
    nouns: {
      lives_in: "umzug wohnung haus zuhause",
      works_at: "job arbeit stelle jobwechsel stellenwechsel arbeitgeber firma beruf",
      partner: "hochzeit heirat ehe scheidung trennung beziehung",
      studies: "studium",
    },
  },
} satisfies LanguagePack;
