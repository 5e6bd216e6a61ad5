import { decodeText } from "./charset.ts";
import { PDF_LIMITS, type Reading, type ReadingAnswer, type ReadingJob } from "./jobs.ts";
import { type Ocr, type OcrSettings, openOcr } from "./ocr.ts";
import { UnreadableError } from "./unreadable.ts";

/** Reads one file; only for the reading thread. */
export async function readFile(job: ReadingJob): Promise<ReadingAnswer> {
  try {
    return { reading: await read(job) };
  } catch (error) {
    if (error instanceof UnreadableError) return { unreadable: error.message };
    throw error;
  }
}

/** Each library is loaded for the first kind of file that needs it. */
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
      const { pages, characters, timeMs } = PDF_LIMITS;
      const limits = { pages, characters, deadline: performance.now() + timeMs };
      return withOcr(job.ocr, (ocr) => readPdf(job.bytes, limits, ocr));
    }
    case "document": {
      const { readDocument } = await import("./document.ts");
      return readDocument(job.bytes, job);
    }
    case "image": {
      const { describeImage, readPicture } = await import("./media.ts");
      return withOcr(job.ocr, async (ocr) =>
        ocr ? readPicture(job.bytes, ocr) : { details: describeImage(job.bytes) },
      );
    }
    case "audio": {
      const { describeAudio } = await import("./media.ts");
      return { details: await describeAudio(job.bytes, job.content_type, job.size) };
    }
  }
}

async function withOcr<Result>(
  settings: OcrSettings | undefined,
  read: (ocr: Ocr | undefined) => Promise<Result>,
): Promise<Result> {
  const ocr = settings && (await openOcr(settings));
  try {
    return await read(ocr);
  } finally {
    await ocr?.close();
  }
}
