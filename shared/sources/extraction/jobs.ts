import type { JsonObject } from "../../platform/ports.ts";
import type { PageLinks } from "./links.ts";
import type { Sitemap } from "./sitemap.ts";

/** A file, or as much of it as is needed, for the thread that reads files. */
export type ReadingJob =
  | { kind: "html"; bytes: Uint8Array; declared: string; page: boolean }
  | { kind: "links"; bytes: Uint8Array; declared: string; url: string }
  | { kind: "sitemap"; bytes: Uint8Array; declared: string }
  | { kind: "pdf"; bytes: Uint8Array }
  | { kind: "image"; bytes: Uint8Array }
  | { kind: "audio"; bytes: Uint8Array; content_type: string; size: number };

/** What was found in a file. */
export interface Reading {
  text?: string;
  title?: string;
  details?: JsonObject;
  links?: PageLinks;
  sitemap?: Sitemap;
}

/** What the thread answers: an error only where the file is at fault. */
export type ReadingAnswer = { reading: Reading } | { unreadable: string };

/** Time, memory and pages that a file may take; what is over them is not read. */
export const LIMITS = {
  /** Until the thread is ended. */
  timeMs: { html: 15_000, links: 5_000, sitemap: 5_000, pdf: 120_000, image: 10_000, audio: 20_000 },
  /** Until no further page of a PDF is begun. */
  pdfMs: 90_000,
  pdfPages: 2_000,
  pdfCharacters: 10_000_000,
  /** Of JavaScript objects, and of buffers outside of their heap, in bytes. */
  heapBytes: 96 * 1024 * 1024,
  bufferBytes: 96 * 1024 * 1024,
} as const;
