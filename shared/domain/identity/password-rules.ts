import { type FieldProblem, invalid } from "../../kernel/errors.ts";
import { normalized } from "../../kernel/strings.ts";

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 128;

/** A common password stays common with up to this many digits or symbols added at each end. */
const MAX_ADDED = 6;
const ADDED = new RegExp(`^[\\d\\W_]{0,${MAX_ADDED}}(.*?)[\\d\\W_]{0,${MAX_ADDED}}$`, "s");
/** One to eight characters, repeated. */
const REPEATED = /^(.{1,8}?)\1+.{0,3}$/su;

let common: Promise<ReadonlySet<string>> | undefined;

/** The 49,000 most common leaked passwords from zxcvbn-ts (MIT); loaded when a password is first chosen. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return common;
}

/** Returns the weakness of a new password for this email address, or undefined if it has none. */
export async function weaknessOf(password: string, email: string): Promise<string | undefined> {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return `takes ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;
  }
  const plain = normalized(password, "NFKC").toLowerCase();
  if (plain.includes(email) || plain === email.replace(/@.*/s, "")) return "must not be your e-mail address";
  if (REPEATED.test(plain)) return "must not repeat a few characters over and over";
  const commonSet = await commonPasswords();
  const core = ADDED.exec(plain)?.[1] ?? "";
  return commonSet.has(plain) || commonSet.has(core)
    ? "is one of the most common passwords, choose another"
    : undefined;
}

/** Throws VALIDATION_ERROR for a password that is too short, too long, too common or the address itself. */
export async function requireGoodPassword(password: string, email: string, field: FieldProblem["field"] = "password") {
  const problem = await weaknessOf(password, email);
  if (problem !== undefined) throw invalid({ field, problem });
}
