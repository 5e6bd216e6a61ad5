import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";

/** A proxy that serves a service under a prefix, which the service does not see, and nothing else. */
export function openPrefix(service: () => string, prefix: string) {
  return listenOnLoopback(async (request, response) => {
    const path = request.url ?? "";
    if (!path.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const body = request.method === "GET" ? undefined : await buffer(request);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    for (const name of ["connection", "host", "accept-encoding", "content-length"]) headers.delete(name);
    const answer = await fetch(service() + path.slice(prefix.length), {
      method: request.method ?? "GET",
      headers,
      redirect: "manual",
      ...(body && { body }),
    });
    const sent = Object.fromEntries([...answer.headers].filter(([name]) => !name.startsWith("content-encoding")));
    delete sent["content-length"];
    delete sent["transfer-encoding"];
    response.writeHead(answer.status, sent).end(Buffer.from(await answer.arrayBuffer()));
  });
}
