import type { Config } from "../../../kernel/config.ts";
import type { JsonObject } from "../../../ports/json.ts";
import type { FileKind, SourceFile } from "./source.ts";

const NAMES: { readonly [kind in FileKind]?: string } = { image: "Image", audio: "Recording", pdf: "PDF without text" };
const REASONS: { readonly [kind in FileKind]?: string } = {
  audio: "it is a recording, and no text is read from recordings",
};
const WITHOUT_OCR: { readonly [kind in FileKind]?: string } = {
  image: "it is an image, and text in images is read with the setting OCR alone, which is off",
  pdf: "its pages hold no text; if they are scanned, they are read with the setting OCR alone, which is off",
};
const WITH_OCR: { readonly [kind in FileKind]?: string } = {
  image: "no text was recognized in the image",
  pdf: "its pages hold no text, and none was recognized in their pictures",
};
/** Old formats of office programs, which no maintained library reads. */
const LEGACY_OFFICE = "application/x-cfb";
const REASON_OF_LEGACY =
  "files of Office before 2007 (.doc, .xls, .ppt) and of Outlook (.msg) are not read; save it as .docx, .xlsx, .pptx, .eml or PDF";
const UNITS = ["bytes", "KB", "MB", "GB"];
const STEP = 1024;

/** A searchable description of a file without text. */
export function describeFile(
  { name, kind, content_type, bytes, details = {} }: SourceFile,
  metadata: JsonObject = {},
): string {
  const lines = [
    `${NAMES[kind] ?? "File"} ${name}, ${content_type}, ${sizeOf(bytes)}.`,
    ...Object.entries(details).map(([label, value]) => `${label.replaceAll("_", " ")}: ${plain(value)}`),
    ...Object.entries(metadata).map(([label, value]) => `${label}: ${plain(value)}`),
  ];
  return lines.join("\n");
}

/** Why no text could be read from a source's content. */
export function reasonWithoutText(
  file: Pick<SourceFile, "kind" | "content_type"> | undefined,
  { OCR }: Pick<Config, "OCR">,
): string {
  if (file?.content_type === LEGACY_OFFICE) return REASON_OF_LEGACY;
  if (file?.kind === "attachment") return `files of the type ${file.content_type} are not read`;
  const reasons = { ...REASONS, ...(OCR === undefined ? WITHOUT_OCR : WITH_OCR) };
  return (file && reasons[file.kind]) ?? "it holds no text";
}

function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)));
  const amount = bytes / STEP ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${UNITS[power]}`;
}

function plain(value: JsonObject[string]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
