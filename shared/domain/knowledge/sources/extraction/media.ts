import { imageSize } from "image-size";
import { parseBuffer } from "music-metadata";
import type { JsonObject } from "../../../../ports/json.ts";
import { OCR_LIMITS, type Ocr } from "./ocr.ts";
import { UnreadableError } from "./unreadable.ts";

/** The text of an image within OCR's pixel limit, and its size. Throws UnreadableError for a broken one. */
export async function readPicture(
  bytes: Uint8Array,
  ocr: Ocr,
): Promise<{ text?: string; details: { width: number; height: number } }> {
  const details = describeImage(bytes);
  if (details.width * details.height > OCR_LIMITS.pixels) return { details };
  const text = await ocr.recognize(bytes, OCR_LIMITS.timeMs);
  return { details, ...(text !== undefined && { text }) };
}

/** Width and height in pixels from an image's headers. Throws UnreadableError. */
export function describeImage(bytes: Uint8Array): { width: number; height: number } {
  try {
    const { width, height } = imageSize(bytes);
    return { width, height };
  } catch {
    throw new UnreadableError("the image is broken");
  }
}

const MS_PER_SECOND = 1000;

/** Duration and metadata from a recording's headers; `size` is the whole file's. Throws UnreadableError. */
export async function describeAudio(bytes: Uint8Array, contentType: string, size: number): Promise<JsonObject> {
  try {
    const { format, common } = await parseBuffer(bytes, { mimeType: contentType, size }, { skipCovers: true });
    const { duration, sampleRate, numberOfChannels, codec } = format;
    return Object.fromEntries(
      Object.entries({
        duration_seconds: duration === undefined ? undefined : Math.round(duration * MS_PER_SECOND) / MS_PER_SECOND,
        sample_rate: sampleRate,
        channels: numberOfChannels,
        codec,
        title: common.title,
        artist: common.artist,
        album: common.album,
      }).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
    );
  } catch {
    throw new UnreadableError("the recording is broken");
  }
}
