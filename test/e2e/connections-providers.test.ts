import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DriveStandIn, startDrive } from "../fixtures/connections/drive.ts";
import { type GitHubStandIn, startGitHub } from "../fixtures/connections/github.ts";
import { type NotionStandIn, startNotion } from "../fixtures/connections/notion.ts";
import { type SlackStandIn, startSlack } from "../fixtures/connections/slack.ts";
import type { StandIn } from "../fixtures/connections/stand-in.ts";
import { startWebsite, type WebsiteStandIn } from "../fixtures/connections/website.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const BUSY = { status: 429, headers: { "retry-after": "0" }, json: {} };
const BROKEN = { status: 503, text: "" };

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

const open: StandIn[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

function opened<Server extends StandIn>(server: Server): Server {
  open.push(server);
  return server;
}

async function connect(provider: string, config: object, fields: object = {}) {
  const given = { config: { sync_interval_minutes: 0, ...config }, ...fields };
  const { status, body } = await caller.post(`/connections/${provider}`, given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Synchronizes and returns the result once it is complete. */
async function synchronize(id: string) {
  const { status, body } = await caller.post(`/connections/${id}/sync`, {});
  expect(status, JSON.stringify(body)).toBe(200);
  if (body.status === "completed") return body;
  await eventually(async () => expect(await statusOf(id)).toBe("completed"));
  const { sources_created, sources_updated, sources_removed, skipped } = (await connectionOf(id)).last_sync;
  return {
    connection_id: id,
    status: "completed",
    sources_created,
    sources_updated,
    sources_removed,
    skipped,
    failed: [],
  };
}

async function connectionOf(id: string) {
  const { connections } = (await caller.get("/connections?limit=100")).body;
  return connections.find((each: { id: string }) => each.id === id);
}

const statusOf = async (id: string) => (await connectionOf(id)).last_sync?.status;

const outcome = (created: number, updated: number, removed: number, skipped: number) => ({
  connection_id: expect.stringMatching(/^conn_/),
  status: "completed",
  sources_created: created,
  sources_updated: updated,
  sources_removed: removed,
  skipped,
  failed: [],
});

async function sources(): Promise<{ id: string; title: string; external_id: string; url?: string; status: string }[]> {
  return (await caller.get("/sources?limit=100")).body.sources;
}

async function titles(): Promise<string[]> {
  return (await sources()).map(({ title }) => title).sort();
}

/** Returns the text of a source's chunks. */
async function textOf(title: string): Promise<string> {
  const source = (await sources()).find((each) => each.title === title);
  const { chunk_memory_ids } = (await caller.get(`/sources/${source?.id}`)).body;
  const chunks = await Promise.all(chunk_memory_ids.map((id: string) => caller.get(`/memories/${id}`)));
  return chunks.map(({ body }) => body.data.content).join("\n");
}

describe("synchronizing a Notion workspace", () => {
  let notion: NotionStandIn;
  let id: string;

  const page = (title: string, edited = "2026-01-01T00:00:00.000Z") => ({
    title,
    edited,
    blocks: [
      { type: "heading_1", text: "Harbour" },
      { type: "paragraph", text: `All of ${title}.` },
      { type: "bulleted_list_item", text: "Ropes", children: [{ type: "bulleted_list_item", text: "Long ones" }] },
      { type: "bulleted_list_item", text: "Sails" },
    ],
  });

  beforeEach(async () => {
    notion = opened(await startNotion());
    for (const name of ["One", "Two", "Three"]) notion.pages.set(name.toLowerCase(), page(name));
    ({ id } = await connect("notes_workspace", { base_url: notion.url, access_token: notion.token }));
  });

  it("imports its pages as Markdown, and then only changed ones", async () => {
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
    await eventually(async () => expect(await titles()).toEqual(["One", "Three", "Two"]));
    expect(await textOf("Two")).toBe("# Harbour\n\nAll of Two.\n\n- Ropes\n  - Long ones\n- Sails");
    notion.pages.set("two", {
      ...page("Two"),
      edited: "2026-02-01T00:00:00.000Z",
      blocks: [{ type: "paragraph", text: "New." }],
    });
    notion.requests.length = 0;
    expect(await synchronize(id)).toEqual(outcome(0, 1, 0, 2));
    expect(await textOf("Two")).toBe("New.");
    expect(notion.requests.filter((each) => each.includes("/blocks/"))).toHaveLength(1);
  });

  it("imports database rows by their properties and the files of pages, and removes files with their page", async () => {
    notion.pages.clear();
    notion.pages.set("row", {
      ...page("Ferry"),
      isRow: true,
      blocks: [],
      properties: {
        Status: { type: "status", status: { name: "In port" } },
        Due: { type: "date", date: { start: "2026-03-01", end: "2026-03-04" } },
        Crew: { type: "people", people: [{ name: "Ada" }, { name: "Grace" }] },
        Length: { type: "number", number: 40 },
        Safe: { type: "checkbox", checkbox: true },
        Next: { type: "formula", formula: { type: "string", string: "Lisbon" } },
        Trips: {
          type: "rollup",
          rollup: {
            type: "array",
            array: [
              { type: "number", number: 2 },
              { type: "number", number: 3 },
            ],
          },
        },
        Empty: { type: "select", select: null },
        Papers: {
          type: "files",
          files: [
            { name: "deed.txt", type: "file", file: { url: `${notion.url}/signed/property/deed.txt` } },
            { name: "elsewhere", type: "external", external: { url: "https://example.com" } },
          ],
        },
      },
    });
    notion.pages.set("bare", { ...page("Buoy"), isRow: true, blocks: [] });
    notion.pages.set("empty", { ...page("Empty"), blocks: [] });
    const plan = { type: "file", name: "plan.txt", text: "Paint the boat." };
    notion.pages.set("text", {
      ...page("Text"),
      blocks: [{ type: "paragraph", text: "See the plan.", children: [plan] }],
    });
    expect(await synchronize(id)).toEqual(outcome(5, 0, 0, 1));
    await eventually(async () => expect(await titles()).toEqual(["Buoy", "Ferry", "Text", "deed.txt", "plan.txt"]));
    expect(await textOf("Ferry")).toBe(
      [
        ...[
          "- Status: In port",
          "- Due: 2026-03-01 to 2026-03-04",
          "- Crew: Ada, Grace",
          "- Length: 40",
          "- Safe: yes",
        ],
        ...["- Next: Lisbon", "- Trips: 2, 3", "- Papers: deed.txt, elsewhere"],
      ].join("\n"),
    );
    expect(await textOf("Buoy")).toBe("Buoy");
    expect(await textOf("plan.txt")).toBe("Paint the boat.");
    expect(await textOf("deed.txt")).toBe("Content of deed.txt.");
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 4));
    const edited = "2026-02-01T00:00:00.000Z";
    notion.pages.set("text", { ...page("Text"), edited, blocks: [{ type: "paragraph", text: "No plan." }] });
    notion.pages.delete("row");
    expect(await synchronize(id)).toEqual(outcome(0, 1, 3, 2));
    await eventually(async () => expect(await titles()).toEqual(["Buoy", "Text"]));
  });

  it("removes deleted pages, but not pages that the search omits", async () => {
    await synchronize(id);
    notion.pages.delete("one");
    notion.pages.set("two", { ...page("Two"), isForgotten: true });
    expect(await synchronize(id)).toEqual(outcome(0, 0, 1, 1));
    await eventually(async () => expect(await titles()).toEqual(["Three", "Two"]));
  });

  it("retries while the provider is busy or failing", async () => {
    notion.failNext(BUSY, BROKEN, BUSY);
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
  });

  it("requires new credentials if the provider rejects the stored ones, and continues with them", async () => {
    await synchronize(id);
    notion.token = "secret_another_token_of_the_test";
    const { status, body } = await caller.post(`/connections/${id}/sync`, {});
    expect([status, body.error?.code]).toEqual([409, "CONFLICT"]);
    expect(body.error?.details).toMatchObject({ connection_id: id, status: "oauth_required" });
    await eventually(async () => expect(await connectionOf(id)).toMatchObject({ status: "oauth_required" }));
    const config = { access_token: notion.token };
    const given = await caller.post("/connections/notes_workspace", { connection_id: id, config });
    expect(given.body).toMatchObject({ id, status: "active", config: { base_url: notion.url, access_token: "••••" } });
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 3));
  });
});

