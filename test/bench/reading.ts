/**
 * `npm run bench:reading -- FOLDER…`: reads marked messages (models/reader/README.md says how they are marked) by rules,
 * by the model and by both, and prints which share of the facts is right and which share of the marked ones is read.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { extract } from "../../shared/domain/memory/extraction.ts";
import { rulesWithinTask } from "../../shared/domain/models/built-in-model.ts";
import { FactTagger } from "../../shared/domain/models/onnx/fact-tagger.ts";
import { readReaderFolder } from "../../shared/domain/models/onnx/model-folder.ts";
import { normalizedName } from "../../shared/kernel/text/normalized-name.ts";
import { draftsOfMentions, mergedDrafts } from "../../shared/language/facts/mentions.ts";
import type { FactDraft } from "../../shared/language/slots/fact.ts";
import { slotKey } from "../../shared/language/slots/slot-key.ts";
import { readPassage } from "../../shared/language/statements/passage.ts";
import type { Mention, MentionAct, MessageToRead } from "../../shared/ports/fact-reader.ts";

const READER = fileURLToPath(new URL("../../models/reader", import.meta.url));
const MARK = /\{([^{}|]*)\|([a-z_]+)(?:,\s*([a-z]+))?(?:\|([^{}]*))?\}/gu;
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
    mentions.push({ part, start, end: start + value.length, slot, act: act as MentionAct, subject, confidence: 1 });
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

const isTold = ({ confidence, attribute }: FactDraft) => confidence >= 0.5 && attribute !== "";

class Score {
  found = 0;
  right = 0;
  wanted = 0;
  read = 0;
  add(found: FactDraft[], wanted: FactDraft[]) {
    const told = found.filter(isTold);
    this.found += told.length;
    this.right += told.filter((draft) => wanted.some((each) => isSame(draft, each))).length;
    this.wanted += wanted.length;
    this.read += wanted.filter((each) => told.some((draft) => isSame(draft, each))).length;
  }
  toString() {
    return `${this.found} facts, right ${(this.right / this.found).toFixed(3)}; of ${this.wanted} read ${(this.read / this.wanted).toFixed(3)}`;
  }
}

const folders = process.argv.slice(2);
const scores = new Map<string, Score>();
const tagger = await FactTagger.open(READER);
const LEAST = readReaderFolder(READER).labels.least;
let tokensMs = 0;
let messages = 0;
const shown = Number(process.env.SHOW ?? 0);
for (const folder of folders) {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".txt") && (process.env.ONLY ?? "").split(",").some((each) => name.includes(each)),
  );
  for (const { voice, lang, message, mentions } of files.flatMap((file) => markedIn(path.join(folder, file)))) {
    const passage = await passageOf(message);
    const input = { message, passage, day: AT.slice(0, 10), userNames: new Set<string>() };
    const wanted = draftsOfMentions(mentions, input).filter(isTold);
    const began = process.cpuUsage();
    const read = (await tagger.read(message)).filter(({ confidence }) => confidence >= LEAST);
    tokensMs += process.cpuUsage(began).user / 1000;
    messages++;
    const model = draftsOfMentions(read, input);
    const rules = await byRules(message);
    const ways = { rules, model, both: mergedDrafts(rules, model) };
    for (const [way, drafts] of Object.entries(ways)) {
      for (const group of ["all", lang === "en" ? "en" : "other", ...(process.env.VOICES ? [voice] : [])]) {
        const key = `${group.padEnd(12)} ${way}`;
        if (!scores.has(key)) scores.set(key, new Score());
        scores.get(key)?.add(drafts, wanted);
      }
    }
    if (messages <= shown)
      process.stdout.write(
        `${JSON.stringify({ message, wanted: told(wanted), rules: told(rules), model: told(model) })}\n`,
      );
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
process.stdout.write(`model: ${(tokensMs / messages).toFixed(1)} ms of processor a message\n`);
