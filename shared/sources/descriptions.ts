import type { JsonObject } from "../platform/ports.ts";
import type { SourceFile } from "./source.ts";

const UNITS = ["bytes", "KB", "MB", "GB"];
const STEP = 1024;

/** What there is to say, and to find, of a file whose content is no text. */
export function describeFile(
  { name, kind, content_type, bytes, details = {} }: SourceFile,
  metadata: JsonObject = {},
): string {
  const what =
    { image: "Image", audio: "Recording", pdf: "PDF without text" }[kind as "image" | "audio" | "pdf"] ?? "File";
  const lines = [
    `${what} ${name}, ${content_type}, ${sizeOf(bytes)}.`,
    ...Object.entries(details).map(([label, value]) => `${label.replaceAll("_", " ")}: ${plain(value)}`),
    ...Object.entries(metadata).map(([label, value]) => `${label}: ${plain(value)}`),
  ];
  return lines.join("\n");
}

function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)));
  const amount = bytes / STEP ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${UNITS[power]}`;
}

function plain(value: JsonObject[string]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
