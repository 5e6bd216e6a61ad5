import { cleaned } from "./clean.ts";
import { delimitedRanges, type Foreign, type Marker, markersIn, merged, quotationAt } from "./delimited.ts";
import { announcedBy, type Intro, introOf, introWords, isSpoken, isTitle, reportedOrderIn } from "./intros.ts";
import {
  FIRST_PERSON,
  GREETING,
  isSalutation,
  MAIL_FIELD,
  MAIL_SUBJECT,
  MIN_MAIL_FIELDS,
  OWN_LABELS,
  POSTSCRIPT,
  SIGN_OFF,
  TASKS,
  TEXTS,
} from "./lexicon.ts";
import { formOf } from "./lines.ts";
import {
  clausesOf,
  FICTIONAL,
  HANDS_OVER,
  holdsOrder,
  isBareTask,
  isClosing,
  isDialogue,
  isPersonal,
  isRequest,
  isResumption,
  isSignedClosing,
  isTurn,
  type Line,
  labelOf,
  linesOf,
  MAX_CLAUSE,
  NAME_LINE,
  type Source,
  sourceOf,
  trailing,
} from "./signs.ts";

/** Returns the ranges of a user's message that are not clearly the user's own words, in order. In linear time. */
function foreignRanges(message: string): Foreign[] {
  const { text, position } = cleaned(message);
  const ranges = merged(new VoiceReader(text).read());
  return ranges.map(({ start, end, speaker }) => ({ start: position(start), end: position(end), speaker }));
}

/** Tells the user's own words of a message from all others. */
export class OwnVoice {
  readonly #message: string;
  readonly #foreign: Foreign[];

  constructor(message: string) {
    this.#message = message;
    this.#foreign = foreignRanges(message);
  }

  /** Returns the range of somebody else's words at a position. */
  foreignAt(position: number): Foreign | undefined {
    const range = this.#foreign[firstAfter(this.#foreign, position)];
    return range !== undefined && range.start <= position ? range : undefined;
  }

