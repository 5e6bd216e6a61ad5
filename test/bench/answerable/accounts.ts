import { readFileSync } from "node:fs";
import { DAY_MS } from "../../../shared/kernel/durations.ts";
import type { Question, QuestionSet, Stored } from "../ranking/questions.ts";

/**
 * Accounts with memories and questions, in files of lines: "# ID LANGUAGE FILLERS" begins an account, "m DAY TEXT" is a
 * memory, "KIND QUESTION | ANSWER" a question, without an answer if the memories do not have it.
 */
const KINDS = {
  a: "answered",
  n: "near miss",
  u: "unrelated",
  i: "made-up identifier",
  g: "gibberish",
  w: "one word",
  o: "other language",
} as const;

export type Kind = (typeof KINDS)[keyof typeof KINDS];

/** `stranger` and the five in `pairs` are each by another author. */
export const FILES = [
  "fit",
  "development",
  "test",
  "stranger",
  "pairs/1",
  "pairs/2",
  "pairs/3",
  "pairs/4",
  "pairs/5",
] as const;

export type AccountFile = (typeof FILES)[number];

export interface AccountQuestion {
  text: string;
  kind: Kind;
  /** Words of the memory that answers it; undefined if it is not answerable. */
  answer: string | undefined;
}

export interface Account {
  id: string;
  memories: { content: string; occurred_at: string }[];
  questions: AccountQuestion[];
}

/** The time at which the questions are asked. */
export const ASKED_AT = "2026-11-29T12:00:00Z";
const FIRST_FILLER = Date.UTC(2026, 0, 1);

/** Returns the accounts of a file in this folder. */
export function readAccounts(file: AccountFile): Account[] {
  const lines = readFileSync(new URL(`${file}.txt`, import.meta.url), "utf8").split("\n");
  const accounts: Account[] = [];
  for (const line of lines) {
    const [mark = "", rest = ""] = [line.slice(0, 1), line.slice(2)];
    if (mark === "#") accounts.push(newAccount(rest));
    else if (mark === "m") {
      const [day, content] = [rest.slice(0, 10), rest.slice(11)];
      accounts.at(-1)?.memories.push({ content, occurred_at: `${day}T10:00:00Z` });
    } else if (mark in KINDS) {
      const [text = "", answer] = rest.split(" | ");
      accounts.at(-1)?.questions.push({ text, kind: KINDS[mark as keyof typeof KINDS], answer });
    }
  }
  return accounts;
}

/** Returns what accounts store and ask; the evidence is each memory that holds the words of the answer. */
export function askedOfAccounts(files: AccountFile[]): Pick<QuestionSet, "stored" | "questions"> {
  const accounts = files.flatMap((file) => readAccounts(file));
  const storedBy = new Map(accounts.map((account) => [account, storedOf(account)]));
  const questions = [...storedBy].flatMap(([account, stored]) =>
    account.questions.map(({ text, answer }): Question => {
      const holds = ({ content }: Stored) =>
        answer !== undefined && content.toLowerCase().includes(answer.toLowerCase());
      const evidence = stored.filter(holds).map(({ id }) => id);
      return { text, user: account.id, group: account.id, evidence, asked_at: ASKED_AT };
    }),
  );
  return { stored: [...storedBy.values()].flat(), questions };
}

function storedOf({ id: user, memories }: Account): Stored[] {
  return memories.map(({ content, occurred_at: created_at }, place) => {
    return { id: `${user}-${place}`, user, content, created_at };
  });
}

/** Returns the group of a question in a table: words and other languages count by whether there is an answer. */
export function groupOf({ kind, answer }: AccountQuestion): "answerable" | "near miss" | "unrelated" {
  if (answer !== undefined) return "answerable";
  return kind === "near miss" || kind === "other language" ? "near miss" : "unrelated";
}

function newAccount(heading: string): Account {
  const [id = "", , fillers] = heading.split(" ");
  const memories = Array.from({ length: Number(fillers) }, (_, place) => ({
    content: fillerAt(place),
    occurred_at: new Date(FIRST_FILLER + place * DAY_MS).toISOString(),
  }));
  return { id, memories, questions: [] };
}

const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
const CHORES =
  "the dishes,the laundry,some emails,the windows,the recycling,the attic,my inbox,the hallway,old photos,the spice rack,the bookshelf,the balcony".split(
    ",",
  );
const MOODS = "a bit tired,quite cheerful,restless,calm,in a hurry,sleepy,hopeful,bored,relaxed,grumpy".split(",");
const MEALS =
  "lentil soup,an omelette,noodles,a big salad,leftovers,toast with jam,rice and beans,pancakes,a cheese sandwich,roast vegetables".split(
    ",",
  );
const WEATHER =
  "drizzle all day,bright sunshine,a cold wind,thick fog in the morning,heavy snow,a warm evening,thunder in the distance,a grey sky".split(
    ",",
  );

/** Returns a memory about an ordinary day, which answers no question. */
function fillerAt(place: number): string {
  const pick = (list: string[], step: number) => list[(place * step) % list.length] ?? "";
  const [day, chore, mood, meal, weather] = [
    pick(DAYS, 1),
    pick(CHORES, 5),
    pick(MOODS, 3),
    pick(MEALS, 7),
    pick(WEATHER, 5),
  ];
  const sentences = [
    `Spent ${day} sorting ${chore}, felt ${mood}.`,
    `There was ${weather} on ${day}, stayed in and read.`,
    `Lunch was ${meal} again, ${mood} afterwards.`,
    `Woke up around ${6 + ((place * 11) % 15)} and felt ${mood}.`,
    `Did ${chore} while listening to a podcast, number ${place}.`,
    `Outside there was ${weather}, so I made ${meal}.`,
  ];
  return sentences[place % sentences.length] ?? "";
}
