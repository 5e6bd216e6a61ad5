/** Lists of words by the kind of their senses; a word of several kinds has them in the order of the lists. */
export interface KindWords {
  /** Names and greetings that contain date words. */
  noDate?: string;
  /** Words before a numeric day: "am 3.4." */
  onDay?: string;
  beforeLast?: string;
  /** Before a counted unit: "the last three days", "the next two weeks". */
  pastMany: string;
  nextMany: string;
  ago: string;
  agoBefore?: string;
  fromNow?: string;
  ahead?: string;
  /** Relative to the previous date in the text. */
  later?: string;
  nextDay?: string;
  every: string;
  everyOther?: string;
  on: string;
  /** The words of `on` that do not prove that an ambiguous name after them is a date. */
  weak?: string;
  since: string;
  until: string;
  /** Before and after a date or an event; Japanese and Chinese put these words after it. */
  before: string;
  after: string;
  /** Starts a range, or says where something is from. */
  from?: string;
  to: string;
  between?: string;
  and: string;
  article: string;
  at?: string;
  oclock?: string;
  am: string;
  pm: string;
  lasting?: string;
  approximate: string;
  monthMark?: string;
  dayMark?: string;
  /** After a number: a day of this month or the next. */
  dayOfMonth?: string;
  yearMark?: string;
  due?: string;
}

/** A language's words for the parts of a date: words by "|", months, weekdays (from Monday) and the like by ";". */
export interface DateWords extends KindWords {
  months?: string;
  weekdays: string;
  /** Recurring weekdays: "Mondays", "montags". */
  habits?: string;
  /** Names of months and weekdays that are also other words or people. */
  ambiguous?: string;
  /** From minute to year, in the order of `UNITS`. */
  units: string;
  /** Spring, summer, autumn, winter. */
  seasons: string;
  /** Starting at one. */
  numbers: string;
  few: string;
  /** From the day before yesterday to the day after tomorrow. */
  days: string;
  /** Other whole periods by unit and distance: "year -1" is last year. */
  periods?: Record<string, string>;
  last: string;
  /** The one before the last: "vorletzten"; "the week before last". */
  penultimate?: string;
  /** In order from the first, for the weeks, weekdays and days of a month. */
  ordinals?: string;
  this: string;
  next: string;
  /** The next one to come, in this week or the following one. */
  coming?: string;
  /** "next" means the one in the next week. */
  nextIsOfNextWeek?: boolean;
  /** A relative weekday belongs to the last week; it is not the latest one. */
  relativeWeekdays?: boolean;
  /** Hours run from 1 to 12, numeric dates have the month first, and auxiliaries carry the tense. */
  isEnglish?: boolean;
  /** Fixed holidays by month and day. */
  holidays: Record<string, string>;
  /** The year before the first year of an era. */
  eras?: Record<string, number>;
  /** A compound past tense, and the maximum number of words from the auxiliary to the participle. */
  perfect?: { auxiliary: RegExp; participle: RegExp; reach: number };
  /** Verb forms that move something to another date, and the words before that date. */
  moves?: { verb: RegExp; to: RegExp };
  /** Verb forms. */
  past: RegExp;
  future: RegExp;
  present?: RegExp;
  /**
   * The first person of the present, which serves as future, beside its pronoun, or behind it and one of `between`. Of
   * `verbSecond`, the verb is behind the pronoun only where the pronoun opens the clause.
   */
  ownPresent?: { pronoun: RegExp; between?: RegExp; verb: RegExp; verbSecond?: boolean };
  /** Identifies the language among those in Latin script. */
  functionWords: string;
}
