/** The part of Protocol Buffers that ONNX files use: numbered fields; messages and bytes have a length prefix. */

export interface Field {
  number: number;
  /** Positions of the tag, of the content after it, and of the next field. */
  start: number;
  content: number;
  end: number;
}

/** Wire types in the tag of a field. */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
/** Maximum bytes of one varint. */
const MAX_VARINT = 10;

/** Yields the fields of the message between two positions. Throws if its bytes are not a message. */
export function* fieldsOf(read: (start: number, end: number) => Buffer, start: number, end: number): Generator<Field> {
  for (let position = start; position < end; ) {
    const header = read(position, Math.min(position + 2 * MAX_VARINT, end));
    const tag = decodeVarint(header, 0);
    const [number, type] = [Math.floor(tag.value / 8), tag.value % 8];
    const first = decodeVarint(header, tag.end);
    const content = position + (type === LENGTH_DELIMITED ? first.end : tag.end);
    const size = type === VARINT ? first.end - tag.end : type === LENGTH_DELIMITED ? first.value : FIXED_BYTES[type];
    if (size === undefined || content + size > end) throw new Error("its bytes are not Protocol Buffers");
    yield { number, start: position, content, end: content + size };
    position = content + size;
  }
}

function decodeVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let position = start, unit = 1; position < start + MAX_VARINT; position++, unit *= 128) {
    const byte = bytes[position] ?? 0;
    value += (byte % 128) * unit;
    if (byte < 128) return { value, end: position + 1 };
  }
  throw new Error("its bytes are not Protocol Buffers");
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Encodes a field with an integer of at least 0. */
export function integerField(number: number, value: number): Buffer {
  return Buffer.concat([encodeVarint(number * 8 + VARINT), encodeVarint(value)]);
}

/** Encodes a field with a text, bytes, or the fields of a message. */
export function messageField(number: number, ...parts: (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([encodeVarint(number * 8 + LENGTH_DELIMITED), encodeVarint(content.length), content]);
}