describe("synchronizing a Google Drive", () => {
  let drive: DriveStandIn;
  let id: string;

  const put = (name: string, text: string, version = 1, mimeType = "text/plain") => {
    drive.files.set(name, { name, text, version, mimeType });
    drive.changes.push(name);
  };

  beforeEach(async () => {
    drive = opened(await startDrive());
    put("a.txt", "Ada keeps the lighthouse.");
    put("b", "# Plan\n\nPaint the lighthouse.", 1, "application/vnd.google-apps.document");
    put("c.txt", "Charles counts the ships.");
    put("folder", "", 1, "application/vnd.google-apps.folder");
    const { token, refreshToken: refresh_token, url } = drive;
    const client = { client_id: "the-client", client_secret: "secret-of-the-client" };
    const addresses = { base_url: url, token_url: `${url}/token` };
    ({ id } = await connect("cloud_drive", { ...addresses, ...client, access_token: token, refresh_token }));
  });

  it("imports all files first, and only changes afterwards", async () => {
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
    expect(await textOf("b")).toBe("# Plan\n\nPaint the lighthouse.");
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 0));
    put("a.txt", "Ada sold the lighthouse.", 2);
    put("d.txt", "Dora bought it.");
    drive.files.delete("c.txt");
    drive.changes.push("c.txt");
    drive.requests.length = 0;
    expect(await synchronize(id)).toEqual(outcome(1, 1, 1, 0));
    expect(drive.requests).not.toContain("GET /drive/v3/files");
    await eventually(async () => expect(await titles()).toEqual(["a.txt", "b", "d.txt"]));
    expect(await textOf("a.txt")).toBe("Ada sold the lighthouse.");
  });

  it("imports Office files as they are, and exports Google's own files", async () => {
    const office = "application/vnd.openxmlformats-officedocument.";
    put("plan.docx", "words", 1, `${office}wordprocessingml.document`);
    put("table", "cells", 1, "application/vnd.google-apps.spreadsheet");
    put("talk", "slides", 1, "application/vnd.google-apps.presentation");
    drive.failNext(BUSY);
    await synchronize(id);
    expect(drive.exported.toSorted()).toEqual([
      `${office}presentationml.presentation`,
      `${office}spreadsheetml.sheet`,
      "text/markdown",
    ]);
    expect(await titles()).toEqual(expect.arrayContaining(["plan.docx", "table", "talk"]));
  });

  it("lists all files again if the change token is too old", async () => {
    await synchronize(id);
    drive.files.delete("a.txt");
    drive.forgottenBefore = 1000;
    expect(await synchronize(id)).toEqual(outcome(0, 0, 1, 2));
  });

  it("refreshes an expired access token, and stores the new one", async () => {
    drive.token = "ya29.nobody-has-this-one";
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
    drive.requests.length = 0;
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 0));
    expect(drive.requests).not.toContain("POST /token");
  });

  it("requires authorization again if the refresh token is rejected, and returns the URL", async () => {
    drive.token = "ya29.nobody-has-this-one";
    drive.refreshToken = "1//another";
    const { status, body } = await caller.post(`/connections/${id}/sync`, {});
    expect([status, body.error?.details.status]).toEqual([409, "oauth_required"]);
    const url = new URL(body.error.details.authorization_url);
    expect(url.origin + url.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: "the-client",
      state: id,
      access_type: "offline",
    });
    expect(JSON.stringify(body)).not.toContain("secret-of-the-client");
  });

  it("accepts the authorization code of the redirect, and does not return it", async () => {
    const addresses = {
      base_url: drive.url,
      token_url: `${drive.url}/token`,
      redirect_uri: "https://app.example.com/back",
    };
    const made = await connect("cloud_drive", { ...addresses, client_id: "c", client_secret: "secret-of-the-client" });
    expect(made.status).toBe("oauth_required");
    const give = (authorization_code: string) =>
      caller.post("/connections/cloud_drive", { connection_id: made.id, config: { authorization_code } });
    const refused = await give("another-code");
    expect([refused.status, refused.body.error?.code]).toEqual([401, "OAUTH_REFUSED"]);
    const { body } = await give("code-of-the-test");
    expect(body).toMatchObject({ status: "active", config: { access_token: "••••", refresh_token: "••••" } });
    expect(body.config).not.toHaveProperty("authorization_code");
    expect(await synchronize(made.id)).toEqual(outcome(3, 0, 0, 0));
  });

  it("retries while the provider is busy or failing", async () => {
    drive.failNext(BROKEN, BUSY, { status: 403, headers: { "retry-after": "0" }, json: {} });
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
  });
});

