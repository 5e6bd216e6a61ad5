import type { Said } from "./transcripts.ts";

/** The start of a command, or its end with whether it succeeded. */
export type CommandEvent =
  | { id: string; text: string; description?: string | undefined }
  | { id: string; hasWorked: boolean };

/** How often a command must have worked: what an agent looks at, it mostly looks at once. */
const MIN_TIMES = 2;
const MAX_COMMANDS = 5;
const MAX_LENGTH = 200;

/** Programs that only look at something, which an agent runs all the time. */
const LOOKS =
  /^\s*(?:(?:awk|cat|cd|cut|date|diff|du|echo|fd|file|find|grep|head|jq|ls|nl|ps|pwd|rg|sed|sort|stat|tail|tree|wc|which)(?:\s|$)|git\s(?:-C\s\S+\s)?(?:blame|branch|diff|grep|log|ls-files|remote|rev-parse|show|status)(?:\s|$))/;

/** What gives a command a credential: options, headers, addresses with a password, and variables before a program. */
const CREDENTIALS = [
  /(?:^|\s)(?:-u|--user)[=\s]*["']?[^\s:]+:/,
  /(?:^|\s)-p\S|\b(?:sshpass|login|mysql\w*|mongo\w*|redis-cli)\b.*\s-[pa]\s*\S/,
  /(?:^|\s)--?[\w-]*(?:pass(?:word|wd|phrase)?|secret|token|credentials?|(?:api|access|private)[-_]?key)\b[=\s]\s*[^\s-]/i,
  /\b(?:proxy-)?authorization\s*:|\b[\w-]*(?:key|token|secret)\s*:|\bcookie\s*:/i,
  /[?&"'][\w-]*(?:key|token|secret|pass(?:word|wd)?)["']?\s*[=:]/i,
  /:\/\/[^\s/@]+@/,
  /(?:^|\s)\w*(?:PASS|PWD|SECRET|TOKEN|CREDENTIAL|KEY|AUTH)\w*=\S/i,
];

interface Command {
  text: string;
  description?: string | undefined;
}

/** The commands that worked at least twice, the last time too. */
export class WorkingCommands {
  /** By the id of the call that has no result yet. */
  readonly #called = new Map<string, Command>();
  /** By text, the last one that worked at the end. */
  readonly #worked = new Map<string, Command & { times: number; turn: number }>();
  #turn = 0;

  read(events: Iterable<CommandEvent>): void {
    for (const event of events) {
      if ("hasWorked" in event) this.#end(event.id, event.hasWorked);
      else if (isNotable(event)) this.#called.set(event.id, event);
    }
  }

  endTurn(): void {
    this.#turn += 1;
  }

  /** Those of the last turn, in the words with which the agent described each; without a description, as a sentence. */
  said(): Said[] {
    return [...this.#worked.values()]
      .filter(({ times, turn }) => times >= MIN_TIMES && turn === this.#turn)
      .slice(-MAX_COMMANDS)
      .map(({ text, description }) => ({
        role: "assistant",
        content: description === undefined ? `The command \`${text}\` works.` : `${description}: \`${text}\``,
      }));
  }

  #end(id: string, hasWorked: boolean): void {
    const command = this.#called.get(id);
    if (command === undefined) return;
    this.#called.delete(id);
    const { times } = this.#worked.get(command.text) ?? { times: 0 };
    this.#worked.delete(command.text);
    if (hasWorked) this.#worked.set(command.text, { ...command, times: times + 1, turn: this.#turn });
  }
}

function isNotable({ text, description = "" }: Command): boolean {
  if (/[`\n]/.test(text) || text.length > MAX_LENGTH || description.length > MAX_LENGTH) return false;
  if (CREDENTIALS.some((form) => form.test(text))) return false;
  return !text.split(/&&|\|\|?|;/).every((part) => LOOKS.test(part));
}
