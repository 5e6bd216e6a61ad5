import { expect, it } from "vitest";
import { readerVersionOf } from "./new-source.ts";

it("only images and PDFs are read again once OCR is on", () => {
  for (const kind of ["image", "pdf"] as const) {
    expect(readerVersionOf({ OCR: "tesseract" }, kind)).not.toBe(readerVersionOf({ OCR: undefined }, kind));
  }
  for (const kind of ["html", "audio", "document", undefined] as const) {
    expect(readerVersionOf({ OCR: "tesseract" }, kind)).toBe(readerVersionOf({ OCR: undefined }, kind));
  }
});
