import { zipSync } from "fflate";
import type { Service } from "../support/service.ts";
import type { Site } from "./site.ts";

/** The sender of a bomb: one organization's client and key, and a website with configurable responses. */
export interface Attacker {
  service: Service;
  key: string;
  site: Site;
}

export interface Bomb {
  name: string;
  /** Prepares the data that exist before the measurement; returns what the request needs. */
  prepare?(attacker: Attacker): Promise<string>;
  send(attacker: Attacker, prepared: string): Promise<number>;
}

const KILOBYTE = 1_000;
const LONG = 99 * KILOBYTE;

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** Texts of a memory's maximum length that are the slowest to process. */
const TEXTS: { [name: string]: string } = {
  blanks: ` x${repeated(" ", LONG)}x`,
  newlines: `x${repeated("\n", LONG)}x`,
  commas: repeated("a,", LONG),
  bullets: repeated("a:\n- a", LONG),
  brackets: repeated("[", LONG),
  dashes: repeated("-", LONG),
  "one word": repeated("a", LONG),
  names: repeated("Ada Byron and Bob Stone ", LONG),
  dates: repeated("last Tuesday, 3 May 2024; ", LONG),
  sentences: repeated("Ada moved to Zurich. She prefers tea. ", LONG),
  "nested JSON": nested(LONG / 2),
  markdown: repeated("> ", LONG),
};

const post =
  (path: string, body: (text: string) => unknown) =>
  async ({ service, key }: Attacker, text: string) =>
    (await service.request("POST", path, { key, body: body(text) })).status;

const VERBS: { [name: string]: (attacker: Attacker, text: string) => Promise<number> } = {
  "POST /memories": post("/memories", (content) => ({ content })),
  "POST /memories/batch of 9": post("/memories/batch", (content) => ({
    memories: Array.from({ length: 9 }, (_, n) => ({ content: `${n}${content}` })),
  })),
  "POST /compression/process": post("/compression/process", (content) => ({ content })),
  "POST /compression/test": post("/compression/test", (content) => ({ content })),
  "POST /v3/memories/add": post("/v3/memories/add/", (content) => ({
    messages: [{ role: "user", content }],
    user_id: "ada",
  })),
  "POST /sources/ingest": post("/sources/ingest", (content) => ({ content })),
};

const TEXT_BOMBS: Bomb[] = Object.entries(VERBS).flatMap(([verb, send]) =>
  Object.entries(TEXTS).map(([name, text]) => ({
    name: `${verb}, ${name}`,
    // An earlier text may be cached already.
    send: (attacker: Attacker) => send(attacker, `${Math.random()} ${text}`),
  })),
);

async function newSession({ service, key }: Attacker): Promise<string> {
  const body = { agent_id: "bot", user_id: "ada", config: { context_window: 100_000 } };
  const made = await service.request("POST", "/sessions", { key, body });
  return made.body.data.id;
}

async function addMessage({ service, key }: Attacker, session: string, content: string): Promise<number> {
  const body = { role: "user", content };
  return (await service.request("POST", `/sessions/${session}/messages`, { key, body })).status;
}

const sessionOf = (text: string) => async (attacker: Attacker) => {
  const session = await newSession(attacker);
  await addMessage(attacker, session, text);
  return session;
};

const SESSION_BOMBS: Bomb[] = Object.entries(TEXTS).flatMap(([name, text]) => [
  {
    name: `POST /sessions/{id}/messages, ${name}`,
    prepare: newSession,
    send: (attacker, session) => addMessage(attacker, session, text),
  },
  {
    name: `GET /sessions/{id}/export as PDF, ${name}`,
    prepare: sessionOf(text),
    send: async ({ service, key }, id) =>
      (await service.request("GET", `/sessions/${id}/export?format=pdf`, { key })).status,
  },
  {
    name: `GET /sessions/{id}/context, ${name}`,
    prepare: sessionOf(text),
    send: async ({ service, key }, id) => (await service.request("GET", `/sessions/${id}/context`, { key })).status,
  },
]);

function upload(name: string, file: string, content_type: string, text: string): Bomb {
  return {
    name: `POST /sources/upload, ${name}`,
    async send({ service, key }) {
      const form = new FormData();
      form.set("file", new Blob([`${text}${Math.random()}`], { type: content_type }), file);
      return (await service.request("POST", "/sources/upload", { key, body: form })).status;
    },
  };
}

