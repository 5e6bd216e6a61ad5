import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { ServiceError } from "../kernel/errors.ts";
import { normalized } from "../kernel/normalized.ts";

/** Cost of argon2id: OWASP Password Storage Cheat Sheet. Memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Version 0x13 of the algorithm, the only one that Node computes. */
const VERSION = 19;

/** A core is left to everything else; two of libuv's four threads are left to files and names. */
const MOST_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** At some 50 ms each, who comes last in this line waits about a second. */
const LONGEST_LINE = 20 * MOST_AT_ONCE;
const RETRY_SECONDS = 2;

const computeArgon2 = promisify(argon2);

interface Recipe {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Throws SERVICE_UNAVAILABLE while the line is full. Asked first, it turns a flood away before that costs anything.
 */
export function requireRoomInLine(): void {
  if (running < MOST_AT_ONCE || waiting.length < LONGEST_LINE) return;
  throw new ServiceError("SERVICE_UNAVAILABLE", "Too many people sign in just now. Try again in a moment.", {
    retry_after: RETRY_SECONDS,
  });
}

/** Runs what is costly in turn, so that a flood of passwords delays passwords alone. Throws as `requireRoomInLine` does. */
async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  requireRoomInLine();
  if (running >= MOST_AT_ONCE) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  } else {
    running++;
  }
  try {
    return await compute();
  } finally {
    // The turn goes to the next in line, or back.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The same password typed on different keyboards is the same (RFC 8265, OpaqueString). */
function bytesOf(password: string): Buffer {
  return Buffer.from(normalized(password, "NFC"));
}

function compute(password: string, { memory, passes, parallelism, salt }: Recipe, length: number): Promise<Buffer> {
  return inTurn(() =>
    computeArgon2("argon2id", {
      message: bytesOf(password),
      nonce: salt,
      parallelism,
      tagLength: length,
      memory,
      passes,
    }),
  );
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

/** The password's argon2id hash in PHC form, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await compute(password, { ...COST, salt }, HASH_BYTES);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether the password is the one that was hashed, at whatever cost it was. Throws for what is no such hash. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", hash = ""] = PHC.exec(phc) ?? [];
  if (hash === "") throw new Error("this is no argon2id hash");
  const expected = Buffer.from(hash, "base64");
  const recipe = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
  };
  return timingSafeEqual(await compute(password, recipe, expected.length), expected);
}

/** Takes as long as `verifyPassword`, where there is no hash to compare with. */
export async function verifyNothing(password: string): Promise<false> {
  await compute(password, { ...COST, salt: Buffer.alloc(SALT_BYTES) }, HASH_BYTES);
  return false;
}
