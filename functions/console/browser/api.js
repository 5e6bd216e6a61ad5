/** @typedef {Record<string, string | number | undefined>} Query */
/**
 * An answer as its schema in the service says.
 * @template {import("zod").ZodType} Schema
 * @typedef {import("zod").output<Schema>} Answer
 */

/** Visible ASCII characters, which a header's value accepts. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** A failed request: with the service's error, or with status 0 if there was no response. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {{ details?: Record<string, unknown>, requestId?: string }} [more]
   */
  constructor(status, code, message, { details = {}, requestId } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

/** Sends requests with one key to the service that served the page. */
export class Api {
  #key;
  #onRefused;

  /**
   * @param {string} key
   * @param {() => void} onRefused called when the service rejects the key
   */
  constructor(key, onRefused) {
    this.#key = key;
    this.#onRefused = onRefused;
  }

  /**
   * @param {string} path
   * @param {{ query?: Query, signal?: AbortSignal }} [options]
   */
  get(path, { query = {}, signal } = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#send(given.length > 0 ? `${path}?${search}` : path, { method: "GET", signal: signal ?? null });
  }

  /**
   * @param {string} path
   * @param {{ body?: object, signal?: AbortSignal }} [options]
   */
  post(path, { body, signal } = {}) {
    const sent = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    return this.#send(path, { method: "POST", signal: signal ?? null, ...sent });
  }

  /**
   * Returns the `data` of the response's envelope. Throws ApiError.
   * @param {string} path
   * @param {RequestInit} init
   */
  async #send(path, init) {
    if (!SENDABLE.test(this.#key)) throw new ApiError(401, "UNAUTHORIZED", "This is not a key.");
    const headers = { ...init.headers, "X-API-Key": this.#key, Accept: "application/json" };
    const response = await reach(path, { ...init, headers, credentials: "omit", cache: "no-store" });
    const answer = await readJson(response);
    if (response.ok && answer?.success) return answer.data;
    if (response.status === 401) this.#onRefused();
    const { code = "UNKNOWN", message = `The service answered ${response.status}.`, details } = answer?.error ?? {};
    throw new ApiError(response.status, code, message, { details, requestId: answer?.meta?.request_id });
  }
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function reach(path, init) {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "NO_ANSWER", "The service does not answer.");
  }
}

/** @param {Response} response */
async function readJson(response) {
  try {
    return await response.json();
  } catch {
    // For example a proxy's own page: only its status is known.
    return undefined;
  }
}
