import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { createLogger } from "../../ports/logger.ts";

const API = "/2020-01-01/extension";
const NAME = "flush-at-shutdown";
/** Time limit of the registration in milliseconds; the API is on the same host. */
const REGISTER_MS = 1_000;

/**
 * Registers the process as an internal extension, because Lambda sends SIGTERM only to functions with an extension;
 * resolves at once outside of Lambda. Lambda accepts registrations only while the function's modules load.
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
    // Lambda waits for this call before the first invocation and never answers it, because the extension subscribes to
    // no event.
    call(host, "/event/next", { headers: { "Lambda-Extension-Identifier": id } }).catch(logFailure);
  } catch (error) {
    logFailure(error);
  }
}

/** Runs `flush` when Lambda ends the process; Lambda waits half a second for it. */
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

/** Logs that the extension failed. The function works without it; only the last counts are lost. */
function logFailure(error: unknown): void {
  createLogger("warn").warn("EXTENSION_FAILED", { error });
}
