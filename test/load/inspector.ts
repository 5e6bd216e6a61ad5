import { once } from "node:events";

/** A connection to a process over the Chrome DevTools Protocol, which Node's inspector speaks. */
export interface Inspector {
  /** Returns the result of a method. Rejects with the other side's error message. */
  ask(method: string, parameters?: object): Promise<Record<string, unknown>>;
  /** Returns the value of an expression in the process, which must be JSON. Rejects if the expression throws. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): void;
}

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** Connects to the inspector at the `url` that a process prints if it is started with --inspect. */
export async function inspect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  await once(socket, "open");
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  let asked = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, result = {}, error }: Answer = JSON.parse(String(data));
    const asker = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined) waiting.delete(id);
    if (error) asker?.reject(new Error(error.message));
    else asker?.resolve(result);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the inspected process is gone"));
  });
  const ask: Inspector["ask"] = (method, params = {}) => {
    const asker = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(++asked, asker);
    socket.send(JSON.stringify({ id: asked, method, params }));
    return asker.promise;
  };
  return {
    ask,
    evaluate: async <Value>(expression: string) => {
      const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, returnByValue: true });
      if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
      return (result as { value: Value }).value;
    },
    close: () => socket.close(),
  };
}
