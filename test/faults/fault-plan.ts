import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { errors as openSearch } from "@opensearch-project/opensearch";
import type { PortName } from "../../shared/ports/ports.ts";
import { chanceOf } from "./seeded.ts";

/**
 * Faults of a call. A call that times out, is throttled, fails or is reset has no effect; a `partial` one has some of its
 * effect, and one whose answer is `lost` all of it. A `stale` read returns what a lagging index would.
 */
export const FAULTS = ["timeout", "throttle", "failure", "reset", "partial", "lost", "stale"] as const;
export type Fault = (typeof FAULTS)[number];

/** Milliseconds before a call times out: enough for other calls in between. */
const TIMEOUT_MS = 3;

/** Decides which calls of which port fail, and how. With the same seed, the n-th call of a verb always has the same fault. */
export class FaultPlan {
  readonly seed: number;
  readonly #rate: number;
  readonly #calls = new Map<string, number>();
  /** Number of faults by port and kind. */
  readonly met = new Map<PortName, Map<Fault, number>>();
  /** Ports whose every call fails. */
  readonly down = new Set<PortName>();
  /** While false, only calls of `down` ports fail. */
  isOn = false;

  constructor(seed: number, rate: number) {
    this.seed = seed;
    this.#rate = rate;
  }

  /** Draws the fault of this call, if any, from those that are possible. */
  draw(port: PortName, verb: string, possible: readonly Fault[]): Fault | undefined {
    if (this.down.has(port)) return "reset";
    if (!this.isOn || possible.length === 0) return undefined;
    const name = `${port}.${verb}`;
    const call = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, call);
    const chance = chanceOf(this.seed, name, call) / this.#rate;
    const fault = chance < 1 ? possible[Math.floor(chance * possible.length)] : undefined;
    if (fault) this.#note(port, fault);
    return fault;
  }

  #note(port: PortName, fault: Fault): void {
    const own = this.met.get(port) ?? new Map<Fault, number>();
    this.met.set(port, own.set(fault, (own.get(fault) ?? 0) + 1));
  }
}

/** Throws the error that the port's client throws for a fault. */
export async function fail(port: PortName, fault: Fault): Promise<never> {
  if (fault === "timeout") await sleep(TIMEOUT_MS);
  throw port === "search" ? searchError(fault) : serviceError(port, fault);
}

function searchError(fault: Fault): Error {
  if (fault === "timeout" || fault === "lost") return new openSearch.TimeoutError("Request timed out", {} as never);
  if (fault === "reset") return new openSearch.ConnectionError("socket hang up", {} as never);
  const statusCode = fault === "throttle" ? 429 : 503;
  return new openSearch.ResponseError({ statusCode, body: {}, headers: {}, warnings: null, meta: {} as never });
}

/** Errors as the AWS SDK and Node name them. */
function serviceError(port: PortName, fault: Fault): Error {
  const message = `injected: ${port} ${fault}`;
  if (fault === "reset" || fault === "lost") return Object.assign(new Error(message), { code: "ECONNRESET" });
  if (fault === "timeout") return Object.assign(new Error(message), { name: "TimeoutError" });
  const isThrottle = fault === "throttle";
  return new DynamoDBServiceException({
    name: isThrottle ? "ThrottlingException" : "InternalServerError",
    message,
    $fault: isThrottle ? "client" : "server",
    $metadata: { httpStatusCode: isThrottle ? 400 : 500 },
  });
}
