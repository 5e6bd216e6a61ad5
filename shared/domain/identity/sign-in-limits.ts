import { isIPv6 } from "node:net";
import { sha256 } from "../../kernel/digest.ts";
import { succeeded } from "../../kernel/errors.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { type Bucket, RateLimiter, type VisitorLimit } from "../../runtime/access/rate-limit.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { MailTopic } from "./mail.ts";
import { normalizeEmail } from "./users.ts";

/** Requests of one network to the routes without credential, for any account; an office may share an address. */
const PER_ADDRESS: Bucket = { name: "sign_in_address", perMinute: 60, burst: 60 };
/** Refresh tokens cannot be guessed, and everybody in an office refreshes four times an hour. */
const REFRESHES_PER_ADDRESS: Bucket = { name: "refresh_address", perMinute: 300, burst: 300 };
/** New OAuth clients of one network: ten, then one every five minutes. */
const CLIENTS_PER_ADDRESS: Bucket = { name: "client_registration_address", perMinute: 0.2, burst: 10 };
/** Sign-ins with one email address, from any network. */
const PER_EMAIL: Bucket = { name: "sign_in_email", perMinute: 20, burst: 20 };
/** Mails to one address that others can trigger: three, then one per ten minutes. */
const MAILS_PER_EMAIL: Bucket = { name: "mails", perMinute: 0.1, burst: 3 };

/** The number of leading 16-bit groups of an IPv6 address that identify a customer. */
const NETWORK_GROUPS = 4;

/** The network of one customer: an IPv4 address, also embedded in IPv6, or the first 64 bits of an IPv6 address. */
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

/** One per store, because cached bucket state saves a failed write. */
const limiters = new WeakMap<RecordStore, RateLimiter>();

/** Refuses while the store is down, because unlimited guesses would succeed. */
function limiter({ ports: { records }, clock, logger }: Runtime): RateLimiter {
  const cached = limiters.get(records) ?? new RateLimiter(records, clock, logger, { whenDown: "refuse" });
  limiters.set(records, cached);
  return cached;
}

const hashOf = (email: string): string => sha256(normalizeEmail(email));

const VISITOR_LIMITS: Record<VisitorLimit, { subject: string; bucket: Bucket }> = {
  sign_in: { subject: "network", bucket: PER_ADDRESS },
  refresh: { subject: "refreshes_from", bucket: REFRESHES_PER_ADDRESS },
  client_registration: { subject: "client_registrations_from", bucket: CLIENTS_PER_ADDRESS },
};

/** Counts a public request by network before it is read. Throws RATE_LIMITED, or SERVICE_UNAVAILABLE (store down). */
export async function limitVisitor(runtime: Runtime, limit: VisitorLimit = "sign_in"): Promise<void> {
  const address = runtime.request?.address;
  if (address === undefined) return;
  const { subject, bucket } = VISITOR_LIMITS[limit];
  await limiter(runtime).takeFrom(`${subject}#${networkOf(address)}`, [bucket], runtime.logger);
}

/** Counts a sign-in with an email address, from any network. Throws as `limitVisitor` does. */
export async function limitSignIns(runtime: Runtime, email: string): Promise<void> {
  await limiter(runtime).takeFrom(`sign_ins_of#${hashOf(email)}`, [PER_EMAIL], runtime.logger);
}

/** Counts a mail that others trigger and returns whether it may be sent; the request continues and reveals nothing. */
export function mayMail(runtime: Runtime, email: string, topic: MailTopic): Promise<boolean> {
  return succeeded(limitMails(runtime, email, topic), "RATE_LIMITED");
}

/** Counts a requested mail by address and topic: invitations must not block resets. Throws as `limitVisitor` does. */
export async function limitMails(runtime: Runtime, email: string, topic: MailTopic): Promise<void> {
  await limiter(runtime).takeFrom(`mails_to#${topic}#${hashOf(email)}`, [MAILS_PER_EMAIL], runtime.logger);
}