describe("synchronizing a code host", () => {
  let github: GitHubStandIn;

  const connectTo = (config: object = {}) =>
    connect("code_host", { base_url: github.url, owner: "ada", repo: "notes", access_token: github.token, ...config });

  beforeEach(async () => {
    github = opened(await startGitHub());
    github.files.set("README.md", "# Notes\n\nOf the harbour.");
    github.files.set("docs/guide.md", "How to moor.");
    github.files.set("docs/deep/more.txt", "Ropes and knots.");
    github.files.set("src/index.ts", "export const x = 1;");
  });

  it.each([false, true])(
    "imports text files, and makes one request while the commit is unchanged (large: %s)",
    async (isLarge) => {
      github.isLarge = isLarge;
      const { id } = await connectTo();
      expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
      await eventually(async () =>
        expect(await titles()).toEqual(["README.md", "docs/deep/more.txt", "docs/guide.md"]),
      );
      expect((await sources()).map(({ url }) => url)).toContain(`${github.url}/ada/notes/blob/HEAD/docs/guide.md`);
      github.requests.length = 0;
      expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 0));
      expect(github.requests).toHaveLength(1);
      github.files.set("docs/guide.md", "How to sail.");
      github.files.delete("README.md");
      expect(await synchronize(id)).toEqual(outcome(0, 1, 1, 1));
      expect(await textOf("docs/guide.md")).toBe("How to sail.");
    },
  );

  describe("with issues, pull requests and discussions", () => {
    const include = ["files", "issues", "pull_requests", "discussions"];

    beforeEach(() => {
      const updated = "2026-01-03T00:00:00Z";
      github.issues.push(
        {
          number: 1,
          title: "Ropes break",
          body: "At night.",
          updated,
          comments: ["Since when?", "Since May.", "I see."],
        },
        { number: 2, title: "New ropes", body: null, updated, isPull: true, reviews: ["Too long."] },
        { number: 3, title: "Sails", body: "White ones.", updated },
      );
      github.discussions.push(
        ...[4, 5, 6].map((number) => ({
          ...{ number, title: `Idea ${number}`, body: "Paint it.", updated },
          comments: [{ body: "Red.", replies: ["No, blue."] }, { body: "Why?" }, { body: "Done.", isAnswer: true }],
        })),
      );
    });

    it("imports all comments page by page, and retries while the provider is busy", async () => {
      const { id } = await connectTo({ include });
      github.failNext(BUSY, BROKEN, BUSY);
      expect(await synchronize(id)).toEqual(outcome(9, 0, 0, 0));
      await eventually(async () => expect(await titles()).toHaveLength(9));
      expect(await textOf("#1 Ropes break")).toBe(
        [
          ...["# #1 Ropes break", "open issue by grace · bug", "At night."],
          ...["Since when?", "Since May.", "I see."].map((text) => `## grace, 2026-01-02\n\n${text}`),
        ].join("\n\n"),
      );
      expect(await textOf("#2 New ropes")).toContain("## grace, 2026-01-02, on a.ts\n\nToo long.");
      const discussion = await textOf("#5 Idea 5");
      for (const part of ["discussion by grace · Ideas", "No, blue.", "2026-01-02, the answer\n\nDone."]) {
        expect(discussion).toContain(part);
      }
    });

    it("updates changed threads and removes deleted ones", async () => {
      const { id } = await connectTo({ include });
      await synchronize(id);
      expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 9));
      github.issues.splice(0, 1);
      github.discussions.splice(1, 1);
      Object.assign(github.issues[0]!, { updated: "2026-02-01T00:00:00Z", body: "Here they are." });
      expect(await synchronize(id)).toEqual(outcome(0, 1, 2, 6));
      await eventually(async () => expect(await titles()).not.toContain("#1 Ropes break"));
    });

    it("imports what the settings include, with or without files", async () => {
      const { id } = await connectTo({ include: ["pull_requests"] });
      expect(await synchronize(id)).toEqual(outcome(1, 0, 0, 0));
      const fewer = await caller.post("/connections/code_host", {
        connection_id: id,
        config: { include: ["discussions"] },
      });
      expect(fewer.status).toBe(201);
      expect(await synchronize(id)).toEqual(outcome(3, 0, 1, 0));
      const wrong = await caller.post("/connections/code_host", { connection_id: id, config: { include: ["wiki"] } });
      expect([wrong.status, wrong.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    });
  });

  it("can be restricted to paths and file extensions", async () => {
    const { id } = await connectTo({ paths: ["/docs/", "src"], extensions: [".TS", ".txt"] });
    expect(await synchronize(id)).toEqual(outcome(2, 0, 0, 0));
    await eventually(async () => expect(await titles()).toEqual(["docs/deep/more.txt", "src/index.ts"]));
  });

  it("waits until the rate limit resets", async () => {
    const { id } = await connectTo();
    const soon = String(Math.ceil(Date.now() / 1000) + 1);
    const spent = { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": soon }, json: {} };
    github.failNext(BROKEN, spent, BUSY);
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
    const later = String(Math.ceil(Date.now() / 1000) + 3600);
    github.files.set("README.md", "# Later");
    github.failNext({ ...spent, headers: { ...spent.headers, "x-ratelimit-reset": later } });
    const { body } = await caller.post(`/connections/${id}/sync`, {});
    expect(body).toMatchObject({ status: "running", sources_updated: 0 });
    expect(await synchronize(id)).toEqual(outcome(0, 1, 0, 2));
  });

  it("requires new credentials for an expired token", async () => {
    const { id } = await connectTo({ access_token: "ghp_expired_token_of_the_test" });
    expect((await caller.post(`/connections/${id}/sync`, {})).status).toBe(409);
    await eventually(async () => expect(await connectionOf(id)).toMatchObject({ status: "oauth_required" }));
  });

  it("fails after repeated errors, and succeeds in a later run", async () => {
    const { id } = await connectTo();
    github.failNext(BROKEN, BROKEN, BROKEN, BROKEN, BROKEN);
    const { status, body } = await caller.post(`/connections/${id}/sync`, {});
    expect([status, body.error?.code]).toEqual([502, "FETCH_FAILED"]);
    await eventually(async () =>
      expect((await connectionOf(id)).last_sync).toMatchObject({
        status: "failed",
        error: expect.stringContaining("503"),
      }),
    );
    expect(await synchronize(id)).toEqual(outcome(3, 0, 0, 0));
  });
});