  /** Returns a range with `mark` in place of the words of others; undefined if all of it is the user's. */
  ownPartOf({ start, end }: { start: number; end: number }, mark = ""): string | undefined {
    let own = "";
    let from = start;
    let index = firstAfter(this.#foreign, start);
    for (let range = this.#foreign[index]; range !== undefined && range.start < end; range = this.#foreign[++index]) {
      own += `${this.#message.slice(from, Math.max(from, range.start))} ${mark}`;
      from = Math.min(end, range.end);
    }
    return from === start ? undefined : (own + this.#message.slice(from, end)).replace(/\s+/g, " ").trim();
  }
}

/** Returns the index of the first range that ends after a position; ranges are in order. */
function firstAfter(ranges: readonly Foreign[], position: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Why the current line is somebody else's, and what ends that. */
interface Scope {
  /** `paragraph` ends with a blank line, `list` with the list, `marked` with an end marker, `open` with own words. */
  until: "paragraph" | "list" | "marked" | "rule" | "open";
  speaker?: string | undefined;
  source: Source;
  /** The fields that head a mail, which name its writer. */
  heading?: string;
  /** The writer has signed: a new paragraph is the user's. */
  isSigned?: boolean;
  /** Somebody speaks in it: it has an "I", a "you" or an order. */
  isPersonal?: boolean;
}

const ITEM = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+\S/u;
const RULE = /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|~{3,}|[-*_](?: [-*_]){2,})\s*$/u;
const DASHED_NAME = /^\s*[-–—~]{1,2}\s?\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}(?:,.{0,40})?\s*$/u;
const ATTRIBUTED =
  /[.!?”"»]\s*(?:[—–-]{1,2}\s?\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}|\(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}(?:, [^)]{1,30})?\))\s*$/u;
const SAID_SO = new RegExp(
  String.raw`(?:${introWords("saidSo")})[^.!?\n]{0,60}|[,”"»] (?:said|wrote|says) (?:my|the|our)(?: \p{L}+){1,2}[.!]?\s*$`,
  "iu",
);
const ADDRESSED = /<[^<>\s]+@[^<>\s]+>\s*:?\s*$/u;

class VoiceReader {
  readonly #text: string;
  readonly #lines: Line[];
  /** The range of the words, without white space around them. */
  readonly #textStart: number;
  readonly #textEnd: number;
  readonly #delimited: Foreign[];
  readonly #found: Foreign[] = [];
  readonly #markers: Map<number, Omit<Marker, "start">>;
  #scope: Scope | undefined;
  /** What the last own line announced, until it is known what follows. */
  #announced: (Intro & { isUsed: boolean }) | undefined;
  /** Start of the user's words before the current line, for texts that are handed over before the task. */
  #ownStart = 0;
  #hasMaterial = false;
  #delimitedIndex = 0;
  /** The index of the last line that closes a signed letter. */
  #lastSignature: number | undefined;
  #lastStamp: number | undefined;
  /** The index of the last end marker. */
  #lastEnd: number | undefined;
  #dialogue: boolean | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#lines = linesOf(text);
    this.#textStart = text.search(/\S/);
    this.#textEnd = text.trimEnd().length;
    this.#delimited = merged(delimitedRanges(text));
    this.#markers = new Map(markersIn(text).map(({ start, ...marker }) => [start, marker]));
  }

  read(): Foreign[] {
    for (let index = 0; index < this.#lines.length; index++) index = this.#readLine(index);
    return [...this.#found, ...this.#delimited];
  }

  /** Returns the number of lines of the fields before a document, between two rules, that begin at a line. */
  #frontMatterAt(index: number): number {
    if (!RULE.test(this.#lines[index]?.text ?? "")) return 0;
    let end = index + 1;
    while (FIELD.test(this.#lines[end]?.text ?? "")) end++;
    return end > index + 1 && RULE.test(this.#lines[end]?.text ?? "") ? end + 1 - index : 0;
  }

  /** Reads a line and returns the index of the last line read. */
  #readLine(index: number): number {
    const line = this.#lines[index];
    if (line === undefined || line.text.trim() === "") {
      if (this.#scope?.until === "paragraph") this.#end();
      return index;
    }
    const covered = this.#coveredEnd(line);
    if (covered !== undefined && covered >= line.end - trailing(line.text)) {
      this.#material(line.end);
      return index;
    }
    if (this.#readMarker(line)) return index;
    const frontMatter = this.#frontMatterAt(index);
    if (frontMatter > 0) {
      for (const field of this.#lines.slice(index, index + frontMatter)) this.#add(field);
      this.#open({ until: "open", source: "document" });
      return index + frontMatter - 1;
    }
    const headers = this.#headersAt(index);
    if (headers > 0) {
      const fields = this.#lines.slice(index, index + headers);
      for (const header of fields) this.#add(header);
      const heading = fields.map(({ text }) => text.slice(0, MAX_CLAUSE)).join("\n");
      this.#open({ until: "open", source: "letter", heading });
      return index + headers - 1;
    }
    if (this.#scope !== undefined && !this.#isReturn(line)) {
      this.#readForeign(line, index);
      return index;
    }
    this.#readOwn(line, index);
    return index;
  }

  #readForeign(line: Line, index: number): void {
    const scope = this.#scope;
    const form = formOf(line.text, this.#lines[index + 1]?.text ?? "");
    if (form?.speaker !== undefined && scope) scope.speaker = form.speaker;
    this.#add(line);
    if (scope === undefined) return;
    if (form?.scope === "turn" && index >= this.#lastTurn()) this.#end();
    scope.isSigned ||= this.#isSignature(line, index, scope);
    scope.isPersonal ||= isPersonal(line.text);
  }

  /** Whether a line of a letter is its writer's name, below or after the closing, or alone at the end of a paragraph. */
  #isSignature({ text }: Line, index: number, { source, heading = "" }: Scope): boolean {
    if (DASHED_NAME.test(text) || isSignedClosing(text)) return true;
    if (!NAME_LINE.test(text)) return false;
    const before = this.#lines[index - 1]?.text ?? "";
    if (isClosing(before)) return true;
    if (source !== "letter" || /,\s*$/.test(text) || (this.#lines[index + 1]?.text.trim() ?? "") !== "") return false;
    const [name = ""] = text.match(/\p{L}{3,}/u) ?? [];
    return heading === "" ? /[.!?…]\s*$/u.test(before) : name !== "" && heading.includes(name);
  }

  #readOwn(line: Line, index: number): void {
    const next = this.#lines[index + 1]?.text ?? "";
    const announced = this.#announced;
    const form = formOf(line.text, next);
    if (form !== undefined) {
      this.#add(line, form.speaker);
      const isOver = form.scope === "line" || (form.scope === "turn" && index >= this.#lastTurn());
      if (isOver) this.#material(line.end);
      else
        this.#open({ until: form.scope === "open" ? "open" : "paragraph", speaker: form.speaker, source: form.source });
      return;
    }
    if (announced !== undefined && !announced.isUsed) {
      this.#announced = undefined;
      if (RULE.test(line.text)) {
        this.#open({ until: "rule", speaker: announced.speaker, source: "letter" });
        return;
      }
      if (!this.#isReturn(line) && !isTurn(line.text)) {
        const isForm = labelOf(line.text) !== undefined && labelOf(next) !== undefined;
        const until = ITEM.test(line.text) ? "list" : isForm ? "paragraph" : "open";
        this.#open({ ...announced, until, source: sourceOf(announced) });
        this.#readForeign(line, index);
        return;
      }
    }
    if (isSalutation(line.text) || (GREETING.test(line.text) && this.#isSignedAfter(index))) {
      this.#open({ until: "open", source: "letter" });
      this.#add(line);
      return;
    }
    if (this.#closesLetter(line, index)) return;
    this.#readSentences(line, this.#nextText(index));
  }

  /** Returns the index of the last line with the time and the speaker of a turn: lines before it continue a turn. */
  #lastTurn(): number {
    this.#lastStamp ??= this.#lines.findLastIndex(({ text }) => formOf(text, "")?.scope === "turn");
    return this.#lastStamp;
  }

  /** A signature under the user's own lines makes them a letter of somebody else. */
  #closesLetter(line: Line, index: number): boolean {
    const following = this.#nextText(index);
    const isSigned = SIGN_OFF.test(line.text) && NAME_LINE.test(following);
    const isAttributed = index > 0 && DASHED_NAME.test(line.text) && /^\s*[-–—~]/u.test(line.text);
    if (!isSigned && !isAttributed && !ATTRIBUTED.test(line.text.slice(-MAX_CLAUSE))) return false;
    this.#found.push({ start: this.#ownStart, end: line.end });
    if (isSigned) this.#open({ until: "open", source: "letter" });
    else this.#material(line.end);
    return true;
  }

  #nextText(index: number): string {
    return this.#lines.slice(index + 1, index + 3).find(({ text }) => text.trim() !== "")?.text ?? "";
  }

  #isSignedAfter(index: number): boolean {
    this.#lastSignature ??= this.#lines.findLastIndex(
      ({ text }, at) => isSignedClosing(text) || (isClosing(text) && NAME_LINE.test(this.#nextText(at))),
    );
    return this.#lastSignature > index;
  }

  /** Reads the sentences of the user's own line for what announces somebody else's words. */
  #readSentences(line: Line, next: string): void {
    const isWholeLine = line.start === 0 || this.#text.charAt(line.start - 1) === "\n";
    const label = isWholeLine ? labelOf(line.text) : undefined;
    let from = 0;
    for (const { start, end, colon } of clausesOf(line.text)) {
      if (start < from || this.#isCovered(line.start + start)) continue;
      const sentence = line.text.slice(start, end);
      if (colon !== undefined) {
        const written = line.text.slice(colon, colon + MAX_CLAUSE).trim();
        const isBelow = written === "";
        const announced = { value: isBelow ? next.trim() : written, isBelow };
        const intro = introOf(line.text.slice(start, colon - 1), announced, this.#isDialogue());
        if (intro === undefined || (intro.kind === "turn" && colon !== label)) continue;
        if (isBelow) this.#announced = { ...intro, isUsed: false };
        else this.#introduce(line, line.start + colon, intro);
        return;
      }
      if (this.#isHandedOver(sentence, line, start, end)) return;
      from = end;
    }
    if ((BLOCK_SCALAR.test(line.text) || isTitle(line.text)) && next !== "")
      this.#announced = { kind: "text", isDocument: true, isUsed: false };
  }

  /** Reads a sentence that points at a text after or before it; returns whether the rest of the line is no longer own. */
  #isHandedOver(sentence: string, line: Line, start: number, end: number): boolean {
    if (SAID_SO.test(sentence) && !this.#hasMaterial) {
      this.#found.push({ start: line.start, end: line.start + start });
      return false;
    }
    const order = reportedOrderIn(sentence);
    if (order !== undefined) this.#found.push({ start: line.start + start + order, end: line.start + end });
    const intro = announcedBy(sentence);
    const isLast = line.start + end >= this.#textEnd;
    const isTask = TASKS.test(sentence);
    if (isTask && isLast && !this.#hasMaterial && line.start + start > this.#ownStart && isBareTask(sentence)) {
      this.#found.push({ start: this.#ownStart, end: line.start + start });
      return false;
    }
    if (intro === undefined || (this.#hasMaterial && intro.kind === "task")) return false;
    const quoted = this.#delimited[firstAfter(this.#delimited, line.start + start)];
    if (quoted !== undefined && quoted.start < line.start + end) {
      this.#material(quoted.end);
      return false;
    }
    const rest = line.text.slice(end).trim();
    if (rest === "") {
      this.#announced = { ...intro, isUsed: false };
      return true;
    }
    const isOnlyLine = line.start <= this.#textStart && line.end >= this.#textEnd;
    if (intro.kind === "task" && !(isOnlyLine && HANDS_OVER.test(sentence))) return false;
    this.#introduce(line, line.start + (FICTIONAL.test(sentence) ? start : end), intro);
    return true;
  }

  /** The rest of a line is introduced as somebody else's. */
  #introduce(line: Line, from: number, intro: Intro): void {
    const nearest = this.#delimited[firstAfter(this.#delimited, from)];
    const quoted =
      nearest !== undefined && nearest.start <= from + 2 ? nearest : quotationAt(this.#text, from, line.end);
    if (quoted !== undefined) {
      this.#material(quoted.end);
      const rest: Line = { ...line, text: this.#text.slice(quoted.end, line.end), start: quoted.end };
      if (quoted.end < line.end) this.#readSentences(rest, "");
      return;
    }
    this.#found.push({ start: from, end: line.end, speaker: intro.speaker });
    const value = this.#text.slice(from, line.end).trim();
    const isComplete = isSpoken(value) && !isSalutation(value) && !GREETING.test(value);
    const source = sourceOf(intro);
    // A single turn, and turns with blank lines between them, may have several paragraphs.
    const isChat = this.#isDialogue() && !(line.opensParagraph && this.#hasMaterial);
    const until = (source === "chat" ? isChat : isComplete) ? "paragraph" : "open";
    this.#open({ until, speaker: intro.speaker, source });
  }

  #readMarker(line: Line): boolean {
    const marker = this.#markers.get(line.start);
    if (marker === undefined || (marker.isBracketed && OWN_LABELS.test(marker.title) && !TEXTS.test(marker.title)))
      return false;
    if (marker.isEnd && this.#scope?.until === "marked") {
      this.#add({ ...line, end: marker.end });
      this.#end();
      const rest = { ...line, text: this.#text.slice(marker.end, line.end), start: marker.end };
      if (rest.text.trim() !== "") this.#readSentences(rest, "");
      return true;
    }
    this.#open({ until: marker.isBracketed && !this.#hasEndAfter(line) ? "open" : "marked", source: "document" });
    this.#add(line);
    return true;
  }

  #hasEndAfter({ start }: Line): boolean {
    this.#lastEnd ??= Math.max(-1, ...[...this.#markers].map(([at, { isEnd }]) => (isEnd ? at : -1)));
    return this.#lastEnd > start;
  }

  /** Returns the number of header lines of a mail that begins at a line. */
  #headersAt(index: number): number {
    let count = 0;
    while (MAIL_FIELD.test(this.#lines[index + count]?.text ?? "")) count++;
    if (count >= MIN_MAIL_FIELDS) return count;
    const { text = "" } = this.#lines[index] ?? {};
    return MAIL_SUBJECT.test(text) || (count === 1 && /@/.test(text)) || ADDRESSED.test(text.slice(-MAX_CLAUSE))
      ? 1
      : 0;
  }

  #isReturn(line: Line): boolean {
    const scope = this.#scope;
    if (scope?.until === "rule" && RULE.test(line.text)) {
      this.#end();
      return true;
    }
    if (scope?.until === "marked" || scope?.until === "rule") return false;
    const isEnded = scope?.until === "list" && line.opensParagraph && !ITEM.test(line.text);
    const isAfterLetter = scope?.isSigned === true && line.opensParagraph && !POSTSCRIPT.test(line.text);
    const isInProse = scope?.source === "letter" || scope?.source === "document";
    const isResumed = (line.opensParagraph || !isInProse) && isResumption(line.text);
    const isOwn = line.opensParagraph && scope !== undefined && this.#isAnswered(line.text, scope);
    if (!isEnded && !isAfterLetter && !isResumed && !isOwn) return false;
    this.#end();
    this.#ownStart = line.start;
    return true;
  }

  /** Whether a paragraph after a text is about it, or cannot belong to it. */
  #isAnswered(paragraph: string, { source, isPersonal: isSpokenText }: Scope): boolean {
    if (isRequest(paragraph, source)) return true;
    if (source === "machine") return FIRST_PERSON.test(paragraph) && /[?？]/.test(paragraph);
    return source === "document" && !isSpokenText && FIRST_PERSON.test(paragraph) && !holdsOrder(paragraph);
  }

  /** The line, or what is before `end`, is pasted: what was announced has come. */
  #material(end: number): void {
    this.#announced = undefined;
    this.#hasMaterial = true;
    this.#ownStart = end;
  }

  #open(scope: Scope): void {
    this.#announced = undefined;
    this.#hasMaterial = true;
    this.#scope = scope;
  }

  #end(): void {
    this.#scope = undefined;
    this.#ownStart = this.#found.at(-1)?.end ?? 0;
  }

  #add({ start, end }: Pick<Line, "start" | "end">, speaker = this.#scope?.speaker): void {
    this.#found.push({ start, end, speaker });
  }

  /** Returns the end of the delimited range in which a line's first word is. */
  #coveredEnd(line: Line): number | undefined {
    const first = line.start + line.text.search(/\S/);
    while ((this.#delimited[this.#delimitedIndex]?.end ?? Number.POSITIVE_INFINITY) <= first) this.#delimitedIndex++;
    const range = this.#delimited[this.#delimitedIndex];
    return range !== undefined && range.start <= first ? range.end : undefined;
  }

  /** Whether several lines begin with names, and at least one of these speaks of "I". */
  #isDialogue(): boolean {
    this.#dialogue ??= isDialogue(this.#lines);
    return this.#dialogue;
  }

  #isCovered(index: number): boolean {
    const range = this.#delimited[firstAfter(this.#delimited, index)];
    return range !== undefined && range.start <= index;
  }
}

/** A field of data, and the sign that its value is the lines below. */
const FIELD = /^\s*(?:[\w-]+\s*:|-\s|#)/u;
const BLOCK_SCALAR = /[:：]\s*[|>][+-]?\s*$/;
