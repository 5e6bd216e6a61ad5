import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Given, startStandIn } from "../fixtures/connections/stand-in.ts";
import { type LocalService, openService } from "../support/service.ts";

const HUGE = 24 * 1024 * 1024;

let service: LocalService;
const lines: string[] = [];

beforeAll(async () => {
  service = await openService({ ALLOW_PRIVATE_TARGETS: "1" }, undefined, { print: (some) => void lines.push(some) });
});
afterAll(() => service.close());

/** Answers of status 200 that no provider documents. */
const MALFORMED: [string, Given][] = [
  ["nothing", { text: "" }],
  ["a page of HTML", { text: "<!doctype html><title>Sign in</title>", headers: { "content-type": "text/html" } }],
  ["a list", { json: [] }],
  ["null", { json: null }],
  ["a number", { json: 7 }],
  ["an empty object", { json: {} }],
  ["truncated JSON", { text: '{"results": [{"id": "1", ', headers: { "content-type": "application/json" } }],
  ["text with the content type of JSON", { text: "ok", headers: { "content-type": "application/json" } }],
  [
    "values that are not lists",
    {
      json: {
        ok: true,
        results: "a",
        files: {},
        channels: 1,
        tree: null,
        commit: [],
        has_more: "no",
        startPageToken: {},
      },
    },
  ],
  [
    "lists of null",
    {
      json: {
        ...{
          ok: true,
          object: "list",
          results: [null],
          files: [null],
          channels: [null],
          members: [null],
          messages: [null],
        },
        ...{ tree: [null], sha: null, commit: null, startPageToken: null, next_cursor: 5, has_more: true },
      },
    },
  ],
  [
    "fields of other types",
    {
      json: {
        ...{ ok: true, object: "list", next_cursor: null, has_more: false, startPageToken: "1" },
        results: [{ object: "page", id: 5, last_edited_time: {}, properties: null, url: [], in_trash: "no" }],
        files: [{ id: {}, name: 5, mimeType: [] }],
        channels: [{ id: 5, name: {} }],
        ...{ sha: 5, commit: { tree: { sha: [] } } },
      },
    },
  ],
  ["XML of another kind", { text: "<Other><Key>a</Key></Other>", headers: { "content-type": "application/xml" } }],
  [
    "truncated XML",
    {
      text: "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Ke",
      headers: { "content-type": "application/xml" },
    },
  ],
  [
    "a body that is too large",
    { text: `{"results": "${"x".repeat(HUGE)}"}`, headers: { "content-type": "application/json" } },
  ],
];

/** Connections to the stand-in of each provider that answers in JSON, and of the object store, which answers in XML. */
const PROVIDERS: Record<string, (url: string) => object> = {
  notes_workspace: (base_url) => ({ base_url, access_token: "t" }),
  cloud_drive: (base_url) => ({ base_url, access_token: "t" }),
  code_host: (base_url) => ({ base_url, owner: "ada", repo: "notes", access_token: "t" }),
  team_chat: (base_url) => ({ base_url, access_token: "t" }),
  object_store: (base_url) => ({ base_url, bucket: "notes", region: "eu-central-1" }),
};

/** Synchronizes with a provider that gives these answers, repeating the last one. */
async function synchronize(provider: string, answers: Given[]) {
  let asked = 0;
  const standIn = await startStandIn(() => answers[Math.min(asked++, answers.length - 1)]);
  try {
    const config = { sync_interval_minutes: 0, ...PROVIDERS[provider]?.(standIn.url) };
    const made = await service.request("POST", `/connections/${provider}`, { body: { config } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { status, body } = await service.request("POST", `/connections/${made.body.id}/sync`, { body: {} });
    return [status, body.error?.code];
  } finally {
    await standIn.close();
  }
}

describe.each(Object.keys(PROVIDERS))("a synchronization with %s", (provider) => {
  it.each(MALFORMED)("returns FETCH_FAILED if the provider answers 200 with %s", async (_what, given) => {
    lines.length = 0;
    expect(await synchronize(provider, [given])).toEqual([502, "FETCH_FAILED"]);
    expect(lines.join("")).not.toMatch(/UNEXPECTED_ERROR|SYNCHRONIZATION_FAILED/);
  });
});

describe("a Notion page with malformed blocks", () => {
  const page = {
    object: "page",
    id: "p1",
    last_edited_time: "2026-01-31T12:00:00Z",
    in_trash: false,
    url: "https://n.so/p1",
    properties: {},
  };
  const list = (results: unknown[]) => ({ json: { object: "list", results, next_cursor: null, has_more: false } });

  it.each([
    ["no results", { json: {} }],
    ["blocks that are null", list([null])],
    ["a paragraph without text", list([{ object: "block", id: "b", type: "paragraph", has_children: false }])],
    [
      "a text that is not a list",
      list([{ object: "block", id: "b", type: "paragraph", has_children: false, paragraph: { rich_text: 5 } }]),
    ],
    [
      "a row without cells",
      list([{ object: "block", id: "b", type: "table_row", has_children: false, table_row: {} }]),
    ],
  ])("does not fail the synchronization: %s", async (_what, blocks) => {
    lines.length = 0;
    const [status] = await synchronize("notes_workspace", [list([page]), { json: page }, blocks]);
    expect(status).toBe(200);
    expect(lines.join("")).not.toMatch(/UNEXPECTED_ERROR|SYNCHRONIZATION_FAILED|DOCUMENT_FAILED/);
  });
});