describe("synchronizing a team chat", () => {
  let slack: SlackStandIn;
  let id: string;
  const day = (back: number) => Math.floor(Date.now() / 86_400_000 - back) * 86_400;
  const dayOf = (ts: string) => Math.floor(Number(ts) / 86_400) * 86_400;
  const said = (back: number, second: number, text: string) => ({
    ts: `${day(back) + second}.000100`,
    user: "U1",
    text,
  });

  beforeEach(async () => {
    slack = opened(await startSlack());
    slack.channels.set("C1", [
      said(30, 3600, "Long ago."),
      said(3, 60, "Who is <@U1>? See <https://example.com|this> &amp; that."),
      {
        ...said(3, 120, "A question"),
        replies: [said(3, 180, "An answer"), said(3, 240, "Another"), said(3, 300, "And another")],
      },
      said(3, 360, "Third of the day"),
      said(2, 60, "Yesterday's"),
    ]);
    slack.channels.set("C2", [said(1, 60, "Elsewhere")]);
    slack.channels.set("C3", []);
    ({ id } = await connect("team_chat", { base_url: slack.url, access_token: slack.token }));
  });

  const date = (back: number) => new Date(day(back) * 1000).toISOString().slice(0, 10);

  it("imports messages by day and channel, with their threads", async () => {
    expect(await synchronize(id)).toEqual(outcome(5, 0, 0, 0));
    await eventually(async () => expect(await titles()).toHaveLength(5));
    expect(await textOf(`#name-C1, ${date(3)}`)).toBe(
      [
        "00:01 Ada: Who is @Ada? See this (https://example.com) & that.",
        "00:02 Ada: A question (3 replies)",
        "00:06 Ada: Third of the day",
      ].join("\n"),
    );
    const thread = `#name-C1, ${date(3)}: A question`;
    expect(await textOf(thread)).toBe(
      ["00:02 Ada: A question", "00:03 Ada: An answer", "00:04 Ada: Another", "00:05 Ada: And another"].join("\n"),
    );
    const urls = new Map((await sources()).map(({ title, url }) => [title, url]));
    const at = (second: number) => `https://team.slack.example/archives/C1/p${day(3) + second}000100`;
    expect([urls.get(thread), urls.get(`#name-C1, ${date(3)}`)]).toEqual([at(120), at(60)]);
  });

  it("imports attachments and files, and removes them with their messages", async () => {
    slack.files.set("F1", "Paint the mast.");
    slack.files.set("F2", "Count the sails.");
    const alert = {
      title: "Alarm",
      title_link: "https://a.example/1",
      text: "Rope &lt;3&gt;",
      fields: [{ title: "Pier", value: "7" }],
    };
    slack.channels.clear();
    slack.channels.set("C1", [
      { ...said(1, 60, ""), attachments: [alert] },
      {
        ...said(1, 120, "See this"),
        files: [{ id: "F1", name: "mast.txt" }],
        replies: [{ ...said(1, 130, "And that"), files: [{ id: "F2", name: "sails.txt" }] }],
      },
    ]);
    expect(await synchronize(id)).toEqual(outcome(4, 0, 0, 0));
    expect(await textOf(`#name-C1, ${date(1)}`)).toBe(
      "00:01 Ada: Alarm (https://a.example/1)\n  Rope <3>\n  Pier: 7\n00:02 Ada: See this\n  [file: mast.txt] (1 reply)",
    );
    expect(await textOf("F1.txt")).toBe("Paint the mast.");
    expect(await textOf("F2.txt")).toBe("Count the sails.");
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 1));
    slack.channels.get("C1")!.pop();
    expect(await synchronize(id)).toEqual(outcome(0, 1, 3, 0));
    await eventually(async () => expect(await titles()).toEqual([`#name-C1, ${date(1)}`]));
  });

  it("reads the last days again for replies, edits and deletions", async () => {
    await synchronize(id);
    const [old, first, question, third] = slack.channels.get("C1")!;
    slack.channels.set("C1", [old!, { ...first!, text: "Edited", edited: { ts: "1" } }, question!, third!]);
    slack.channels.get("C2")!.push(said(0, 1, "Today's"));
    expect(await synchronize(id)).toEqual(outcome(1, 1, 1, 2));
    expect(await textOf(`#name-C1, ${date(3)}`)).toContain("Ada: Edited");
    await eventually(async () => expect(await titles()).not.toContain(`#name-C1, ${date(2)}`));
    expect(await titles()).toContain(`#name-C1, ${date(30)}`);
  });

  it("removes only the days that became empty, even if a day is listed on several pages", async () => {
    const days = [6, 5, 4, 3, 2, 1, 0];
    slack.channels.set(
      "C1",
      days.flatMap((back) => [said(back, 1, "One"), said(back, 2, "Two"), said(back, 3, "Three")]),
    );
    expect(await synchronize(id)).toEqual(outcome(8, 0, 0, 0));
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 8));
    const left = slack.channels.get("C1")!.filter(({ ts }) => ![6, 3, 2, 0].includes((day(0) - dayOf(ts)) / 86_400));
    slack.channels.set("C1", left);
    expect(await synchronize(id)).toEqual(outcome(0, 0, 4, 4));
    await eventually(async () => {
      expect(await titles()).toEqual([5, 4, 1].map((back) => `#name-C1, ${date(back)}`).concat(`#name-C2, ${date(1)}`));
    });
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 4));
  });

  it("removes nothing of a channel that denies access", async () => {
    await synchronize(id);
    slack.closed.add("C1");
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 1));
    slack.closed.clear();
    expect(await synchronize(id)).toEqual(outcome(0, 0, 0, 3));
  });

  it("retries while the provider is busy or failing", async () => {
    slack.failNext(BUSY, BROKEN, BUSY);
    expect(await synchronize(id)).toEqual(outcome(5, 0, 0, 0));
  });

  it("requires new credentials for a revoked token", async () => {
    slack.token = "xoxb-another-token-of-the-test";
    expect((await caller.post(`/connections/${id}/sync`, {})).status).toBe(409);
  });
});

