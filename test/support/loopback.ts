import { type LoopbackServer, listenOnLoopback, textOf } from "../fixtures/loopback-server.ts";
import type { Service } from "./service.ts";

const NOT_HANDED_ON = new Set(["host", "connection", "content-length", "transfer-encoding", "x-api-key"]);

/** Serves the service under test at a separate address, for clients that require one. */
export function serveOnLoopback(service: Service): Promise<LoopbackServer> {
  return listenOnLoopback(async (request, response) => {
    const body = await textOf(request);
    const given = Object.entries(request.headers).filter(([name]) => !NOT_HANDED_ON.has(name));
    const headers = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    const { method = "GET", url = "/" } = request;
    const answer = await service.request(method, url, { key: null, headers, body: body === "" ? undefined : body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(answer.bytes);
  });
}
