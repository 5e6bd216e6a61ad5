import type { JsonObject } from "../../../../ports/json.ts";
import type { PageLinks } from "./links.ts";
import type { OcrSettings } from "./ocr.ts";
import type { Sitemap } from "./sitemap.ts";
import type { Sniffed } from "./sniff.ts";

/** A file, or its needed part, for the reading thread. */
export type ReadingJob =
  | { kind: "html"; bytes: Uint8Array; declared: string; page: boolean }
  | { kind: "links"; bytes: Uint8Array; declared: string; url: string }
  | { kind: "sitemap"; bytes: Uint8Array; declared: string }
  | { kind: "pdf"; bytes: Uint8Array; ocr?: OcrSettings | undefined }
  | { kind: "document"; bytes: Uint8Array; content_type: string; declared: string }
  | { kind: "image"; bytes: Uint8Array; ocr?: OcrSettings | undefined }
  | { kind: "audio"; bytes: Uint8Array; content_type: string; size: number };

/** The content of a file. */
export interface Reading {
  text?: string;
  title?: string;
  details?: JsonObject;
  /** The detected type, if it differs from the type of its first bytes. */
  found?: Sniffed;
  links?: PageLinks;
  sitemap?: Sitemap;
}

/** The thread's response; `unreadable` is the reason if the file is at fault. */
export type ReadingAnswer = { reading: Reading } | { unreadable: string };

/** Limits of a PDF: pages, characters, and milliseconds after which no further page starts. */
export const PDF_LIMITS = { pages: 2_000, characters: 10_000_000, timeMs: 90_000 } as const;
