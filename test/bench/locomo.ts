import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import * as z from "zod";
import { anchorOf } from "../../shared/language/statements/dates.ts";

/**
 * Reads conversations of LoCoMo (Maharana et al. 2024, snap-research/locomo): `session_<n>` are lists of turns, with
 * `session_<n>_date_time`, and `qa` are questions with the turns that answer them.
 */

const Turn = z.object({
  dia_id: z.string(),
  speaker: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});

const Question = z.object({
  question: z.string(),
  answer: z.union([z.string(), z.number()]).optional(),
  evidence: z.array(z.string()),
  category: z.number().int(),
});

export interface SpokenTurn extends z.output<typeof Turn> {
  /** `session_<n>`. */
  session: string;
  /** The time of its session, in words. */
  sessionDateTime: string;
}

export interface Question {
  question: string;
  answer: string;
  /** `dia_id`s of the turns that hold the answer. */
  evidence: string[];
  category: number;
}

export interface Conversation {
  /** The file name without its extension. */
  name: string;
  turns: SpokenTurn[];
  questions: Question[];
}

/** Categories whose questions have an answer in the conversation; the fifth has adversarial questions. */
export const ANSWERABLE: ReadonlyMap<number, string> = new Map([
  [1, "multi-hop"],
  [2, "temporal"],
  [3, "open-domain"],
  [4, "single-hop"],
]);

/** Reads a LoCoMo conversation; throws if the file is not one. */
export function readConversation(file: string): Conversation {
  const content = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, "utf8")));
  const sessions = Object.keys(content).filter((key) => /^session_\d+$/.test(key));
  const turns = sessions.flatMap((session) => {
    const sessionDateTime = z.string().parse(content[`${session}_date_time`]);
    return z
      .array(Turn)
      .parse(content[session])
      .map((turn) => ({ ...turn, session, sessionDateTime }));
  });
  if (turns.length === 0) throw new Error(`${file} holds no session`);
  const questions = z.array(Question).parse(content.qa).map(toQuestion);
  return { name: basename(file, extname(file)), turns, questions };
}

/** Some evidence names several turns in one string. */
function toQuestion({ question, answer, evidence, category }: z.output<typeof Question>): Question {
  const turns = evidence.flatMap((named) => named.split(/[;,\s]+/)).filter((id) => id !== "");
  return { question, answer: String(answer ?? ""), evidence: [...new Set(turns)], category };
}

/** Assumed time between two turns of a session. */
const TURN_MS = 20_000;

/** Returns when each turn of a conversation was said, in epoch milliseconds. */
export function timesOf({ turns }: Pick<Conversation, "turns">): Map<SpokenTurn, number> {
  const sessions = Map.groupBy(turns, ({ session }) => session);
  return new Map(
    [...sessions.values()].flatMap((own) => own.map((turn, index) => [turn, startOf(turn) + index * TURN_MS] as const)),
  );
}

/** Returns the start of a turn's session; throws if the file's words do not state a time. */
function startOf({ sessionDateTime }: SpokenTurn): number {
  const anchor = anchorOf({ date_time: sessionDateTime }, undefined);
  if (anchor === undefined) throw new Error(`'${sessionDateTime}' is no time`);
  return anchor.instant.getTime();
}

/** Returns the content that is stored for a turn. */
export function contentOf({ speaker, text, blip_caption }: SpokenTurn): string {
  return `${speaker}: ${text}${blip_caption === undefined ? "" : ` [shares a picture: ${blip_caption}]`}`;
}

/** Returns the questions on which evidence recall is measured. */
export function answerable({ questions }: Conversation): Question[] {
  return questions.filter(({ category, evidence }) => ANSWERABLE.has(category) && evidence.length > 0);
}

/** Returns the share of a question's evidence turns that were found. */
export function evidenceRecall({ evidence }: Question, found: ReadonlySet<string>): number {
  return evidence.filter((turn) => found.has(turn)).length / evidence.length;
}
