import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import { findLeaks, placesIn } from "../support/canary.ts";
import { openService } from "../support/service.ts";
import { Caller, eventually, IS_DEPLOYED, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PROVIDERS = ["notes_workspace", "cloud_drive", "code_host", "team_chat", "object_store", "web_crawler"];
const NEVER = { sync_interval_minutes: 0 };

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

async function connect(
  provider = "web_crawler",
  config: object = { url: "https://docs.example.com" },
  fields: object = {},
) {
  const answer = await caller.post(`/connections/${provider}`, { ...fields, config: { ...NEVER, ...config } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function push(id: string, documents: unknown[]) {
  const { status, body } = await caller.post(`/connections/${id}/sync`, { documents });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const titles = async (): Promise<string[]> =>
  (await caller.get("/sources?limit=100")).body.sources.map(({ title }: { title: string }) => title).sort();

const listed = async (query = ""): Promise<string[]> =>
  (await caller.get(`/connections?limit=100${query}`)).body.connections.map(({ id }: { id: string }) => id);

describe("creating a connection", () => {
  it("masks secrets in the response", async () => {
    const secrets = { access_token: "secret_of_notion_0123456789", client_secret: "another_secret_0123456789" };
    const made = await connect("notes_workspace", { ...secrets, unknown_field: "is not kept" }, { user_id: "ada" });
    expect(made).toEqual({
      id: expect.stringMatching(/^conn_/),
      provider: "notes_workspace",
      user_id: "ada",
      status: "active",
      config: { base_url: "https://api.notion.com", ...NEVER, access_token: "••••", client_secret: "••••" },
      last_sync_at: null,
      created_at: expect.stringMatching(ISO),
      updated_at: made.created_at,
    });
    await eventually(async () => expect((await caller.get("/connections")).body.connections).toEqual([made]));
  });

  it.each(["notes_workspace", "cloud_drive", "team_chat"])(
    "of %s requires authorization until it has credentials",
    async (provider) => {
      const made = await connect(provider, { client_id: "our-client", redirect_uri: "https://app.example.com/back" });
      expect(made.status).toBe("oauth_required");
      const url = new URL(made.authorization_url);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        client_id: "our-client",
        redirect_uri: "https://app.example.com/back",
        state: made.id,
        response_type: "code",
      });
      const { status, body } = await caller.post(`/connections/${made.id}/sync`, {});
      expect([status, body.error?.code, body.error?.details.authorization_url]).toEqual([
        409,
        "CONFLICT",
        made.authorization_url,
      ]);
      const given = await caller.post(`/connections/${provider}`, {
        connection_id: made.id,
        config: { token: "given-later-0123" },
      });
      expect(given.body).toMatchObject({ id: made.id, status: "active", config: { access_token: "••••" } });
      expect(given.body.authorization_url).toBeUndefined();
    },
  );

  it("removes secrets that changed settings would send to another host", async () => {
    const { id } = await connect("notes_workspace", { access_token: "secret_of_notion_0123456789" });
    const change = (config: object) => caller.post("/connections/notes_workspace", { connection_id: id, config });
    const refused = await change({ base_url: "https://notion.example.com" });
    expect([refused.status, refused.body.error?.details.fields[0].field]).toEqual([400, "config.client_id"]);
    const client = { client_id: "own", client_secret: "secret-of-the-client" };
    const { body } = await change({ base_url: "https://notion.example.com", ...client });
    expect(body).toMatchObject({ id, status: "oauth_required" });
    expect(body.config).not.toHaveProperty("access_token");
  });

  it("returns the six known providers for an unknown one", async () => {
    const { status, body } = await caller.post("/connections/carrier_pigeon", { config: {} });
    expect([status, body.error?.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
    expect(body.error?.details.providers).toEqual(PROVIDERS);
    for (const name of PROVIDERS) expect(body.error?.message).toContain(name);
  });

  it.each([
    ["web_crawler", {}, "config.url"],
    ["web_crawler", { url: "ftp://example.com" }, "config.url"],
    ["web_crawler", { url: "https://u:p@example.com" }, "config.url"],
    ["web_crawler", { url: "https://example.com", max_pages: 0 }, "config.max_pages"],
    ["web_crawler", { url: "https://example.com", sync_interval_minutes: 1 }, "config.sync_interval_minutes"],
    ["code_host", { owner: "a/../b", repo: "r" }, "config.owner"],
    ["code_host", { owner: "a" }, "config.repo"],
    ["object_store", { bucket: "../other" }, "config.bucket"],
    ["cloud_drive", { folder_id: "' or true" }, "config.folder_id"],
    ["notes_workspace", { access_token: "two\nlines" }, "config.access_token"],
    ["notes_workspace", { access_token: { not: "text" } }, "config.access_token"],
    ["team_chat", { lookback_days: 1000 }, "config.lookback_days"],
  ])("of %s is rejected with %j", async (provider, config, field) => {
    const { status, body } = await caller.post(`/connections/${provider}`, { config });
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
    expect(JSON.stringify(body)).not.toMatch(/two\\n|u:p@/);
  });

  it("is rejected immediately, like an update, with a URL that is not allowed", async () => {
    const outside = { url: "https://docs.example.com", sitemap_url: "https://docs.example.com:25/sitemap.xml" };
    const { id: connection_id } = await connect();
    for (const given of [{}, { connection_id }]) {
      const { status, body } = await caller.post("/connections/web_crawler", { ...given, config: outside });
      expect([status, body.error?.code]).toEqual([400, "URL_NOT_ALLOWED"]);
    }
  });

  it("does not give access to the service's own network", async () => {
    const server = await listenOnLoopback((_request, response) => response.end("inside"));
    try {
      const { port } = new URL(server.url);
      for (const url of [
        server.url,
        `http://2130706433:${port}`,
        `http://[::ffff:127.0.0.1]:${port}`,
        `http://localhost:${port}`,
      ]) {
        const { id } = await connect("web_crawler", { url });
        const { status, body } = await caller.post(`/connections/${id}/sync`, {});
        expect([status, body.error?.code]).toEqual([502, "FETCH_FAILED"]);
      }
    } finally {
      await server.close();
    }
  });
});

describe("listing connections", () => {
  it("returns no connections of another organization", async () => {
    const { id } = await connect(undefined, undefined, { user_id: "ada" });
    await eventually(async () => expect(await listed("&user_id=ada")).toEqual([id]));
    const stranger = await target.organization();
    for (const query of ["", "?user_id=ada"]) {
      expect((await stranger.get(`/connections${query}`)).body.connections).toEqual([]);
    }
  });

  it("returns pages, newest first, of all users or of one", async () => {
    const [one, two, three] = [
      await connect(undefined, undefined, { user_id: "ada" }),
      await connect(undefined, undefined, { user_id: "bob" }),
      await connect(undefined, undefined, { user_id: "ada" }),
    ];
    await eventually(async () => expect(await listed()).toEqual([three.id, two.id, one.id]));
    await eventually(async () => expect(await listed("&user_id=ada")).toEqual([three.id, one.id]));
    const { body } = await caller.get("/connections?limit=1&offset=1");
    expect(body.connections.map(({ id }: { id: string }) => id)).toEqual([two.id]);
    expect(body.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true });
  });

  it.each(["limit=0", "limit=101", "offset=-1", "limit=x"])("rejects %s", async (query) => {
    expect((await caller.get(`/connections?${query}`)).status).toBe(400);
  });
});

describe("pushed documents", () => {
  const document = (name: string, content = `All about ${name}.`) => ({ title: name, content, external_id: name });

  it.each(PROVIDERS)("become sources of a connection to %s, even without credentials", async (provider) => {
    const needed = {
      web_crawler: { url: "https://e.example.com" },
      code_host: { owner: "a", repo: "b" },
      object_store: { bucket: "b" },
    };
    const { id } = await connect(provider, needed[provider as keyof typeof needed] ?? {});
    expect(await push(id, [document("ropes")])).toMatchObject({ connection_id: id, sources_created: 1, failed: [] });
    await eventually(async () => expect(await titles()).toEqual(["ropes"]));
    const { sources } = (await caller.get("/sources")).body;
    expect(sources[0]).toMatchObject({ connection_id: id, provider, external_id: "ropes" });
  });

  it("are created, updated or skipped by their content", async () => {
    const { id } = await connect();
    await push(id, [document("ropes"), document("sails")]);
    const again = [document("ropes"), document("sails", "Sails are white."), document("masts")];
    expect(await push(id, again)).toEqual({
      connection_id: id,
      status: "completed",
      sources_created: 1,
      sources_updated: 1,
      sources_removed: 0,
      skipped: 1,
      failed: [],
    });
    await eventually(async () => expect(await titles()).toEqual(["masts", "ropes", "sails"]));
  });

  it("fail individually, each with its external_id", async () => {
    const { id } = await connect();
    const bad = [
      { title: "no content", external_id: "x1" },
      document("blank", "  "),
      "no object",
      null,
      { ...document("u"), url: "file:///etc" },
    ];
    const body = await push(id, [document("good"), ...bad]);
    expect(body).toMatchObject({ sources_created: 1, sources_updated: 0, skipped: 0 });
    expect(
      body.failed.map(({ index, external_id, code }: Record<string, unknown>) => [index, external_id, code]),
    ).toEqual([
      [1, "x1", "VALIDATION_ERROR"],
      [2, "blank", "VALIDATION_ERROR"],
      [3, undefined, "VALIDATION_ERROR"],
      [4, undefined, "VALIDATION_ERROR"],
      [5, "u", "VALIDATION_ERROR"],
    ]);
  });

  it("are limited to a hundred", async () => {
    const { id } = await connect();
    const documents = Array.from({ length: 101 }, (_, position) => document(`d${position}`));
    expect((await caller.post(`/connections/${id}/sync`, { documents })).status).toBe(400);
    expect((await caller.post(`/connections/${id}/sync`, { documents: "all" })).status).toBe(400);
    expect(await titles()).toEqual([]);
  });

  it("with the same external_id in two connections are two sources", async () => {
    const [one, other] = [await connect(), await connect()];
    expect(await push(one.id, [document("ropes")])).toMatchObject({ sources_created: 1 });
    expect(await push(other.id, [document("ropes")])).toMatchObject({ sources_created: 1 });
  });
});

describe("deleting a connection", () => {
  const documents = (count: number) =>
    Array.from({ length: count }, (_, position) => ({
      title: `d${position}`,
      content: `Text ${position}`,
      external_id: `d${position}`,
    }));

  it("keeps its sources unless delete_documents is set", async () => {
    const [kept, dropped] = [await connect(), await connect()];
    await push(kept.id, documents(2));
    await push(dropped.id, documents(3));
    await caller.post("/sources/ingest", { content: "Of nobody's connection.", title: "other" });
    await eventually(async () => expect(await titles()).toHaveLength(6));
    const one = await caller.delete(`/connections/${kept.id}`);
    expect(one.body).toEqual({ connection_id: kept.id, deleted: true, status: "completed", sources_deleted: 0 });
    const other = await caller.delete(`/connections/${dropped.id}?delete_documents=true`);
    expect(other.body).toEqual({ connection_id: dropped.id, deleted: true, status: "completed", sources_deleted: 3 });
    await eventually(async () => expect(await titles()).toEqual(["d0", "d1", "other"]));
    await eventually(async () => expect(await listed()).toEqual([]));
  });

  it("is permanent: later requests return CONNECTION_NOT_FOUND", async () => {
    const { id } = await connect();
    await caller.delete(`/connections/${id}`);
    for (const answer of [
      await caller.delete(`/connections/${id}`),
      await caller.post(`/connections/${id}/sync`, { documents: [] }),
      await caller.post("/connections/web_crawler", { connection_id: id, config: {} }),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, "CONNECTION_NOT_FOUND"]);
    }
    expect((await caller.delete(`/connections/${id}?delete_documents=maybe`)).status).toBe(400);
  });
});

describe("concurrent synchronizations of a connection", () => {
  it("run once: the other requests return its progress", async () => {
    const requests: string[] = [];
    // One synchronization takes this long, so that the others start meanwhile, even in new processes.
    const pageMs = IS_DEPLOYED ? 4_000 : 500;
    const server = await listenOnLoopback((request, response) => {
      requests.push(request.url ?? "");
      const isPage = request.url === "/";
      setTimeout(
        () => response.writeHead(isPage ? 200 : 404, { "content-type": "text/plain" }).end("The harbour."),
        isPage ? pageMs : 200,
      );
    });
    const own = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
    try {
      caller = await own.organization();
      const { id } = await connect("web_crawler", { url: `${server.url}/` });
      // Functions then have a process ready for each request.
      await Promise.all([1, 2, 3].map(() => caller.get("/connections")));
      const answers = await Promise.all([1, 2, 3].map(() => caller.post(`/connections/${id}/sync`, {})));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers.filter(({ body }) => body.status === "completed" && body.sources_created === 1)).toHaveLength(1);
      expect(requests.filter((url) => url === "/")).toHaveLength(1);
    } finally {
      await own.close();
      await server.close();
    }
  });
});

describe("secrets of connections", () => {
  it("appear in no file, log or response", async () => {
    const secrets = {
      access_token: "secret-access-token-0123456789",
      refresh_token: "secret-refresh-token-0123456789",
      client_secret: "secret-client-secret-0123456789",
    };
    const logged: string[] = [];
    const service = await openService({ LOG_LEVEL: "debug", ALLOW_PRIVATE_TARGETS: "1" });
    const { info, warn, error, debug } = service.runtime.logger;
    Object.assign(service.runtime.logger, {
      info: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
      warn: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
      error: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
    });
    const refusing = await listenOnLoopback((_request, response) => response.writeHead(401).end("{}"));
    try {
      const admin = new Caller(service, service.adminKey);
      const config = {
        ...NEVER,
        ...secrets,
        base_url: refusing.url,
        token_url: `${refusing.url}/token`,
        client_id: "c",
      };
      const made = await admin.post("/connections/cloud_drive", { config });
      const answers = [
        made,
        await admin.get("/connections"),
        await admin.post(`/connections/${made.body.id}/sync`, {}),
        await admin.post(`/connections/cloud_drive`, { config: { ...config, access_token: "x\ny" } }),
        await admin.post("/connections/cloud_drive", { connection_id: made.body.id, config: { folder_id: "abc" } }),
        await admin.delete(`/connections/${made.body.id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 409, 400, 201, 200]);
      expect(logged.length).toBeGreaterThan(5);
      const said = answers.map(({ body }, position) => ({
        name: `answer ${position}`,
        bytes: Buffer.from(JSON.stringify(body)),
      }));
      const lines = [{ name: "log", bytes: Buffer.from(logged.join("\n")) }];
      const places = [...said, ...lines, ...placesIn(service.dataDir)];
      expect(findLeaks(new Map(Object.entries(secrets)), places)).toEqual([]);
      expect(findLeaks(new Map([["id", made.body.id]]), places).length).toBeGreaterThan(2);
    } finally {
      Object.assign(service.runtime.logger, { info, warn, error, debug });
      await service.close();
      await refusing.close();
    }
  });
});
