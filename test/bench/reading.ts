/**
 * `npm run bench:reading -- FOLDER…`: reads marked messages (models/reader/README.md says how they are marked) by rules,
 * by the model and by both, and prints which share of the facts is right and which share of the marked ones is read, at
 * each stage: marked by the network, sure enough, with the rules, current in /facts, in the profile.
 */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { extract } from "../../shared/domain/memory/extraction.ts";
import type { PlacedFact } from "../../shared/domain/memory/fact-reader.ts";
import { placeFacts } from "../../shared/domain/memory/facts/timeline/timeline.ts";
import { rulesWithinTask } from "../../shared/domain/models/built-in-model.ts";
import { FactTagger } from "../../shared/domain/models/onnx/fact-tagger.ts";
import { readReaderFolder } from "../../shared/domain/models/onnx/model-folder.ts";
import type { FactMemory } from "../../shared/domain/retrieval/profiles/known-facts.ts";
import { profileOf } from "../../shared/domain/retrieval/profiles/profile.ts";
import { normalizedName } from "../../shared/kernel/text/normalized-name.ts";
import { draftsOfMentions } from "../../shared/language/facts/mentions.ts";
import { mergedDrafts, readTextOf } from "../../shared/language/facts/merged-drafts.ts";
import type { SignedMention } from "../../shared/language/reader/decode.ts";
import type { FactDraft } from "../../shared/language/slots/fact.ts";
import { slotKey } from "../../shared/language/slots/slot-key.ts";
import { readPassage } from "../../shared/language/statements/passage.ts";
import type { Mention, MentionAct, MessageToRead } from "../../shared/ports/fact-reader.ts";

const READER = fileURLToPath(new URL("../../models/reader", import.meta.url));
const MARK = /\{([^{}|]*)\|([a-z_]+)(?:,\s*([a-z]+))?(?:\|([^{}]*))?\}/gu;
const MINUTE_MS = 60_000;
const AT = "2026-05-04T10:00:00.000Z";

interface Marked {
  voice: string;
  lang: string;
  message: MessageToRead;
  mentions: Mention[];
}

function unmarked(text: string, part: Mention["part"], mentions: Mention[]): string {
  let plain = "";
  let at = 0;
  for (const mark of text.matchAll(MARK)) {
    const [whole, value = "", slot = "", act = "state", who] = mark;
    plain += text.slice(at, mark.index);
    const start = plain.length;
    const subject = who?.trim() || undefined;
    const end = start + value.length;
    const known = { slot, act: act as MentionAct };
    mentions.push({ part, start, end, ...known, subject, confidence: 1 });
    plain += value;
    at = mark.index + whole.length;
  }
  return plain + text.slice(at);
}

function markedIn(file: string): Marked[] {
  let [lang, before] = ["en", ""];
  const found: Marked[] = [];
  for (const raw of readFileSync(file, "utf8").split("\n")) {
    const line = raw.replaceAll("⏎", "\n").trim();
    if (line.startsWith("#")) lang = /lang:\s*([a-z]{2})/.exec(line)?.[1] ?? lang;
    else if (line.startsWith("<")) before = line.slice(1).trim();
    else if (line === "") before = "";
    else if (line.startsWith(">")) {
      const mentions: Mention[] = [];
      const message = {
        before: unmarked(before, "before", mentions),
        text: unmarked(line.slice(1).trim(), "text", mentions),
      };
      found.push({ voice: path.basename(file, ".txt"), lang, message, mentions });
      before = "";
    }
  }
  return found;
}

async function passageOf({ before, text }: MessageToRead) {
  const context = before === "" ? {} : { before: [{ role: "assistant" as const, content: before }] };
  return readPassage({ content: text, metadata: {}, occurred_at: AT, ...context });
}

async function byRules({ before, text }: MessageToRead): Promise<FactDraft[]> {
  const context = before === "" ? {} : { before: [{ role: "assistant" as const, content: before }] };
  const memory = { content: text, metadata: {}, occurred_at: AT, ...context };
  return (await extract({ fast: rulesWithinTask, verify: rulesWithinTask }, memory)).drafts;
}

