/** What a language calls the parts of a date. Lists are parted by "|", months and weekdays (from Monday) by ";". */
export interface LanguageTable {
  months: string;
  weekdays: string;
  /** "Mondays", "montags": the weekdays that recur. */
  habits?: string;
  /** Every noun has a capital, so that one proves nothing. */
  capitalNouns?: boolean;
  /** Names and greetings with words of dates in them. */
  noDates?: string;
  /** What goes before a day in figures: "am 3.4." */
  onDay: string;
  /** Names of months and weekdays that are also other words or people. */
  ambiguous?: string;
  units: Partial<Record<"minute" | "hour" | "day" | "week" | "weekend" | "month" | "year", string>>;
  /** Spring, summer, autumn, winter. */
  seasons: string;
  /** From one on. */
  numbers: string;
  few: string;
  /** Whole periods by unit and distance: "day -1" is yesterday. */
  periods: Record<string, string>;
  last: string;
  /** The one before the last: "vorletzten"; "the week before last". */
  penultimate?: string;
  beforeLast?: string;
  /** First to fourth, of the weeks or weekdays of a month. */
  ordinals?: string;
  this: string;
  next: string;
  /** The next one to come, in this week or the one behind it. */
  coming?: string;
  /** "next" is that of the next week. */
  nextIsOfNextWeek?: boolean;
  /** Before a counted unit: "the last three days", "the next two weeks". */
  pastMany: string;
  nextMany: string;
  ago: string;
  agoBefore?: string;
  fromNow?: string;
  ahead?: string;
  /** Counted from a date named before. */
  later?: string;
  nextDay?: string;
  every: string;
  everyOther?: string;
  /** A weekday of the last week, not the latest one. */
  relativeWeekdays?: boolean;
  on: string;
  /** Those of `on` that prove nothing before a name that is also another word. */
  weak?: string;
  since: string;
  until: string;
  /** Before and after a date or an event; in Japanese and Chinese behind it. */
  before: string;
  after: string;
  /** Opens a range, or says where something is from. */
  from: string;
  to: string;
  between?: string;
  and: string;
  articles: string;
  at: string;
  oclock?: string;
  /** Hours run from 1 to 12, months stand before days in figures, and auxiliaries carry the tense. */
  isEnglish?: boolean;
  morning: string;
  afternoon: string;
  lasting?: string;
  approximate: string;
  /** Fixed days of the year by month and day. */
  holidays: Record<string, string>;
  monthMark?: string;
  dayMark?: string;
  /** Behind a number: a day of this month or the next. */
  dayOfMonth?: string;
  yearMark?: string;
  /** The year before the first of an era. */
  eras?: Record<string, number>;
  due?: string;
  /** A past tense of two parts, and how many words behind the first the second may be. */
  perfect?: { auxiliary: RegExp; participle: RegExp; reach: number };
  /** Forms of verbs by which something gets another date, and the words before that date. */
  moves?: { verb: RegExp; to: RegExp };
  /** Verb forms. */
  past: RegExp;
  future: RegExp;
  present?: RegExp;
  /** Tells the language from others in Latin script. */
  functionWords: string;
}
