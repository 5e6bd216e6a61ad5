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
      /^(?:arbeiten?|warten?|bieten?|heiraten?|raten?|halten|mieten|leiten|starten|halte|miete|leite|starte|achte|heute|bitte|möchte|könnte|sollte|hätte|wäre|würde|könnten|sollten|möchten|hätten|würden|leute|heute|gute|guten|zweite|dritte|letzte|nächste|beste|ersten|letzten|nächsten|weite|breite|seite)$/u,
    ownPresent: {
      verbSecond: true,
      pronoun: /^(?:ich|wir)$/,
      verb: /^(?:\p{L}{3,}e|(?:zieh|fahr|flieg|reis|heirat|start|geh|bekomm|krieg|bau|kauf|feier|besuch)e?n)$/u,
    },
    functionWords:
      "ich|der|das|dem|den|ist|nicht|ein|eine|einen|mit|auf|wir|sie|es|zu|von|mein|meine|und|die|bin|habe|hat|im|am|um|seit|bis|vor|für|auch|aber|wird|haben|sind|war|uhr|heute|gestern|morgen|letzten|nächste",
  },
  grammar: {
    pastMoves: "umgezogen|zog|zogen",
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
  questions: {
    interrogatives: "welche welcher welches welchen welchem was wer wem wen wessen wie wo wann wieviel warum",
    before: "früher vorher vorherige damals ehemals ehemalige zuerst zuvor bevor alte",
    cause: "warum|wieso|weshalb|grund|seit|bis|geändert|ändern",
    past: "war waren hatte hatten wurde habe hat gewesen",
    polar: "hat haben war waren ist sind wurde",
    now: "jetzt|jetzige|jetzigen|derzeit|aktuell|aktuelle|aktuellen|heute|momentan|inzwischen|gegenwärtig|noch|zur zeit",
    time: "wann",
    asked: {
      bloodGroup: "blutgruppe",
      otherName: "vorname|vornamen|nachname|nachnamen|familienname",
      code: "telefonnummer|handynummer|passwort|kennzeichen|nummer|pin-code|code",
      age: "alter|wie alt",
      colour: "farbe",
      amount:
        "gehalt|lohn|kostet|kosten|kostete|gekostet|verdiene|verdient|preis|hoch|wie viel|wie viele|wie groß|wie weit|wie lange|wie schnell",
      name: "heißt|heißen|namen|titel|marke",
    },
    from: "von vom aus",
    beforeNouns: "vor|nach",
  },
  values: {
    measures: "punkte|stück|leute|personen|schritte|meilen",
    streetsBefore: "straße|strasse|platz|allee",
    streetsAfter: "straße|strasse|platz|allee",
    nights: "nacht",
    numbers: "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend halb",
    colours: `
      rot rote roter blau blaue blauer grün grüne grüner gelb gelbe schwarz schwarze schwarzer weiß weiße
      weißer grau graue grauer braun braune lila rosa silber`,
    ages: "jahr jahre jahren alt geboren geburtstag",
    nameMarks: "heisst heissen namens herr herrn frau dr doktor firma marke von",
    genitives: "des|der",
  },
  recall: {
    references: "ja|nein|doch|beide|er|sie|es|das|weil",
    emptyWords: "heisst heissen nennt namens hat habe hast haben",
    nounDeterminers:
      /^(?:der|die|das|den|dem|des|im|am|zum|zur|vom|beim|ins|ans|(?:ein|kein|mein|dein|sein|ihr|unser|euer|eur)(?:e[mnrs]?)?|(?:welch|dies|jed|jen|derselb|manch)e[mnrs]?)$/,
    assistant: "du dir dein deine",
    assistantSaid: "hast du|hattest du|du mir",
    happened: `
      passiert passierte geschah geschehen ereignisse ereignis los was war waren ist im am in an der den alles`,
    denials: "nein nicht kein keine keinen nie storniert abgesagt",
    introductions: "ich heiße|mein name ist",
  },
  salience: {
    fillers: `
      der die das den dem des eine einen einem eines einer ist sind war waren wird werden wurde wurden hat
      haben hatte hatten es da so sehr ja doch eben halt eigentlich also auch dann denn mal schon noch nun`,
    prepositions: "in im am bei beim von vom zum zur für über als wie und dass daß oder",
    pronouns: `
      ich mich mir du dich dir er ihn ihm sie wir uns ihr euch mein meine dein deine sein seine unser unsere`,
    vital: `
      nicht kein keine keinen keiner nie niemals nur ohne außer ausser ausgenommen statt wenn falls bis
      abgesagt verboten abgelehnt allergisch allergie muss mehr spätestens mindestens höchstens`,
  },
  conversations: {
    promises: String.raw`ich (?:werde|erinnere|schicke|sende|buche|bestelle|rufe|kümmere|prüfe|melde|schreibe) (?:mich|dich|dir|sie|ihnen|es|das|den|die|morgen|gleich|\p{Lu})`,
    requests: String.raw`(?:kannst|könntest|würdest) du|(?:können|könnten|würden) sie|erinnere? mich|erinnern sie mich|vergiss nicht|bitte (?:schick|send|buch|bestell|schreib|prüf|erinner|reservier|trag|lösch|storn)\p{L}*`,
    limits: "höchstens|maximal|unter",
    done: "erledigt|gebucht|verschickt|bestellt|gesendet|storniert",
    justDone: "erledigt",
    takenBack: "nicht mehr nötig",
    uncertain: "nicht",
    offers: String.raw`\b(?:soll|darf|kann) ich\b`,
    assents: "ja|gern|gerne|bitte",
    settled: String.raw`vereinbart|einverstanden|erstatt\p{L}+|(?:um)?gebucht|bestätigt|gelöst|erledigt|verschick\p{L}+|storniert|ersetzt|gutgeschrieben|überwiesen|(?:zu)?geschickt|gesendet|geklärt|(?:ich|wir) (?:werde|schick|send|schreib|überweis|veranlass|kümmer|meld|stornier|ersetz|buch|reservier)\p{L}*|(?:schick|send|schreib|überweis|veranlass|reservier)\p{L}* (?:ich|wir)|sie (?:bekommen|erhalten)|du (?:bekommst|erhältst)`,
    problems:
      "(?:funktioniert|geht|klappt|lädt|startet) (?:leider |immer noch |einfach )?nicht|nicht (?:angekommen|geliefert|möglich)|fehler(?:meldung)?|kaputt|defekt|abgestürzt",
    noProblems: String.raw`(?:\p{L}*tags?|mittwochs?|uhr|termin) (?:geht|passt|klappt) (?:(?:es|mir|uns|bei|leider) ){0,3}nicht`,
    resolved: "(?:funktioniert|geht|klappt|läuft) (?:jetzt|wieder|nun)|behoben|gelöst",
  },
  procedures: {
    conditionLabels: "fehler",
    remedyLabels: "lösung|maßnahme",
  },
  summaries: {
    about: "Es ging um {topics}.",
    user: "der Nutzer",
    assistant: "der Assistent",
    said: "{who} sagte: „{words}“",
    asked: "{who} fragte: „{words}“",
    answered: "Auf die Frage „{question}“ antwortete {who}: „{words}“",
  },
  rules: {
    conjunctions: "wenn|falls|sobald|sofern|immer wenn",
    consequents: "dann|so",
    prepositions: "bei|im falle?(?: von| eines| einer)?|vor|nach|bevor|nachdem",
    please: "bitte|immer|stets|sofort|zuerst",
    personal: "ich|wir|mir|mich|uns|morgen|heute|gestern|übermorgen",
    stated: String.raw`(?:wird|werden|ist|sind|hat|haben|war|kann|können|mag|geht|kommt|freut)|\p{L}+\s(?:er|sie|es|man|der|die|das)\s\p{L}+$`,
  },
  preferences: [
    /(?<!\p{L})(?:(?:ich (?:mag|liebe|hasse|bevorzuge|vertrage)|(?:mag|liebe|hasse|vertrage) ich)|(?:bekommt|bekommen) mir nicht|lieber|am liebsten|lieblings\p{L}*|(?:ich|bin) [^.?!]{0,30}(?:allergisch|vegan|vegetari)\p{L}*|nicht (?:leiden|ausstehen)|ab (?:jetzt|sofort)|in zukunft|künftig|niemals|bitte (?:\p{L}+ ){0,5}(?:immer|nie|niemals|nur|keine?[nrms]?|nicht)|ich (?:esse|trinke) (?:kein|nie|nur)\p{L}*)(?!\p{L})/iu,
    /(?<!\p{L})(?:keine?[nrms]?|nie|immer|nur|nicht) [^,.?!]{2,60} bitte(?!\p{L})/iu,
    /(?<!\p{L})(?:schreib|antworte?|sprich|erinnere?|ruf|halte?|verwende?|benutze?|nenn|duze?|sieze?|fass|schick|buche?|duzen|siezen)(?: \p{L}+){0,6} (?:immer|nie|nur|kurz|knapp|keine?[nrms]?)(?!\p{L})/iu,
    /(?<!\p{L})bitte (?:duzen?|siezen?|nennen?|sprich|sprechen|antworten?|schreiben?) (?:sie )?(?:mich|mir|uns|auf|in|immer)(?!\p{L})/iu,
    /^(?:(?:und|aber|also|ach ja|bitte)[,:]?\s+)*(?:bitte )?keine?[nrms]? (?!ahnung|sorge|zeit|lust|angst|frage|problem|idee)\p{L}[^.?!]*$/iu,
  ],
  cues: {
    negations: "nicht nie niemals kein keine keinen keinem keiner keines ohne",
    imagined: "wenn falls würde würden wäre hätte könnte vielleicht womöglich",
    claimed: "meint sagt behauptet glaubt findet soll angeblich anscheinend",
    formerly: "früher ehemals damals einst vorher",
    cancelled: "fällt aus|abgesagt|ins wasser",
    lasting: "immer nie niemals stets künftig zukünftig ab jedes",
    whenever: "wenn",
    clauseOpenings: "und|aber|weil|sondern",
    firstPerson: "ich wir",
    thirdPerson: "er sie",
    others: `
      mama papa eltern kind kinder oma opa tante onkel cousin cousine nichte neffe mitbewohner mitbewohnerin
      hund katze kater arzt ärztin`,
  },
  mentions: {
    since: "seit ab",
    until: "bis",
    determiners: "mein meine meinen meinem meiner unser unsere der die das ein eine",
  },
  assertions: {
    denials: "abgesagt ausgefallen",
    conditions: "wenn falls vielleicht",
    plans: "wurde wurden konnte konnten mochte mochten will werde wollen wollte hoffe plane",
    clockPrepositions: "um|ab|bis|gegen",
    measures: "minuten stunden",
    generic: `
      heute gestern morgen abend abends nacht mittag woche wochen wochenende monat monate jahr jahre tag tage
      stunde stunden uhr minuten mai wieder erneut schon noch immer endlich jetzt dann bald spater fast ganz
      gar mal einmal zweimal mehr weniger viel viele wenig neu neue neuer neuen neues alt alte gut gute guter
      gutes sehr etwas alles nichts diesmal also dabei doch eben wegen weiter bin bist sein gewesen habe hab
      hast haben gehabt machen macht gemacht gehen geht gegangen kommen kommt gekommen sagen sagt gesagt geben
      gibt gegeben werden geworden lassen soll sollte muss musste kann darf steht waren fertig lange langsam
      hier da letzte letzten letzter letztes nachste nachsten erste ersten erster erstes`,
  },
  voices: {
    speech: `
      sagt sagte sagen schreibt schrieb schreiben geschrieben gesagt meint meinte fragt fragte antwortet
      antwortete erzählt erzählte liest lautet steht`,
    texts: `
      nachricht nachrichten brief briefe texte* abschrift mitschrift antwort zitat* gedicht* lied* gespräch*
      geschichte* roman kapitel absatz auszug schild zettel bewertung* rezension* kommentar* beitrag
      anrufbeantworter sprachnachricht* rolle rollenspiel* beispiel* satz sätze weitergeleitet*`,
    tasks: `
      übersetz* zusammenfass* fasse fass korrigier* lektorier* umformulier* formulier* kürz* verbesser*
      analysier* erklär* prüf* bewert* klassifizier*`,
    pointing: "dies diese* das folgende* unten hier folgt obige* oben",
    fiction: `
      für_(?:meine|die|eine)_(?:geschichte|szene) (?:für|in)_(?:meinem|meinen|den)_roman stell_dir_vor
      tu_so_als rollenspiel spielen_wir`,
    ownLabels: `
      hinweis notiz notizen wichtig übrigens zur_info info merke merk merken erinnerung korrektur nachtrag
      regel regeln bitte frage vorliebe vorlieben allergie* wohnort beruf über_mich hintergrund kurz
      kurze_info update aktuell im_echten_leben außerdem`,
    firstPerson: "ich mich mir mein* wir uns unser*",
    secondPerson: "du dich dir dein* sie ihnen",
    orders: "immer nie niemals bitte",
    documents: "artikel seite webseite dokument* datei dateien protokoll ausgabe ergebnis anzeige rezept* tabelle*",
    returns: `
      jedenfalls zu_mir was_mich_(?:betrifft|angeht) ansonsten soweit das_(?:war|wäre) ende_(?:der|des)
      meine_(?:eigene_)?(?:frage|antwort|meinung) was_(?:soll|meinst|hältst) (?:kannst|könntest|würdest)_du
      (?:können|könnten|würden)_sie zum_hintergrund außerdem:?_(?:ich|mein*|bitte)`,
    asides: "übrigens",
  },
  courtesies: {
    words: `
      hallo danke schon bitte tschuss auf wiedersehen wiederhoren guten morgen tag abend ja nein klar alles
      prima vielen dank gerne servus moin`,
    greetings: "hallo guten danke tschuss gern gerne",
    answers: "ja nein",
  },
  outlines: {
    noKeys: "erstens zweitens drittens übrigens",
    changes: "nicht mehr|abgesagt|gekündigt|storniert|gestorben|verstorben|neue?[nrs]?|umgezogen",
    heading: "überschrift",
  },
  names: {
    organizations: "universität hochschule stadtwerke verein kantorei",
    days: `
      montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober
      dezember`,
    noNames:
      "Hause|Haus|Ordnung|Urlaub|Rente|Regen|Schnee|Arbeit|Zukunft|Frage|Anfang|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Weihnachten|Ostern|Gelegenheit|Bedarf|Holz|Angst",
    relatives:
      "tochter|sohn|frau|mann|schwester|bruder|mutter|vater|freund|freundin|chef|chefin|kollege|kollegin|nachbar|nachbarin|enkel|enkelin",
    called: "heißt",
    own: "heiße",
    atWork: "bei",
    inPlace: String.raw`nach|aus|wohne in|lebe in|von(?= \S+ nach )`,
    particles: "von",
    mensTitles: "herr",
    womensTitles: "frau",
    articles: "das der die den dem des ein eine einen einem",
  },
  secrets: {
    phrases: "merksatz",
    passwords: "*passwort* *passwörter* *kennwort* *kennwörter* kenncode* merksatz losungswort codewort",
    pins: "geheimzahl geheimnummer geheimcode geheimnis* pukcode *prüfnummer prüfziffer prüfziff*",
    codes: "bestätigungs* sicherheitscode* sicherheitsnummer* sicherheitsschlüssel* einmal*",
    keys: "*schlüssel*",
    access: `
      einlogg* eingelogg* anmeld* melde meld zugang* konto* entsperr* öffnet gebe tippe getippt eingeben eingegeben
      eintipp* tippen netz* gastnetz* netzwerk überall bank* onlinebanking`,
    users: "benutzer* nutzer*",
    changes: "geändert ändere umgestellt gesetzt gewählt genommen neu neue",
    sent: "erhalten bekommen kam schickt geschickt",
    others: `
      zimmer rechnung* bestell* sendung* auftrag* artikel* gleis flug wagen sitz platz kunden* mitglied* vorgang*
      aktenzeichen tür* tor* schließfach spind schloss fahrrad* keybox kennzeichen plz fehler* gutschein* *ausweis*`,
    devices: "handy rechner bildschirm *karte laufwerk festplatte",
    backups: "ersatzcode* ersatzschlüssel* notfall* wiederherstellung*",
    answers: "antwort* sicherheitsfrage* frage vorname geburtsname haustier mädchenname",
    hashes: "prüfsumme",
    examples: "beispiel zum_beispiel z.b",
    equals: "ist war lautet lautete heißt heisst",
    copulas: "ist war lautet lautete heißt heisst auf wäre sei mit und nun jetzt noch als",
    notPasswords: `
      falsch richtig abgelaufen ungültig gültig schwach stark sicher unsicher vergessen geändert zurückgesetzt
      gespeichert leer lang kurz gleich dasselbe derselbe neu alt anders nicht kein keine ein eine der die das mein
      dein unser zu sehr noch schon immer auf im in am bei unter an hier dort unbekannt bekannt verloren notwendig
      erforderlich nötig wichtig einfach schwer gesperrt siehe fingerabdruck gesicht schlüssel karte handy maus
      tastatur daumen`,
    passports: "reisepass|pass(?:nummer|nr)|(?:personal)?ausweis(?:nummer)?|perso|führerschein",
  },
  moods: {
    requests:
      "(?:bitte )?(?:zeig|zeige|schreib|schreibe|erklär|erkläre|übersetze|übersetz|finde|suche|such|vergleiche|fasse|nenne|erstelle)",
    lasting: "künftig|in zukunft|ab (?:jetzt|sofort)|von nun an",
    changes: "änder|aktualisier|umstell",
    called: "nenn(?:e|en)? mich|mich [^?]{1,40}nennen",
    remembers: "merk(?:e|en)? dir|(?:dir|sich) [^?]*merken|notier(?:e|en)?|vergiss nicht",
    told: "hab(?:e)? ich [^?]*(?:gesagt|erzählt|erwähnt), dass|weißt du, dass",
    leads: String.raw`ich|mein\p{L}*|wir|unser\p{L}*`,
    clauses: String.raw`ich|wir|mein\p{L}*|unser\p{L}*`,
    statements: String.raw`(?<!(?:glaub|denk|mein|find)\p{L}*(?: du| sie)?), dass (?:ich|mein\p{L}*|wir|unser\p{L}*|der|die|das)\s`,
    own: String.raw`mein\p{L}*|unser\p{L}*`,
    namedOwn: String.raw`(?:[Mm]ein\p{L}*|[Uu]nser\p{L}*) (?:\p{Ll}+ )?\p{Lu}\p{L}*(?:(?: (?:in|bei|aus|von|am|im))? \p{Lu}|, (?:d(?:er|ie|as|em|en)|\p{Lu}))`,
    received: String.raw`\p{L}+ mir`,
    notReceived: "merk|antworte",
    receivedObjects: String.raw`ein\p{L}*|etwas|d\p{L}{2}`,
  },
  mails: {
    mailFields: "von|an|datum|gesendet|betreff|antwort an",
    mailSubjects: "aw|wg|betreff",
    salutations: "liebe[rs]?|sehr geehrte[rs]?",
    greetings: "hallo",
    closings:
      "mit (?:freundlichen|besten|lieben|herzlichen) grüßen|(?:viele|liebe|beste|herzliche|freundliche|schöne) grüße|hochachtungsvoll|gruß|lg|mfg",
    thanks: "danke",
    postscripts: "gesendet von|diese e-?mail",
    assistants: "assistent",
  },
  intros: {
    repeats: "ich (?:sage|sagte|wiederhole|korrigiere)",
    roles: "sprecher(?:in)?|frage|antwort",
    owned: String.raw`mein\p{L}*|unser\p{L}*`,
    please: "bitte",
    conditions: "wenn|falls",
    addressed: "du|dich",
    ahead: "folgendes|unten|so",
    from: "von",
    speakers: "ich|wir",
    listeners: "dir",
    reports: "sagt|sagte|schrieb|meint|meinte",
    saidSo: "das (?:hat|schrieb|sagte|steht) ",
    handsOver: "übersetz|korrigier|zusammen",
    plays: "rollenspiel|stell dir",
    ends: "ende",
    noSpeakers: "Der|Die|Das|Ein|Eine|Mein|Meine|Er|Sie|Es",
  },
  sentences: {
    abbreviations: String.raw`Hr|Fr|Frl|z\.\s?B|d\.\s?h|u\.\s?a|bzw|usw|evtl|ggf|inkl|zzgl|ca|Nr|Str|Tel|Mrz|Okt|Dez`,
    beforeOrdinals: "am|vom|zum|bis|ab|der|die|das|dem|den|des|im|und|seit",
  },
} satisfies LanguagePack;
