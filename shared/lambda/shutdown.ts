import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { createLogger } from "../platform/logger.ts";

const API = "/2020-01-01/extension";
const NAME = "flush-at-shutdown";
/** Longest that the registration may take: the API is on the same machine. */
const REGISTER_MS = 1_000;

/**
 * Registers the process as an internal extension, without which Lambda ends it without SIGTERM; resolves at once outside
 * of Lambda. Lambda takes registrations while the function's modules are loaded, and no later.
 */
export async function registerExtension(host = process.env.AWS_LAMBDA_RUNTIME_API): Promise<void> {
  if (host === undefined) return;
  try {
    const headers = { "Lambda-Extension-Name": NAME, "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(REGISTER_MS);
    const { statusCode, headers: answered } = await call(
      host,
      "/register",
      { method: "POST", headers, signal },
      { events: [] },
    );
    const id = answered["lambda-extension-identifier"];
    if (id === undefined) throw new Error(`the Extensions API answered ${statusCode}`);
    // Lambda waits for it before the first invocation, and never answers it, as there is no event to tell.
    call(host, "/event/next", { headers: { "Lambda-Extension-Identifier": id } }).catch(complain);
  } catch (error) {
    complain(error);
  }
}

/** Has `flush` run once Lambda ends the process, which leaves it half a second. */
export function flushAtShutdown(flush: () => Promise<void>): void {
  const end = () => process.exit(0);
  process.once("SIGTERM", () => flush().then(end, end));
}

async function call(host: string, path: string, options: RequestOptions, body?: object): Promise<IncomingMessage> {
  const sent = request(`http://${host}${API}${path}`, options);
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response.resume();
}

/** The function works without; what it counted last is lost. */
function complain(error: unknown): void {
  createLogger("warn").warn("EXTENSION_FAILED", { error });
}
