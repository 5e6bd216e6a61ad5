import { stemmer } from "@orama/stemmers/french";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const fr = {
  name: "French",
  stems: stemsBy(stemmer),
  letters: "éèêëàâçùûîïôœ",
  functionWords: `le la les un une des du de et ou est sont était a ont avait je tu il elle on nous vous ils elles me te se lui leur
   mon ma mes ton ta tes son sa ses notre nos votre vos ce cette ces qui que quoi dont où quand comment pour par dans
   sur avec sans sous chez pas ne plus aussi très au aux en suis es ai as`,
  markers: `
    j c d qu l n s t m ça toujours après avant depuis moi rien là bon trop trois jour fait fais faire jamais faut
    donc voir voilà reste fois déjà alors aime oui merci écris mais tout tous toute quel quelle si peut peux veux
    à ans comme mère appelle deux gars grand maison mort pris lâché midi père matin dix jusqu chien temps mange
    sauf arrêté août groupe fumer anglais eau sais heures docteure salut coup cuisine entre être mars vendredi
    partie passe septembre vais habite nantes infirmière même veut avais téléphone peur moins mardi`,
  dates: {
    months:
      "janvier|janv;février|fevrier|févr;mars;avril|avr;mai;juin;juillet|juil;août|aout;septembre|sept;octobre|oct;novembre|nov;décembre|decembre|déc",
    weekdays: "lundi;mardi;mercredi;jeudi;vendredi;samedi;dimanche",
    habits:
      "lundis|le lundi;mardis|le mardi;mercredis|le mercredi;jeudis|le jeudi;vendredis|le vendredi;samedis|le samedi;dimanches|le dimanche",
    ambiguous: "mars|mai|avril|juin|juillet|août|aout|janv|sept|oct|nov|déc|avr",
    units:
      "minute|minutes;heure|heures;jour|jours;semaine|semaines;week-end|week-ends|weekend;mois;an|ans|année|années",
    seasons: "printemps;été;automne;hiver",
    numbers: "un|une;deux;trois;quatre;cinq;six;sept;huit;neuf;dix;onze;douze;treize;quatorze;quinze",
    few: "quelques|plusieurs",
    days: "avant-hier;hier|hier soir|hier matin|la nuit dernière|hier après-midi;aujourd'hui|ce matin|ce soir|cet après-midi|cette nuit;demain|demain matin|demain soir|demain après-midi;après-demain",
    last: "dernier|dernière|derniers|passé|passée|précédent|précédente",
    penultimate: "avant-dernier|avant-dernière",
    ordinals: "premier|première|1er|1re;deuxième|second|seconde|2e;troisième|3e;quatrième|4e",
    this: "ce|cet|cette",
    next: "prochain|prochaine",
    coming: "qui vient",
    pastMany: "derniers|dernières|dernieres|passés|passées",
    nextMany: "prochains|prochaines",
    ago: "plus tôt",
    agoBefore: "il y a",
    ahead: "dans|d'ici",
    later: "plus tard|après",
    nextDay: "le lendemain|le jour suivant",
    every: "tous les|toutes les|chaque",
    onDay: "le|du|au",
    noDate: "black friday|mardi gras",
    on: "à partir du|à partir de|en|le|au|aux|du|de|d'|à|pour|dès|vers|avant|après|pendant|durant|début|fin|mi|depuis|l'|année|courant",
    weak: "le|de|à|au|pour|l'|d'",
    since: "depuis|depuis le",
    until: "jusqu'en|jusqu'au|jusqu'à|avant|d'ici|d'ici le",
    before: "avant|avant que|avant de",
    after: "après|après que",
    from: "du|de",
    to: "au|à|jusqu'au|jusqu'en",
    between: "entre|entre le",
    and: "et|et le",
    article: "le|la|l'|les|de|du|d'",
    at: "à|vers|dès",
    oclock: "h|heures|heure",
    am: "du matin|matin",
    pm: "de l'après-midi|du soir|soir|après-midi",
    lasting: "pendant|depuis",
    approximate: "environ|presque|vers",
    holidays: { "12-25": "noël", "12-24": "réveillon de noël", "12-31": "saint-sylvestre", "1-1": "jour de l'an" },
    due: "échéance|date",
    perfect: {
      reach: 4,
      auxiliary: /^(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont)$/u,
      participle:
        /^(?:\p{L}{2,}(?:é|ée|és|ées|u|ue|us|ues|ert|erte)|né|née|eu|lu|vu|su|bu|fait|faite|dit|écrit|mort|morte|pris|mis|appris|fini|parti|partie|partis|sorti|choisi|dormi|réussi|suivi|servi|plu)$/u,
    },
    moves: { verb: /^(?:report|déplac|décal|repouss|prolong|avanc)ée?s?$/, to: /^(?:au|à|jusqu'?au?)$/ },
    past: /^(?:étais|était|étions|étaient|fut|fus|furent|eut|\p{L}{3,}(?:aient|ait|èrent|ât))$/u,
    future:
      /^(?:vais|vas|va|allons|allez|vont|aura|aurai|auront|sera|serai|seront|ferai|fera|dois|doit|devons|veux|voudrais|peux|\p{L}{3,}(?:rai|ras|ra|rons|rez|ront))$/u,
    present: /^(?:travaille|habite|prends|vois|ferai|j'ai|pars|part|commence|fait|lait|vrai)$/,
    ownPresent: {
      pronoun: /^(?:je|j|nous|on)$/,
      between: /^(?:me|m|nous|se|s|y)$/,
      verb: /^(?!\p{L}*(?:ais|ions|us)$)\p{L}{2,}(?:e|s|ons|t)$/u,
    },
    functionWords:
      "je|tu|il|elle|nous|vous|le|les|des|du|et|est|un|une|dans|pour|avec|sur|pas|ne|la|j|l|d|qu|au|aux|en|ma|mon|mes|à|suis|ai|sont|que|qui|ce|cette|était|c",
  },
  grammar: {
    pastMoves: "déménagé",
    firstPerson: "je j' nous on",
    pronouns: "me m' te t' se s' il elle ils elles ce c' ça y en",
    my: "mon ma mes notre nos",
    newAdjectives: "nouvelle nouveau nouvel",
    articles: "le la les l' du de d'",
    indefinite: "un une des",
    and: "et mais",
    not: "pas jamais",
    noLonger: ["ne plus", "n' plus"],
    hypothetical: "si voudrais aimerais pourrais voudrait aimerait peut-être",
    adverbs:
      "dorénavant maintenant désormais actuellement aussi encore déjà toujours enfin avant beaucoup surtout vraiment depuis",
    since: "depuis dès",
    until: "jusque jusqu' jusqu'à jusqu'au",
    is: "est sont",
    pluralIs: "sont",
    pluralEnding: /s$/,
    schedule:
      /^(?:(?:le|les|tous les|chaque) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?|à \d{1,2} ?h)/iu,
    isCalled: "appelle appellent",
    have: "ai avons a",
    please: "merci veuillez svp",
    lasting: "toujours jamais",
    joins: "de du des la le les sur en",
    third: "il elle",
    relatives: "maman papa mamie papi",
    numbered: "chambre salle ligne quai casier bureau",
    moves: /(?<!\p{L})déménag\p{L}+/iu,
    address:
      /^(?:à (?<place>\p{Lu}[\p{L}-]+)|(?:au )?(?<street>\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|impasse|chemin|quai) [\p{L}' -]{2,40}))/u,
    kin: {
      partner: "mari femme copain copine compagnon compagne",
      child: "fils fille filles enfant enfants",
      sibling: "frère sœur soeur",
      parent: "parents mère père",
      pet: "chien chienne chat chatte lapin cheval",
      relative: "oncle tante cousin cousine",
      boss: "patron patronne",
      dentist: "dentiste",
      doctor: "médecin",
    },
    verbs: [
      {
        forms: "habite vis habitons vivons / habite vit / habitais vivais habitait vivait habitions habité vécu",
        slot: "lives_in",
        via: "à en au aux dans",
        value: "name",
      },
      {
        forms: "déménage déménageons / déménage / déménagé installé installée",
        slot: "lives_in",
        via: "à en au aux",
        effect: "start",
        value: "name",
      },
      {
        forms: "travaille travaillons / travaille / travaillais travaillait travaillé",
        slot: "works_at",
        via: "chez pour à au",
        value: "name",
      },
      { forms: "travaille / travaille / travaillais", slot: "works_as", via: "comme", value: "word" },
      { forms: "appelle", slot: "name", value: "name" },
      { forms: "suis / est", slot: "allergic_to", with: "allergique", via: "à au aux", value: "word" },
      { forms: "ai / a / avais avait", slot: "age", value: { unit: "ans" } },
      { forms: "aime adore préfère / aime adore préfère", slot: "likes", negated: "dislikes", value: "word" },
      { forms: "déteste / déteste", slot: "dislikes", value: "word" },
      { forms: "parle / parle", slot: "speaks", value: "word" },
      { forms: "étudie / étudie / étudiais étudié", slot: "studies", value: "word" },
    ],
    nouns: {
      lives_in: "déménagement appartement maison logement",
      works_at: "travail emploi boulot poste employeur entreprise",
      partner: "mariage divorce séparation rupture",
      studies: "études",
    },
  },
  questions: {
    interrogatives: "quel quelle quels quelles qui combien comment ou quand",
    before: "avant autrefois auparavant ancien ancienne précédent précédente premier première",
    cause: "pourquoi|raison|depuis|jusque|changé|changer",
    past: "était étaient avait avaient fut a été",
    polar: "a-t-il est-ce est était",
    now: "maintenant|actuellement|actuel|actuelle|aujourd'hui|encore|en ce moment",
    time: "quand",
    asked: {
      bloodGroup: "groupe sanguin",
      otherName: "prenom|nom de famille",
      code: "numéro|téléphone|passe|immatriculation",
      age: "âge|quel âge",
      colour: "couleur",
      amount: "salaire|coûte|coûté|prix|gagne|loyer|combien",
      name: "appelle|s'appelle|m'appelle|t'appelle|nom|marque",
    },
    from: "de",
  },
  values: {
    measures: "personnes|habitants",
    streetsBefore: "rue|avenue|av|boulevard|bd|place|quai|pont|station|métro",
    nights: "nuit",
    numbers: "deux trois quatre cinq six sept huit neuf dix douze vingt cent mille",
    colours: `
      rouge bleu bleue vert verte jaune noir noire blanc blanche gris grise brun brune violet rose roux rousse`,
    ages: "ans an âge née né",
    genitives: "de|du|des",
  },
  recall: {
    references: "oui|non|elle|il|ça|parce",
    emptyWords: "nom appelle",
    assistant: "tu te vous",
    assistantSaid: "as tu|avez vous|tu m as|vous m avez",
    happened: "passé événements événement qu'est ce qui s'est il en le la les au du",
    denials: "ne pas jamais annulé",
    introductions: "je m'appelle",
  },
  salience: {
    fillers: `
      le la les l un une des du de d est sont était étaient a ont avait avaient être c ce cela ça y très bien
      aussi alors donc`,
    prepositions: "à au aux en dans sur par pour avec et ou que qu comme",
    pronouns: `
      je j me m tu te t il elle on nous vous ils elles se s mon ma mes ton ta tes son sa ses notre votre leur`,
    vital: "pas jamais sans sauf seulement interdit annulé allergique jusqu ne",
  },
  conversations: {
    promises: String.raw`je (?:te|vous|t'|le|la) ?\p{L}+rai|je vais (?:te|vous|le|la)(?= )`,
    requests: "(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous)|rappelle-moi|rappelez-moi",
    limits: "au maximum|moins de",
    done: "fait|envoyée?|réservée?",
    justDone: "c'est fait",
    takenBack: "plus besoin",
    uncertain: "pas",
    offers: String.raw`\b(?:veux-tu|voulez-vous) que je\b|\b(?:dois|puis)-je\b`,
    assents: "oui",
    settled: String.raw`d'accord|convenu\p{L}*|rembours\p{L}+|confirm[ée]\p{L}*|réserv\p{L}+|résolu\p{L}*|j'(?:ouvre|envoie|annule|ai (?:annulé|ouvert|envoyé|remplacé|crédité|changé))|(?:je|nous|on) (?:(?:vous|te|le|la|les) )?(?:envo|enverr|renv|annul|remplac|crédit|rappel|chang)\p{L}*|nous (?:vous )?(?:avons|allons)|vous (?:aurez|recevrez)`,
    problems: "ne (?:fonctionne|marche|charge) (?:pas|plus)|pas (?:arrivée?|reçue?)|erreur|problème|en panne",
    resolved: "(?:fonctionne|marche) (?:de nouveau|maintenant)|résolue?|réglée?",
  },
  procedures: {
    conditionLabels: "problème",
    remedyLabels: "correction",
  },
  summaries: {
    about: "Il était question de : {topics}.",
    user: "l’utilisateur",
    assistant: "l’assistant",
    said: "{who} a dit : « {words} »",
    asked: "{who} a demandé : « {words} »",
    answered: "À la question « {question} », {who} a répondu : « {words} »",
  },
  rules: {
    conjunctions: "si|s'|quand|lorsque|lorsqu'|dès que|dès qu'|chaque fois que",
    consequents: "alors",
    prepositions: "en cas d'|en cas de|avant d'|avant de|après",
    please: "veuillez|toujours|merci de",
    personal: "je|nous|on|moi|demain|hier|aujourd'hui|ce soir",
    stated: "il|elle|ils|elles|ça|ce|c'|le|la|les|l'|un|une|des",
  },
  preferences: [
    /(?<!\p{L})(?:je (?:préfère|déteste|n'aime)|j'(?:aime|adore|évite)|je ne (?:mange|bois|supporte)|préférée?s?|allergique|végan|végétarienn?e?|désormais|dorénavant|à partir de maintenant)(?!\p{L})/iu,
    /(?<!\p{L})(?:s'il (?:te|vous) pla[iî]t|stp|svp),? (?:ne |n'|pas|jamais|toujours)/iu,
    /(?<!\p{L})(?:jamais|toujours|pas de|ne) [^.?!]{2,80}(?:s'il (?:te|vous) pla[iî]t|stp|svp)/iu,
    /^(?:(?:et|aussi|mais|ok|stp|svp)[,]?\s+)*(?:ne |n')[^.?!]{2,40} (?:jamais|pas|plus|que)(?!\p{L})/iu,
    /(?<!\p{L})(?:réponds|écris|rappelle|appelle|parle|utilise|répondez|écrivez|réserve)(?:-moi)?(?: \p{L}+){0,5} (?:toujours|jamais|court|brièvement|sans)(?!\p{L})/iu,
  ],
  cues: {
    conditionalEndings: "eriez|eraient",
    negations: "pas jamais aucun aucune sans ne n",
    imagined: "peut-être si serait voudrais",
    claimed: "dit prétend pense croit paraît apparemment",
    formerly: "autrefois jadis avant",
    cancelled: "annulée?|tombe à l'eau",
    lasting: "toujours jamais désormais dorénavant chaque plus",
    whenever: "quand",
    clauseOpenings: "et|mais|car",
    firstPerson: "je j nous moi",
    thirdPerson: "il elle ils elles",
    others: `
      maman parents soeur copain copine enfant enfants mamie papi grand-mère grand-père tante oncle voisin
      voisine patronne chien chat pote`,
  },
  mentions: {
    since: "depuis dès",
    until: "jusque jusqu'à",
    determiners: "mon ma mes notre nos le la les un une",
  },
  assertions: {
    denials: "annule annulee",
    conditions: "si peutetre",
    plans: "voudrais aimerais aimerait pourrais pourrait veux vais",
    clockPrepositions: "à|vers",
    measures: "heures",
    generic: `
      aujourdhui hier demain matin matinee soir soiree midi nuit semaine semaines mois annee annees jour jours
      heure heures mai encore toujours deja enfin maintenant alors bientot puis fois premier premiere dernier
      derniere nouveau nouvelle bon bonne mieux moins beaucoup peu rien tout toute tous toutes autre meme rien
      etre etais ete fait faire fais va vont allee alle aller suis sommes avons avez avoir avais dit dire met
      mis pris prendre finalement pendant depuis jusque`,
    elisions: "[cdjlmnst]|qu|jusqu",
  },
  voices: {
    speech: "dit disait écri* a_dit répond* demande raconte",
    texts: `
      courriel* messages? lettre* textes? transcription citation* poème* paroles chanson* conversation*
      histoire* roman chapitre paragraphe* extrait* avis commentaire* message_vocal exemple* phrase* transféré*`,
    tasks: "tradui* traduc* résum* résumé corrig* reformul* raccourci* amélior* analyse* explique* relis* relire",
    pointing: "ceci ce cet cette suivant* ci-dessous cela ci-dessus voici",
    fiction: `
      pour_(?:mon|ma)_(?:histoire|roman|pièce) imagine_que jouons faisons_comme_si jeu_de_rôle
      il_était_une_fois`,
    ownLabels: `
      note_à_moi-même rappel important info règle* préférence* allergie* au_fait à_savoir à_noter pour_info
      profession ville à_propos_de_moi souviens-toi retiens petite_précision précision en_vrai`,
    firstPerson: String.raw`
      je j['’]\p{L}* me moi mon ma mes nous notre nos`,
    secondPerson: "tu te toi ton vous votre",
    orders: "toujours jamais",
    documents: "articles? pages? documents? fichiers? procès-verbal sortie résultat* annonce* recette*",
    returns: `
      bref quant_à_moi pour_ma_part de_mon_côté voilà c['’]est_tout fin_(?:de|du) ma_question qu['’]en_penses
      (?:tu_peux|peux-tu|pourrais-tu|tu_pourrais|pouvez-vous|pourriez-vous|vous_pouvez) pour_(?:le_)?contexte`,
    asides: "au_fait",
  },
  courtesies: {
    words: `
      bonjour salut merci beaucoup au revoir daccord accord oui non bonsoir bonne journee soiree parfait super
      stp svp`,
    greetings: "bonjour bonsoir salut merci",
    answers: "oui non",
  },
  outlines: {
    noKeys: "premièrement",
    changes: "annulée?|nouve(?:au|lle)",
    heading: "titre",
  },
  names: {
    organizations: "banque université ministère groupe institut école association fondation",
    days: `
      lundi mardi mercredi jeudi vendredi samedi dimanche janvier février avril juin juillet août septembre
      octobre novembre décembre`,
    relatives: "fille|fils|femme|mari|sœur|frère|mère|père|ami|amie|patron|collègue",
    called: "s'appelle",
    own: "je m'appelle",
    atWork: "chez|travaille à",
    inPlace: "à",
    particles: "de du",
    mensTitles: "monsieur",
    womensTitles: "madame mme",
    articles: "le la les un une",
  },
  secrets: {
    passwords: "mot_de_passe mots_de_passe mdp passe motdepasse mot_secret phrase_secrète phrase_de_passe",
    pins: "cryptogramme",
    codes: "vérification",
    keys: "jeton clé clés clef",
    access: `
      connecte* connexion compte* identifiant* déverrouill* réseau tape tapes taper tapé s'ouvre accès partout banque
      débloqu*`,
    users: "utilisateur* identifiant",
    changes: "changé modifié remis choisi nouveau",
    sent: "reçu reçois envoyé texto envoie envoient",
    others: `
      commande facture colis vol train place voiture client dossier porte portail immeuble digicode casier cadenas
      code_postal erreur`,
    devices: "téléphone portable tablette ordi ordinateur carte tel tél mobile",
    backups: "secours récupération sauvegarde",
    answers: "question_secrète réponse jeune_fille animal",
    hashes: "empreinte somme",
    examples: "exemple",
    equals: "est était c'est c’est",
    copulas: "est était c'est c’est sera pour en avec et maintenant",
    notPasswords: `
      incorrect faux fausse bon bonne expiré invalide valide faible fort sûr oublié changé vide long court trop même
      nouveau ancien pas le la les un une mon ma notre votre sur dans sous chez ici là perdu requis obligatoire
      nécessaire important simple difficile très toujours empreinte visage clé carte doigt souris clavier`,
    passports: "passeport|carte d['’]identité|cni|permis de conduire",
  },
  moods: {
    requests: "(?:montre|écris|explique|traduis|trouve|cherche|compare|résume|donne)(?:-moi)?",
    lasting: "désormais|dorénavant|à l['’]avenir",
    changes: "chang",
    called: "appelle-moi|m'appeler",
    remembers: "(?:retiens|retenir|souviens-toi|te souvenir|note|n'oublie pas) (?:de )?que",
    told: "t'ai(?:-je)? (?:déjà )?dit que|tu sais que",
    leads: "je|j'|mon|ma|mes|nous",
    clauses: String.raw`je|j['’]\p{L}+|nous|mon|ma|mes`,
    notes: "not|écri",
    that: "que",
    own: "mon|ma|mes|notre|nos",
    namedOwn: String.raw`(?:mon|ma|mes|notre|nos) \p{Ll}+(?:,? (?:\p{Lu}|(?:qui|que) ))`,
    received: String.raw`\p{L}+-moi`,
    notReceived: "appelle|réponds|parle|rappelle|dis",
    receivedObjects: "une?|des|d['’]|les?|la",
  },
  mails: {
    mailFields: "de|à|a|objet|envoyé|date d['’]envoi|expéditeur|destinataire",
    mailSubjects: "tr|objet",
    salutations: "chère?s?",
    greetings: "bonjour|salut",
    closings:
      "bien (?:à vous|cordialement|à toi)|cordialement|salutations|amicalement|sincères salutations|bises|bisous",
    thanks: "merci",
    postscripts: "envoyé (?:de|depuis)|ce message",
  },
  intros: {
    repeats: "je (?:répète|disais|corrige|rectifie|me corrige)",
    roles: "locuteur|interlocut(?:or|eur)",
    owned: "mon|ma|mes|notre|nos",
    please: "s'il (?:te|vous) plaît",
    conditions: "quand|si",
    addressed: "tu|te|vous",
    ahead: "suivant|ci-dessous",
    from: "de|du|par",
    speakers: "je",
    listeners: "te",
    reports: "dit",
    saidSo: "c['’]est ce qu['’]?e? ?",
    handsOver: "tradui|corrig|résum",
    plays: "jeu de rôle",
    ends: "fin",
    noSpeakers: "Le|La|Les|Un|Une|Mon|Ma|Il|Elle|On",
  },
  sentences: {
    abbreviations: String.raw`Mme|Mlle|p\.\s?ex`,
    beforeOrdinals: "le",
  },
} satisfies LanguagePack;
