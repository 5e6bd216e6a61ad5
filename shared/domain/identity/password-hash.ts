import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { unavailable } from "../../kernel/errors.ts";
import { normalized } from "../../kernel/strings.ts";

/** Cost of argon2id: OWASP Password Storage Cheat Sheet. Memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Version 0x13 of the algorithm, the only one that Node supports. */
const VERSION = 19;

/** One core stays free for other work; two of libuv's four threads stay free for files and DNS. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
/** At about 50 ms each, the last in this queue waits about a second. */
const MAX_QUEUE_LENGTH = 20 * MAX_CONCURRENT;
const RETRY_SECONDS = 2;

const computeArgon2 = promisify(argon2);

type Recipe = typeof COST & { salt: Buffer };

let running = 0;
const waiting: (() => void)[] = [];

/** Throws SERVICE_UNAVAILABLE while the queue is full; checked first, so that a flood is refused at no cost. */
export function rejectIfHashQueueFull(): void {
  if (running < MAX_CONCURRENT || waiting.length < MAX_QUEUE_LENGTH) return;
  throw unavailable("Too many sign-ins are in progress. Try again shortly.", RETRY_SECONDS);
}

/** Queues expensive work, so that many passwords delay only passwords. Throws as `rejectIfHashQueueFull` does. */
async function runQueued<T>(compute: () => Promise<T>): Promise<T> {
  rejectIfHashQueueFull();
  if (running >= MAX_CONCURRENT) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  } else {
    running++;
  }
  try {
    return await compute();
  } finally {
    // The slot passes to the next in the queue or becomes free.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The normalized bytes: a password is the same on every keyboard (RFC 8265, OpaqueString). */
function bytesOf(password: string): Buffer {
  return Buffer.from(normalized(password, "NFC"));
}

function compute(password: string, { salt: nonce, ...cost }: Recipe, tagLength: number): Promise<Buffer> {
  return runQueued(() => computeArgon2("argon2id", { message: bytesOf(password), nonce, tagLength, ...cost }));
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

/** The password's argon2id hash in PHC form; with the salt of the hash `sameSalt`, one computation serves both. */
export async function hashPassword(password: string, sameSalt?: string): Promise<string> {
  const salt = sameSalt === undefined ? randomBytes(SALT_BYTES) : parse(sameSalt).salt;
  const hash = await compute(password, { ...COST, salt }, HASH_BYTES);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Parses the PHC form of a hash. Throws if the text is not an argon2id hash. */
function parse(phc: string): Recipe & { expected: Buffer } {
  const [, memory, passes, parallelism, salt = "", hash = ""] = PHC.exec(phc) ?? [];
  if (hash === "") throw new Error("this is no argon2id hash in PHC form");
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    expected: Buffer.from(hash, "base64"),
  };
}

/** Whether the password matches the hash, with any cost. Throws if the text is not such a hash. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  return (await findHash(password, [phc])) === 0;
}

/**
 * Returns the index of the first hash that the password matches, or -1 if it matches none. Hashes with one salt and
 * cost need one computation; an empty list costs one too. Throws if a text is not such a hash.
 */
export async function findHash(password: string, phcs: (string | undefined)[]): Promise<number> {
  const computed = new Map<string, Promise<Buffer>>();
  const matches = phcs.map((phc) => {
    if (phc === undefined) return false;
    const { expected, ...recipe } = parse(phc);
    const recipeKey = phc.slice(0, phc.lastIndexOf("$")) + expected.length;
    const found = computed.get(recipeKey) ?? compute(password, recipe, expected.length);
    computed.set(recipeKey, found);
    return found.then((hash) => timingSafeEqual(hash, expected));
  });
  if (computed.size === 0) await hashDummyPassword(password);
  return (await Promise.all(matches)).indexOf(true);
}

/** Takes as long as `verifyPassword` when there is no hash to compare with. */
export async function hashDummyPassword(password: string): Promise<false> {
  await compute(password, { ...COST, salt: Buffer.alloc(SALT_BYTES) }, HASH_BYTES);
  return false;
}
