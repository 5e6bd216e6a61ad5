import { InvalidRequestError } from "./errors.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export interface Operation {
  method: string;
  path: string;
}

/**
 * Calls an operation whose path has at most one parameter. Throws an InvalidRequestError for an id that URLs cannot
 * contain as a part of their path.
 */
export async function call<Answer>(
  transport: Transport,
  { method, path }: Operation,
  { id, ...rest }: { id?: string; query?: object; body?: object; headers?: Record<string, string> } = {},
  options?: RequestOptions,
): Promise<Answer> {
  if (id === "" || id === "." || id === "..") {
    throw new InvalidRequestError(`'${id}' is not an id.`, { code: "INVALID_ID", status: 0 });
  }
  const filled = id === undefined ? path : path.replace(/\{\w+\}/, encodeURIComponent(id));
  return transport.send({ method, path: filled, ...rest }, options);
}
