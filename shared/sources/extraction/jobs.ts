import type { JsonObject } from "../../platform/ports.ts";
import type { PageLinks } from "./links.ts";
import type { Sitemap } from "./sitemap.ts";
import type { Sniffed } from "./sniff.ts";

/** A file, or as much of it as is needed, for the thread that reads files. */
export type ReadingJob =
  | { kind: "html"; bytes: Uint8Array; declared: string; page: boolean }
  | { kind: "links"; bytes: Uint8Array; declared: string; url: string }
  | { kind: "sitemap"; bytes: Uint8Array; declared: string }
  | { kind: "pdf"; bytes: Uint8Array }
  | { kind: "document"; bytes: Uint8Array; content_type: string; declared: string }
  | { kind: "image"; bytes: Uint8Array }
  | { kind: "audio"; bytes: Uint8Array; content_type: string; size: number };

/** What was found in a file. */
export interface Reading {
  text?: string;
  title?: string;
  details?: JsonObject;
  /** What the file turned out to be, where that is not what its beginning says. */
  found?: Sniffed;
  links?: PageLinks;
  sitemap?: Sitemap;
}

/** What the thread answers: an error only where the file is at fault. */
export type ReadingAnswer = { reading: Reading } | { unreadable: string };

/** What is read of a PDF: pages and characters, and milliseconds after which no further page is begun. */
export const PDF_LIMITS = { pages: 2_000, characters: 10_000_000, timeMs: 90_000 } as const;
