import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Websites on this machine, each with its own path on one port, for code that fetches pages. */
export interface Site {
  /** Replaces the pages, by their paths; returns the website's address. */
  open(pages: { [path: string]: string }): string;
  close(): void;
}

/** Starts a server for one website at a time. */
export async function openSite(): Promise<Site> {
  let pages: { [path: string]: string } = {};
  const server = createServer(({ url = "/" }, response) => {
    const page = pages[url];
    response.statusCode = page === undefined ? 404 : 200;
    response.setHeader("content-type", typeOf(url));
    response.end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    open(given) {
      pages = given;
      return `http://127.0.0.1:${port}/`;
    },
    close: () => server.close(),
  };
}

function typeOf(url: string): string {
  if (url.endsWith(".xml")) return "application/xml";
  return url.endsWith(".txt") ? "text/plain" : "text/html";
}