/** The upload of an import is answered at once; the workers read it during the next requests. */
function importOf(name: string, bytes: () => Uint8Array<ArrayBuffer>): Bomb {
  return {
    name: `POST /imports/upload, ${name}`,
    async send({ service, key }) {
      const form = new FormData();
      form.set("file", new Blob([bytes()]), "rows");
      return (await service.request("POST", "/imports/upload", { key, body: form })).status;
    },
  };
}

const manyParts = (): string => {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  return `${part.repeat(50_000)}--b--\r\n`;
};

const UPLOADS: Bomb[] = [
  upload("HTML of nested tags", "a.html", "text/html", repeated("<div>", 4_000 * KILOBYTE)),
  upload("HTML of many links", "a.html", "text/html", repeated('<a href="/x">x</a>', 4_000 * KILOBYTE)),
  upload("text of names", "a.txt", "text/plain", repeated("Ada Byron and Bob Stone. ", 4_000 * KILOBYTE)),
  upload("text of one word", "a.txt", "text/plain", repeated("a", 4_000 * KILOBYTE)),
  upload("PDF that is none", "a.pdf", "application/pdf", `%PDF-1.7\n${repeated("<< /A [", 4_000 * KILOBYTE)}`),
  importOf("an archive that unpacks to 200 MB", () =>
    zipSync({ "conversations.json": [new Uint8Array(200_000 * KILOBYTE).fill(0x20), { level: 9 }] }),
  ),
  importOf("an array of arrays", () => Buffer.from("[".repeat(4_000 * KILOBYTE))),
  importOf("JSON Lines of nothing", () => Buffer.from("{}\n".repeat(1_000 * KILOBYTE))),
  importOf("CSV of quotes", () => Buffer.from(`content\n${'"'.repeat(4_000 * KILOBYTE - 1)}`)),
  {
    name: "POST /sources/upload, 50,000 parts",
    send: async ({ service, key }) =>
      (
        await service.request("POST", "/sources/upload", {
          key,
          body: manyParts(),
          headers: { "content-type": "multipart/form-data; boundary=b" },
        })
      ).status,
  },
];

const manyKeys = (): string =>
  `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(",")}}`.slice(0, 1_000_000);

const BODIES: Bomb[] = ["/auth/login", "/auth/register"].flatMap((path) =>
  Object.entries({ "80,000 keys": manyKeys(), "nested JSON": `{"email":${nested(400_000)}}` }).map(([name, body]) => ({
    name: `POST ${path}, 1 MB of ${name}`,
    send: async ({ service }: Attacker) =>
      (await service.request("POST", path, { key: null, body, headers: { "content-type": "application/json" } }))
        .status,
  })),
);

/** A website whose robots.txt, sitemap or page is the bomb. */
function crawl(name: string, page: string, body: string): Bomb {
  return {
    name: `crawl, ${name}`,
    async send({ service, key, site }) {
      const url = site.open({ [page]: body });
      const made = await service.request("POST", "/connections/web_crawler", {
        key,
        body: { config: { url, max_pages: 3 } },
      });
      const id = made.body?.id ?? made.body?.data?.id;
      return (await service.request("POST", `/connections/${id}/sync`, { key, body: {} })).status;
    },
  };
}

const CRAWLS: Bomb[] = [
  crawl("robots.txt of 477 KB", "/robots.txt", repeated("User-agent: a\nDisallow: /*a*b*c\n", 477 * KILOBYTE)),
  crawl(
    "robots.txt of wildcards",
    "/robots.txt",
    `User-agent: *\n${repeated("Disallow: /*a*a*a*a*a*b$\n", 477 * KILOBYTE)}`,
  ),
  crawl("sitemap of nested tags", "/sitemap.xml", repeated("<a>", 4_500 * KILOBYTE)),
  crawl(
    "sitemap of addresses",
    "/sitemap.xml",
    `<urlset>${repeated("<url><loc>http://x.example/a</loc></url>", 4_500 * KILOBYTE)}`,
  ),
  crawl("page of nested tags", "/", repeated("<div>", 4_500 * KILOBYTE)),
  crawl("page of links", "/", repeated('<a href="/x">x</a>', 4_500 * KILOBYTE)),
];

/** Single requests that once blocked the process, by their content. */
export const BOMBS: Bomb[] = [...SESSION_BOMBS, ...UPLOADS, ...BODIES, ...CRAWLS, ...TEXT_BOMBS];
