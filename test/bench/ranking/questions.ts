import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Outside the project; must never be included in it. */
const FOLDER = fileURLToPath(new URL("../../../../shared/bench", import.meta.url));
const TURN_MS = 20_000;
const MUSIQUE_FOLDS = 10;
/** The questions that are asked, and the passages among which theirs are: as few as a fit of minutes embeds. */
const PASSAGE_QUESTIONS = 200;
const PASSAGES = 1500;

export const NO_QUESTIONS = "the questions to fit the ranking on are not beside the project (shared/bench)";

export interface Stored {
  id: string;
  user: string;
  content: string;
  created_at: string;
  session?: string;
  speaker?: string;
}

export interface Question {
  text: string;
  user: string;
  /** Ids of the texts that answer it. */
  evidence: string[];
  /** Questions of one group are held out together. */
  group: string;
  /** The question's type, if its set states it. */
  type?: string;
  /** ISO times: when it is asked, and the time whose state it is about; now if absent. */
  asked_at?: string;
  as_of?: string | null;
  /** If true, its evidence is removed from the hits, as if it had never been stored. */
  hidesEvidence?: boolean;
}

/** The person that a set's texts are about: the name, its first part, and the language of the texts. */
export interface Person {
  user: string;
  name: string;
  firstName: string;
  language: string;
}

/** Texts of some users, and questions about them. */
export interface QuestionSet {
  name: string;
  /** Its weight in the fit, independent of its size. */
  share: number;
  stored: Stored[];
  questions: Question[];
  /** The persons, if the set is about persons. */
  people?: Person[];
}

/** Returns the sets that weights may be fitted on; an empty list if they are absent. */
export function readQuestionSets(): QuestionSet[] {
  return existsSync(FOLDER) ? [stories(), understanding(), passages()] : [];
}

interface Story {
  id: string;
  user: string;
  language: string;
  sessions: { id: string; at: string; turns: { id: string; speaker: string; text: string }[] }[];
  questions: { question: string; type: string; evidence: string[]; asked_at: string; as_of: string | null }[];
}

function stories(): QuestionSet {
  const files = readdirSync(`${FOLDER}/life`).filter((file) => file.endsWith(".json"));
  const all = files.map((file) => read<Story>(`life/${file}`));
  const stored = all.flatMap(({ id: user, sessions }) =>
    sessions.flatMap(({ id: session, at, turns }) =>
      turns.map(({ id, speaker, text }, index): Stored => {
        const content = speaker === "user" || speaker === "assistant" ? text : `${speaker}: ${text}`;
        const created_at = new Date(Date.parse(at) + TURN_MS * index).toISOString();
        return { id, user, content, created_at, session, speaker };
      }),
    ),
  );
  const questions = all.flatMap(({ id, questions: asked }) =>
    asked.map(({ question: text, ...rest }) => ({ ...rest, text, user: id, group: id })),
  );
  const people = all.map(({ id, user, language }) => ({
    user: id,
    name: user,
    firstName: user.split(" ")[0] ?? user,
    language,
  }));
  return { name: "life", share: 1, stored, questions, people };
}

interface Understanding {
  memories: { user: string; key: string; content: string; at: string }[];
  questions: { user: string; q: string; keys: string[] }[];
}

function understanding(): QuestionSet {
  const { memories, questions } = read<Understanding>("understanding/retrieval_cases.json");
  return {
    name: "understanding",
    share: 0.3,
    stored: memories.map(({ key, at, ...rest }) => ({ ...rest, id: key, created_at: at })),
    questions: questions.map(({ q, user, keys }, index) => ({
      text: q,
      user,
      evidence: keys,
      group: String(index % 4),
    })),
  };
}

interface Passages {
  passages: { title: string; text: string }[];
  questions: { q: string; gold: number[] }[];
}

function passages(): QuestionSet {
  const { passages: texts, questions: all } = read<Passages>("passages/musique.json");
  const asked = all.slice(0, PASSAGE_QUESTIONS);
  const gold = new Set(asked.flatMap((question) => question.gold));
  const others = [...texts.keys()].filter((index) => !gold.has(index));
  const pool = new Set([...gold, ...others.slice(0, PASSAGES - gold.size)]);
  const created_at = new Date(0).toISOString();
  const stored = texts.map(({ title, text }, index) => {
    return { id: String(index), user: "musique", content: `${title}\n${text}`, created_at };
  });
  return {
    name: "musique",
    share: 0.3,
    stored: stored.filter((_, index) => pool.has(index)),
    questions: asked.map((question, index) => {
      const evidence = question.gold.map(String);
      return { text: question.q, user: "musique", evidence, group: String(index % MUSIQUE_FOLDS) };
    }),
  };
}

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8"));
}
