import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, openTarget, type Target } from "../support/target.ts";

let target: Target;
let owner: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  owner = await target.organization();
});

interface File {
  path: string;
  content: string;
  encoding?: "utf8" | "base64";
}

const SKILL_MD = `---
name: pdf-forms
description: Fills forms in PDF files. Use when somebody asks to fill a PDF form.
license: MIT
allowed-tools: [Read, Write]
metadata:
  author: Ada
  tags: [pdf]
---

# Filling forms

1. Run scripts/fields.py on the file.
2. Fill the fields, e.g. {customer.name}.
`;
const SCRIPT = { path: "scripts/fields.py", content: "print('fields')\n" };
const IMAGE = {
  path: "assets/logo.png",
  content: Buffer.from([137, 80, 78, 71, 0, 255]).toString("base64"),
  encoding: "base64",
} as const;

const importing = (files: File[], fields: object = {}) => owner.post("/skills/import", { files, ...fields });
const exported = async (id: string, caller = owner) => (await caller.get(`/skills/${id}/export`)).body.data;
const inUtf8 = (file: File) => ({ encoding: "utf8", ...file });

describe("the folder of a skill", () => {
  it("is imported as a skill, and exported unchanged", async () => {
    const { status, headers, body } = await importing([{ path: "SKILL.md", content: SKILL_MD }, SCRIPT, IMAGE]);
    expect([status, headers.get("etag")]).toEqual([201, '"1"']);
    expect(body.data).toMatchObject({
      name: "pdf-forms",
      trigger: "Fills forms in PDF files. Use when somebody asks to fill a PDF form.",
      action: expect.stringMatching(/^# Filling forms\n[\s\S]*\{customer\.name\}\.$/),
      domain: "general",
      tags: ["pdf"],
      files: ["scripts/fields.py", "assets/logo.png"],
      verified: false,
    });
    expect((await owner.get(`/reviews/${body.data.review_id}`)).body.data).toMatchObject({ reason: "imported" });
    const { folder, files, version } = await exported(body.data.id);
    expect([folder, version, files.slice(1)]).toEqual(["pdf-forms", 1, [IMAGE, inUtf8(SCRIPT)]]);
    expect(files[0].path).toBe("SKILL.md");
    expect(files[0].content).toContain("license: MIT");
    expect(files[0].content).toContain("author: Ada");
    const other = await target.organization();
    const copy = await other.post("/skills/import", { files });
    expect(copy.status, JSON.stringify(copy.body)).toBe(201);
    const again = await exported(copy.body.data.id, other);
    expect(again.files).toEqual(files);
  });

  it("may be in a subfolder, and need not come from the service", async () => {
    const { body } = await importing([
      { path: "forms/SKILL.md", content: `\uFEFF${SKILL_MD.replaceAll("\n", "\r\n")}` },
      { path: "forms/a/b.txt", content: "x" },
    ]);
    expect(body.data).toMatchObject({ name: "pdf-forms", files: ["a/b.txt"] });
  });

  it("contains all of a skill that was created over the API", async () => {
    const draft = { name: "Pay the Bill!", trigger: "a bill: it is due", action: "Pay it.", domain: "office" };
    const { id } = (await owner.post("/skills", { ...draft, tags: ["a", "b"], examples: ["# due", "- now"] })).body
      .data;
    const { folder, files } = await exported(id);
    expect(folder).toBe("pay-the-bill");
    await owner.delete(`/skills/${id}`);
    const { body } = await importing(files);
    expect(body.data).toMatchObject({ ...draft, tags: ["a", "b"], examples: ["# due", "- now"], files: [] });
  });

  it("creates a new version on request, and restoring a version restores its files", async () => {
    const first = await importing([{ path: "SKILL.md", content: SKILL_MD }, SCRIPT]);
    const { id } = first.body.data;
    const changed = [{ path: "SKILL.md", content: SKILL_MD.replace("# Filling", "# Better") }, IMAGE];
    expect((await importing(changed)).body.error).toMatchObject({
      code: "SKILL_NAME_EXISTS",
      details: { skill_id: id },
    });
    const { body } = await importing(changed, { replace: true, domain: "office" });
    expect(body.data).toMatchObject({ id, version: 2, files: ["assets/logo.png"], domain: "office" });
    expect((await owner.put(`/skills/${id}`, { tags: [] })).body.data.files).toEqual(["assets/logo.png"]);
    expect((await exported(id)).files.slice(1)).toEqual([IMAGE]);
    expect((await owner.post(`/skills/${id}/restore`, { version: 1 })).body.data.files).toEqual(["scripts/fields.py"]);
    expect((await exported(id)).files.slice(1)).toEqual([inUtf8(SCRIPT)]);
    const plain = await importing([{ path: "SKILL.md", content: SKILL_MD }], { replace: true });
    expect(plain.body.data).toMatchObject({ version: 5, files: [] });
  });

  const beside = (path: string, content = "x") => [
    { path: "SKILL.md", content: SKILL_MD },
    { path, content },
  ];

  it.each([
    ["../evil", "files.1.path"],
    ["a/../../evil", "files.1.path"],
    ["/etc/passwd", "files.1.path"],
    ["a//b", "files.1.path"],
    ["./a", "files.1.path"],
    ["a/", "files.1.path"],
    ["..\\evil", "files.1.path"],
    ["C:evil", "files.1.path"],
    ["a\u0000b", "files.1.path"],
    ["a\u202Eb", "files.1.path"],
    [" a", "files.1.path"],
    ["a/b/c/d/e/f/g/h/i", "files.1.path"],
    ["x".repeat(201), "files.1.path"],
    ["skill.md", "files"],
    ["SKILL.md/a", "files"],
  ])("is refused with the path %j", async (path, field) => {
    const { status, body } = await importing(beside(path));
    expect([status, body.error?.details.fields[0].field]).toEqual([400, field]);
  });

  it.each([
    ["no SKILL.md", [{ path: "README.md", content: "x" }], "files"],
    [
      "two folders",
      [
        { path: "a/SKILL.md", content: SKILL_MD },
        { path: "b/x", content: "x" },
      ],
      "files",
    ],
    ["no files", [], "files"],
    ["too many files", Array.from({ length: 51 }, (_, index) => ({ path: `f${index}`, content: "" })), "files"],
    ["too large a file", beside("a", "x".repeat(200_001)), "files.1.content"],
    [
      "too much together",
      ["a", "b", "c", "d"].flatMap((path) => beside(path, "x".repeat(190_000)).slice(path === "a" ? 0 : 1)),
      "files",
    ],
    [
      "what is no base64",
      [
        { path: "SKILL.md", content: SKILL_MD },
        { path: "a", content: "%%", encoding: "base64" },
      ],
      "files.1.content",
    ],
  ])("is refused with %s", async (_what, files, field) => {
    const { status, body } = await importing(files as File[]);
    expect([status, body.error?.details.fields[0].field]).toEqual([400, field]);
  });

  it.each([
    ["no front matter", "# Hello", "SKILL.md"],
    ["a front matter without an end", "---\nname: a\n", "SKILL.md"],
    ["no name", "---\ndescription: d\n---\nDo it.", "SKILL.md.name"],
    ["no description", "---\nname: n\n---\nDo it.", "SKILL.md.description"],
    ["no instructions", "---\nname: n\ndescription: d\n---\n", "SKILL.md"],
    ["no YAML", "---\nname: [n\n---\nDo it.", "SKILL.md"],
    ["an alias", "---\nname: &a n\ndescription: *a\n---\nDo it.", "SKILL.md"],
    ["a list for front matter", "---\n- a\n---\nDo it.", "SKILL.md."],
    ["too long a front matter", `---\nname: n\ndescription: d\nx: ${"y".repeat(9_000)}\n---\nDo it.`, "SKILL.md"],
    ["too long instructions", `---\nname: n\ndescription: d\n---\n${"y".repeat(40_001)}`, "SKILL.md"],
  ])("is refused with a SKILL.md of %s", async (_what, content, field) => {
    const { status, body } = await importing([{ path: "SKILL.md", content }]);
    expect([status, body.error?.details.fields[0].field]).toEqual([400, field]);
    expect((await owner.get("/skills")).body.data.pagination.total).toBe(0);
  });

  it("is not accessible to another organization", async () => {
    const { id } = (await importing([{ path: "SKILL.md", content: SKILL_MD }, SCRIPT])).body.data;
    const stranger = await target.organization();
    expect((await stranger.get(`/skills/${id}/export`)).status).toBe(404);
  });
});
