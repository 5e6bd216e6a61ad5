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
    past: /^(?:was|waren|werd|werden|had|hadden|ging|gingen|kwam|kwamen|zag|gaf|vond|stierf|begon|begonnen|deed|zei|woonde|werkte|regende|viel|liep|schreef|nam|bleef|kocht|dacht|bracht|las|at|dronk|reed|vloog|sprak|vertrok|kreeg|koos|trok|bleek)$/u,
    future: /^(?:zal|zullen|zult|ga|gaat|gaan|wil|willen|moet|moeten|kan|kunnen)$/,
    ownPresent: { verbSecond: true, pronoun: /^(?:ik|we|wij)$/, verb: /^(?!\p{L}*(?:de|te|den|ten)$)\p{L}{3,}$/u },
    functionWords:
      "het|een|ik|van|niet|en|de|is|op|te|dat|die|voor|met|mijn|we|zijn|heb|heeft|ben|er|om|aan|ook|maar|wij|je|naar|sinds|was|hebben|geleden",
  },
  questions: {
    time: "wanneer",
    asked: {
      bloodGroup: "bloedgroep",
      otherName: "achternaam|voornaam",
      code: "telefoonnummer|wachtwoord|kenteken",
      age: "leeftijd|hoe oud",
      colour: "kleur",
      amount: "hoeveel|kost|kostte|salaris|prijs|hoe lang|hoe groot",
      name: "heet|naam|merk",
    },
  },
  values: {
    measures: "mensen",
    streetsAfter: "straat|plein|laan",
    numbers: "twee drie vijf zes zeven negen tien",
    colours: "rood rode blauw blauwe groen groene geel zwart zwarte wit witte grijs grijze",
    ages: "jaar oud",
  },
  summaries: {
    about: "Het gesprek ging over {topics}.",
    user: "de gebruiker",
    assistant: "de assistent",
    said: "{who} zei: “{words}”",
    asked: "{who} vroeg: “{words}”",
    answered: "Op de vraag “{question}” antwoordde {who}: “{words}”",
  },
  rules: {
    conjunctions: "als|wanneer|zodra|indien",
    consequents: "dan",
    prepositions: "bij|in geval van|voor|na|voordat",
    please: "altijd|graag|meteen",
    personal: "ik|wij|we|mij|ons|morgen|gisteren|vandaag",
    stated: "is|zijn|was|wordt|worden|heeft|hebben|kan|gaat",
  },
  preferences: [
    /(?<!\p{L})(?:ik (?:hou van|haat|eet geen|drink geen|heb liever)|liever|favoriete?|allergisch|voortaan|graag geen|geen [^,.?!]{2,40} graag)(?!\p{L})/iu,
  ],
  cues: {
    negations: "niet nooit geen zonder",
    imagined: "misschien zou",
    claimed: "schijnt zegt vindt",
    formerly: "vroeger eerder",
    cancelled: "afgelast|gaat niet door",
    lasting: "altijd nooit voortaan",
    clauseOpenings: "en|maar",
    firstPerson: "ik wij we",
    thirdPerson: "hij zij",
    others: `
      moeder vader zus broer vrouw man vriend vriendin zoon dochter oma opa tante oom buurman buurvrouw
      collega baas hond kat`,
  },
  mentions: {
    since: "vanaf sinds",
    until: "tot",
    determiners: "mijn onze ons de het een",
  },
  assertions: {
    denials: "niet geen nooit zonder",
    conditions: "misschien",
    plans: "zou wil ga",
    clockPrepositions: "om",
    generic: `
      vandaag gisteren morgen avond week maand jaar dag uur keer weer altijd eindelijk nu straks nieuw nieuwe
      goed beter veel weinig alles niets gedaan doen gaan gegaan`,
  },
  voices: {
    speech: "schreef schrijft zegt zei vraagt vroeg antwoordt",
    texts: `
      bericht berichten brief tekst* citaat gedicht lied gesprek verhaal roman hoofdstuk alinea fragment
      recensie reactie voorbeeld zin doorgestuurd`,
    tasks: "vertaal* vat samenvat* corrigeer* herschrijf* verbeter* controleer* analyseer*",
    pointing: "dit deze volgende onderstaande hieronder bovenstaande",
    fiction: "voor_mijn_verhaal stel_je_voor doe_alsof rollenspel er_was_eens",
    ownLabels: "let_op onthoud herinnering belangrijk regel* voorkeur* trouwens over_mij weetje",
    firstPerson: "ik mij mijn wij ons",
    secondPerson: "je jij jouw u",
    orders: "nooit altijd",
    documents: "artikel pagina document bestand verslag uitvoer resultaat advertentie recept",
    returns: "hoe_dan_ook wat_mij_betreft einde (?:kun|kan|zou)_(?:je|jij|u)",
    asides: "trouwens",
  },
  courtesies: {
    words: "hoi dank je wel bedankt goedemorgen tot ziens nee",
    greetings: "hoi",
    answers: "nee",
  },
  names: {
    relatives: "dochter|zoon|vrouw|zus|broer|moeder|vader|vriend|vriendin",
    called: "heet",
    own: "ik heet",
    atWork: "bij",
    inPlace: "naar|uit|woon in",
  },
  secrets: {
    otherCodes: "post|kortings|fout|product|deur|poort|afhaal|klant",
    devices: "telefoon|tablet|laptop|computer|pc|(?:bank)?pas|rekening|kaart|sim",
    passwords: "paswoord(?:en)?",
    pins: "(?:inlog|bevestigings|tan)-?code|pinnummer",
    codes: String.raw`[\p{L}]{0,12}-?codes?`,
    sent: "sms|sms'?je|kreeg|gekregen|gestuurd|ontvangen",
    backupCodes: "(?:nood|back-?up|herstel|reserve)-?(?:codes?|sleutels?)",
    passports: "paspoort|id-?kaart|identiteitskaart|rijbewijs",
    access: String.raw`inlogg\p{L}{0,3}|log in|logt in|account|ontgrendel\p{L}{0,2}|wifi|router|toegang|gebruik`,
    changes: "veranderd|gewijzigd|aangepast|de nieuwe|het nieuwe|is nu",
    notPasswords: `
      fout onjuist juist verlopen ongeldig zwak sterk veilig vergeten gewijzigd leeg lang kort te dezelfde
      nieuw oud niet geen een het de mijn ons onze op in onder hier daar zeer altijd kwijt nodig verplicht
      belangrijk makkelijk moeilijk
      vingerafdruk gezicht sleutel kaart muis toetsenbord`,
  },
  moods: {
    requests: "schrijf|vertaal|zoek|vergelijk",
    lasting: "voortaan",
    changes: "wijzig",
    called: "noem me|me [^?]{1,40}noemen",
  },
  mails: {
    mailFields: "aan|onderwerp|verzonden|afzender",
    mailSubjects: "onderwerp",
    salutations: "geachte|beste",
    closings: "met vriendelijke groet(?:en)?|(?:hartelijke |vriendelijke )?groet(?:en|jes)?",
    thanks: "bedankt",
  },
  intros: {
    repeats: "ik corrigeer",
    roles: "spreker",
    owned: "mijn",
    conditions: "als|wanneer",
    addressed: "je",
    ahead: "dit|hieronder",
    from: "van",
    speakers: "ik",
    listeners: "jou",
    reports: "zei",
  },
} satisfies LanguagePack;
