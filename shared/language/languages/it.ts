import { stemmer } from "@orama/stemmers/italian";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const it = {
  name: "Italian",
  stems: stemsBy(stemmer),
  letters: "èìòàù",
  functionWords: `il lo la i gli le un uno una di del della dei delle degli dello al alla alle ai da dal dalla in nel nella sul sulla
   con per tra fra e ed o è sono era erano ha hanno ho che chi cosa quando dove come non si mi ti ci vi mio mia miei
   tuo tua suo sua loro io lui lei noi voi questo questa quello quella più molto anche ma`,
  markers: `
    hai casa va allora ancora essere solo fa anni sì ora voglio niente sto sta prima poi senza oggi fatto bene
    tutto faccio detto grazie anno adesso domani ieri perché dell nell l sempre mai puoi vorrei abbiamo siamo c
    tre due ogni mamma inglese cambiato basta serale lavoro sorella settembre già pure volte giorno dottoressa
    dico aspetta tutti domenica fare ginocchio lasciato palestra lunedì stasera dicembre ottobre notte figlio
    chiama numero chiedo dottore col stavolta vado ricette`,
  dates: {
    months:
      "gennaio|gen;febbraio|feb;marzo;aprile|apr;maggio;giugno|giu;luglio|lug;agosto|ago;settembre|sett;ottobre|ott;novembre|nov;dicembre|dic",
    weekdays: "lunedì|lunedi;martedì|martedi;mercoledì|mercoledi;giovedì|giovedi;venerdì|venerdi;sabato;domenica",
    habits: "il lunedì|ogni lunedì;il martedì|ogni martedì;il mercoledì;il giovedì;il venerdì;il sabato;la domenica",
    ambiguous: "marzo|agosto|ago|gen|feb|apr|giu|lug|sett|ott|nov|dic|domenica",
    units:
      "minuto|minuti;ora|ore;giorno|giorni;settimana|settimane;fine settimana|weekend|week-end;mese|mesi;anno|anni",
    seasons: "primavera;estate;autunno;inverno",
    numbers: "un|una|uno;due;tre;quattro;cinque;sei;sette;otto;nove;dieci;undici;dodici;tredici;quattordici;quindici",
    few: "alcuni|alcune|pochi|poche|qualche|un paio di",
    days: "l'altro ieri|altro ieri|avantieri;ieri|ieri sera|ieri mattina|ieri pomeriggio|ieri notte;oggi|stamattina|stamani|stasera|stanotte|questa mattina|questa sera|questo pomeriggio;domani|domani mattina|domani sera|domani pomeriggio;dopodomani",
    last: "scorso|scorsa|passato|passata|ultimo|ultima",
    penultimate: "penultimo|penultima",
    ordinals: "primo|prima;secondo|seconda;terzo|terza;quarto|quarta",
    this: "questo|questa|quest'",
    next: "prossimo|prossima|che viene",
    pastMany: "ultimi|ultime|scorsi|scorse|passati|passate",
    nextMany: "prossimi|prossime",
    ago: "fa|or sono",
    ahead: "tra|fra",
    later: "dopo|più tardi",
    nextDay: "il giorno dopo|il giorno seguente",
    every: "ogni|tutti i|tutte le",
    onDay: "il|del|dal|al",
    noDate: "black friday",
    on: "a partire dal|a partire da|in|il|nel|a|ad|di|del|dell'|dal|per|verso|prima di|prima del|dopo|entro|entro il|durante|inizio|fine|metà|da|l'|anno|nell'|lo",
    weak: "il|per|da|l'|lo|di",
    since: "dal|da|dall'",
    until: "fino a|fino al|entro|entro il|entro la fine di|prima del",
    before: "prima di|prima del|prima della|prima che",
    after: "dopo|dopo che",
    from: "dal|da|dall'",
    to: "al|a|fino al|all'",
    between: "tra il|fra il|tra|fra",
    and: "e|e il",
    article: "il|la|lo|l'|i|le|di|del",
    at: "alle|all'|verso le|dalle",
    oclock: "h|ore",
    am: "stamattina|stamani|questa mattina|di mattina|del mattino|mattina",
    pm: "stasera|stanotte|questa sera|questo pomeriggio|di pomeriggio|del pomeriggio|di sera|della sera|di notte|sera|pomeriggio",
    lasting: "per",
    approximate: "circa|quasi",
    holidays: { "12-25": "natale", "12-24": "vigilia di natale", "12-31": "san silvestro", "1-1": "capodanno" },
    due: "data|scadenza",
    perfect: {
      reach: 4,
      auxiliary: /^(?:ho|hai|ha|abbiamo|avete|hanno|sono|sei|è|siamo|siete)$/u,
      participle:
        /^(?:\p{L}{2,}(?:at|ut|it)[oaie]|nat[oaie]|stat[oaie]|fatto|detto|visto|preso|messo|mort[oaie]|scritto|letto|aperto|chiuso|perso|vinto|rotto|scelto|rimast[oa])$/u,
    },
    moves: { verb: /^(?:rinviat|spostat|posticipat|anticipat|rimandat)[oaie]$/, to: /^(?:al|a|fino)$/ },
    past: /^(?:ero|era|erano|eravamo|fu|furono|ebbe|nacque|fece|\p{L}{3,}(?:avo|ava|avano|evo|eva|evano|ivo|iva|ivano))$/u,
    future:
      /^(?:devo|deve|dobbiamo|voglio|vorrei|posso|andremo|sarò|sarà|saremo|saranno|avrò|avrà|avremo|\p{L}{2,}(?:erò|irò|arò|rò|erà|irà|rà|remo|ranno))$/u,
    present: /^(?:vivo|parto|vado|c'è|arrivo|attivo|privo|estate|vita|dieta|lunedì|data|però|città)$/,
    ownPresent: { pronoun: /^(?:mi|ci|io)$/, verb: /^\p{L}{3,}(?:o|iamo)$/u },
    functionWords:
      "qui|il|lo|gli|di|che|della|del|per|sono|non|mi|ho|e|un|una|è|con|al|dal|nel|ci|si|io|ha|alle|da|mia|mio|c|le|la|i|a|in|fa|siamo|abbiamo",
  },
  questions: {
    time: "quando",
    asked: {
      bloodGroup: "gruppo sanguigno",
      otherName: "cognome",
      code: "numero|telefono|codice|targa",
      age: "età|quanti anni",
      colour: "colore",
      amount: "quanto|quanta|quanti|quante|costa|costato|stipendio|prezzo",
      name: "chiama|nome|titolo",
    },
  },
  values: {
    measures: "dollari|persone",
    streetsBefore: "via|viale|piazza|corso|stazione",
    nights: "notte",
    numbers: "due tre quattro cinque sei sette otto nove dieci dodici",
    colours: "rosso rossa blu giallo gialla nero nera bianco bianca grigio grigia",
    ages: "nació anni anno",
    genitives: "di|del|della|dei",
  },
  procedures: {
    conditionLabels: "problema",
    remedyLabels: "soluzione",
  },
  summaries: {
    about: "La conversazione riguardava: {topics}.",
    user: "l’utente",
    assistant: "l’assistente",
    said: "{who} ha detto: «{words}»",
    asked: "{who} ha chiesto: «{words}»",
    answered: "Alla domanda «{question}», {who} ha risposto: «{words}»",
  },
  rules: {
    conjunctions: "se|quando|appena|non appena|qualora|ogni volta che",
    consequents: "allora",
    prepositions: "in caso di|prima di|prima della|dopo",
    please: "si prega di|sempre|per favore",
    personal: String.raw`io|noi|mi|ci|domani|ieri|oggi|stasera|\p{L}+iamo`,
    stated: "il|lo|la|i|gli|le|l'|un|una|è|sono|era|c'è|lui|lei",
  },
  preferences: [
    /(?<!\p{L})(?:preferisco|odio|adoro|detesto|mi piac(?:e|ciono)|preferit[oaie]|d'ora in poi)(?!\p{L})/iu,
  ],
  cues: {
    conditionalEndings: "erei|eresti|ebbe",
    negations: "non mai nessun nessuna senza",
    imagined: "forse magari vorrei",
    claimed: "pensa crede pretende",
    formerly: "prima",
    cancelled: "annullat[oa]|saltat[oa]",
    lasting: "sempre mai d'ora ogni",
    whenever: "quando",
    clauseOpenings: "e|ma|perché",
    firstPerson: "io noi",
    thirdPerson: "lui lei",
    others: `
      madre mamma padre papà figli nonna nonno zia zio cugino cugina vicino vicina collega capo cane gatto`,
  },
  mentions: {
    since: "da dal dalla",
    until: "fino",
    determiners: "il lo la i gli le mio mia miei mie nostro nostra",
  },
  assertions: {
    denials: "annullato",
    conditions: "forse",
    plans: "vorrei potrei voglio",
    clockPrepositions: "alle",
    generic: `
      oggi ieri domani mattina sera notte settimana mese anno giorno ora volta volte ancora sempre finalmente
      adesso poi presto nuovo nuova bene male meglio molto poco tutto niente primo prima ultimo fatto fare
      essere avere stato stata andata andato`,
    elisions: "dell|all|dall|nell|sull|un",
  },
  voices: {
    speech: "ha_scritto scrive scrisse detto disse risponde rispose chiede recita",
    texts: `
      messaggi* lettera lettere testo testi trascrizione citazione poesia canzone conversazione storia romanzo
      capitolo paragrafo estratto recension* commento esempio frasi inoltrato`,
    tasks: "riassum* correggi* riformul* accorci* miglior* analizz* spieg* riscriv*",
    pointing: "questo questa seguente* sotto quanto_segue sopra",
    fiction: "per_(?:il_mio_romanzo|la_mia_storia) immagina_che facciamo_finta giochiamo c['’]era_una_volta",
    ownLabels: `
      promemoria ricorda regola regole preferenz* allergi* tra_l'altro a_proposito su_di_me città lavoro
      nella_vita_reale`,
    firstPerson: "io mio mia miei noi",
    orders: "sempre mai",
    documents: "articolo pagina documento file verbale risultato* annuncio ricett*",
    returns: "comunque per_quanto_mi_riguarda da_parte_mia ecco fine_del (?:puoi|potresti|può)",
    asides: "a_proposito tra_l['’]altro",
  },
  courtesies: {
    words: "grazie mille prego buongiorno buonasera arrivederci va bene certo",
    greetings: "buongiorno buonasera ciao grazie",
  },
  outlines: {
    heading: "titolo",
  },
  names: {
    organizations: "banca universita gruppo istituto scuola",
    relatives: "figlia|figlio|moglie|marito|sorella|fratello|amico|amica",
    called: "si chiama",
    own: "mi chiamo",
    atWork: "presso|lavoro in|lavoro alla",
    inPlace: "vivo a|vivo in|abito a",
    particles: "di da del della",
    mensTitles: "signor",
    womensTitles: "signora",
    articles: "il lo",
  },
  secrets: {
    otherCodes: "fiscale|postale|sconto|prodotto|errore|cliente|cancello|porta|ordine|ritiro",
    devices: "telefono|cellulare|tablet|portatile|computer|pc|carta|bancomat|sim",
    passwords: "frase (?:segreta|di accesso|d['’]accesso)",
    pins: "codice (?:di (?:conferma|autorizzazione)|usa e getta)",
    codes: "codic[ei]",
    sent: "sms|arrivato|ricevuto|mandato",
    backupCodes: "(?:codic[ei]|chiav[ei]) di (?:backup|recupero|ripristino|emergenza|riserva)",
    passports: "passaporto|carta d['’]identità|patente",
    access: String.raw`entr[aoi] con|acced[eio]|accesso|spid|account|sblocc\p{L}{1,3}|wi-?fi|uso`,
    changes: "cambiat[ao]|ho messo|quella nuova|il nuovo|la nuova|impostat[ao]",
    notPasswords: `
      sbagliata sbagliato errata corretta scaduta scaduto debole forte sicura dimenticata cambiata vuota
      lunga corta troppo stessa nuova vecchia non il lo una mia nostra sua sul nel qui lì molto sempre persa
      necessaria obbligatoria importante facile difficile pazienza
      impronta volto chiave tessera dito mouse tastiera`,
  },
  moods: {
    requests: "mostrami|scrivi|scrivimi|spiega|traduci|trova|cerca|confronta|riassumi|mostra",
    lasting: "d['’]ora in poi",
    changes: "aggiorn",
    called: "chiamami|chiamarmi",
    remembers: "(?:ricorda(?:ti|re)?|annota) (?:di )?che",
    told: "ti ho (?:già )?detto che|lo sai che",
    leads: "io|sono|ho|mio|mia",
    clauses: "io|sono|ho|abbiamo",
    ownVerbs: String.raw`\p{L}{2,}o`,
    notOwnVerbs: "quanto|p[oue]+ss?o|devo|voglio|ciao|primo|altro",
    notes: "not|segna|scriv",
    that: "che",
    own: String.raw`mi[ao]|miei|nostr\p{L}+`,
    namedOwn: String.raw`(?:mi[ao]|nostr[oaie]) \p{Ll}+(?:,? (?:\p{Lu}|che ))`,
    received: String.raw`\p{L}{3,}[aei]mi`,
    notReceived: String.raw`\p{L}*(?:dim|chiama|rispond|parla|ricord)`,
    receivedObjects: String.raw`un\p{L}*|il|le?|la|qualche`,
  },
  mails: {
    mailFields: "da|oggetto|inviato|data|mittente|destinatario",
    mailSubjects: "oggetto",
    salutations: "gentile|egregi[oa]|car[oa]|carissim[oa]",
    greetings: "ciao",
    closings: "cordiali saluti|distinti saluti|saluti|un abbraccio",
    thanks: "grazie",
    postscripts: "inviato da",
  },
  intros: {
    repeats: "mi correggo",
    roles: "parlante",
    owned: "mio|mia",
    please: "per favore",
    conditions: "quando|se",
    ahead: "questo|sotto",
    from: "da|di",
    speakers: "io",
    listeners: "ti",
    reports: "disse",
    saidSo: "(?:è|questo è) (?:quello|ciò) che ",
    handsOver: "riassum",
    ends: "fine",
  },
  sentences: {
    abbreviations: "Sig|Dott",
    beforeOrdinals: "il",
  },
} satisfies LanguagePack;
