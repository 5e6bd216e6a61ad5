import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BroughtFile, broughtFiles } from "../fixtures/brought.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

/** A question is answered if its answer is in one of this many results. */
const RESULTS = 3;
const MIN_ANSWERED = 0.9;
/** Sixty files are read in threads that other tests use, too. */
const TIMEOUT_MS = 240_000;

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

async function upload(
  caller: Caller,
  { name, type = "application/octet-stream", bytes }: BroughtFile,
): Promise<string> {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(bytes)], name, { type }));
  form.append("user_id", name);
  const { status, body } = await caller.post("/sources/upload", form);
  expect(status, `${name}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return body.source_id;
}

describe("files as people bring them", () => {
  it(
    "are read, and their questions are found in the right chunk",
    async () => {
      const caller = await target.organization();
      const files = await broughtFiles();
      expect(files).toHaveLength(60);
      expect(files.filter(({ questions }) => questions.length < 3).map(({ name }) => name)).toEqual([]);
      const ids = new Map<string, string>();
      for (const file of files) ids.set(file.name, await upload(caller, file));
      const unread: string[] = [];
      await eventually(async () => {
        for (const [, id] of ids) expect((await caller.get(`/sources/${id}`)).body.status).not.toBe("processing");
      });
      for (const [name, id] of ids) {
        const { status, extraction, error } = (await caller.get(`/sources/${id}`)).body;
        if (extraction?.status !== "text") unread.push(`${name}: ${status} ${error ?? extraction?.reason}`);
      }
      expect(unread).toEqual([]);
      await caller.post("/entities", { name: "Zurich", type: "place" });
      const missed: string[] = [];
      let asked = 0;
      for (const { name, questions } of files) {
        for (const [question, answer] of questions) {
          asked++;
          const path = `/search?q=${encodeURIComponent(question)}&user_id=${encodeURIComponent(name)}&type=source_chunk&limit=${RESULTS}`;
          const found: string[] = (await caller.get(path)).body.data.results.map(
            ({ content }: { content: string }) => content,
          );
          if (!found.some((content) => answer.split(" … ").every((piece) => content.includes(piece))))
            missed.push(`${name}: ${question}`);
        }
      }
      expect((asked - missed.length) / asked, missed.join("\n")).toBeGreaterThanOrEqual(MIN_ANSWERED);
    },
    TIMEOUT_MS,
  );
});
