import type { JsonObject } from "../../../ports/json.ts";
import type { StoredContent } from "../../memory/content.ts";
import type { Rest } from "./chunking.ts";

/**
 * `awaiting_upload`: an upload link was issued and no file was uploaded yet. `processing`: a content is being read; the
 * previous one stays visible until the end. `failed`: see `error`; the previous content stays visible.
 */
export const SOURCE_STATES = ["awaiting_upload", "processing", "active", "failed"] as const;

/** Whether a stored status says that the visible content was read. `no_text`: it is described, but has no text. */
export function isRead(status: unknown): status is "active" | "no_text" {
  return status === "active" || status === "no_text";
}

/** Kinds of files; the kind decides whether a file is read as text, described, or only stored. */
export const FILE_KINDS = [
  ...["text", "markdown", "code", "html", "pdf", "document", "book", "presentation", "spreadsheet"],
  ...["notebook", "subtitles", "email", "data", "image", "audio", "attachment"],
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file of a source, kept in the blob store. */
export interface SourceFile {
  /** The file name without folders. */
  name: string;
  /** The detected type, which may differ from the declared one. */
  content_type: string;
  kind: FileKind;
  /** The type declared by the client; used to detect a text's encoding. */
  declared_type?: string;
  bytes: number;
  blob: string;
  /** Properties of the file, such as width, height, duration_seconds and pages. */
  details?: JsonObject;
}

/** Properties of a source that a client or a connection sets. */
export interface SourceLabels {
  title?: string;
  provider?: string;
  /** Its id at its origin. The same id means the same source; a changed content replaces the previous one. */
  external_id?: string;
  url?: string;
  user_id?: string;
  /** A label within the organization, never another organization. */
  org_id?: string;
  agent_id?: string;
  metadata?: JsonObject;
  /** The connection that imported it; set by connections. Sources of two connections are never the same source. */
  connection_id?: string;
}

/** An ingested document. Its chunks are memories; `generation` and `chunk_count` determine their ids. */
export interface Source extends SourceLabels {
  id: string;
  org: string;
  /** text, url, web, upload, or a type that a connection sets. */
  type: string;
  title: string;
  /** Whether the title was given, rather than derived from the content. */
  is_titled: boolean;
  metadata: JsonObject;
  /** `no_text`: no text was read, see `error`. The API answers `active` and `extraction`. */
  status: (typeof SOURCE_STATES)[number] | "no_text";
  /** Why reading failed or found no text, as a message for people. */
  error?: string;
  file?: SourceFile;
  /** The blob of a text that is too long for a record. */
  text_blob?: string;
  /** Hex SHA-256 of the ingested content. */
  content_hash?: string;
  /** The reader version of the visible content; see `readerVersionOf`. */
  reader?: string;
  /** The unfinished job that reads a content of the source. */
  ingestion_id?: string;
  /** The job that expires a pending upload link. */
  upload_id?: string;
  /** Identifies the source within its organization; see `identityOf`. */
  identity?: string;
  /** Number of the visible content; 0 if there is none yet. Each new content gets the next number. */
  generation: number;
  last_generation: number;
  chunk_count: number;
  entity_count: number;
  /** o200k_base tokens of the text; overlaps are counted once. */
  tokens: number;
  created_at: string;
  updated_at: string;
  /** When the visible content was completely read. */
  ingested_at?: string;
  created_by: string;
  /** Incremented by every write. */
  revision: number;
}

/** The content of a source: a text with the title that it contains, or a file with the text to extract. */
export type GivenContent =
  | { text: string; title?: string }
  | { file: { bytes: Uint8Array; name: string; content_type?: string | undefined } };

/** A source to ingest, as given by a client or by a connection that found a document. */
export interface SourceDraft extends SourceLabels {
  type: string;
  /**
   * If true and there is no external id or URL, the file's name and title identify the source: the file replaces the
   * file of an earlier source that was sent with this option too.
   */
  replaces_same_name?: boolean | undefined;
  content: GivenContent;
  /** The principal who requested it or created the connection. */
  created_by: string;
}

/** The result of an ingestion. */
export interface Ingested {
  source: Source;
  /** `unchanged`: the same content exists or is being read, and nothing was done. */
  outcome: "created" | "updated" | "unchanged";
}

/** The text extracted from a file, stored so that it is not extracted again after an interruption. */
export interface FileReading {
  text: StoredContent;
  title?: string;
  details?: JsonObject;
  /** The detected type, if it differs from the type of the file's first bytes. */
  found?: Pick<SourceFile, "kind" | "content_type">;
}

/** The input of the job that reads a content. */
export interface IngestionInput {
  source_id: string;
  generation: number;
  type: string;
  labels: SourceLabels;
  content: { text: StoredContent; title?: string } | { file: SourceFile };
  content_hash: string;
  created_by: string;
}

/** The progress of reading a content. */
export interface IngestionCheckpoint {
  reading?: FileReading;
  /** Number of stored chunks, and the rest of the text after them. */
  written: number;
  rest: Rest;
  /** Counts of those chunks; entities mentioned both before and after an interruption are counted twice. */
  tokens: number;
  entity_count: number;
}

/** One content of a source while it is being read. */
export interface Ingestion extends IngestionInput, IngestionCheckpoint {
  org: string;
}

/** Invisible chunks and blobs to delete. */
export interface RemovalInput {
  source_id: string;
  generation: number;
  chunks: number;
  blobs: string[];
}

export interface RemovalCheckpoint {
  /** Number of deleted chunks. */
  removed: number;
}

/** An upload link, until it is used or expires. */
export interface UploadInput {
  source_id: string;
  generation: number;
  labels: SourceLabels;
  name: string;
  content_type?: string;
  blob: string;
  created_by: string;
}
