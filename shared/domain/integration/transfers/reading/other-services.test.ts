import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { ImportEntry } from "./entry.ts";
import { type ImportFormat, readEntries } from "./read-entries.ts";

async function entriesOf(content: string | Uint8Array, format?: ImportFormat): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  async function* whole() {
    yield typeof content === "string" ? Buffer.from(content) : content;
  }
  for await (const entry of readEntries(whole(), format)) entries.push(entry);
  return entries;
}

/** The content of rows and messages, and the problem of what is not imported. */
const textsOf = (entries: ImportEntry[]) =>
  entries.map((entry) => {
    if ("row" in entry) return (entry.row as { content: string }).content;
    if ("skipped" in entry) return `- ${entry.skipped}`;
    return "message" in entry ? entry.message.content : `! ${entry.problem.problem}`;
  });
const rowOf = async (value: object) => (await entriesOf(JSON.stringify([value])))[0];

describe("an import reads", () => {
  it("memory.jsonl of MCP's reference server: a memory for each observation and relation", async () => {
    const lines = [
      { type: "entity", name: "Ada", entityType: "person", observations: ["Ada plays chess", "Speaks Finnish"] },
      { type: "entity", name: "Oulu", entityType: "city", observations: [] },
      { type: "relation", from: "Ada", to: "Oulu", relationType: "lives_in" },
    ];
    const entries = await entriesOf(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(textsOf(entries)).toEqual([
      "Ada plays chess",
      "Ada: Speaks Finnish",
      "! has no observations about Oulu, so there is nothing to remember",
      "Ada lives in Oulu",
    ]);
    expect(entries[1]).toMatchObject({
      row: { entities: [{ name: "Ada", type: "person" }], metadata: { imported_from: "mcp-memory" } },
    });
  });

  it("messages with roles: the user's, each with the question before it", async () => {
    const messages = [
      { role: "system", content: "Be kind." },
      { role: "user", content: "I keep bees.", timestamp: "2025-01-02T10:00:00Z" },
      { role: "assistant", content: "Where do you live?" },
      { role: "user", content: [{ type: "text", text: "In Tartu." }, { type: "image_url" }] },
      { role: "user", content: [{ type: "image_url" }] },
    ];
    for (const text of [
      JSON.stringify(messages),
      JSON.stringify({ messages }),
      messages.map((m) => JSON.stringify(m)).join("\n"),
    ]) {
      const entries = await entriesOf(text);
      expect(textsOf(entries)).toEqual([
        "I keep bees.",
        "In Tartu.",
        "- 1 part beside a message's text (image_url) is not imported",
        "! has no text; pictures and recordings are not imported",
      ]);
      expect(entries[0]).toMatchObject({ message: { occurred_at: "2025-01-02T10:00:00.000Z" } });
      expect(entries[1]).toMatchObject({ message: { before: { role: "assistant", content: "Where do you live?" } } });
    }
  });

  it("what was spoken to ChatGPT", async () => {
    const said = { content_type: "audio_transcription", text: "I learn the kannel.", direction: "in" };
    const pointer = { content_type: "real_time_user_audio_video_asset_pointer" };
    const message = (parts: unknown[]) => ({
      author: { role: "user" },
      create_time: 1_735_689_600,
      content: { content_type: "multimodal_text", parts },
    });
    const mapping = {
      a: { parent: null, message: message([said, pointer]) },
      b: { parent: "a", message: message([pointer]) },
    };
    expect(textsOf(await entriesOf(JSON.stringify([{ mapping, current_node: "b" }])))).toEqual([
      "I learn the kannel.",
      "! has no text; pictures and recordings are not imported",
    ]);
  });

  it("no pictures, files and messages of other kinds, but names them", async () => {
    const says = (content_type: string, parts: unknown[], parent: string | null) => ({
      parent,
      message: { author: { role: "user" }, content: { content_type, parts } },
    });
    const picture = { content_type: "image_asset_pointer" };
    const recording = { content_type: "audio_asset_pointer" };
    const mapping = {
      a: says("multimodal_text", ["My cat.", picture, picture, recording], null),
      b: says("user_editable_context", [], "a"),
    };
    const human = {
      ...{ sender: "human", content: [{ type: "text", text: "My roof." }, { type: "image" }] },
      attachments: [{ file_name: "soil.txt", extracted_content: "Clay." }],
      files: [{ file_name: "soil.txt" }, { file_name: "roof.jpg" }],
    };
    const conversations = [{ mapping, current_node: "b" }, { chat_messages: [human] }];
    expect(textsOf(await entriesOf(JSON.stringify(conversations)))).toEqual([
      "My cat.",
      "- 3 parts beside a message's text (image_asset_pointer, audio_asset_pointer) are not imported",
      "- a message of the kind user_editable_context is not imported",
      "My roof.",
      "Clay.",
      "- 1 part beside a message's text (image) is not imported",
      "- the file roof.jpg is not in the export",
    ]);
  });

  it("a message of Claude whatever its list of files has", async () => {
    const human = { sender: "human", text: "My roof." };
    const messages = [[null, "a.png", 5, { file_name: 7 }], { file_name: "a.png" }].map((files) => ({
      ...human,
      files,
    }));
    expect(textsOf(await entriesOf(JSON.stringify([{ chat_messages: messages }])))).toEqual([
      "My roof.",
      "- the file without a name is not in the export",
      "My roof.",
    ]);
  });

  it("kinds of parts and messages as names alone", async () => {
    const kinds = ["The code is 4711.", "a".repeat(65), "image-v1.x", 5];
    const content = [{ type: "text", text: "My cat." }, ...kinds.map((type) => ({ type }))];
    const message = { author: { role: "user" }, content: { content_type: kinds[0], parts: [] } };
    const conversations = [{ mapping: { a: { message } } }, { messages: [{ role: "user", content }] }];
    expect(textsOf(await entriesOf(JSON.stringify(conversations)))).toEqual([
      "- a message of the kind unknown is not imported",
      "My cat.",
      "- 4 parts beside a message's text (unknown, image-v1.x) are not imported",
    ]);
  });

  it("attachments, projects and memories of Claude, which are not the person's words", async () => {
    const attachments = [
      { file_name: "soil.txt", extracted_content: "The pH of bed C is 6.1." },
      { file_name: "a.png", extracted_content: "" },
    ];
    const conversation = {
      uuid: "c1",
      name: "Notes",
      created_at: "2025-02-03T10:00:00Z",
      chat_messages: [{ uuid: "m1", sender: "human", text: "I garden.", attachments }],
    };
    const project = {
      uuid: "p1",
      name: "Garden",
      description: "All beds",
      prompt_template: "",
      created_at: "2025-01-01T00:00:00Z",
      docs: [{ uuid: "d1", filename: "plan.md", content: "Bed A has leeks." }],
    };
    const memories = {
      conversations_memory: "**Work**\n\nThe user runs a nursery.\n\nThe user prefers peat-free soil.",
      project_memories: {},
    };
    const zip = zipSync({
      "data/conversations.json": strToU8(JSON.stringify([conversation])),
      "data/projects.json": strToU8(JSON.stringify([project])),
      "data/memories.json": strToU8(JSON.stringify([memories])),
      "data/users.json": strToU8("[]"),
    });
    const entries = await entriesOf(zip);
    expect(textsOf(entries)).toEqual([
      "I garden.",
      "The pH of bed C is 6.1.",
      "! is the attachment a.png, of which the export has no text",
      "All beds",
      "Bed A has leeks.",
      "The user runs a nursery.",
      "The user prefers peat-free soil.",
      "- the file data/users.json of the archive is not imported",
    ]);
    expect(entries[1]).toMatchObject({ row: { speaker: "soil.txt", occurred_at: "2025-02-03T10:00:00.000Z" } });
    expect(entries[5]).toMatchObject({ row: { speaker: "Claude" } });
  });

  it.each([
    [
      "a fact of Zep",
      {
        uuid: "e1",
        fact: "Ada works at Nokia",
        name: "WORKS_AT",
        valid_at: "2024-05-01T00:00:00Z",
        invalid_at: null,
        created_at: "2024-06-01T00:00:00Z",
      },
      {
        content: "Ada works at Nokia",
        occurred_at: "2024-05-01T00:00:00.000Z",
        metadata: { imported_from: "zep", relation: "WORKS_AT" },
      },
    ],
    [
      "a node of Zep",
      { uuid: "n1", name: "Ada", summary: "Engineer in Oulu", labels: ["Person"] },
      { content: "Ada: Engineer in Oulu" },
    ],
    [
      "a document of supermemory",
      {
        id: "d1",
        title: "T",
        content: "Ada likes rye.",
        containerTags: ["u1"],
        createdAt: "2024-01-01T00:00:00Z",
        updatedAt: "2024-01-02T00:00:00Z",
        status: "done",
      },
      { content: "Ada likes rye.", created_at: "2024-01-01T00:00:00.000Z", metadata: { container_tags: ["u1"] } },
    ],
    [
      "a passage of Letta",
      { id: "passage-1", text: "Ada sails.", tags: ["sea"], created_at: "2024-01-01T00:00:00Z" },
      { content: "Ada sails.", metadata: { imported_from: "letta", tags: ["sea"] } },
    ],
    [
      "a block of Letta",
      { id: "block-1", label: "human", value: "Ada is a baker.", limit: 5000 },
      { content: "Ada is a baker.", metadata: { block: "human" } },
    ],
    [
      "an item of a LangGraph store",
      { namespace: ["users", "ada"], key: "k1", value: { text: "Ada skis." }, created_at: "2024-01-01T00:00:00Z" },
      { content: "Ada skis.", metadata: { namespace: "users/ada", key: "k1" } },
    ],
    [
      "a memory of mem0",
      { id: "m1", memory: "Ada skates.", user_id: "ada" },
      { memory: "Ada skates.", user_id: "ada" },
    ],
  ])("%s", async (_what, value, row) => {
    expect(await rowOf(value)).toMatchObject({ row });
    expect(await rowOf(value)).toEqual(await rowOf(value));
  });

  it("no facts that ended, and no empty objects, but says so", async () => {
    const zep = {
      edges: [{ uuid: "e1", fact: "Ada works at Nokia", invalid_at: "2025-01-01T00:00:00Z" }],
      nodes: [{ uuid: "n", name: "X", summary: "" }],
    };
    expect(textsOf(await entriesOf(JSON.stringify(zep)))).toEqual([
      "! is a fact that ended at 2025-01-01T00:00:00Z; only facts that hold are imported",
      "! is the node X without a summary",
    ]);
    const damaged = await entriesOf(JSON.stringify([{ namespace: "x", key: "k", value: {} }]));
    expect(textsOf(damaged)[0]).toMatch(/^! is no item of a LangGraph store: namespace/);
  });

  it("notes by their sections", async () => {
    const notes =
      "---\ndate: 2025-03-04\ntags: [a]\n---\nFor everyone.\n\n# Style\n\n- Use tabs.\n\n## Tests\n\n```sh\n# no heading\n```\n";
    const entries = await entriesOf(notes, "markdown");
    expect(textsOf(entries)).toEqual(["For everyone.", "- Use tabs.", "```sh\n# no heading\n```"]);
    expect(entries[2]).toMatchObject({ row: { metadata: { section: "Style > Tests" }, occurred_at: "2025-03-04" } });
    const vault = zipSync({
      "vault/Garden.md": strToU8("Leeks in [[Bed A]]."),
      "vault/.obsidian/x.md": strToU8("no"),
      "vault/.trash/y.md": strToU8("no"),
      "vault/picture.png": strToU8("no"),
    });
    const found = await entriesOf(vault);
    expect(textsOf(found)).toEqual([
      "Leeks in [[Bed A]].",
      "- the file vault/picture.png of the archive is not imported",
    ]);
    expect(found[0]).toMatchObject({ row: { metadata: { file: "vault/Garden.md" } } });
  });
});
