import type { Config } from "../../../kernel/config.ts";
import type { FileKind } from "./source.ts";

/** Version of the code that reads files and splits them into chunks. */
const READER_VERSION = "2";
/** File kinds that are read differently with OCR. */
const RECOGNIZED_KINDS: readonly FileKind[] = ["image", "pdf"];

/**
 * Returns the version with which these settings read a file of a kind. If the same content is sent again, it is read
 * again only if its source was read by another version. Nothing else causes a second reading.
 */
export function readerVersionOf({ OCR }: Pick<Config, "OCR">, kind: FileKind | undefined): string {
  const isRecognized = OCR !== undefined && kind !== undefined && RECOGNIZED_KINDS.includes(kind);
  return isRecognized ? `${READER_VERSION}+${OCR}` : READER_VERSION;
}