describe("crawling a website", () => {
  let site: WebsiteStandIn;
  const html = (title: string, text: string, links: string[] = [], head = "") =>
    `<html><head><title>${title}</title>${head}</head><body><article><h1>${title}</h1><p>${text}</p>${links
      .map((link) => `<a href="${link}">${link}</a>`)
      .join(" ")}</article></body></html>`;

  const crawl = (config: object = {}) => connect("web_crawler", { url: `${site.url}/`, ...config });
  const paths = async () => (await sources()).map(({ url = "" }) => new URL(url).pathname).sort();

  beforeEach(async () => {
    site = opened(await startWebsite());
    site.pages.set("/robots.txt", "User-agent: *\nDisallow: /secret\nCrawl-delay: 0.1\nSitemap: {site}/map.xml");
    site.pages.set("/map.xml", "<sitemapindex><sitemap><loc>{site}/pages.xml</loc></sitemap></sitemapindex>");
    site.pages.set(
      "/pages.xml",
      "<urlset><url><loc>{site}/mapped</loc></url><url><loc>https://elsewhere.example/x</loc></url></urlset>",
    );
    site.pages.set(
      "/",
      html("Home", "The harbour of Lisbon.", [
        "/a",
        "/secret/b",
        "https://elsewhere.example/",
        "/a#part",
        "mailto:a@b.c",
      ]),
    );
    site.pages.set("/a", html("A", "Ropes are in the shed.", ["/deep", "/hidden", "/gone"]));
    site.pages.set("/deep", html("Deep", "Sails are in the loft.", ["/"]));
    site.pages.set(
      "/hidden",
      html("Hidden", "Nobody is to find this.", ["/beyond"], '<meta name="robots" content="noindex, nofollow">'),
    );
    site.pages.set("/beyond", html("Beyond", "Nor this."));
    site.pages.set("/mapped", html("Mapped", "Only the map leads here."));
    site.pages.set("/secret/b", html("Secret", "Robots keep out."));
  });

  it("imports pages of the sitemap and linked pages that robots.txt allows", async () => {
    const { id } = await crawl();
    expect(await synchronize(id)).toEqual(outcome(4, 0, 0, 0));
    await eventually(async () => expect(await paths()).toEqual(["/", "/a", "/deep", "/mapped"]));
    expect(site.requests.filter((each) => /secret|beyond/.test(each))).toEqual([]);
    expect(await textOf("A")).toContain("Ropes are in the shed.");
  });

  it("updates changed pages by ETag and removes missing ones", async () => {
    const { id } = await crawl();
    await synchronize(id);
    site.pages.set("/a", html("A", "Ropes are in the boat.", ["/deep", "/new"]));
    site.pages.set("/new", html("New", "Anchors are new."));
    site.pages.delete("/mapped");
    site.pages.set("/pages.xml", "<urlset></urlset>");
    expect(await synchronize(id)).toEqual(outcome(1, 1, 1, 2));
    await eventually(async () => expect(await paths()).toEqual(["/", "/a", "/deep", "/new"]));
  });

  it("imports at most max_pages pages", async () => {
    const { id } = await crawl({ max_pages: 2 });
    expect(await synchronize(id)).toEqual(outcome(2, 0, 0, 0));
    const { id: whole } = await crawl({ max_pages: 100 });
    expect(await synchronize(whole)).toMatchObject({ sources_created: 4 });
  });

  it("fetches no page if robots.txt cannot be read", async () => {
    const { id } = await crawl();
    site.failNext(BROKEN, BROKEN, BROKEN, BROKEN, BROKEN);
    expect((await caller.post(`/connections/${id}/sync`, {})).status).toBe(502);
    expect(site.requests.filter((each) => each !== "GET /robots.txt")).toEqual([]);
  });

  it("retries while the website is busy or failing", async () => {
    const { id } = await crawl();
    site.failNext(BUSY, BROKEN);
    expect(await synchronize(id)).toEqual(outcome(4, 0, 0, 0));
  });
});
