import { ROOT } from "./address.js";
import { Kept } from "./kept.js";

/** @typedef {Record<string, string | number | undefined>} Query */
/** @typedef {import("./session.js").Credential} Credential */
/**
 * An answer as its schema in the service says.
 * @template {import("zod").ZodType} Schema
 * @typedef {import("zod").output<Schema>} Answer
 */
/** @typedef {{ query?: Query, body?: object, form?: FormData, version?: number, signal?: AbortSignal | undefined }} Options `version`: only this one is changed */

/** Requests that change nothing. */
const READS = /^(?:GET|POST \/(?:recall|search|compression\/spreading-activation))\b/;
/** Dispatched to the signal of a request whose answer was shown from before, if it is another by now. */
export const STALE = "stale";
/** Visible ASCII characters, which a header's value accepts. */
const SENDABLE = /^[\x21-\x7e]+$/;

const NOT_MODIFIED = 304;

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

/** Sends requests with one credential to the service that served the page. */
export class Api {
  #credential;
  #onRefused;
  #kept = new Kept();
  /** @type {import("./as-code.js").Sent[]} the reading requests of the view, which it is shown as code with */
  sent = [];
  /** @type {{ most: number, left: number, seconds: number } | undefined} the tightest limit of the last request, if any */
  limit;
  /** @type {Promise<{ csrf_token: string }> | undefined} */
  #csrfToken;
  /** @type {Promise<void> | undefined} requests that fail together share one renewal, because a token renews once */
  #renewal;

  /**
   * @param {Credential | undefined} credential undefined for public routes
   * @param {() => void} onRefused called when the service rejects the credential
   */
  constructor(credential, onRefused) {
    this.#credential = credential;
    this.#onRefused = onRefused;
  }

  /**
   * Begins the requests of a view. On the way back to one, what it showed is shown at once and asked for again.
   * @param {boolean} isReturn
   */
  enter(isReturn) {
    this.sent = [];
    if (isReturn) this.#kept.showFirst();
    else this.#kept.askFirst();
  }

  /**
   * @param {string} path
   * @param {Options} [options]
   */
  get(path, options) {
    return this.#request("GET", path, options);
  }

  /**
   * @param {string} path
   * @param {Options} [options]
   */
  post(path, options) {
    return this.#request("POST", path, options);
  }

  /**
   * @param {string} path
   * @param {Options} [options]
   */
  put(path, options) {
    return this.#request("PUT", path, options);
  }

  /**
   * @param {string} path
   * @param {Options} [options]
   */
  patch(path, options) {
    return this.#request("PATCH", path, options);
  }

  /**
   * @param {string} path
   * @param {Options} [options]
   */
  delete(path, options) {
    return this.#request("DELETE", path, options);
  }

