import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/digest.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { RecordKey, RecordStore, StoredRecord } from "../platform/ports.ts";
import { normalizeEmail } from "./users.ts";

/** So many failures within the window lock; the lock ends when the window has passed since the last of them. */
export const MOST_FAILURES = 10;
export const WINDOW_MS = 15 * 60_000;

/** Every attempt that overtakes this one brings the lock nearer, so a few more tries than it takes are enough. */
const MAX_TRIES = 2 * MOST_FAILURES;

/**
 * Whose attempts are counted: an e-mail address, whether or not anybody has it, or the second factor of a user. Hashed,
 * so that what people mistyped is not kept.
 */
export type AttemptSubject = { email: string } | { secondFactorOf: string };

/** How a subject stands. */
export interface Attempts {
  /** Failures that count still. */
  failures: number;
  /** ISO; absent while it is not locked. */
  locked_until?: string;
}

/** As stored: epoch milliseconds. `revision` lets of two attempts at once each be counted. */
interface AttemptRecord {
  failed_at: number[];
  locked_until: number;
  revision: number;
}

const UNTRIED: AttemptRecord = { failed_at: [], locked_until: 0, revision: 0 };

function keyOf(subject: AttemptSubject): RecordKey {
  const named = "email" in subject ? `email ${normalizeEmail(subject.email)}` : `user ${subject.secondFactorOf}`;
  return { pk: `sign_in_attempts#${sha256(named)}`, sk: "sign_in_attempts" };
}

/** What counts still of what is stored. */
function standing(record: StoredRecord | undefined, now: number): AttemptRecord {
  const { failed_at, locked_until, revision } = { ...UNTRIED, ...(record as AttemptRecord | undefined) };
  return { failed_at: failed_at.filter((at) => at > now - WINDOW_MS), locked_until, revision };
}

/** INVALID_CREDENTIALS, whatever was wrong with them. `field` is where the client sent what is wrong. */
export function wrongCredentials(field: string, attemptsRemaining: number): ServiceError {
  return new ServiceError(
    "INVALID_CREDENTIALS",
    "These are not the credentials of an account. Check them, and try again.",
    {
      field,
      attempts_remaining: attemptsRemaining,
    },
  );
}

function locked(field: string, until: number, now: number): ServiceError {
  const retry_after = Math.ceil((until - now) / 1000);
  const message = `Too many failed attempts. Try again in ${Math.ceil(retry_after / 60)} min, or reset the password.`;
  return new ServiceError("INVALID_CREDENTIALS", message, { field, attempts_remaining: 0, retry_after });
}

/**
 * Counts an attempt as failed before anybody looks whether it is right, so that guesses at once are no more than guesses
 * one by one; `forgiveAttempts` takes it back. Answers how many more may fail. Throws INVALID_CREDENTIALS while locked.
 */
export async function countAttempt(
  { ports, clock }: Pick<Home, "ports" | "clock">,
  subject: AttemptSubject,
  field: string,
): Promise<number> {
  const key = keyOf(subject);
  let record = await ports.records.get(key);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const now = clock();
    const { failed_at, locked_until, revision } = standing(record, now);
    if (locked_until > now) throw locked(field, locked_until, now);
    const counted = [...failed_at, now];
    const remaining = MOST_FAILURES - counted.length;
    const next: AttemptRecord = {
      failed_at: counted,
      locked_until: remaining > 0 ? 0 : now + WINDOW_MS,
      revision: revision + 1,
    };
    const put = { ...key, ...next, kind: "sign_in_attempts", ttl: Math.ceil((now + WINDOW_MS) / 1000) };
    try {
      await ports.records.write({ put, condition: record === undefined ? "absent" : { revision } });
      return remaining;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      record = error.existing;
    }
  }
  throw new ServiceError("SERVICE_UNAVAILABLE", "Too many sign-ins to this account at once. Try again in a moment.", {
    retry_after: 1,
  });
}

/** Forgets a subject's failures: somebody showed to be the account's owner. */
export async function forgiveAttempts({ ports }: Pick<Home, "ports">, subject: AttemptSubject): Promise<void> {
  await ports.records.write({ delete: keyOf(subject) });
}

/**
 * Takes the last attempt back, and no other: it was right for one of several accounts of an address, whose owner must not
 * be able to guess the others' passwords without end.
 */
export async function takeBackAttempt(
  { ports, clock }: Pick<Home, "ports" | "clock">,
  subject: AttemptSubject,
): Promise<void> {
  const key = keyOf(subject);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const record = await ports.records.get(key);
    const { failed_at, revision } = standing(record, clock());
    if (failed_at.length === 0) return;
    const set = { failed_at: failed_at.slice(0, -1), locked_until: 0, revision: revision + 1 };
    try {
      await ports.records.write({ update: key, set, condition: { revision } });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

/** How subjects stand, in their order. `now` in epoch milliseconds. */
export async function readAttempts(records: RecordStore, subjects: AttemptSubject[], now: number): Promise<Attempts[]> {
  const found = await records.getMany(subjects.map(keyOf));
  const byKey = new Map(found.map((record) => [record.pk, record]));
  return subjects.map((subject) => {
    const { failed_at, locked_until } = standing(byKey.get(keyOf(subject).pk), now);
    return { failures: failed_at.length, ...(locked_until > now && { locked_until: timestamp(locked_until) }) };
  });
}
