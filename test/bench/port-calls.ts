import { AsyncLocalStorage } from "node:async_hooks";
import type { Ports } from "../../shared/ports/ports.ts";

/** The calls of both stores, and the bytes of what is written, as JSON, vectors left out. */
export interface PortCalls {
  records: number;
  index: number;
  writtenBytes: number;
}

type Store = Exclude<keyof PortCalls, "writtenBytes">;

const WRITING: ReadonlySet<unknown> = new Set(["write", "upsert", "remove"]);

const current = new AsyncLocalStorage<PortCalls>();

/** Counts what a function asks of the stores, without what other work does meanwhile. */
export async function callsOf(run: () => Promise<unknown>): Promise<PortCalls> {
  const calls: PortCalls = { records: 0, index: 0, writtenBytes: 0 };
  await current.run(calls, run);
  return calls;
}

/** Returns the ports with the calls of both stores counted for `callsOf`. */
export function countingCalls(ports: Ports): Ports {
  return { ...ports, records: counted(ports.records, "records"), search: counted(ports.search, "index") };
}

function counted<Port extends object>(port: Port, store: Store): Port {
  return new Proxy(port, {
    get(target, verb) {
      const value = Reflect.get(target, verb, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const calls = current.getStore();
        if (calls !== undefined) {
          calls[store]++;
          if (WRITING.has(verb)) calls.writtenBytes += Buffer.byteLength(JSON.stringify(given, withoutVector));
        }
        return value.apply(target, given);
      };
    },
  });
}

/** Numbers count as one digit, because how many a duration has differs between runs. */
function withoutVector(name: string, value: unknown): unknown {
  if (name === "embedding") return undefined;
  return typeof value === "number" ? 0 : value;
}
