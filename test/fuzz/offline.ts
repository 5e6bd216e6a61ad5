/**
 * Preloaded into the service that is fuzzed: generated addresses may be anybody's, so no name resolves but this machine's,
 * and nothing else is connected to.
 */
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { isIP, Socket } from "node:net";

const OWN_ADDRESSES = new Set(["127.0.0.1", "::1"]);

class Offline extends Error {
  readonly code: string;

  constructor(code: "ENOTFOUND" | "ENETUNREACH", host: string) {
    super(`${host} is not this machine, and nothing else is reached while it is fuzzed`);
    this.code = code;
  }
}

/** Where a socket is to connect to; undefined for a path of this machine. */
function hostOf(given: unknown): string | undefined {
  const [options, host] = Array.isArray(given) ? given.flat() : [given];
  if (typeof options === "object" && options !== null) {
    return "path" in options && options.path ? undefined : String("host" in options ? options.host : "127.0.0.1");
  }
  return typeof host === "string" ? host : "127.0.0.1";
}

const { lookup } = dns;
const { connect } = Socket.prototype;

Object.assign(dns, {
  lookup: async (host: string, options: object) => {
    if (!isIP(host) && host !== "localhost") throw new Offline("ENOTFOUND", host);
    return lookup(host, options);
  },
});
syncBuiltinESMExports();

Object.assign(Socket.prototype, {
  connect(this: Socket, ...given: unknown[]) {
    const host = hostOf(given);
    if (host === undefined || OWN_ADDRESSES.has(host) || host === "localhost") {
      return Reflect.apply(connect, this, given);
    }
    return this.destroy(new Offline("ENETUNREACH", host));
  },
});