  /**
   * Returns the `data` of the response's envelope, or the whole response of a route without one. Throws ApiError.
   * @param {string} method
   * @param {string} path
   * @param {Options} [options]
   */
  async #request(method, path, options = {}) {
    const { query = {}, body, signal } = options;
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    if (READS.test(`${method} ${path}`)) this.sent.push({ method, path, query, body });
    else this.#kept.askFirst();
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const url = new URL(`.${path}${given.length > 0 ? `?${search}` : ""}`, ROOT);
    if (method !== "GET") return this.#send(method, url, options);
    const shown = this.#kept.takeFirst(url.href)?.answer;
    if (shown === undefined) return this.#send(method, url, options);
    const tell = () => signal?.dispatchEvent(new Event(STALE));
    this.#send(method, url, options).then((answer) => JSON.stringify(answer) === JSON.stringify(shown) || tell(), tell);
    return structuredClone(shown);
  }

  /**
   * @param {string} method
   * @param {URL} url
   * @param {Options} options
   */
  async #send(method, url, { body, form, version, signal }) {
    const known = method === "GET" ? this.#kept.find(url.href) : undefined;
    /** @type {RequestInit} */
    const init = { method, signal: signal ?? null, credentials: "same-origin", cache: "no-store" };
    if (form) init.body = form;
    if (body) init.body = JSON.stringify(body);
    const send = async () => {
      const headers = {
        Accept: "application/json",
        ...(body && { "Content-Type": "application/json" }),
        ...(version !== undefined && { "If-Match": `"${version}"` }),
        ...(known?.tag !== undefined && { "If-None-Match": known.tag }),
      };
      return reach(url, { ...init, headers: { ...headers, ...(await this.#authorization(method)) } });
    };
    let response = await send();
    let answer = await readJson(response, signal);
    if (isRefused(response, answer) && (await this.#renew())) {
      response = await send();
      answer = await readJson(response, signal);
    }
    this.limit = limitOf(response.headers);
    if (known && response.status === NOT_MODIFIED) {
      this.#kept.keep(url.href, known);
      return structuredClone(known.answer);
    }
    if (response.ok) {
      const data = answer?.success ? answer.data : answer;
      if (method === "GET" && answer !== undefined)
        this.#kept.keep(url.href, { tag: weakTagOf(response.headers), answer: structuredClone(data) });
      return data;
    }
    if (isRefused(response, answer)) this.#onRefused();
    const { code = "UNKNOWN", message = `The service answered ${response.status}.`, details } = answer?.error ?? {};
    throw new ApiError(response.status, code, message, { details, requestId: answer?.meta?.request_id });
  }

  /**
   * @param {string} method
   * @returns {Promise<Record<string, string>>}
   */
  async #authorization(method) {
    if (this.#credential === undefined) return {};
    if (this.#credential === "session") return method === "GET" ? {} : { "X-CSRF-Token": await this.#readCsrfToken() };
    if (!("key" in this.#credential)) return { Authorization: `Bearer ${this.#credential.access_token}` };
    if (!SENDABLE.test(this.#credential.key)) throw new ApiError(401, "UNAUTHORIZED", "This is not a key.");
    return { "X-API-Key": this.#credential.key };
  }

  /** The token without which the service takes no change with the cookie of a session; read before the first change. */
  async #readCsrfToken() {
    this.#csrfToken ??= new Api("session", this.#onRefused).get("/auth/session");
    try {
      return (await this.#csrfToken).csrf_token;
    } catch (error) {
      this.#csrfToken = undefined;
      throw error;
    }
  }

  /** Gets new tokens for a user. Returns whether the request may be sent again. */
  async #renew() {
    const credential = this.#credential;
    if (credential === undefined || credential === "session" || "key" in credential) return false;
    this.#renewal ??= new Api(undefined, () => {})
      .post("/auth/refresh", { body: { refresh_token: credential.refresh_token } })
      .then(({ access_token, refresh_token }) => {
        this.#credential = { access_token, refresh_token };
      })
      .finally(() => {
        this.#renewal = undefined;
      });
    try {
      await this.#renewal;
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Whether the credential of a request is not valid any more, and not only a password or a code in its body.
 * @param {Response} response
 * @param {{ error?: { code?: string } } | undefined} answer
 */
function isRefused({ status }, answer) {
  return status === 401 && answer?.error?.code !== "INVALID_CREDENTIALS";
}

/**
 * The ETag of an answer's content. That of a version does not change with all that the answer has.
 * @param {Headers} headers
 */
function weakTagOf(headers) {
  const tag = headers.get("ETag") ?? "";
  return tag.startsWith("W/") ? tag : undefined;
}

/**
 * The requests that a limit allows within some seconds, and how many of them are left.
 * @param {Headers} headers
 */
function limitOf(headers) {
  const [, most, seconds] = /;q=(\d+);w=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "") ?? [];
  const [, left] = /;r=(\d+)/.exec(headers.get("RateLimit") ?? "") ?? [];
  return most === undefined ? undefined : { most: Number(most), left: Number(left), seconds: Number(seconds) };
}

/**
 * @param {URL} url
 * @param {RequestInit} init
 */
async function reach(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "NO_ANSWER", "The service does not answer.");
  }
}

/**
 * @param {Response} response
 * @param {AbortSignal | undefined} signal
 */
async function readJson(response, signal) {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    // For example a proxy's own page: only its status is known.
    return undefined;
  }
}
