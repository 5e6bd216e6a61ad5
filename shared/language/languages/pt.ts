import { stemmer } from "@orama/stemmers/portuguese";
import type { LanguagePack } from "./pack.ts";
import { stemsBy } from "./stems.ts";

export const pt = {
  name: "Portuguese",
  stems: stemsBy(stemmer),
  letters: "ãõáâêôçéíóú",
  functionWords: `o a os as um uma uns umas de do da dos das no na nos nas em ao à aos às e ou é são era eram foi está estão tem têm
   que quem quando onde como qual por para com sem sobre não se lhe me te seu sua seus suas meu minha meus minhas eu
   ele ela nós eles você muito mas mais este esta isso`,
  markers: `
    outra outro leite precisamos precisa bebo
    casa ainda bem fui depois antes ver fica pra só agora sou já tenho faz anos deus vou tudo vai faço vem sim
    pode até talvez quer preciso hoje amanhã ontem obrigado obrigada vocês tô tá cê também nunca sempre nada
    alguém então pelo pela dia vez novo dois ano gente esse pro chama coisa mãe uso pai português dá irmã saiu cão
    essa bom mês aí carro velho vendi fiquei inglês preço sexta chuva dela sogra dizia passa embora passou mandou
    larguei domingo ideia ficou lá responde queijo camarão fala zap`,
  dates: {
    months:
      "janeiro|jan;fevereiro|fev;março|marco;abril|abr;maio;junho|jun;julho|jul;agosto|ago;setembro|set;outubro|out;novembro|nov;dezembro|dez",
    weekdays:
      "segunda-feira|segunda;terça-feira|terça;quarta-feira|quarta;quinta-feira|quinta;sexta-feira|sexta;sábado;domingo",
    habits:
      "segundas-feiras|às segundas;terças-feiras|às terças;quartas-feiras|às quartas;quintas-feiras|às quintas;sextas-feiras|às sextas;sábados|aos sábados;domingos|aos domingos",
    ambiguous: "marco|maio|jan|fev|abr|jun|jul|ago|set|out|nov|dez|segunda|terça|quarta|quinta|sexta|domingo",
    units: "minuto|minutos;hora|horas;dia|dias;semana|semanas;fim de semana|fins de semana;mês|meses|mes;ano|anos",
    seasons: "primavera;verão;outono;inverno",
    numbers: "um|uma;dois|duas;três|tres;quatro;cinco;seis;sete;oito;nove;dez;onze;doze;treze;catorze|quatorze;quinze",
    few: "alguns|algumas|uns|umas|vários|várias",
    days: "anteontem;ontem|ontem de manhã|ontem à tarde|ontem à noite;hoje|hoje de manhã|hoje à tarde|hoje à noite|esta manhã|esta noite;amanhã|amanhã de manhã|amanhã à tarde|amanhã à noite;depois de amanhã",
    last: "passado|passada|último|última",
    penultimate: "retrasado|retrasada|penúltimo|penúltima",
    ordinals: "primeiro|primeira;segundo|segunda;terceiro|terceira;quarto|quarta",
    this: "este|esta|neste|nesta|deste|desta",
    next: "próximo|próxima|que vem|seguinte",
    pastMany: "últimos|últimas|ultimos|ultimas|passados|passadas",
    nextMany: "próximos|próximas|proximos|proximas|seguintes",
    ago: "atrás",
    agoBefore: "há|faz",
    ahead: "daqui a|dentro de|em",
    later: "depois|mais tarde",
    nextDay: "no dia seguinte",
    every: "todas as|todos os|cada|toda|todo",
    onDay: "em|no dia|dia|do dia|ao dia",
    noDate: "quarta-feira de cinzas|black friday",
    on: "a partir de|em|no|na|nos|nas|de|do|da|a|à|para|antes de|depois de|desde|durante|início de|fim de|final de|meados de|ano|dia",
    weak: "a|à|para|de",
    since: "desde|desde o|desde a",
    until: "até|até o|até a|até ao|antes de",
    before: "antes de|antes do|antes da|antes que",
    after: "depois de|depois do|depois da|após|depois que",
    from: "de|do|da|desde",
    to: "a|até|ao|à|até o",
    between: "entre",
    and: "e",
    article: "o|a|os|as|de|do|da|dia",
    at: "às|à|as|por volta das",
    oclock: "h|horas",
    am: "esta manhã|da manhã|de manhã",
    pm: "esta noite|da tarde|à tarde|da noite|à noite",
    lasting: "durante|por",
    approximate: "quase|cerca de|uns|umas",
    holidays: { "12-25": "natal", "12-24": "véspera de natal", "12-31": "réveillon", "1-1": "ano novo" },
    due: "data|prazo",
    moves: { verb: /^(?:adiad|remarcad|movid|antecipad)[oa]s?$/, to: /^(?:para|ao?|até)$/ },
    past: /^(?:foi|fui|foram|fomos|era|eram|estava|estive|esteve|fiz|fez|tive|teve|vim|veio|disse|pus|vi|viu|deu|dei|tinha|nasci|comecei|mudamos|jantamos|\p{L}{3,}(?:ava|avam|aram|eram|iram|aste|este|ei|ou|eu|iu|ia|iam|amos|emos|imos))$/u,
    future:
      /^(?:vou|vais|vai|vamos|vão|tenho|tem|temos|quero|devo|deve|há|\p{L}{3,}(?:arei|erei|irei|ará|erá|irá|aremos|eremos|iremos|arão|erão|irão)|irei|iremos|irá|irão)$/u,
    present: /^(?:moro|sou|é|está|estou|são|dia|sexta|meu|seu|sei|ou|eu|noite|notícia|família|semana)$/,
    ownPresent: { pronoun: /^(?:me|eu)$/, verb: /^\p{L}{3,}o$/u },
    functionWords:
      "a|mais|já|quando|porque|meus|o|os|do|da|dos|das|no|na|nos|nas|que|e|em|um|uma|por|com|para|muito|mas|como|é|eu|sou|me|meu|minha|se|ao|não|de|está|tenho|desde|há|foi|fui|às|nós|você|à",
  },
  questions: {
    time: "quando",
    asked: {
      bloodGroup: "grupo sanguíneo|tipo sanguíneo",
      otherName: "sobrenome|nome próprio",
      code: "senha|telefone|código",
      age: "idade|quantos anos",
      colour: "cor",
      amount: "quantos|quantas|custa|custou|salário|preço",
      name: "chama|nome|marca",
    },
    from: "de",
  },
  values: {
    measures: "pessoas",
    streetsBefore: "rua|praça|travessa|largo|estação",
    nights: "noite",
    numbers: "dois duas três quatro sete oito nove dez",
    colours: "vermelho vermelha amarelo preto preta branco branca cinzento cinza",
    ages: "ano anos",
    genitives: "de|do|da|dos",
  },
  procedures: {
    conditionLabels: "sintoma",
    remedyLabels: "solução",
  },
  summaries: {
    about: "A conversa tratou de: {topics}.",
    user: "o usuário",
    assistant: "o assistente",
    said: "{who} disse: “{words}”",
    asked: "{who} perguntou: “{words}”",
    answered: "À pergunta “{question}”, {who} respondeu: “{words}”",
  },
  rules: {
    conjunctions: "se|quando|assim que|sempre que|caso",
    consequents: "então",
    prepositions: "em caso de|antes de|depois de",
    please: "por favor|sempre",
    personal: String.raw`eu|nós|a gente|me|amanhã|ontem|hoje|\p{L}+(?:amos|emos|imos)`,
    stated: "o|a|os|as|um|uma|é|são|está|estão|era|há|ele|ela",
  },
  preferences: [
    /(?<!\p{L})(?:prefiro|odeio|adoro|detesto|gosto|a partir de agora|de agora em diante)(?!\p{L})/iu,
    /(?<!\p{L})por favor,? (?:nunca|sempre|não|nada de)(?!\p{L})/iu,
    /(?<!\p{L})(?:nunca|sempre|nada de) [^.?!]{2,80},? por favor(?!\p{L})/iu,
  ],
  cues: {
    prepositionalNo: String.raw`[ãõ]|(?<!\p{L})(?:eu|meu|minha|uma|moro|trabalho|estudo)(?!\p{L})`,
    negations: "não nunca nenhum nenhuma sem",
    imagined: "talvez oxalá",
    claimed: "diz acha",
    formerly: "antigamente",
    lasting: "nunca sempre",
    whenever: "quando",
    clauseOpenings: "mas",
    firstPerson: "eu nós",
    thirdPerson: "ele ela",
    others: "esposa marido avó avô tia tio vizinho vizinha chefe cão cachorro gata",
  },
  mentions: {
    until: "até",
    determiners: "meu minha meus minhas nosso nossa o a os as",
  },
  assertions: {
    conditions: "talvez",
    plans: "queria gostaria quero vou",
    clockPrepositions: "às",
    generic: `
      hoje ontem amanha manha tarde noite semana mes ano dia hora vez vezes ainda sempre agora logo depois novo
      nova bem mal melhor muito pouco tudo nada fazer feito ser ter foi`,
  },
  voices: {
    speech: "diz disse escrev* respond* perguntou conta",
    texts: `
      mensagem mensagens carta texto textos transcrição citação poema letra música conversa história romance
      capítulo parágrafo trecho avaliaç* comentário exemplo encaminhada`,
    tasks: "traduz* resuma* melhor* analis* revise* reescrev*",
    pointing: "isto este esta seguinte* abaixo isso acima",
    fiction: `
      para_(?:a_minha_história|o_meu_romance|minha_história|meu_romance|meu_conto) imagine_que vamos_brincar
      faz_de_conta era_uma_vez`,
    ownLabels: "lembrete lembra lembre* regra* preferênci* alergia* a_propósito sobre_mim cidade trabalho",
    firstPerson: "eu meu minha meus",
    secondPerson: "você",
    documents: "artigo página arquivo ata resultado anúncio receita",
    returns: "aliás enfim quanto_a_mim da_minha_parte é_isso (?:podes|pode|poderia|podias|você_pode)",
    asides: "a_propósito",
  },
  courtesies: {
    words: "ola oi obrigado obrigada tchau bom boa dia tarde noite sim nao tudo bem beleza",
    greetings: "ola obrigado obrigada",
    answers: "sim nao",
  },
  outlines: {
    heading: "título",
  },
  names: {
    organizations: "universidade ministério escola associação fundação",
    relatives: "filha|filho|irmã|irmão|mãe|pai",
    called: "se chama",
    own: "me chamo",
    atWork: "trabalho na|trabalho no",
    inPlace: "moro em",
    particles: "de da do dos",
  },
  secrets: {
    phrases: "frase*",
    passwords: "senha* palavra-passe palavra_passe frase-senha",
    pins: "multibanco",
    keys: "chave chaves",
    access: "conta acess* rede digitar coloco tudo banco entra desbloque* convidados",
    users: "usuário* utilizador*",
    changes: "mudei mudou mudado troquei coloquei nova novo",
    sent: "mandado chegou recebi mandaram mandou enviou",
    others: "fatura voo comboio trem lugar portão cadeado cacifo armário encomenda",
    devices: "telemóvel notebook computador cartão tablet",
    backups: "recuperação reserva emergência",
    answers: "resposta* pergunta* solteira",
    examples: "exemplo",
    equals: "é era",
    copulas: "é para pra foi com e agora",
    notPasswords: `
      errada errado correta expirada fraca forte segura esquecida alterada vazia longa curta muito mesma nova velha
      não o os um uma minha nossa no na aqui ali sempre perdida necessária obrigatória digital rosto chave cartão dedo
      mouse teclado`,
    passports: "passaporte|carteira de identidade|cartão de cidadão|cnh",
  },
  moods: {
    requests: "(?:por favor,? )?(?:escreve|escreva|explica|traduz|traduza|procura|compara)",
    lasting: "de agora em diante",
    changes: "atuali[sz]|mud[ea]",
    called: "me chamar|chama-me",
    remembers: "(?:lembra|lembre|lembrar|anota|anote|guarda) (?:de )?que",
    told: "te (?:disse|contei) que|sab(?:es|ia) que",
    leads: "eu|sou|tenho|meu|minha",
    clauses: "eu|sou|tenho|temos",
    ownVerbs: String.raw`\p{L}{2,}o`,
    notOwnVerbs: "quanto|posso|devo|quero|outro",
    notes: "not|anot",
    that: "que",
    own: String.raw`meus?|minhas?|noss\p{L}+`,
    namedOwn: String.raw`(?:meus?|minhas?|noss[oa]s?) \p{Ll}+(?:,? (?:\p{Lu}|que ))`,
  },
  mails: {
    mailFields: "assunto|remetente",
    mailSubjects: "assunto",
    salutations: "prezad[oa]s?",
    greetings: "olá|oi",
    closings: "atenciosamente|cumprimentos|(?:um )?abraços?",
    thanks: "obrigad[oa]",
  },
  intros: {
    repeats: "(?:me )?corrijo",
    owned: "meu|minha",
    addressed: "você",
    ahead: "isto|abaixo",
    speakers: "eu",
    saidSo: "foi o que ",
    handsOver: "traduz|resum",
    noSpeakers: "Uma?|O",
  },
  sentences: {
    beforeOrdinals: "o|a",
  },
} satisfies LanguagePack;
