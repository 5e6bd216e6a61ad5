import { describe, expect, it } from "vitest";
import { pdfBomb, pdfOf, pngOf, wavOf } from "../../../../../test/fixtures/documents.ts";
import type { ReadingJob } from "./jobs.ts";
import { readIsolated } from "./read-isolated.ts";
import { UnreadableError } from "./unreadable.ts";

const MEGABYTE = 1024 * 1024;

const read = (job: ReadingJob) => readIsolated(job, { org: "org_1" });

describe("a file read in a thread of its own", () => {
  it("returns its text, its title and its headers' details", async () => {
    const pdf = await pdfOf(["First page.", "Second page."], "Guide");
    expect(await read({ kind: "pdf", bytes: pdf })).toEqual({
      text: "\f\n\nFirst page.\n\n\f\n\nSecond page.",
      title: "Guide",
      details: { pages: 2 },
    });
    expect(await read({ kind: "image", bytes: pngOf(3, 2) })).toEqual({ details: { width: 3, height: 2 } });
    const wav = wavOf(3);
    const audio = { kind: "audio", bytes: wav, content_type: "audio/wav", size: wav.length } as const;
    expect((await read(audio)).details).toMatchObject({ duration_seconds: 3 });
  });

  it.each([
    ["a PDF that is none", { kind: "pdf", bytes: Buffer.from("no PDF") }, /broken/],
    ["an image that is none", { kind: "image", bytes: Buffer.from("no image") }, /broken/],
  ] as const)("reports %s, and the next file is read", async (_what, job, reason) => {
    await expect(read(job)).rejects.toThrow(reason);
    await expect(read(job)).rejects.toBeInstanceOf(UnreadableError);
    expect(await read({ kind: "image", bytes: pngOf(1, 1) })).toBeDefined();
  });

  it("is ended if it takes too much memory, without affecting the process", async () => {
    const bomb = pdfBomb(" ", 1_000_000_000);
    const before = process.memoryUsage().rss;
    let most = before;
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 10);
    await expect(read({ kind: "pdf", bytes: bomb })).rejects.toThrow(/too much (memory|time)/);
    clearInterval(sampling);
    expect(most - before).toBeLessThan(450 * MEGABYTE);
  }, 150_000);

  it("waits for its turn if there are many", async () => {
    const jobs = Array.from({ length: 6 }, (_, n) => read({ kind: "image", bytes: pngOf(n + 1, 1) }));
    const widths = (await Promise.all(jobs)).map(({ details }) => details?.width);
    expect(widths).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
