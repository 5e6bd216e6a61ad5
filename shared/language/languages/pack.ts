import type { DateWords } from "./date-words.ts";
import type { Grammar } from "./grammar.ts";

/** Words of questions. */
export interface QuestionWords {
  interrogatives: string;
  /** Ask for what held before something else. */
  before: string;
  /** Ask why or when something changed; words and phrases separated by `|`. */
  cause: string;
  /** Forms of verbs and adverbs for the past. */
  past: string;
  /** Stand before where somebody leaves, and before a noun that a verb of the main clause may follow, separated by `|`. */
  from: string;
  beforeNouns: string;
  /** Ask for yes or no at the beginning of a question. */
  polar: string;
  /** Ask for what holds now; words and phrases separated by `|`. */
  now: string;
  /** Begin a question for a time. */
  time: string;
  /** Ask for a kind of value; words and phrases separated by `|`. */
  asked: { readonly [kind in AskedValue]?: string };
}

/** The kind of value that a question asks for: `code` identifies something, `otherName` is a first or last name. */
export type AskedValue = "age" | "amount" | "bloodGroup" | "code" | "name" | "otherName" | "colour";

/** Words that are values, or stand beside them. */
export interface ValueWords {
  numbers: string;
  colours: string;
  ages: string;
  /** Stand beside a name, in scripts and languages whose capitals show none. */
  nameMarks: string;
  /** After a number, show that it is an amount and no year; alternatives of a regular expression, as those below. */
  measures: string;
  /** Link a noun to what it belongs to. */
  genitives: string;
  /** Stand before or after the name of a street, which may be a date. */
  streetsBefore: string;
  streetsAfter: string;
  /** Parts of words for the night. */
  nights: string;
}

/** Words that searches and recalls look for; those with `|` are phrases. */
export interface RecallWords {
  /** Ask for a name, or have no meaning of their own. */
  emptyWords: string;
  /** Stand before a noun that has a capital without being a name. */
  nounDeterminers: RegExp;
  /** Address the assistant. */
  assistant: string;
  /** Ask what the assistant said, separated by `|`. */
  assistantSaid: string;
  /** Ask for anything that happened, with small words beside them. */
  happened: string;
  /** Deny or cancel something. */
  denials: string;
  /** Open a text that the previous one explains; alternatives of a regular expression. */
  references: string;
  /** Stand right before the speaker's own name, separated by `|`. */
  introductions: string;
}

/** Words that a shortened text can do without, and those that it must keep. */
export interface SalienceWords {
  fillers: string;
  prepositions: string;
  courtesies: string;
  pronouns: string;
  /** Their loss would change the meaning: negation, cancellation, exception, condition, obligation, health. */
  vital: string;
}

/** Words of tasks and problems in conversations, as alternatives of regular expressions. */
export interface ConversationWords {
  promises: string;
  requests: string;
  /** Make an amount a condition of a task. */
  limits: string;
  done: string;
  /** Say no more than that it is done. */
  justDone: string;
  takenBack: string;
  uncertain: string;
  offers: string;
  assents: string;
  /** Say what was agreed, promised or done. */
  settled: string;
  problems: string;
  /** Resemble problems. */
  noProblems: string;
  resolved: string;
}

/** Sentence templates of summaries. */
export interface SummaryTemplates {
  about: string;
  user: string;
  assistant: string;
  said: string;
  asked: string;
  answered: string;
}

/** Words of rules such as "if the build fails, restart it", as alternatives of regular expressions. */
export interface RuleWords {
  /** Begin a condition, and the action after it. */
  conjunctions: string;
  consequents: string;
  /** Begin a condition before a comma, or before a word of `please`. */
  prepositions: string;
  please: string;
  /** A sentence with one is about a specific day or its speaker, and is no rule. */
  personal: string;
  /** Open a statement rather than an instruction. */
  stated: string;
}

/** The same for a script without spaces: the pattern has the groups `trigger` and `action`. */
export interface RulePatterns {
  pattern: RegExp;
  personal: RegExp;
  stated: RegExp;
}

/** Labels of notes on incidents, as alternatives of regular expressions. */
export interface ProcedureWords {
  conditionLabels: string;
  remedyLabels: string;
}

/** Words by which a sentence does not simply state something of its speaker; they only reject what a model wrote. */
export interface CueWords {
  negations: string;
  /** Matches sentences in which "no" is a preposition. */
  prepositionalNo: string;
  /** Say that something is only imagined, wished or possible. */
  imagined: string;
  /** Endings of verbs in wishes and conditions, separated by `|`. */
  conditionalEndings: string;
  /** Say that others claim it. */
  claimed: string;
  formerly: string;
  /** Say that a plan does not take place; alternatives of a regular expression. */
  cancelled: string;
  /** Make a rule of an order. */
  lasting: string;
  /** Begin a recurring condition, separated by `|`. */
  whenever: string;
  /** Begin another clause, separated by `|`. */
  clauseOpenings: string;
  firstPerson: string;
  thirdPerson: string;
  /** People and animals beside the user that `names` has not among the relatives. */
  others: string;
}

