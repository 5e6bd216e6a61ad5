import { setImmediate as nextTurn } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import { invalid, ServiceError } from "../../kernel/errors.ts";
import { readBytes } from "./request.ts";

/** A file of a form. Its name is as the client sent it, including folders. */
export interface UploadedFile {
  name: string;
  /** As the client declared it. */
  content_type: string | undefined;
  bytes: Uint8Array;
}

export interface Form {
  fields: Record<string, string>;
  file: UploadedFile;
}

/** Maximum file size in bytes: what an HTTP API on AWS accepts in one request. */
export const MAX_FILE_BYTES = Math.floor(4.5 * 1024 * 1024);
/** Maximum size of fields, headers and boundaries besides the file. */
const MAX_OTHER_BYTES = 128 * 1024;
/** Bytes to parse before yielding to other work. */
const BYTES_PER_TURN = 64 * 1024;
const LIMITS = { files: 1, fields: 32, parts: 33, fieldSize: 64 * 1024, headerPairs: 16, headerSize: 8 * 1024 };

/** Reads a form with one file in `file`. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE and VALIDATION_ERROR. */
export async function readForm(request: Request): Promise<Form> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "Send the file as multipart/form-data, in the field 'file'.");
  }
  const body = await readBytes(request, MAX_FILE_BYTES + MAX_OTHER_BYTES).catch((error) => {
    throw error instanceof ServiceError && error.code === "PAYLOAD_TOO_LARGE" ? fileTooLarge() : error;
  });
  return parse(contentType, body);
}

function fileTooLarge(): ServiceError {
  return new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `The file exceeds ${MAX_FILE_BYTES} bytes. Upload larger files by URL: POST /sources/upload-url or POST /imports/upload-url.`,
    { max_bytes: MAX_FILE_BYTES },
  );
}

async function parse(contentType: string, body: Uint8Array): Promise<Form> {
  const { promise, resolve, reject } = Promise.withResolvers<Form>();
  const rejectBody = (problem: string) => reject(invalid({ field: "body", problem }));
  const fields = new Map<string, string>();
  let file: { parts: Buffer[]; name: string; content_type: string } | undefined;
  const parser = openParser(contentType);
  parser.on("field", (name, value, _isNameCut, isCut) => {
    if (isCut) reject(invalid({ field: name, problem: `at most ${LIMITS.fieldSize} bytes` }));
    else if (fields.has(name)) reject(invalid({ field: name, problem: "is given more than once" }));
    else if (typeof name === "string") fields.set(name, value);
  });
  parser.on("file", (field, stream, name, _encoding, content_type) => {
    const parts: Buffer[] = [];
    if (field === "file") file = { parts, name: name ?? "", content_type };
    else reject(invalid({ field: field ?? "body", problem: "is a file; send it in the field 'file'" }));
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("limit", () => reject(fileTooLarge()));
    stream.on("error", () => rejectBody("ends within a file"));
  });
  parser.on("filesLimit", () => reject(invalid({ field: "file", problem: "send one file at a time" })));
  parser.on("fieldsLimit", () => rejectBody(`at most ${LIMITS.fields} fields`));
  parser.on("partsLimit", () => rejectBody(`at most ${LIMITS.fields} fields and one file`));
  parser.on("error", () => rejectBody("is no form of multipart/form-data, or ends too early"));
  parser.on("finish", () => {
    if (!file) return reject(invalid({ field: "file", problem: "is required: send a file, with a file name" }));
    const { parts, name, content_type } = file;
    const declared = content_type + charsetOfFile(body);
    resolve({
      fields: Object.fromEntries(fields),
      file: { name, content_type: declared, bytes: Buffer.concat(parts) },
    });
  });
  let isSettled = false;
  const markSettled = () => {
    isSettled = true;
  };
  promise.then(markSettled, markSettled);
  // The parser does not stop at its limits, so the rest of a refused form is not passed to it.
  for (let start = 0; start < body.length && !isSettled; start += BYTES_PER_TURN) {
    parser.write(body.subarray(start, start + BYTES_PER_TURN));
    await nextTurn();
  }
  if (isSettled) parser.destroy();
  else parser.end();
  return promise;
}

/** The charset in the header of the file's part, which the parser drops with the other parameters of its type. */
function charsetOfFile(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const name = bytes.indexOf('name="file"');
  const start = bytes.lastIndexOf("\r\n--", name) + 1;
  const end = bytes.indexOf("\r\n\r\n", name);
  if (name < 0 || end < 0 || end - start > LIMITS.headerSize) return "";
  const header = bytes.subarray(start, end).toString("latin1");
  return /^Content-Type:[^\r\n;]*(?<charset>;\s*charset=[^\r\n;]{1,60})/im.exec(header)?.groups?.charset ?? "";
}

function openParser(contentType: string) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { ...LIMITS, fileSize: MAX_FILE_BYTES },
      preservePath: true,
    });
  } catch {
    throw invalid({ field: "body", problem: "its Content-Type names no boundary" });
  }
}
