import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { ServiceError, unavailable } from "../../kernel/errors.ts";
import { retryOnConflict } from "../../ports/conflicts.ts";
import type { ConditionFailedError } from "../../ports/errors.ts";
import type { RecordKey, RecordStore, StoredRecord } from "../../ports/record-store.ts";
import type { HasPorts, Runtime } from "../../runtime/context.ts";
import { normalizeEmail } from "./users.ts";

/** Failures within the window that lock a subject until the window has passed since the last failure. */
export const MAX_FAILURES = 10;
export const WINDOW_MS = 15 * 60_000;

/** Tries to count an attempt: each conflict means that another attempt was counted, so the lock ends the tries. */
const MAX_TRIES = 2 * MAX_FAILURES;

/** An email address, with or without an account, or a user's second factor. Hashed: mistyped input is not stored. */
export type AttemptSubject = { email: string } | { secondFactorOf: string };

/** The state of a subject. */
export interface Attempts {
  /** Failures within the window. */
  failures: number;
  /** ISO 8601; absent while it is not locked. */
  locked_until?: string;
}

/** The stored form, in epoch milliseconds. With `revision`, two concurrent attempts are both counted. */
interface AttemptRecord {
  failed_at: number[];
  locked_until: number;
  revision: number;
}

const NO_ATTEMPTS: AttemptRecord = { failed_at: [], locked_until: 0, revision: 0 };

function keyOf(subject: AttemptSubject): RecordKey {
  const text = "email" in subject ? `email ${normalizeEmail(subject.email)}` : `user ${subject.secondFactorOf}`;
  return { pk: `sign_in_attempts#${sha256(text)}`, sk: "sign_in_attempts" };
}

/** The stored failures that still count. */
function currentAttempts(record: StoredRecord | undefined, now: number): AttemptRecord {
  const { failed_at, locked_until, revision } = { ...NO_ATTEMPTS, ...(record as AttemptRecord | undefined) };
  return { failed_at: failed_at.filter((at) => at > now - WINDOW_MS), locked_until, revision };
}

/** INVALID_CREDENTIALS without telling which part is wrong. `field` is the name that the client sent. */
export function wrongCredentials(field: string, attemptsRemaining: number): ServiceError {
  return new ServiceError("INVALID_CREDENTIALS", "The email address or password is wrong. Check them and try again.", {
    field,
    attempts_remaining: attemptsRemaining,
  });
}

function locked(field: string, until: number, now: number): ServiceError {
  const retry_after = Math.ceil((until - now) / 1000);
  const message = `Too many failed attempts. Try again in ${Math.ceil(retry_after / 60)} min, or reset the password.`;
  return new ServiceError("INVALID_CREDENTIALS", message, { field, attempts_remaining: 0, retry_after });
}

/**
 * Counts an attempt as failed before it is checked, so that concurrent guesses count like sequential ones;
 * `forgiveAttempts` undoes it. Returns the remaining attempts. Throws INVALID_CREDENTIALS while locked.
 */
export async function countAttempt(
  { ports, clock }: Pick<Runtime, "ports" | "clock">,
  subject: AttemptSubject,
  field: string,
): Promise<number> {
  const key = keyOf(subject);
  const count = async (conflict?: ConditionFailedError) => {
    const record = conflict ? conflict.existing : await ports.records.get(key);
    const now = clock();
    const { failed_at, locked_until, revision } = currentAttempts(record, now);
    if (locked_until > now) throw locked(field, locked_until, now);
    const counted = [...failed_at, now];
    const remaining = MAX_FAILURES - counted.length;
    const next: AttemptRecord = {
      failed_at: counted,
      locked_until: remaining > 0 ? 0 : now + WINDOW_MS,
      revision: revision + 1,
    };
    const put = { ...key, ...next, kind: "sign_in_attempts", ttl: Math.ceil((now + WINDOW_MS) / 1000) };
    await ports.records.write({ put, condition: record === undefined ? "absent" : { revision } });
    return remaining;
  };
  return retryOnConflict(count, { attempts: MAX_TRIES, exhausted: contended });
}

function contended(): ServiceError {
  return unavailable("Too many sign-ins to this account are in progress. Try again shortly.", 1);
}

/** Deletes a subject's failures after the account's owner authenticated. */
export async function forgiveAttempts({ ports }: HasPorts, subject: AttemptSubject): Promise<void> {
  await ports.records.write({ delete: keyOf(subject) });
}

/** Undoes only the last attempt, which was correct for one of several accounts: guesses for the others stay limited. */
export async function undoLastAttempt({ ports, clock }: Pick<Runtime, "ports" | "clock">, subject: AttemptSubject) {
  const key = keyOf(subject);
  const undo = async () => {
    const record = await ports.records.get(key);
    const { failed_at, revision } = currentAttempts(record, clock());
    if (failed_at.length === 0) return;
    const set = { failed_at: failed_at.slice(0, -1), locked_until: 0, revision: revision + 1 };
    await ports.records.write({ update: key, set, condition: { revision } });
  };
  await retryOnConflict(undo, { attempts: MAX_TRIES, exhausted: contended });
}

/** The states of the subjects, in their order. `now` in epoch milliseconds. */
export async function readAttempts(records: RecordStore, subjects: AttemptSubject[], now: number): Promise<Attempts[]> {
  const found = await records.getMany(subjects.map(keyOf));
  const byKey = new Map(found.map((record) => [record.pk, record]));
  return subjects.map((subject) => {
    const { failed_at, locked_until } = currentAttempts(byKey.get(keyOf(subject).pk), now);
    return { failures: failed_at.length, ...(locked_until > now && { locked_until: timestamp(locked_until) }) };
  });
}
