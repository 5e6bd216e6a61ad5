import type { StoredContent } from "../memory/content.ts";
import type { JsonObject } from "../platform/ports.ts";
import type { Rest } from "./chunking.ts";

/**
 * `awaiting_upload`: a link to upload to was given out and nothing has come yet. `processing`: being read; what the
 * source held before stays in view until that is done. `no_text`: kept and described, but no text was found in it; see
 * `error`. `failed`: see `error`; what it held before stays.
 */
export const SOURCE_STATES = ["awaiting_upload", "processing", "active", "no_text", "failed"] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** What is made of a file: read as text, described, or kept as it is. */
export const FILE_KINDS = [
  "text",
  "markdown",
  "code",
  "html",
  "pdf",
  "document",
  "book",
  "presentation",
  "spreadsheet",
  "notebook",
  "subtitles",
  "email",
  "data",
  "image",
  "audio",
  "attachment",
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file of a source, kept in the blob store. */
export interface SourceFile {
  /** Without folders. */
  name: string;
  /** By its content, whatever the client called it. */
  content_type: string;
  kind: FileKind;
  /** What the client called it; tells the encoding of a text. */
  declared_type?: string;
  bytes: number;
  blob: string;
  /** What its headers tell: width, height, duration_seconds, pages … */
  details?: JsonObject;
}

/** What a client, or a connection, says of a source. */
export interface SourceLabels {
  title?: string;
  provider?: string;
  /** Its name where it comes from. The same again is the same source, whose content is replaced where it changed. */
  external_id?: string;
  url?: string;
  user_id?: string;
  /** A label within the organization, never another organization. */
  org_id?: string;
  agent_id?: string;
  metadata?: JsonObject;
  /** Set by connections: which one brought it. Sources of two connections are never the same source. */
  connection_id?: string;
}

/** Knowledge from outside, as it is now. Its chunks are memories; their ids follow from `generation` and `chunk_count`. */
export interface Source extends SourceLabels {
  id: string;
  org: string;
  /** text, url, web, upload, or what a connection calls it. */
  type: string;
  title: string;
  /** Somebody gave it the title, rather than its content. */
  is_titled: boolean;
  metadata: JsonObject;
  status: SourceState;
  /** Why it failed, or why it has no text, for people. */
  error?: string;
  file?: SourceFile;
  /** A text's own blob, where it is too long for a record. */
  text_blob?: string;
  /** SHA-256 of what was ingested, hex. */
  content_hash?: string;
  /** How the content in view was read; see `readerVersion`. */
  reader?: string;
  /** Job that reads a content of it. */
  ingestion_id?: string;
  /** Job that waits for a file to be sent to a link. */
  upload_id?: string;
  /** What it is known by within its organization; see `identityOf`. */
  identity?: string;
  /** Which of its contents is in view; 0 until one is. Each content that is begun takes the next number. */
  generation: number;
  last_generation: number;
  chunk_count: number;
  entity_count: number;
  /** Of the text, in o200k_base, overlaps counted once. */
  tokens: number;
  created_at: string;
  updated_at: string;
  /** When the content in view was complete. */
  ingested_at?: string;
  created_by: string;
  /** Counts every write. */
  revision: number;
}

/** What a source is made of: a text and what that calls itself, or a file that text is found in. */
export type GivenContent =
  | { text: string; title?: string }
  | { file: { bytes: Uint8Array; name: string; content_type?: string | undefined } };

/** A source to be: as a client gives it, or a connection that found a document. */
export interface SourceDraft extends SourceLabels {
  type: string;
  /** Its file of the same name and title takes the place of what an earlier one, said to be so too, brought. */
  replaces_same_name?: boolean | undefined;
  content: GivenContent;
  /** Principal who asked for it, or made the connection. */
  created_by: string;
}

/** What became of a draft. */
export interface Ingested {
  source: Source;
  /** `unchanged`: the same content was there, or is being read, and nothing was done. */
  outcome: "created" | "updated" | "unchanged";
}

/** What was found in a file, kept so that it is not read again after a break. */
export interface FileReading {
  text: StoredContent;
  title?: string;
  details?: JsonObject;
  /** What the file turned out to be, where that is not what its beginning says. */
  found?: Pick<SourceFile, "kind" | "content_type">;
}

/** A content that is to be read. */
export interface IngestionInput {
  source_id: string;
  generation: number;
  type: string;
  labels: SourceLabels;
  content: { text: StoredContent; title?: string } | { file: SourceFile };
  content_hash: string;
  created_by: string;
}

/** How much of a content is read. */
export interface IngestionCheckpoint {
  reading?: FileReading;
  /** Chunks that are stored, and what of the text is left after them. */
  written: number;
  rest: Rest;
  /** In those chunks; entities before and after a break count apart. */
  tokens: number;
  entity_count: number;
}

/** One content of a source while it is being read. */
export interface Ingestion extends IngestionInput, IngestionCheckpoint {
  org: string;
}

/** Chunks and blobs that are out of view and go. */
export interface RemovalInput {
  source_id: string;
  generation: number;
  chunks: number;
  blobs: string[];
}

export interface RemovalCheckpoint {
  /** Chunks that are gone. */
  removed: number;
}

/** A link to upload to, until it is used or expires. */
export interface UploadInput {
  source_id: string;
  generation: number;
  labels: SourceLabels;
  name: string;
  content_type?: string;
  blob: string;
  created_by: string;
}
