/** Compares session contexts of the stories in ../shared/bench with assertions written from the stories. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import type { SessionMessage } from "../../shared/domain/sessions/session.ts";
import { NOTHING_SAID, readStateTask } from "../../shared/domain/sessions/state.ts";
import { gistOf, keyPointsIn } from "../../shared/domain/sessions/summary.ts";
import { analyse } from "../../shared/kernel/text/text.ts";
import { isCourtesy } from "../../shared/language/statements/courtesy.ts";

/** Reason to skip the measurement. */
export const NO_STORIES = "no stories in ../shared/bench/life";

/** The context of one session. */
export interface SessionContext {
  summary: string;
  key_points: string[];
  pending_actions: string[];
  preferences: string[];
}

/** The expected content of a part of a context: one alternative ("a|b") of each group, in any case. */
interface Assertion {
  session: string;
  part: keyof SessionContext;
  holds?: string[];
  lacks?: string[];
}

const says = (session: string, ...holds: string[]): Assertion => ({ session, part: "summary", holds });
const points = (session: string, ...holds: string[]): Assertion => ({ session, part: "key_points", holds });
const wants = (session: string, ...holds: string[]): Assertion => ({ session, part: "preferences", holds });
const owes = (session: string, ...holds: string[]): Assertion => ({ session, part: "pending_actions", holds });
const none = (session: string, part: keyof SessionContext, ...lacks: string[]): Assertion => ({ session, part, lacks });

/** Written while the rules were developed. */
export const DEVELOPMENT: Assertion[] = [
  says("d01-1", "ping", "tanner row"),
  wants("d01-1", "ping", "9 and 3"),
  says("d01-2", "hartley", "hartnell"),
  says("d01-3", "ward 12|long days", "4471"),
  says("d01-4", "jess", "moving out"),
  points("d01-4", "lisbon", "february"),
  says("d01-5", "back on 7", "october"),
  owes("d01-6", "remind", "autumn"),
  points("d01-6", "186"),
  points("d01-6", "fairholme"),
  wants("d01-7", "bullet points", "one page"),
  none("d01-7", "pending_actions", "coffee", "bullet"),
  says("d01-8", "3 june"),
  wants("d01-8", "don't put it in"),
  says("d01-9", "7740"),
  owes("d01-10", "vet reminders"),
  none("d01-10", "key_points", "sorry", "safe driving"),
  says("d01-11", "porto", "4 december"),
  owes("d01-11", "list", "carry-on"),
  says("d03-2", "uppsala", "9 to 12"),
  says("d03-3", "a189f", "never quote"),
  wants("d03-3", "never quote"),
  says("d03-5", "ingrid|leaving", "mark aldous", "main supervisor"),
  says("d03-5", "1,540"),
  owes("d03-2", "count back"),
  says("d03-6", "na/26/0713"),
  says("d03-9", "31 march 2027"),
  says("d03-10", "30 june 2027"),
  wants("d03-10", "nag"),
  wants("d05-1", "five lines", "emoji"),
  says("d07-3", "dropping uzbekistan"),
  wants("d07-4", "fish"),
  wants("d07-4", "vegetarian"),
  says("d07-7", "vietnam|hanoi"),
  says("d09-3", "leeds"),
  wants("d09-2", "letters", "passive"),
  points("d09-4", "kiwi"),
  none("d09-2", "key_points", "yes please"),
  says("d09-10", "5 to 19"),
  wants("d11-1", "duzen"),
  wants("d11-1", "keine listen"),
  says("d11-3", "pk-88-30417"),
  says("d11-6", "sattler"),
  points("d11-11", "2. dezember"),
  none("d11-1", "key_points", "guten abend"),
];

/** Written from the stories alone, before the rules were tried on them; not changed afterwards. */
export const HELD_OUT: Assertion[] = [
  wants("d02-1", "numbers first", "exclamation"),
  says("d02-1", "431k|62k|49"),
  says("d02-4", "nordkap is out|second fund"),
  points("d02-4", "heron seed|900k"),
  says("d02-5", "59"),
  says("d02-6", "tom", "leaving"),
  points("d02-6", "27 feb|dagny"),
  says("d02-7", "18 may|vat"),
  owes("d02-7", "press note"),
  says("d02-9", "49", "65"),
  says("d02-10", "pauline"),
  says("d02-11", "almería"),
  none("d02-11", "key_points", "memorable"),
  wants("d04-1", "after breakfast", "never"),
  wants("d04-3", "cruise"),
  says("d04-3", "vigo|cruise"),
  says("d04-5", "3 march"),
  says("d04-7", "ron died"),
  points("d04-9", "alders close"),
  says("d04-11", "shellfish|prawns"),
  owes("d04-11", "menu"),
  none("d04-5", "key_points", "how disappointing"),
  wants("d06-1", "optional"),
  says("d06-1", "sesame"),
  says("d06-4", "egg challenge|eggs are fine"),
  says("d06-6", "fructose"),
  points("d06-7", "cashew"),
  says("d06-9", "supper club|5 september"),
  wants("d08-1", "tablets only|big capsules"),
  says("d08-3", "lisinopril"),
  says("d08-4", "losartan 50|quarshie"),
  owes("d08-4", "ring"),
  says("d08-6", "apixaban"),
  says("d08-9", "no ablation|not having it"),
  says("d08-11", "seventy-five|losartan"),
  wants("d10-1", "monster names"),
  says("d10-3", "vash is dead"),
  says("d10-4", "sundays|crit"),
  says("d10-9", "withdrew|3 o'clock"),
  says("d10-10", "owl-ptol-6|thursdays"),
  wants("d12-3", "cerdo"),
  says("d12-4", "phibsborough|d07 x9k4"),
  says("d12-8", "412|no voy"),
  says("d12-9", "stoneybatter|manor place"),
  none("d12-1", "key_points", "hola!"),
];

