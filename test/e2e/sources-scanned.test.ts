import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { OCR_LIMITS } from "../../shared/domain/knowledge/sources/extraction/ocr.ts";
import { resolveTesseract } from "../../shared/domain/knowledge/sources/extraction/tesseract.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { blankPngOf, pdfOf, pngOf, scannedPdfOf } from "../fixtures/documents.ts";
import { createOrganization, openService } from "../support/service.ts";
import { eventually } from "../support/target.ts";

const SCAN = readFileSync(new URL("../fixtures/documents/scan.png", import.meta.url));
const A4_COLOUR = readFileSync(new URL("../fixtures/documents/scan-colour-300dpi.pdf", import.meta.url));
const ON = { OCR: "tesseract" };

function isInstalled(): boolean {
  try {
    resolveTesseract(loadConfig(ON).OCR_LANGUAGE);
    return true;
  } catch {
    return false;
  }
}

async function open(environment: Record<string, string>) {
  const service = await openService(environment);
  onTestFinished(service.close);
  const { key } = await createOrganization(service);
  const get = async (path: string) => (await service.request("GET", path, { key })).body;
  const upload = async (bytes: Buffer<ArrayBuffer>, name: string) => {
    const form = new FormData();
    form.set("file", new Blob([bytes]), name);
    form.set("external_id", name);
    const { status, body } = await service.request("POST", "/sources/upload", { key, body: form });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return eventually(async () => {
      const source = await get(`/sources/${body.source_id}`);
      expect(source.status).not.toBe("processing");
      return source;
    });
  };
  return { service, get, upload };
}

describe("without OCR", () => {
  it.each([
    ["image", "scan.png", async () => SCAN],
    ["PDF", "scan.pdf", () => scannedPdfOf([SCAN])],
  ] as const)("a scanned %s has no text, and the reason names the setting", async (_what, name, make) => {
    const { upload } = await open({});
    const { status, extraction, error } = await upload(await make(), name);
    expect([status, extraction.status, error]).toEqual(["active", "no_text", undefined]);
    expect(extraction.reason).toContain("setting OCR");
  });

  it("the start names the packages that are not installed", async () => {
    const opened = openService({ ...ON, OCR_LANGUAGE: "zzz" });
    await expect(opened).rejects.toThrow("npm install --no-save");
    await expect(opened).rejects.toThrow("@tesseract.js-data/zzz");
  });
});

describe.skipIf(!isInstalled())(
  "with OCR (skipped where tesseract.js and @tesseract.js-data/eng are not installed)",
  () => {
    it("reads scanned pages and images, and leaves pages with text unchanged", async () => {
      const { upload, get } = await open(ON);
      const [pdf, image, text] = [
        await upload(await scannedPdfOf([SCAN, SCAN]), "scan.pdf"),
        await upload(SCAN, "scan.png"),
        await upload(await pdfOf(["The harbour is in Porto."]), "text.pdf"),
      ];
      for (const source of [pdf, image]) {
        expect([source.status, source.extraction, source.error]).toEqual(["active", { status: "text" }, undefined]);
        const contents = await Promise.all(
          source.chunk_memory_ids.map(async (id: string) => (await get(`/memories/${id}`)).data.content),
        );
        expect(contents.join("\n")).toContain("The lighthouse of Lisbon was built in 1847.");
      }
      expect(pdf.file.details).toEqual({ pages: 2, pages_recognized: 2 });
      expect(image.file.details).toEqual({ width: 795, height: 1124 });
      expect(text.file.details).toEqual({ pages: 1 });
    });

    it("reads an A4 page in colour at 300 dpi", async () => {
      const { upload, get } = await open(ON);
      const { status, file, chunk_memory_ids } = await upload(A4_COLOUR, "a4.pdf");
      expect([status, file.details]).toEqual(["active", { pages: 1, pages_recognized: 1 }]);
      expect((await get(`/memories/${chunk_memory_ids[0]}`)).data.content).toContain("built in 1849");
    });

    it("keeps a scan whose images need too much memory, without text", async () => {
      const { upload } = await open(ON);
      const pictures = [1, 2, 3, 4].map((shade) => blankPngOf(2480, 3508, shade));
      const { status, extraction } = await upload(await scannedPdfOf(pictures, { onOnePage: true }), "large.pdf");
      const reason = "its pages hold no text, and none was recognized in their pictures";
      expect([status, extraction]).toEqual(["active", { status: "no_text", reason }]);
    });

    it("does not read an image that is too large, broken or empty, and returns the reason", async () => {
      const { upload } = await open(ON);
      const side = Math.ceil(Math.sqrt(OCR_LIMITS.pixels)) + 1;
      const pictures = [pngOf(side, side), pngOf(640, 480), Buffer.from(SCAN.subarray(0, 200))];
      for (const [index, picture] of pictures.entries()) {
        const { status, extraction } = await upload(picture, `${index}.png`);
        const reason = "no text was recognized in the image";
        expect([status, extraction]).toEqual(["active", { status: "no_text", reason }]);
      }
    });
  },
);
