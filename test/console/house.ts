import { expect, vi } from "vitest";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import { openBrowser } from "../support/oauth.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { signInUser } from "../support/users.ts";

/** Markup that would run if it were read as such. */
export const MARKUP = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script><b>Ada</b>`;

const DAY = ["She walked along the lake of Zurich.", "She met Grace Hopper in Zurich.", "Tea was served at four."];
const CONTENTS = [
  "Ada Lovelace moved to Zurich and prefers tea.",
  "Grace Hopper visited Ada Lovelace in Zurich.",
  "Grace Hopper keeps a sailing boat in Lisbon.",
  "Charles Babbage wrote to Ada Lovelace about the engine.",
  "Charles Babbage dined in Lisbon with Mary Somerville.",
  "Mary Somerville taught mathematics in London.",
];
/** More than a page of the list. */
const FILLERS = 24;

/** A house with something in every view. */
export interface House {
  url: string;
  service: LocalService;
  /** The cookie of an operator who is signed in. */
  cookie: string;
  /** What its only webhook leads to answers 500 until then. */
  mend(): void;
  /** A key that holds everything in an organization that has nothing. */
  stranger(): Promise<string>;
  close(): Promise<void>;
}

async function post(service: LocalService, path: string, body: object) {
  const answer = await service.request("POST", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** A service that listens, with memories, searches, and a delivery that was given up. */
export async function openHouse(): Promise<House> {
  const service = await openService({ ALLOW_PRIVATE_TARGETS: "1", HOST: "127.0.0.1" });
  let status = 500;
  const receiver = await listenOnLoopback((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  const delivery_config = { retry_count: 0 };
  const hook = { name: `Archive ${MARKUP}`, url: receiver.url, events: ["memory.created"], delivery_config };
  const webhook = await post(service, "/webhooks", { ...hook, filters: { category: "told" } });
  const contents = [
    ...Array.from({ length: FILLERS }, (_, index) => ({ content: `Note ${index + 1} is about nothing much.` })),
    ...DAY.map((content) => ({ content, metadata: { session_id: "a-day" } })),
    // In sessions of their own, so that activation goes from one to the other through whom they name.
    ...CONTENTS.map((content, index) => ({ content, category: "people", metadata: { session_id: `s-${index}` } })),
    { content: MARKUP, category: "told", metadata: { markup: MARKUP } },
  ];
  for (const each of contents) await post(service, "/memories", { user_id: "ada", ...each });
  for (const query of ["Who is in Zurich?", "tea", "tea"]) await service.request("GET", `/search?q=${query}`);
  await vi.waitFor(
    async () => {
      const { body } = await service.request("GET", "/webhooks/dead-letter");
      expect(body.data.dead_letter_entries).toMatchObject([{ webhook_id: webhook.id }]);
    },
    { timeout: 20_000, interval: 100 },
  );
  await service.runtime.rollups.flush();
  const { token } = await signInUser(service, { org: OPERATOR_ORG, role: "admin" });
  return {
    cookie: (await openBrowser(service, token)).cookie,
    url: await service.host.listen(),
    service,
    mend: () => {
      status = 200;
    },
    stranger: async () => (await createOrganization(service)).key,
    close: async () => {
      await service.close();
      await receiver.close();
    },
  };
}
