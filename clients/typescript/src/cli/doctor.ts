import type * as api from "../api.ts";
import { call, type Operation } from "../call.ts";
import { PermissionError } from "../errors.ts";
import { OPERATIONS } from "../operations.ts";
import { Transport } from "../transport.ts";
import { findConnection, serviceUrl } from "./credentials.ts";
import { CLI_OPERATIONS } from "./operations.ts";
import { hintOf, messageOf } from "./output.ts";
import { SetupError } from "./setup-error.ts";

export interface Check {
  name: string;
  status: "ok" | "warning" | "failed";
  detail: string;
  /** How to fix it. */
  hint?: string | undefined;
}

type Outcome = Omit<Check, "name">;

/** Results of checks that later checks use. */
interface Findings {
  url: string;
  /** Calls operations that need no key. */
  visitor: Transport;
  caller: Transport;
  version: string;
  document: ApiDocument;
  status: api.ReadStatusAnswer;
}

interface ApiDocument {
  paths: Record<string, Record<string, { "x-permission"?: string }>>;
}

const LIMITS = { timeoutMs: 10_000, maxRetries: 0 };
/** Every operation that the client and the command line call. */
const CALLED: Operation[] = [...Object.values(OPERATIONS), ...Object.values(CLI_OPERATIONS)];

/** Run in this order. A check that throws is the last one, because later checks need its result. */
const CHECKS: Record<string, (found: Findings) => Promise<Outcome>> = {
  async address(found) {
    found.url = serviceUrl();
    // The client requires a key, but public routes ignore it.
    found.visitor = new Transport({ baseUrl: found.url, apiKey: "none", ...LIMITS });
    return ok(found.url);
  },

  async reachable(found) {
    const health = await call<api.ReadHealthAnswer | undefined>(found.visitor, CLI_OPERATIONS.readHealth);
    if (health?.version === undefined) {
      throw new SetupError(`${found.url} answers, but is not a Memory Service.`, "Correct its address: MEMORY_URL.");
    }
    found.version = health.version;
    return ok(`running for ${health.uptime_seconds} seconds`);
  },

  async version(found) {
    found.document = await call<ApiDocument>(found.visitor, { method: "GET", path: "/openapi.json" });
    const missing = CALLED.filter((operation) => documented(found.document, operation) === undefined).map(nameOf);
    if (missing.length === 0) return ok(found.version);
    const detail = `${found.version}, which lacks ${missing.join(", ")}`;
    return { status: "failed", detail, hint: "Update the service: this client is newer." };
  },

  async credentials(found) {
    const { key, origin } = findConnection();
    found.caller = new Transport({ baseUrl: found.url, apiKey: key, ...LIMITS });
    found.status = await call(found.caller, CLI_OPERATIONS.readStatus);
    return ok(`the key of ${origin} is valid`);
  },

  async permissions({ caller, document }) {
    const needed = new Set(CALLED.map((operation) => documented(document, operation)?.["x-permission"] ?? "any"));
    needed.delete("any");
    const held = await Promise.all([...needed].map((permission) => holds(caller, permission)));
    const missing = [...needed].filter((_, index) => !held[index]);
    if (missing.length === 0) return ok([...needed].join(", "));
    const detail = `the key does not hold ${missing.join(", ")}`;
    const refused = CALLED.filter((operation) =>
      missing.includes(documented(document, operation)?.["x-permission"] ?? "any"),
    );
    const hint = `Use a key that holds them to call ${refused.map(nameOf).join(", ")}.`;
    return { status: "warning", detail, hint };
  },

  async stores({ status: { status, checks } }) {
    const down = Object.entries(checks).filter(([, { ok: answers }]) => !answers);
    if (status === "healthy") return ok("all answer");
    const detail = `${down.map(([name]) => name).join(", ")} fail`;
    return { status: "failed", detail, hint: "Read the log of the service." };
  },

  async index({ status: { index } }) {
    const { pending, catching_up: isCatchingUp, embedder } = index;
    if (pending === 0 && !isCatchingUp) return ok(`no memory waits for its vector by ${embedder}`);
    const detail = isCatchingUp
      ? "the index is catching up"
      : `${pending ?? "unknown"} memories wait for their vectors or for the model that reads facts`;
    return { status: "warning", detail, hint: "Wait: until then searches find these by words alone, or miss them." };
  },
};

/**
 * Checks everything that a recall from this machine needs. Stops at the first check that throws, because the others
 * depend on it.
 */
export async function examine(): Promise<Check[]> {
  const checks: Check[] = [];
  const found = {} as Findings;
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      checks.push({ name, ...(await check(found)) });
    } catch (error) {
      return [...checks, { name, status: "failed", detail: messageOf(error), hint: hintOf(error) }];
    }
  }
  return checks;
}

/** Formats each check as one line, with its hint below it. */
export function reportOf(checks: Check[]): string {
  return checks
    .flatMap(({ name, status, detail, hint }) => {
      const line = `${status.padEnd(8)} ${name.padEnd(12)} ${detail}`;
      return hint === undefined ? [line] : [line, `${" ".repeat(9)}${hint}`];
    })
    .join("\n");
}

function ok(detail: string): Outcome {
  return { status: "ok", detail };
}

function documented({ paths }: ApiDocument, { method, path }: Operation) {
  return paths[path]?.[method.toLowerCase()];
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/**
 * Whether the key holds a permission: X-Permission restricts a request to it, and the service rejects a key without it.
 */
async function holds(caller: Transport, permission: string): Promise<boolean> {
  try {
    await call(caller, CLI_OPERATIONS.readStatus, { headers: { "x-permission": permission } });
    return true;
  } catch (error) {
    if (error instanceof PermissionError) return false;
    throw error;
  }
}
