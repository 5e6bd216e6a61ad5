import { imageSize } from "image-size";
import { parseBuffer } from "music-metadata";
import type { JsonObject } from "../../platform/ports.ts";
import { Unreadable } from "./unreadable.ts";

/** Width and height in pixels, as the headers of an image tell. Throws Unreadable. */
export function describeImage(bytes: Uint8Array): JsonObject {
  try {
    const { width, height } = imageSize(bytes);
    return { width, height };
  } catch {
    throw new Unreadable("the image is broken");
  }
}

const MILLISECONDS = 1000;

/** Duration and what is in it, as the headers of a recording tell; `size` is the whole file's. Throws Unreadable. */
export async function describeAudio(bytes: Uint8Array, contentType: string, size: number): Promise<JsonObject> {
  try {
    const { format, common } = await parseBuffer(bytes, { mimeType: contentType, size }, { skipCovers: true });
    const { duration, sampleRate, numberOfChannels, codec } = format;
    return Object.fromEntries(
      Object.entries({
        duration_seconds: duration === undefined ? undefined : Math.round(duration * MILLISECONDS) / MILLISECONDS,
        sample_rate: sampleRate,
        channels: numberOfChannels,
        codec,
        title: common.title,
        artist: common.artist,
        album: common.album,
      }).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
    );
  } catch {
    throw new Unreadable("the recording is broken");
  }
}