/** Words beside the values that a model found. */
export interface MentionWords {
  /** Make a date a start or an end. */
  since: string;
  until: string;
  /** Possessives of the speaker and articles, which are no part of a subject's name. */
  determiners: string;
}

/** Words of what patterns are found in, folded. */
export interface AssertionWords {
  /** Words beside those of negation. */
  denials: string;
  conditions: string;
  plans: string;
  /** Times but the names of months and weekdays, adverbs and verbs without a meaning of their own. */
  generic: string;
  /** Stand before a time of day, separated by `|`. */
  clockPrepositions: string;
  /** Stand before an apostrophe and a word; alternatives of a regular expression. */
  elisions: string;
  /** Units that are also words of time. */
  measures: string;
}

/**
 * Words that show whose words a text has. `écri*` is the beginning of a word, `_` a space, and `?` and `(?:…)` have the
 * meaning that they have in regular expressions.
 */
export interface VoiceWords {
  /** Verbs that give a text back to its speaker. */
  speech: string;
  /** Texts that somebody else has written, and what holds or plays them. */
  texts: string;
  /** Such texts that are no letters or messages. */
  documents: string;
  /** Verbs of tasks on a text that is handed over. */
  tasks: string;
  /** Point at a text beside them. */
  pointing: string;
  /** Games, plays and stories, in which "I" is somebody invented. */
  fiction: string;
  /** What the user announces: before a colon, the words after it are the user's own. */
  ownLabels: string;
  firstPerson: string;
  secondPerson: string;
  /** Open requests and instructions. */
  orders: string;
  /** Begin a paragraph with which the user takes the word again after a text. */
  returns: string;
  /** The same anywhere in the first sentence. */
  asides: string;
}

/** Words of requests that state something beside them, as alternatives of regular expressions. */
export interface MoodWords {
  /** Verbs that open a request. */
  requests: string;
  /** Make an order hold for what comes. */
  lasting: string;
  /** Beginnings of verbs that change the user's data. */
  changes: string;
  /** Say how the user wants to be called. */
  called: string;
  /** End a question without a question mark. */
  asking: string;
  /** Ask to remember what follows, and the same within longer words. */
  remembers: string;
  unspacedRemembers: string;
  /** Ask whether what follows is known. */
  told: string;
  /** Open a statement of the speaker before a question or request. */
  leads: string;
  /** The same after it, without those that are frequent words of another language. */
  clauses: string;
  /** Verbs of the speaker without a pronoun, and words that only look like them. */
  ownVerbs: string;
  notOwnVerbs: string;
  /** A statement within a request. */
  statements: string;
  /** Beginnings of verbs that note something, and the conjunction after them. */
  notes: string;
  that: string;
  /** Possessives of the speaker; the same within longer words; and with a name or a clause of their own, capitals included. */
  own: string;
  unspacedOwn: string;
  namedOwn: string;
  /** Orders whose result the speaker receives, those of how to speak to them, and what stands after the former. */
  received: string;
  notReceived: string;
  receivedObjects: string;
}

/**
 * Kinds of words beside secrets: lists in lower case. `*` stands for any ending or beginning of a word, `_` for the space
 * of a phrase; words of scripts without spaces are looked for inside of others.
 */
export interface SecretWords {
  /** A password or pass phrase, and those words of them whose value may be several words. */
  passwords: string;
  phrases: string;
  /** A number that proves who somebody is. */
  pins: string;
  /** A code of any kind, and what it does. */
  codes: string;
  keys: string;
  /** Signing in, accounts and networks, typing, and names of users. */
  access: string;
  users: string;
  /** Setting something anew, and that something was sent. */
  changes: string;
  sent: string;
  /** What has a number or code that proves nothing about a person. */
  others: string;
  /** What opens with a password, and cards with a PIN. */
  devices: string;
  /** Codes and words that replace a second factor or restore a wallet. */
  backups: string;
  /** Questions that an account asks its owner. */
  answers: string;
  /** What has a random value that is no secret. */
  hashes: string;
  examples: string;
  /** What connects a word with its value in a sentence. */
  copulas: string;
  /** Those of them that say what it is: "is". */
  equals: string;
  /** Follow "the password is" and describe it. */
  notPasswords: string;
  /** A passport or another card that proves an identity by its number: alternatives of a regular expression. */
  passports: string;
  unspacedPassports: string;
}

