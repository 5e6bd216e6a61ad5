import { AuthenticationError, ConnectionError, MemoryError, PermissionError } from "../errors.ts";
import { withVisibleControls } from "../prompt.ts";
import { SetupError } from "./setup-error.ts";

/** Where a command writes: answers to stdout, everything else to stderr. */
export interface Output {
  /** Prints the answer of the command, as JSON or as text. */
  print<Answer>(answer: Answer, toWords: (answer: Answer) => string): void;
  /** Prints a remark to stderr; prints nothing with --json. */
  note(line: string): void;
  /** Shows how far a job is: a bar in a terminal, lines elsewhere, nothing with --json. */
  progress(done: number, total: number, unit: string): void;
  /** Prints an error to stderr. */
  complain(error: unknown): void;
}

const BAR_WIDTH = 30;

export function createOutput(isJson: boolean): Output {
  let isInBar = false;
  const endBar = () => {
    if (isInBar) process.stderr.write("\n");
    isInBar = false;
  };
  const say = (line: string) => {
    endBar();
    process.stderr.write(`${line}\n`);
  };
  return {
    print(answer, toWords) {
      endBar();
      process.stdout.write(`${isJson ? toJson(answer) : withVisibleControls(toWords(answer))}\n`);
    },
    note: (line) => isJson || say(withVisibleControls(line)),
    progress(done, total, unit) {
      if (isJson) return;
      const words = `${done} of ${total} ${unit}`;
      if (!process.stderr.isTTY) {
        say(words);
        return;
      }
      const bar = "#".repeat(Math.round((BAR_WIDTH * done) / total)).padEnd(BAR_WIDTH, "-");
      process.stderr.write(`\r[${bar}] ${words}`);
      isInBar = true;
      if (done === total) endBar();
    },
    complain: (error) => say(isJson ? toJson({ error: asData(error) }) : withVisibleControls(inWords(error))),
  };
}

/** Characters that JSON leaves as they are, but that a terminal may obey. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns JSON that shows no memory's control characters to a terminal. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Exits without an error when the reader of stdout closes the pipe, as after `| head`. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
}

/** Returns how to fix an error, or undefined if there is no hint for it. */
export function hintOf(error: unknown): string | undefined {
  if (error instanceof SetupError) return error.hint;
  if (error instanceof AuthenticationError) return "Run `memory login` with a valid key, or set MEMORY_API_KEY.";
  if (error instanceof PermissionError)
    return "Use a key that holds the permission; `memory doctor` lists what it holds.";
  if (error instanceof ConnectionError) {
    return "Start the service, or correct its address: MEMORY_URL, or `memory login --url URL`.";
  }
  return undefined;
}

function inWords(error: unknown): string {
  const hint = hintOf(error);
  return `${messageOf(error)}${hint === undefined ? "" : `\n${hint}`}`;
}

function asData(error: unknown): object {
  const message = messageOf(error);
  const hint = hintOf(error);
  if (!(error instanceof MemoryError)) return { message, hint };
  const { code, status, details, requestId: request_id } = error;
  return { code, message, status, details, request_id, hint };
}

/** Returns the message with its causes, such as the operating system's error if the connection failed. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reasons = causesOf(error.cause);
  return [error.message, ...reasons].join(": ");
}

function causesOf(cause: unknown): string[] {
  if (!(cause instanceof Error)) return [];
  return cause.cause instanceof Error ? causesOf(cause.cause) : [cause.message].filter((message) => message !== "");
}
