import { Unzip, type UnzipDecoder, type UnzipFile, UnzipInflate } from "fflate";
import { UnreadableImportError } from "./entry.ts";
import { Utf8Reader } from "./text.ts";

/** Maximum files of an archive, including images. */
const MAX_FILES = 100_000;
/** Maximum unpacked bytes of the files that are read. */
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;
/** Maximum compression ratio; text of conversations has about 5. */
const MAX_RATIO = 100;
/** Unpacked bytes that are allowed at any ratio. */
const FREE_BYTES = 10 * 1024 ** 2;
/** Packed bytes per step: at most 8 MB unpacked, because deflate compresses at most 1032:1. */
const STEP_BYTES = 8 * 1024;
/** Compression methods of ZIP. */
const STORED = 0;
const DEFLATED = 8;

/** Text of a file within an archive, which is empty if the file is skipped. */
export interface ArchivedText {
  file: string;
  text: string;
  isEnd: boolean;
  isSkipped?: true;
}

/** Discards files that are not read, because the library would otherwise keep their bytes. */
class DiscardingDecoder implements UnzipDecoder {
  ondata: UnzipDecoder["ondata"] = () => undefined;
  push(): void {}
}

/** Texts of the wanted files of a ZIP archive, in order, as they arrive. Throws UnreadableImportError. */
export async function* unpackTexts(
  parts: AsyncIterable<Uint8Array>,
  isWanted: (name: string) => boolean,
): AsyncGenerator<ArchivedText> {
  const unpacked: ArchivedText[] = [];
  let files = 0;
  let bytesIn = 0;
  let bytesOut = 0;
  const unzip = new Unzip((file) => {
    if (++files > MAX_FILES) throw new UnreadableImportError(`The archive has more than ${MAX_FILES} files.`);
    if (file.compression !== STORED && file.compression !== DEFLATED) {
      throw new UnreadableImportError(
        "The archive uses a compression method other than deflate. Create it again as a plain ZIP.",
      );
    }
    if (isWanted(file.name)) read(file);
    else {
      skip(file);
      if (!file.name.endsWith("/")) unpacked.push({ file: file.name, text: "", isEnd: true, isSkipped: true });
    }
  });
  const decoder = class {
    static readonly compression = DEFLATED;
    constructor(name: string) {
      // biome-ignore lint/correctness/noConstructorReturn: fflate makes decoders by `new`.
      return isWanted(name) ? new UnzipInflate() : new DiscardingDecoder();
    }
  };
  unzip.register(decoder as unknown as Parameters<Unzip["register"]>[0]);

  function read(file: UnzipFile): void {
    const reader = new Utf8Reader();
    file.ondata = (error, data, isEnd) => {
      if (error) throw damaged(error);
      bytesOut += data.byteLength;
      requireBounded(bytesIn, bytesOut);
      const text = reader.push(data) + (isEnd ? reader.end() : "");
      unpacked.push({ file: file.name, text, isEnd });
    };
    file.start();
  }

  for await (const part of parts) {
    for (let start = 0; start < part.byteLength; start += STEP_BYTES) {
      const step = part.subarray(start, start + STEP_BYTES);
      bytesIn += step.byteLength;
      push(unzip, step, false);
      yield* unpacked.splice(0);
    }
  }
  push(unzip, new Uint8Array(), true);
  if (files === 0) throw new UnreadableImportError("The file is not a ZIP archive.");
  yield* unpacked.splice(0);
}

function skip(file: UnzipFile): void {
  file.ondata = () => undefined;
  file.start();
}

function push(unzip: Unzip, bytes: Uint8Array, isLast: boolean): void {
  try {
    unzip.push(bytes, isLast);
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause: unknown): UnreadableImportError {
  if (cause instanceof UnreadableImportError) return cause;
  return new UnreadableImportError("The archive is damaged, encrypted or incomplete. Download it again.", { cause });
}

function requireBounded(bytesIn: number, bytesOut: number): void {
  if (bytesOut > MAX_UNPACKED_BYTES) {
    throw new UnreadableImportError(`The archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes.`);
  }
  if (bytesOut > FREE_BYTES && bytesOut > bytesIn * MAX_RATIO) {
    throw new UnreadableImportError(`The archive unpacks to more than ${MAX_RATIO} times its size.`);
  }
}