/** Whether two drafts say the same: the same slot and act, and values that share most of their words. */
function isSame(one: FactDraft, other: FactDraft): boolean {
  if (slotKey(one.subject, one.attribute) !== slotKey(other.subject, other.attribute)) return false;
  if (one.act !== other.act || (one.valid_to === undefined) !== (other.valid_to === undefined)) return false;
  const [a, b] = [normalizedName(one.value), normalizedName(other.value)];
  return a.includes(b) ? b.length * 2 >= a.length : b.includes(a) && a.length * 2 >= b.length;
}

const isTold = ({ attribute }: FactDraft) => attribute !== "";

class Score {
  found = 0;
  right = 0;
  wanted = 0;
  read = 0;
  add(found: FactDraft[], wanted: FactDraft[], stated: FactDraft[]) {
    const told = found.filter(isTold);
    this.found += told.length;
    this.right += told.filter((draft) => stated.some((each) => isSame(draft, each))).length;
    this.wanted += wanted.length;
    this.read += wanted.filter((each) => told.some((draft) => isSame(draft, each))).length;
  }
  toString() {
    return `${this.found} facts, right ${(this.right / this.found).toFixed(3)}; of ${this.wanted} read ${(this.read / this.wanted).toFixed(3)}`;
  }
}

/** What was read of one message of a voice, and what is marked in it. */
interface Judged {
  id: string;
  content: string;
  drafts: FactDraft[];
  wanted: FactDraft[];
}

/** Returns the drafts of a voice that are current or planned after its last message, and those in its profile. */
function standing(judged: Judged[]): { listed: Map<string, FactDraft[]>; profile: Map<string, FactDraft[]> } {
  const stated = judged.flatMap(({ id, content, drafts }, index) => {
    const observed_at = new Date(Date.parse(AT) + index * MINUTE_MS).toISOString();
    return drafts.map((draft, position) => {
      const words = content.slice(draft.span.start, draft.span.end);
      return { ...draft, id: `${id}#${position}`, memory_id: id, observed_at, content: words, draft };
    });
  });
  const end = new Date(Date.parse(AT) + judged.length * MINUTE_MS);
  const slots = Map.groupBy(stated, ({ subject, attribute }) => slotKey(subject, attribute));
  const placed = [...slots.values()].flatMap((slot) => placeFacts(slot, end)) as (PlacedFact & { draft: FactDraft })[];
  const facts = placed.filter(({ status }) => status === "current" || status === "planned");
  const memories = new Map(judged.map(({ id, content }) => [id, { id, content, metadata: {} } as FactMemory]));
  const { sections } = profileOf({ facts, memories }, end.getTime());
  const shown = new Set(sections.flatMap(({ lines }) => lines.flatMap(({ fact_ids }) => fact_ids)));
  const draftsBy = (own: typeof facts) =>
    new Map(
      [...Map.groupBy(own, ({ memory_id }) => memory_id)].map(([id, each]) => [id, each.map(({ draft }) => draft)]),
    );
  return { listed: draftsBy(facts), profile: draftsBy(facts.filter(({ id }) => shown.has(id))) };
}

