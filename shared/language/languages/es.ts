import { stemmer } from "@orama/stemmers/spanish";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const es = {
  name: "Spanish",
  stems: stemsBy(stemmer),
  letters: "ñáéíóú",
  functionWords: `el la los las un una unos unas de del al y o es son era eran está están fue ha han había que qué quién cuándo dónde
   cómo cuál por para con sin sobre en entre no se lo le les su sus mi mis tu tus yo él ella nosotros ellos me te nos
   muy pero como más este esta estos estas ese esa cuando donde hay tiene soy`,
  markers: `
    leche falta llámame
    eres estás tienes fui hice tener ver casa ya vale ahora sí voy ni tres eso siempre estoy así hace quiero dejé
    bueno todos sé nadie hora dijo día años mañana hoy ayer gracias puedo puede nada algo alguien también hasta
    desde porque pues mucho otra otro tengo hemos esto mujer jaja obvio lunes llama murió hermano llevo inglés
    martes bici jueves libro salió veces tú dios lleva junio nueva hermana cumple llamo hijos cambié digo mía
    cuánto queda miércoles viernes vecina tenía doctora usted comida enero dime mayo dije`,
  dates: {
    months:
      "enero|ene;febrero|feb;marzo;abril|abr;mayo;junio|jun;julio|jul;agosto|ago;septiembre|setiembre|sept;octubre|oct;noviembre|nov;diciembre|dic",
    weekdays: "lunes;martes;miércoles|miercoles;jueves;viernes;sábado|sabado;domingo",
    habits: "los lunes;los martes;los miércoles;los jueves;los viernes;los sábados;los domingos",
    ambiguous: "mayo|julio|abril|agosto|ago|domingo|junio|ene|feb|abr|jun|jul|sept|oct|nov|dic|marzo",
    units:
      "minuto|minutos;hora|horas;día|días|dia|dias;semana|semanas;fin de semana|fines de semana;mes|meses;año|años",
    seasons: "primavera;verano;otoño;invierno",
    numbers: "un|una|uno;dos;tres;cuatro;cinco;seis;siete;ocho;nueve;diez;once;doce;trece;catorce;quince",
    few: "unos|unas|varios|varias|algunos|algunas|un par de",
    days: "anteayer|antes de ayer|antier;ayer|ayer por la mañana|ayer por la tarde|ayer por la noche|anoche;hoy|esta mañana|esta tarde|esta noche;mañana|mañana por la mañana|mañana por la tarde|mañana por la noche;pasado mañana",
    last: "pasado|pasada|último|última",
    penultimate: "antepasado|antepasada|penúltimo|penúltima",
    ordinals: "primer|primera|primero;segundo|segunda;tercer|tercera|tercero;cuarto|cuarta",
    this: "este|esta",
    next: "próximo|próxima|proximo|proxima|que viene|siguiente",
    pastMany: "últimos|últimas|ultimos|ultimas|pasados|pasadas",
    nextMany: "próximos|próximas|proximos|proximas|siguientes",
    ago: "atrás",
    agoBefore: "hace",
    ahead: "dentro de|en",
    later: "después|más tarde|despues",
    nextDay: "al día siguiente|el día siguiente",
    every: "cada|todos los|todas las",
    onDay: "el|del|al|día",
    noDate: "buenas tardes|martes santo|black friday",
    on: "a partir de|a partir del|en|el|del|de|a|para|hacia|antes de|antes del|después de|desde|al|durante|principios de|finales de|mediados de|año",
    weak: "el|a|de|para|al",
    since: "desde|desde el",
    until: "hasta|hasta el|antes del|antes de|para el",
    before: "antes de|antes del|antes de que",
    after: "después de|después del|después de que|tras",
    from: "del|de|desde|desde el",
    to: "al|a|hasta|hasta el",
    between: "entre|entre el",
    and: "y|y el",
    article: "el|la|los|las|de|del",
    at: "a las|a la|sobre las|desde las",
    oclock: "h|horas",
    am: "esta mañana|por la mañana|de la mañana|am|a la mañana",
    pm: "esta tarde|esta noche|anoche|por la tarde|de la tarde|por la noche|de la noche|pm",
    lasting: "durante|por",
    approximate: "casi|unos|unas|aproximadamente",
    holidays: { "12-25": "navidad", "12-24": "nochebuena", "12-31": "nochevieja", "1-1": "año nuevo" },
    due: "fecha|plazo",
    perfect: {
      reach: 4,
      auxiliary: /^(?:he|has|ha|hemos|habéis|han)$/u,
      participle: /^(?:\p{L}{2,}(?:ado|ido|ído)|hecho|dicho|visto|puesto|escrito|vuelto|muerto|roto|abierto)$/u,
    },
    moves: {
      verb: /^(?:aplazad|movid|pospuest|retrasad|adelantad|cambiad)[oa]s?$|^(?:aplazó|movió|pospuso|aplazaron|movieron)$/,
      to: /^(?:al?|para|hasta)$/,
    },
    past: /^(?:fue|fui|fueron|fuimos|era|eran|estaba|estuve|estuvo|estábamos|hice|hizo|tuve|tuvo|vine|vino|dijo|dije|puse|puso|vi|dio|di|había|nací|\p{L}{3,}(?:aba|aban|ábamos|aron|ieron|aste|iste|amos|imos|ía|ían|ó)|\p{L}{2,}(?:cé|gué|qué|é|í))$/u,
    future:
      /^(?:voy|vas|va|vamos|van|tengo|tiene|tenemos|quiero|debo|debe|hay|viajo|\p{L}{3,}(?:aré|eré|iré|ará|erá|irá|aremos|eremos|iremos|arán|erán|irán)|iré|iremos|irá|irán)$/u,
    present: /^(?:vivo|soy|es|está|estamos|estoy|son|día|días|todavía|café|sé|tía|así|aquí|allí|qué|mí|sí)$/,
    ownPresent: { pronoun: /^(?:me|yo)$/, verb: /^\p{L}{3,}o$/u },
    functionWords:
      "a|o|sin|más|ya|cuando|porque|mis|el|los|las|del|que|y|en|un|una|por|con|para|muy|pero|como|esta|este|es|yo|soy|me|mi|se|al|lo|su|no|de|la|está|estoy|tengo|desde|hace|hay|fue|fui|nos",
  },
  grammar: {
    pastMoves: "mudado|mudé|mudanza",
    firstPerson: "",
    pronouns: "me te se nos le les lo él ella eso yo",
    my: "mi mis nuestro nuestra nuestros nuestras",
    newAdjectives: "nuevo nueva nuevos nuevas",
    articles: "el la los las al del lo",
    indefinite: "un una unos unas",
    and: "y e pero",
    not: "no nunca",
    noLonger: ["ya no"],
    hypothetical: "si quisiera gustaría podría ojalá quizás tal",
    adverbs: "otra vez ahora actualmente también ya todavía siempre por fin antes mucho muy desde",
    since: "desde",
    until: "hasta",
    is: "es son",
    pluralIs: "son",
    pluralEnding: /s$/,
    schedule: /^(?:(?:los|cada|todos los) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)|a las? \d)/iu,
    isCalled: "llama llaman",
    have: "tengo tenemos",
    please: "por favor",
    lasting: "siempre nunca",
    joins: "de del la las los el",
    third: "él ella",
    relatives: "mamá papá",
    numbered: "habitación sala línea andén taquilla aula",
    moves: /(?<!\p{L})(?:mudanza|mud(?:o|amos|é|ado|arme|arnos))(?!\p{L})/iu,
    address:
      /^a (?:la )?(?<place>\p{Lu}[\p{L}-]+)|^(?<street>(?:calle|avenida|plaza|paseo) \p{Lu}[\p{L} ]{1,30},? \d{1,4})/iu,
    kin: {
      partner: "marido mujer esposo esposa novio novia pareja",
      child: "hijo hija hijos hijas",
      sibling: "hermano hermana",
      parent: "padres madre padre",
      pet: "perro perra gato gata conejo caballo",
      relative: "tío tía primo prima abuela abuelo",
      boss: "jefe jefa",
      dentist: "dentista",
      doctor: "médico médica",
    },
    verbs: [
      {
        forms: "vivo resido vivimos / vive reside / vivía vivíamos viví vivido",
        slot: "lives_in",
        via: "en",
        value: "name",
      },
      {
        forms: "mudo mudaré mudamos mudaremos / muda mudará / mudé mudado mudó",
        slot: "lives_in",
        via: "a",
        effect: "start",
        value: "name",
      },
      {
        forms: "trabajo trabajamos / trabaja / trabajaba trabajé trabajado",
        slot: "works_at",
        via: "en para",
        value: "name",
      },
      { forms: "trabajo / trabaja / trabajaba trabajé", slot: "works_as", via: "como de", value: "word" },
      { forms: "llamo", slot: "name", value: "name" },
      { forms: "soy / es", slot: "allergic_to", with: "alérgico alérgica", via: "a al", value: "word" },
      { forms: "tengo / tiene / tenía", slot: "age", value: { unit: "años" } },
      { forms: "gusta gustan encanta encantan", slot: "likes", negated: "dislikes", value: "word" },
      { forms: "prefiero / prefiere", slot: "likes", value: "word" },
      { forms: "odio detesto / odia detesta", slot: "dislikes", value: "word" },
      { forms: "hablo / habla", slot: "speaks", value: "word" },
      { forms: "estudio / estudia / estudiaba estudié", slot: "studies", value: "word" },
    ],
    nouns: {
      lives_in: "mudanza piso casa apartamento",
      works_at: "trabajo empleo puesto empresa",
      partner: "boda matrimonio divorcio separación ruptura",
      studies: "estudios carrera",
    },
  },
  questions: {
    interrogatives: "que cual cuales quien quienes cuanto cuanta cuantos cuantas como donde cuando",
    before: "antes anterior anteriormente primero primera originalmente viejo vieja",
    cause: "motivo|razón|desde|hasta|cambió|cambiar|cambiado|por qué",
    past: "era eran estaba estaban vivía fue fueron tenía trabajaba",
    polar: "ha han fue es son",
    now: "ahora|actualmente|actual|hoy|todavía",
    time: "cuando",
    asked: {
      bloodGroup: "grupo sanguíneo",
      otherName: "apellido|apellidos",
      code: "número|teléfono|contraseña|clave|matrícula",
      age: "edad|cuántos años",
      colour: "color",
      amount: "sueldo|salario|cuesta|costó|gano|gana|precio|cuánto|cuánta|cuántos|cuántas",
      name: "llama|llaman|nombre|título|marca",
    },
    from: "de",
  },
  values: {
    measures: "dólares|personas|habitantes",
    streetsBefore: "calle|avenida|avda|plaza|paseo|estación",
    nights: "noche",
    numbers: "dos tres cuatro cinco seis siete ocho nueve diez doce veinte cien mil",
    colours: "rojo roja azul verde amarillo amarilla negro negra blanco blanca marrón gris",
    ages: "año años cumple",
    genitives: "de|del",
  },
  recall: {
    references: "sí|si|ambos|ella|él|eso|porque",
    emptyWords: "llama llaman nombre tiene tienes tienen",
    assistant: "usted ti",
    assistantSaid: "aconsejaste|dijiste|mencionaste|ofreciste|prometiste|propusiste|recomendaste|sugeriste",
    happened: "pasó ocurrió sucedió eventos que qué el hubo",
    denials: "nunca tampoco cancelado cancelada",
    introductions: "me llamo|mi nombre es",
  },
  salience: {
    fillers: `
      el la los las un una unos unas de del es son era eran está están ha han había haber lo muy también pues
      entonces ya`,
    prepositions: "a al en por para con y o que como",
    pronouns: "yo me mi mis tú te tu tus él ella nosotros nos se su sus le les",
    vital: "no nunca sin salvo excepto solo sólo cancelado prohibido alérgico alérgica hasta",
  },
  conversations: {
    promises:
      "(?:te|le|os|les) (?:recuerdo|mando|envío|aviso|busco|preparo|reservo)|(?:enviar|mandar|recordar|avisar|buscar|reservar|preparar|llamar)é",
    requests: String.raw`puedes|podrías|puede usted|podría|recuérdame|por favor,? (?:env[ií]a|manda|reserva|busca|recu[eé]rda|avisa)\p{L}*`,
    limits: "como máximo|menos de|presupuesto",
    done: "hecho|enviado|reservado|listo",
    justDone: "hecho|listo",
    takenBack: "ya no hace falta",
    uncertain: "no",
    offers: String.raw`\bquieres que\b|¿(?:te|le) \p{L}+o\b`,
    assents: "sí|si|claro|vale",
    settled: String.raw`acordad\p{L}+|de acuerdo|reembols\p{L}+|confirmad\p{L}+|reservad\p{L}+|resuelt\p{L}+|solucionad\p{L}+|(?:he|hemos) (?:cambiado|enviado|cancelado|abonado|devuelto)|(?:le|te|les|os) (?:envi|devolv|llam|abon|cambi)\p{L}*|recibir(?:á|ás|án)`,
    problems:
      "no (?:funciona|carga|llegó|ha llegado|puedo (?:entrar|pagar|abrir|acceder))|error|problema|falla|roto|rota",
    resolved: "ya funciona|solucionad[oa]|resuelt[oa]",
  },
  procedures: {
    conditionLabels: "síntoma",
    remedyLabels: "solución",
  },
  summaries: {
    about: "La conversación trató de: {topics}.",
    user: "el usuario",
    assistant: "el asistente",
    said: "{who} dijo: «{words}»",
    asked: "{who} preguntó: «{words}»",
    answered: "A la pregunta «{question}», {who} respondió: «{words}»",
  },
  rules: {
    conjunctions: "si|cuando|en cuanto|siempre que|apenas",
    consequents: "entonces",
    prepositions: "en caso de|antes de|después de",
    please: "por favor|siempre",
    personal: String.raw`yo|nosotros|nosotras|me|nos|mañana|ayer|hoy|esta noche|\p{L}+(?:amos|emos|imos)`,
    stated: "el|la|los|las|un|una|es|son|está|están|era|hay|él|ella",
  },
  preferences: [
    /(?<!\p{L})(?:prefiero|me (?:gustan?|encantan?|chiflan?)|odio|adoro|detesto|favorit[oa]s?|soy (?:vegan|vegetarian|al[eé]rgic)[oa]|al[eé]rgic[oa]|no (?:soporto|aguanto|como|bebo|tomo)|de ahora en adelante|a partir de ahora)(?!\p{L})/iu,
    /(?<!\p{L})por favor,? (?:no|nunca|siempre|s[oó]lo|sin|nada de)(?!\p{L})/iu,
    /(?<!\p{L})(?:nunca|siempre|no|sin|nada de) [^.?!]{2,80},? por favor(?!\p{L})/iu,
    /(?:^|[,;:]\s+|(?<!\p{L})y )(?:no me|nunca me|nunca|siempre) \p{L}{2,20}(?:es|as|me|os)(?!\p{L})/iu,
  ],
  cues: {
    conditionalEndings: "erais|iera|iese",
    negations: "nunca ningún ninguna tampoco sin",
    imagined: "ojalá quizá quizás acaso",
    claimed: "dice piensa cree afirma supuestamente sostiene",
    formerly: "antes antiguamente",
    cancelled: "cancelad[oa]|anulad[oa]",
    lasting: "siempre nunca adelante cada",
    whenever: "cuando",
    clauseOpenings: "y|pero|porque",
    firstPerson: "yo nosotros nosotras",
    thirdPerson: "él ella ellos",
    others: `
      madre mamá padre papá padres hermana hermano mujer marido novio novia hijo hija hijos abuela abuelo tía
      tío prima primo amigo amiga vecino vecina colega jefe jefa perro gato`,
  },
  mentions: {
    since: "desde",
    until: "hasta",
    determiners: "mi mis nuestro nuestra el la los las",
  },
  assertions: {
    denials: "nunca jamas sin tampoco cancelado cancelada",
    conditions: "quizas ojala",
    plans: "quisiera querria podria pudiera quiero voy iria gustaria",
    clockPrepositions: "a las|hasta",
    measures: "horas",
    generic: `
      hoy ayer manana tarde noche mediodia semana semanas mes meses ano anos dia dias hora horas lunes martes
      miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre
      octubre noviembre diciembre otra otro vez veces siempre todavia aun fin ahora luego pronto ya casi bien
      mal mejor peor mucho mucha muchos poco nada todo toda todos nuevo nueva viejo primera primer primero
      ultima ultimo ser soy sido estar estoy hemos hecho hacer hace hizo haber hubo hay ir ver dar tener tengo
      decir dijo dicho volvi volver empieza sigue hasta desde algo unos unas`,
  },
  voices: {
    speech: "dice dijo decía escrib* escrito respond* contó cuenta pregunt* reza",
    texts: `
      correo* mensaje* carta* textos? transcripción cita citas poema* letra canción conversación historia*
      novela capítulo párrafo* extracto reseña* comentario* nota_de_voz ejemplo* frase* oración reenviado*`,
    tasks: "resum* corrige* corrija* corríje* reformul* acort* mejor* analiza* explica* revis*",
    pointing: "esto este esta siguiente* abajo eso anterior aquí",
    fiction: "para_mi_(?:cuento|novela|historia|obra) imagina_que juguemos juego_de_rol érase_una_vez",
    ownLabels: `
      nota notas recordatorio recuerda importante aviso regla* preferencia* alergia* por_cierto ojo dato datos
      sobre_mí ciudad trabajo profesión para_tu_información en_la_vida_real`,
    firstPerson: "yo mi mis nosotr*",
    secondPerson: "tú ti usted tuo",
    orders: "siempre nunca",
    documents: "artículo* página* documento* archivo* acta salida resultado* anuncio* receta*",
    returns: `
      en_fin en_cuanto_a_mí por_mi_parte eso_es_todo fin_del? mi_pregunta qué_(?:opinas|te_parece)
      (?:puedes|podrías|puede_usted|podría) (?:para_que_tengas|como)_contexto`,
    asides: "por_cierto",
  },
  courtesies: {
    words: `
      hola gracias buenos buenas dias tardes noches adios hasta luego vale si perdon por favor de nada genial
      perfecto muchas claro`,
    greetings: "hola buenos buenas gracias adios",
    answers: "si",
  },
  outlines: {
    noKeys: "primero segundo tercero",
    changes: "ya no|nuev[oa]|cancelad[oa]|murió",
    heading: "título",
  },
  names: {
    organizations: "banco universidad ministerio grupo instituto colegio escuela asociación fundación",
    days: `
      lunes martes miércoles jueves viernes sábado domingo enero febrero marzo mayo junio julio septiembre
      octubre noviembre diciembre`,
    relatives: "hija|hijo|esposa|esposo|marido|hermana|hermano|madre|padre|amigo|amiga|jefe|jefa",
    called: "se llama",
    own: "me llamo",
    atWork: "trabajo en|entrevista con",
    inPlace: "vivo en",
    particles: "de del",
    mensTitles: "sr señor senor",
    womensTitles: "sra señora senora",
    articles: "el los las",
  },
  secrets: {
    otherCodes: "postal|producto|cliente|descuento|error|portal|puerta|pedido|barras|recogida",
    devices: "móvil|celular|tableta|tablet|portátil|ordenador|compu|computadora|pc|tarjeta|sim",
    passwords:
      "frase de (?:paso|acceso|seguridad)|código de acceso|clave de (?:administrador|root)|la contra (?:es|del)",
    pins: "código de (?:inicio de sesión|un solo uso)|token (?:del|por) sms|nip",
    codes: "códigos?",
    sent: "sms|llegó|llegar|mandaron|enviaron|recibí",
    backupCodes: "(?:códigos?|claves?) de (?:respaldo|recuperación|emergencia|seguridad de 2fa)",
    passports: "pasaporte|carn[eé] de conducir|cédula",
    access: String.raw`entr(?:a|o|as|ar) con|inici\p{L}{1,4} sesión|acced\p{L}{1,4}|cuenta|desbloque\p{L}{1,3}|wi-?fi|abre con|uso`,
    changes: String.raw`cambi[éeoóa]\p{L}{0,3}|la nueva|el nuevo|la vieja|puse`,
    notPasswords: `
      incorrecta incorrecto correcta caducada caducado débil fuerte segura olvidada cambiada vacía larga
      corta demasiado misma nueva vieja no el la los un una mi nuestra su en sobre aquí allí muy siempre
      perdida necesaria obligatoria importante fácil difícil
      huella cara llave tarjeta dedo ratón teclado`,
  },
  moods: {
    requests:
      "(?:por favor,? )?(?:muéstrame|escribe|escríbeme|explica|explícame|traduce|busca|búscame|compara|resume|dame|enséñame)",
    lasting: "(?:de|a partir de) ahora(?: en adelante)?|en adelante",
    changes: "cambi|actuali[sz]|modifi",
    called: "llámame|llamarme",
    remembers: "(?:recuerda|recordar|anota|apunta|no olvides) (?:de )?que",
    told: "(?:te|le) (?:he dicho|dije|conté|había dicho) que|sab(?:es|ías|ia) que",
    leads: "yo|soy|estoy|tengo|vivo|mi|mis",
    clauses: "yo|soy|estoy|tengo|vivo|viajo|tenemos",
    ownVerbs: String.raw`\p{L}{2,}o`,
    notOwnVerbs: "cu[aá]nto|c[oó]mo|puedo|debo|quiero|bueno|primo|otro",
    notes: "not|apunt|anot|escrib|escrív",
    that: "que",
    own: String.raw`mis?|nuestr\p{L}+`,
    namedOwn: String.raw`(?:mis?|nuestr[oa]s?) \p{Ll}+(?:,? (?:\p{Lu}|que ))`,
    received: String.raw`\p{L}*[áéí]\p{L}{1,3}me`,
    notReceived: String.raw`\p{L}*(?:ll[áa]m|respónd|responde|hábl|habla|recuérd|dim)`,
    receivedObjects: String.raw`un\p{L}*|algun\p{L}*|la|los|las`,
  },
  mails: {
    mailFields: "para|asunto|enviado(?: el| em)?|fecha|remitente",
    mailSubjects: "rv|asunto",
    salutations: "estimad[oa]s?|querid[oa]s?",
    greetings: "hola",
    closings: "(?:un )?(?:cordial )?saludos?(?: cordiales)?|un abrazo|atentamente|atte",
    thanks: "gracias",
    postscripts: "enviado desde|este (?:correo|mensaje)",
    assistants: "asistente",
  },
  intros: {
    repeats: "(?:yo )?(?:digo|repito|(?:me )?corrijo|rectifico)",
    roles: "hablante|pregunta|respuesta",
    owned: "mi|mis",
    please: "por favor",
    conditions: "cuando",
    ahead: "esto|lo siguiente|abajo",
    from: "por",
    speakers: "yo",
    listeners: "a ti",
    reports: "dijo",
    saidSo: "eso (?:es lo que|dijo|escribió) ",
    handsOver: "traduc|resum",
    plays: "juguemos|imagina",
    ends: "fin",
    noSpeakers: "El|Los|Mi|Ella|Lo",
  },
  sentences: {
    abbreviations: "Sra|Srta",
    beforeOrdinals: "el",
  },
} satisfies LanguagePack;
