import { parentPort, workerData } from "node:worker_threads";
import { decodeText } from "./charset.ts";
import { LIMITS, type Reading, type ReadingAnswer, type ReadingJob } from "./jobs.ts";
import { Unreadable } from "./unreadable.ts";

/** Reads one file. Each library is loaded by the first kind of file that needs it. */
async function read(job: ReadingJob): Promise<Reading> {
  switch (job.kind) {
    case "html": {
      const { readHtml } = await import("./html.ts");
      return readHtml(decodeText(job.bytes, { declared: job.declared, html: true }), { page: job.page });
    }
    case "links": {
      const { readLinks } = await import("./links.ts");
      return { links: readLinks(decodeText(job.bytes, { declared: job.declared, html: true }), job.url) };
    }
    case "sitemap": {
      const { readSitemap } = await import("./sitemap.ts");
      return { sitemap: readSitemap(decodeText(job.bytes, { declared: job.declared })) };
    }
    case "pdf": {
      const { readPdf } = await import("./pdf.ts");
      const { pdfPages: pages, pdfCharacters: characters, pdfMs } = LIMITS;
      return readPdf(job.bytes, { pages, characters, deadline: performance.now() + pdfMs });
    }
    case "image": {
      const { describeImage } = await import("./media.ts");
      return { details: describeImage(job.bytes) };
    }
    case "audio": {
      const { describeAudio } = await import("./media.ts");
      return { details: await describeAudio(job.bytes, job.content_type, job.size) };
    }
  }
}

async function answer(): Promise<ReadingAnswer> {
  try {
    return { reading: await read(workerData as ReadingJob) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}

parentPort?.postMessage(await answer());
