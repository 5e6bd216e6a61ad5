import { isIPv6 } from "node:net";
import { sha256 } from "../kernel/digest.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home } from "../platform/context.ts";
import type { RecordStore } from "../platform/ports.ts";
import type { MailTopic } from "./mail.ts";
import { type Bucket, RateLimiter } from "./rate-limit.ts";
import { normalizeEmail } from "./users.ts";

/** What one network may ask of the routes that need no credential, whomever it names; an office may share an address. */
const PER_ADDRESS: Bucket = { name: "sign_in_address", perMinute: 60, burst: 60 };
/** Refresh tokens cannot be guessed, and all people of an office trade theirs four times an hour. */
const REFRESHES_PER_ADDRESS: Bucket = { name: "refresh_address", perMinute: 300, burst: 300 };
/** Sign-ins that name one e-mail address, from wherever. */
const PER_EMAIL: Bucket = { name: "sign_in_email", perMinute: 20, burst: 20 };
/** Mails that one address may be sent by whoever knows it: three, then one in ten minutes. */
const MAILS_PER_EMAIL: Bucket = { name: "mails", perMinute: 0.1, burst: 3 };

/** Bits of an IPv6 address that a provider gives to one customer. */
const NETWORK_GROUPS = 4;

/** One customer's network: an IPv4 address, also one within IPv6, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (embedded !== undefined || !isIPv6(plain)) return embedded ?? plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - last.length);
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...last];
  return `${all
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** One a store: what a process has seen of a bucket saves it the write that would fail. */
const limiters = new WeakMap<RecordStore, RateLimiter>();

/** Refuses while the store is down: who may guess without a limit may guess until right. */
function limiter({ ports: { records }, clock, logger }: Home): RateLimiter {
  const known = limiters.get(records) ?? new RateLimiter(records, clock, logger, { whenDown: "refuse" });
  limiters.set(records, known);
  return known;
}

const hashOf = (email: string): string => sha256(normalizeEmail(email));

/** What requests of public routes are counted as: a sign-in, or a trade of a refresh token. */
export type VisitorLimit = "sign_in" | "refresh";

const VISITOR_LIMITS: Record<VisitorLimit, { subject: string; bucket: Bucket }> = {
  sign_in: { subject: "network", bucket: PER_ADDRESS },
  refresh: { subject: "refreshes_from", bucket: REFRESHES_PER_ADDRESS },
};

/**
 * Counts a request of a public route by the network it came from; the pipeline calls it before it reads the request.
 * Throws RATE_LIMITED, or SERVICE_UNAVAILABLE while the store is down.
 */
export async function limitVisitor(home: Home, limit: VisitorLimit = "sign_in"): Promise<void> {
  const address = home.request?.address;
  if (address === undefined) return;
  const { subject, bucket } = VISITOR_LIMITS[limit];
  await limiter(home).takeFrom(`${subject}#${networkOf(address)}`, [bucket], home.logger);
}

/** Counts a sign-in that names an e-mail address, from whichever network. Throws as `limitVisitor` does. */
export async function limitSignIns(home: Home, email: string): Promise<void> {
  await limiter(home).takeFrom(`sign_ins_of#${hashOf(email)}`, [PER_EMAIL], home.logger);
}

/**
 * Whether an address may be sent another mail that somebody else caused, which is counted. What caused it goes on without
 * the mail, so that its answer tells nothing.
 */
export async function mayMail(home: Home, email: string, topic: MailTopic): Promise<boolean> {
  try {
    await limitMails(home, email, topic);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "RATE_LIMITED") return false;
    throw error;
  }
}

/**
 * Counts a mail that somebody asks to be sent to an address, whether or not anybody has it. Each topic counts by itself:
 * no number of invitations keeps anybody from a new password. Throws as `limitVisitor` does.
 */
export async function limitMails(home: Home, email: string, topic: MailTopic): Promise<void> {
  await limiter(home).takeFrom(`mails_to#${topic}#${hashOf(email)}`, [MAILS_PER_EMAIL], home.logger);
}
