import type { RequestOptions, Transport } from "./transport.ts";

export interface Operation {
  method: string;
  path: string;
}

/** Calls an operation whose path has at most one parameter. */
export function call<Answer>(
  transport: Transport,
  { method, path }: Operation,
  { id, ...rest }: { id?: string; query?: object; body?: object; headers?: Record<string, string> } = {},
  options?: RequestOptions,
): Promise<Answer> {
  const filled = id === undefined ? path : path.replace(/\{\w+\}/, encodeURIComponent(id));
  return transport.send({ method, path: filled, ...rest }, options);
}