/** Words before a text of somebody else, as alternatives of regular expressions. */
export interface IntroWords {
  /** Speakers of logs and interviews, and those of scripts without spaces. */
  roles: string;
  unspacedRoles: string;
  /** Begin what the speaker says again. */
  repeats: string;
  /** Possessives of the speaker. */
  owned: string;
  please: string;
  /** Begin a condition, and whom it addresses. */
  conditions: string;
  addressed: string;
  /** End a sentence before the text that it announces, and the same in scripts without spaces. */
  ahead: string;
  unspacedAhead: string;
  /** Stand before the name of a text's writer. */
  from: string;
  /** What the speaker and the assistant are called in "I told you". */
  speakers: string;
  listeners: string;
  /** Verbs that report an order. */
  reports: string;
  /** Say that the text before it was somebody's. */
  saidSo: string;
  /** Beginnings of verbs of tasks that can only mean a text. */
  handsOver: string;
  /** Begin a play or a story. */
  plays: string;
  /** Mark the end of a pasted text. */
  ends: string;
  /** Have a capital before a verb and are no names, with their capitals. */
  noSpeakers: string;
}

/** Words of letters and mails, as alternatives of regular expressions. */
export interface MailWords {
  /** Header fields, and those that head a mail even alone. */
  mailFields: string;
  mailSubjects: string;
  /** Open a letter before a name, and without one. */
  salutations: string;
  openings: string;
  /** Open a letter only if it is signed. */
  greetings: string;
  closings: string;
  /** Closings that people also use toward an assistant. */
  thanks: string;
  /** Whom a letter addresses that is one to the assistant. */
  assistants: string;
  /** May follow a signature and belong to the letter. */
  postscripts: string;
}

/** Words of greetings, thanks, agreement and farewell, in the form of `words`. */
export interface CourtesyWords {
  words: string;
  /** May stand before the name of whom they address. */
  greetings: string;
  /** Say yes or no. */
  answers: string;
}

/** Words by which long texts are outlined, as alternatives of regular expressions. */
export interface OutlineWords {
  /** Decisions, starts and ends. */
  changes: string;
  /** The name of the styles of headings. */
  heading: string;
  /** Stand before a colon without naming a value, separated by spaces. */
  noKeys: string;
}

/** Words beside names, separated by `|`. */
export interface NameWords {
  relatives: string;
  /** Stand between a relative and the name. */
  called: string;
  /** Stand before the speaker's own name, the name of an employer, and that of a place. */
  own: string;
  atWork: string;
  inPlace: string;
  /** Have a capital after the same words and are no names. */
  noNames: string;
  /** Articles that English texts quote before a noun, whose capital then proves nothing; separated by spaces. */
  articles: string;
  /** Lower-case parts of names, and titles before the names of men and women; separated by spaces. */
  particles: string;
  mensTitles: string;
  womensTitles: string;
  /** First words of organizations' names, and days and months that may have a capital; separated by spaces. */
  organizations: string;
  days: string;
  /** Patterns with the group `name` for scripts without capitals. */
  patterns: readonly (readonly [RegExp, "person" | "organization" | "place"])[];
}

/** What a full stop may follow within a sentence, as alternatives of regular expressions. */
export interface SentenceWords {
  /** Titles, months and other abbreviations, with their capitals. */
  abbreviations: string;
  /** Stand before a number with a full stop that is an ordinal. */
  beforeOrdinals: string;
}

/** Words of one language, whose sentences the detector need not know. */
export interface LanguageWords {
  /** English name. */
  name: string;
  /** Latin by default. */
  script?: "Cyrillic" | "Han" | "Kana" | "Hangul" | "Devanagari" | "Arabic";
  /** How people state facts about themselves. */
  grammar?: Grammar;
  sentences?: Partial<SentenceWords>;
  questions?: Partial<QuestionWords>;
  values?: Partial<ValueWords>;
  cues?: Partial<CueWords>;
  mentions?: Partial<MentionWords>;
  assertions?: Partial<AssertionWords>;
  recall?: Partial<RecallWords>;
  salience?: Partial<SalienceWords>;
  conversations?: Partial<ConversationWords>;
  /** Templates of summaries; other languages use English. */
  summaries?: SummaryTemplates;
  /** Match a preference, an aversion or a lasting instruction for the assistant. */
  preferences?: readonly RegExp[];
  rules?: RuleWords | RulePatterns;
  procedures?: Partial<ProcedureWords>;
  voices?: Partial<VoiceWords>;
  courtesies?: Partial<CourtesyWords>;
  names?: Partial<NameWords>;
  outlines?: Partial<OutlineWords>;
  moods?: Partial<MoodWords>;
  mails?: Partial<MailWords>;
  intros?: Partial<IntroWords>;
  secrets?: Partial<SecretWords>;
}

/** What the service knows of one language. Lists of words are separated by spaces, in lower case with their accents. */
export interface LanguagePack extends LanguageWords {
  /** Words that occur in nearly every sentence. */
  functionWords: string;
  /** Further words that tell the language: everyday words that other languages lack. */
  markers?: string;
  /** Letters beyond a to z that are typical of the language. */
  letters?: string;
  /** Every noun is capitalized, so a capital proves nothing. */
  capitalNouns?: boolean;
  /** Returns the stems of a lower-case word; several if it has several readings. */
  stems?(word: string): string[];
  /** How dates are said. */
  dates?: DateWords;
}