const folders = process.argv.slice(2);
const scores = new Map<string, Score>();
const tagger = await FactTagger.open(READER);
const LEAST = readReaderFolder(READER).labels.least;
const groupsOf = ({ voice, lang }: Marked) => [
  "all",
  lang === "en" ? "en" : "other",
  ...(process.env.VOICES ? [voice] : []),
];
/** `stated`: all that is marked, if not all of it is wanted in this stage. */
function count(marked: Marked, stage: string, drafts: FactDraft[], wanted: FactDraft[], stated = wanted) {
  for (const group of groupsOf(marked)) {
    const key = `${group.padEnd(12)} ${stage}`;
    if (!scores.has(key)) scores.set(key, new Score());
    scores.get(key)?.add(drafts, wanted, stated);
  }
}
/** A file to which all mentions are appended with their signs and whether they are as marked, for calibrate.py. */
const mentionsFile = process.env.MENTIONS;
function writeMention({ voice, lang, mentions }: Marked, { signs, slot, act, ...mention }: SignedMention) {
  const { part, start, end, subject = "" } = mention;
  const right = mentions.some((mark) => {
    const shared = Math.min(end, mark.end) - Math.max(start, mark.start);
    const isAbout = [subject, mark.subject ?? ""].map((each) => each.toLowerCase()).sort((a, b) => a.length - b.length);
    return (
      part === mark.part &&
      shared * 2 >= Math.max(end - start, mark.end - mark.start) &&
      slot === mark.slot &&
      act === mark.act &&
      (isAbout[0] === "" ? isAbout[1] === "" : isAbout[1]?.includes(isAbout[0] ?? ""))
    );
  });
  const rounded = Object.fromEntries(Object.entries(signs).map(([name, value]) => [name, Number(value.toFixed(4))]));
  appendFileSync(
    mentionsFile ?? "",
    `${JSON.stringify({ voice, lang, slot, act, right: Number(right), signs: rounded })}\n`,
  );
}
let tokensMs = 0;
let messages = 0;
let [marks, cutAway] = [0, 0];
const shown = Number(process.env.SHOW ?? 0);
for (const folder of folders) {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".txt") && (process.env.ONLY ?? "").split(",").some((each) => name.includes(each)),
  );
  for (const file of files) {
    const all = markedIn(path.join(folder, file));
    const judged: Judged[] = [];
    for (const marked of all) {
      const { message, mentions } = marked;
      const passage = await passageOf(message);
      const input = { message, passage, day: AT.slice(0, 10), userNames: new Set<string>() };
      const wanted = draftsOfMentions(mentions, input).filter(isTold);
      marks += mentions.length;
      cutAway += mentions.filter((mention) => draftsOfMentions([mention], input).length === 0).length;
      const began = process.cpuUsage();
      const read = await tagger.read(message);
      tokensMs += process.cpuUsage(began).user / 1000;
      messages++;
      for (const mention of mentionsFile === undefined ? [] : read) writeMention(marked, mention);
      const readText = readTextOf(read, input, LEAST);
      const model = [...readText.drafts];
      const rules = await byRules(message);
      const both = mergedDrafts(rules, readText);
      const any = draftsOfMentions(
        read.map((mention) => ({ ...mention, confidence: 1 })),
        input,
      );
      const stages = { "0 rules": rules, "1 marked": any, "2 sure": model, "3 both": both };
      for (const [stage, drafts] of Object.entries(stages)) count(marked, stage, drafts, wanted);
      judged.push({ id: `mem_${judged.length}`, content: message.text, drafts: both, wanted });
      if (messages <= shown)
        process.stdout.write(
          `${JSON.stringify({ message, wanted: told(wanted), rules: told(rules), model: told(model), both: told(both) })}\n`,
        );
    }
    const { listed, profile } = standing(judged);
    const meant = standing(judged.map((each) => ({ ...each, drafts: each.wanted })));
    for (const [index, { id }] of judged.entries()) {
      const marked = all[index];
      if (marked === undefined) continue;
      count(marked, "4 listed", listed.get(id) ?? [], meant.listed.get(id) ?? [], judged[index]?.wanted);
      count(marked, "5 profile", profile.get(id) ?? [], meant.profile.get(id) ?? [], judged[index]?.wanted);
    }
  }
}
function told(drafts: FactDraft[]) {
  return drafts
    .filter(isTold)
    .map(
      ({ subject, attribute, act, value, confidence }) =>
        `${subject} ${attribute} [${act}] ${value} ${confidence.toFixed(2)}`,
    );
}
for (const [key, score] of [...scores].sort()) process.stdout.write(`${key}: ${score}\n`);
process.stdout.write(`${cutAway} of ${marks} marks yield no fact, because of who says it or for want of a subject\n`);
process.stdout.write(`model: ${(tokensMs / messages).toFixed(1)} ms of processor a message\n`);
