import { setOf } from "../../kernel/strings.ts";

/**
 * Words by which the form of a sentence shows that it does not simply state something of its speaker, in the languages of
 * the reader. They only ever reject what a language model wrote, so that a missing word costs no fact.
 */
const NEGATIONS = setOf(
  `not never no none neither nor don't doesn't didn't won't can't cannot isn't aren't wasn't haven't hasn't without
   nicht nie niemals kein keine keinen keinem keiner keines ohne pas jamais aucun aucune sans ne n nunca ningún ninguna tampoco sin non mai
   nessun nessuna senza não nunca nenhum nenhuma sem niet nooit geen zonder inte aldrig ingen inga nie nigdy bez не никогда нет без değil`,
);
/** Sentences in which "no" is a preposition. */
const PORTUGUESE = /[ãõ]|(?<!\p{L})(?:eu|meu|minha|uma|moro|trabalho|estudo)(?!\p{L})/iu;
/** What is only imagined, wished or possible. */
const IMAGINED = setOf(
  `if would i'd we'd wish maybe perhaps might could imagine wenn falls würde würden wäre hätte könnte vielleicht womöglich peut-être si
   serait voudrais ojalá quizá quizás acaso forse magari vorrei talvez oxalá misschien zou kanske może gdyby jeśli если
   может бы keşke belki eğer`,
);
/** Forms of French, Spanish and Italian that only wishes and conditions have. */
const CONDITIONAL = /(?:erais|eriez|eraient|iera|iese|erei|eresti|ebbe)$/u;
/** What others claim. */
const CLAIMED = setOf(
  `says claims thinks believes reckons insists suggests apparently allegedly supposedly reportedly meint sagt behauptet glaubt findet soll
   angeblich anscheinend dit prétend pense croit paraît apparemment dice piensa cree afirma supuestamente sostiene pensa crede pretende diz
   acha schijnt zegt vindt säger tror påstår mówi twierdzi podobno rzekomo говорит считает утверждает якобы söylüyor güya`,
);
/** What was before. */
const FORMERLY = setOf(
  `formerly previously früher ehemals damals einst vorher autrefois jadis avant antes antiguamente prima antigamente vroeger eerder förr
   tidigare dawniej kiedyś раньше прежде eskiden`,
);
const USED_TO = /(?<!\p{L})used to(?!\p{L})/iu;
/** A plan that does not take place. */
const CANCELLED =
  /(?<!\p{L})(?:is off|are off|was off|called off|cancell?ed|off the table|fällt aus|abgesagt|ins wasser|annulée?|tombe à l'eau|cancelad[oa]|anulad[oa]|annullat[oa]|saltat[oa]|afgelast|gaat niet door|inställ[dt]|odwołan[aey]|отмен[её]н\p{L}*|iptal)(?!\p{L})/iu;
/** A rule for what is to come, rather than a task for now. */
const LASTING = setOf(
  `always never ever every whenever only anymore future default immer nie niemals stets künftig zukünftig ab jedes toujours jamais désormais
   dorénavant chaque plus siempre nunca adelante cada sempre mai d'ora ogni nunca sempre altijd nooit voortaan alltid aldrig framöver
   zawsze nigdy odtąd всегда никогда впредь her asla bundan`,
);
const FROM_NOW_ON =
  /from (?:now|here) on|going forward|(?:when|if) (?:i|you|we)(?!\p{L})|(?<!\p{L})(?:wenn|quand|cuando|quando|когда) /iu;

/** "I", "we" as subjects. */
const FIRST = setOf(
  `i i'm i've i'll i'd we we're we've ich wir je j nous moi yo nosotros nosotras io noi eu nós ik wij we jag vi я мы 私 我 僕`,
);
const THIRD = setOf(
  `he she they he's she's they're er sie il elle ils elles él ella ellos lui lei ele ela hij zij han hon ona он она они`,
);
/** People and animals beside the user, by the languages of the reader. */
const OTHERS = setOf(
  `mother mum mom father dad parents sister brother wife husband partner boyfriend girlfriend fiancé fiancée son daughter kid kids child
   children grandma grandpa grandmother grandfather aunt uncle cousin niece nephew friend neighbour neighbor colleague coworker co-worker
   boss manager flatmate roommate dog cat doctor teacher landlord
   mutter mama vater papa eltern schwester bruder frau mann freund freundin sohn tochter kind kinder oma opa tante onkel cousin cousine
   nichte neffe nachbar nachbarin kollege kollegin chef chefin mitbewohner mitbewohnerin hund katze kater arzt ärztin
   mère maman père parents sœur soeur frère femme mari copain copine fils fille enfant enfants mamie papi grand-mère grand-père tante oncle
   ami amie voisin voisine collègue patron patronne chien chat pote
   madre mamá padre papá padres hermana hermano mujer marido novio novia hijo hija hijos abuela abuelo tía tío prima primo amigo amiga
   vecino vecina colega jefe jefa perro gato
   madre mamma padre papà sorella fratello moglie marito figlio figlia figli nonna nonno zia zio cugino cugina amico amica vicino vicina
   collega capo cane gatto mãe pai irmã irmão esposa marido filho filha avó avô tia tio vizinho vizinha chefe cão cachorro gata
   moeder vader zus broer vrouw man vriend vriendin zoon dochter oma opa tante oom buurman buurvrouw collega baas hond kat
   mamma pappa syster bror fru man son dotter mormor farmor morfar farfar moster granne kollega chef hund katt
   mama tata siostra brat żona mąż syn córka babcia dziadek ciocia wujek sąsiad sąsiadka kolega koleżanka szef pies kot
   мама мать папа отец сестра брат жена муж сын дочь бабушка дедушка тётя дядя сосед соседка коллега начальник собака кошка`,
);
/** Words before the subject of a clause: possessives, articles, conjunctions. */
const MAX_BEFORE_SUBJECT = 2;
/** Ends of clauses: marks, and words that begin another clause. */
const CLAUSE_END =
  /[,;:.!?()–—]+|\s(?:and|but|because|while|und|aber|weil|sondern|et|mais|car|y|pero|porque|e|ma|perché|mas|en|maar|och|men|ale|и|но|а)\s/iu;
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;

/** A clause of a sentence by its words, in lower case. */
type Clause = string[];

/** What the form of a sentence says about a value in it. */
export class Cues {
  readonly #sentence: string;
  /** The clause with the value, and those before it, nearest first. */
  readonly #clause: Clause;
  readonly #before: Clause[];

  constructor(sentence: string, value: string) {
    this.#sentence = sentence;
    const clauses = sentence.split(CLAUSE_END).map((clause) => clause ?? "");
    const first = value.split(CLAUSE_END)[0] ?? value;
    const index = clauses.findLastIndex((clause) => clause.toLowerCase().includes(first.toLowerCase().trim()));
    this.#clause = wordsOf(clauses[index] ?? sentence);
    this.#before = clauses
      .slice(0, Math.max(0, index))
      .map(wordsOf)
      .filter((words) => words.length > 0)
      .reverse();
  }

  get isDenied(): boolean {
    const isPortuguese = PORTUGUESE.test(this.#sentence);
    return this.#clause.some(
      (word) => (NEGATIONS.has(word) || word.endsWith("n't")) && !(isPortuguese && word === "no"),
    );
  }

  get isImagined(): boolean {
    const words = [...this.#clause, ...this.#before.flat()];
    return words.some((word) => IMAGINED.has(word)) || this.#clause.some((word) => CONDITIONAL.test(word));
  }

  /** Whether somebody claims it: in its clause, or in the one before. */
  get isClaimed(): boolean {
    return [...this.#clause, ...(this.#before[0] ?? [])].some((word) => CLAIMED.has(word));
  }

  get isFormer(): boolean {
    return this.#clause.some((word) => FORMERLY.has(word)) || USED_TO.test(this.#sentence);
  }

  get isCancelled(): boolean {
    return CANCELLED.test(this.#sentence);
  }

  get isLasting(): boolean {
    return wordsOf(this.#sentence).some((word) => LASTING.has(word)) || FROM_NOW_ON.test(this.#sentence);
  }

  /** Whether its clause begins with somebody else ("My sister …", "Jana …", "she …") and the quote has no "I". */
  isAboutOthers(people: ReadonlySet<string>, quote: string): boolean {
    const subject = this.#clause.slice(0, MAX_BEFORE_SUBJECT + 1);
    if ([...this.#clause, ...wordsOf(quote)].some((word) => FIRST.has(word))) return false;
    return THIRD.has(subject[0] ?? "") || people.has(subject[0] ?? "") || subject.some((word) => OTHERS.has(word));
  }
}

function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replaceAll("’", "'")).flatMap((word) =>
    // "j'adore", "l'ai": the first part is a word of its own.
    /^[jlnd]'/.test(word) ? [word.slice(0, 1), word.slice(2)] : [word],
  );
}
