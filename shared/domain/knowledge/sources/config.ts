import * as z from "zod";

declare module "../../../kernel/config.ts" {
  interface Config extends z.infer<typeof SourcesConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const SourcesConfig = z.object({
  OCR: z
    .enum(["tesseract"])
    .optional()
    .describe(
      "OCR for scanned PDFs and images on a local server: `tesseract`, whose packages are installed separately (see docs/sources.md); off if unset",
    ),
  OCR_LANGUAGE: z
    .string()
    .regex(/^[a-z]{3}(?:_[a-z]+)?$/, "must be a code of Tesseract's, like eng or chi_sim")
    .default("eng")
    .describe("Language of OCR, of which `@tesseract.js-data/OCR_LANGUAGE` has the data"),
});