interface Story {
  id: string;
  sessions: { id: string; at: string; turns: { id: string; speaker: string; text: string }[] }[];
}

/** Returns stories by number: odd ones for development, even ones held out; undefined if they are absent. */
export function readStories(half: "odd" | "even"): Story[] | undefined {
  const folder = fileURLToPath(new URL("../../../shared/bench/life/", import.meta.url));
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((file) => /^d\d+\.json$/.test(file) && Number(file.slice(1, -5)) % 2 === (half === "odd" ? 1 : 0))
    .toSorted()
    .map((file): Story => JSON.parse(readFileSync(path.join(folder, file), "utf8")));
}

const CONTEXT_WINDOW = 8192;

/** Returns the context that the rules produce from a session's messages. */
export async function readContext(messages: SessionMessage[]): Promise<SessionContext> {
  const gist = await gistOf(messages, CONTEXT_WINDOW, await loadTokenCounter());
  const state = await readStateTask.builtIn({ previous: NOTHING_SAID, earlier: [], messages });
  return { ...state, summary: gist?.text ?? "", key_points: gist ? keyPointsIn([gist]) : [] };
}

/** The number of assertions that hold, those that do not, and errors of form, which no context may have. */
export interface ContextQuality {
  held: number;
  asserted: number;
  broken: string[];
  faults: string[];
  lines: number;
}

export async function measureContexts(
  stories: Story[],
  assertions: Assertion[],
  read: (messages: SessionMessage[]) => Promise<SessionContext>,
): Promise<ContextQuality> {
  const contexts = new Map<string, SessionContext>();
  const faults: string[] = [];
  let lines = 0;
  for (const session of stories.flatMap(({ sessions }) => sessions)) {
    const context = await read(await messagesOf(session));
    contexts.set(session.id, context);
    faults.push(...faultsOf(context, session).map((fault) => `${session.id}: ${fault}`));
    lines += context.key_points.length + context.summary.split("\n").length;
  }
  const broken = assertions.filter((assertion) => !holds(assertion, contexts.get(assertion.session)));
  return {
    held: assertions.length - broken.length,
    asserted: assertions.length,
    broken: broken.map(({ session, part, holds = [], lacks = [] }) => `${session} ${part} ${[...holds, ...lacks]}`),
    faults,
    lines,
  };
}

function holds({ part, holds: groups = [], lacks = [] }: Assertion, context: SessionContext | undefined): boolean {
  const said = [context?.[part] ?? ""].flat().join("\n").toLowerCase();
  return (
    groups.every((group) => group.split("|").some((word) => said.includes(word))) &&
    !lacks.some((word) => said.includes(word))
  );
}

/**
 * Returns errors of form: a context has whole sentences, no greeting, no fragment behind a role and no word that nobody
 * said.
 */
function faultsOf({ summary, key_points }: SessionContext, { turns }: Story["sessions"][number]): string[] {
  const heard = new Set(analyse(`${turns.map(({ speaker, text }) => `${speaker} ${text}`).join("\n")} ${FRAME}`));
  return [...summary.split("\n"), ...key_points].flatMap((line) => {
    const said = QUOTED.exec(line)?.[1] ?? line;
    const problems: [string, boolean][] = [
      ["greeting", isCourtesy(said)],
      ["role", /^(?:user|assistant|system):/i.test(line)],
      ["no beginning", !/^["“¿¡]?[\p{Lu}\p{Lo}\d]/u.test(line)],
      ["no end", !/[.!?…]["”']{0,2}$/.test(line)],
      ["not said", analyse(line).some((term) => !heard.has(term))],
    ];
    return problems.flatMap(([problem, isSo]) => (isSo ? [`${problem}: ${line.slice(0, 40)}`] : []));
  });
}

const QUOTED = /^[^"]{1,60} (?:said|asked): "(.*)"$/;
/** Words that third-person narration adds; others' words that the user hands on are somebody else's. */
const FRAME =
  "the user the assistant somebody else said asked answered they them their theirs others themself is has does was were are and will would not cannot have had am did";

async function messagesOf({ id, at, turns }: Story["sessions"][number]): Promise<SessionMessage[]> {
  const counter = await loadTokenCounter();
  let tokens_before = 0;
  return turns.map(({ speaker, text }, index) => {
    const role = speaker === "assistant" ? "assistant" : "user";
    const content = role === "assistant" || speaker === "user" ? text : `${speaker}: ${text}`;
    const tokens = counter.count(content);
    tokens_before += tokens;
    return {
      id: `msg_${index}`,
      org: "org",
      session_id: id,
      position: index + 1,
      role,
      content,
      metadata: {},
      tokens,
      tokens_before: tokens_before - tokens,
      created_at: at,
      created_by: "key",
    };
  });
}
