import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type Field, fieldsOf, integerField, messageField } from "./protobuf.ts";

/** Numbers of fields in onnx.proto. */
const MODEL_GRAPH = 7;
const GRAPH_INITIALIZER = 5;
const TENSOR_RAW_DATA = 9;
const TENSOR_EXTERNAL_DATA = 13;
const TENSOR_DATA_LOCATION = 14;
const ENTRY_KEY = 1;
const ENTRY_VALUE = 2;

/** The data location of a tensor whose data is in another file. */
const EXTERNAL = 1;

/** Smaller tensors stay in the model: mapping a page or two saves nothing. */
const MIN_BYTES = 65_536;

/**
 * Returns an ONNX model whose large weights are references to their bytes in `file`, which ONNX Runtime then maps into
 * memory under the name `location`. Of an embedding table, only the pages of tokens that occur are loaded, and weights
 * that the runtime reorders do not stay in memory twice. Throws if the file is not an ONNX model.
 */
export function withMappedWeights(file: string, location: string): Buffer {
  const descriptor = openSync(file, "r");
  const read = (start: number, end: number) => {
    const bytes = Buffer.alloc(end - start);
    readSync(descriptor, bytes, 0, bytes.length, start);
    return bytes;
  };
  const copy = ({ start, end }: Field) => read(start, end);
  /** Returns a message in which `replace` encodes the fields of one number. */
  const rewrite = (message: Pick<Field, "content" | "end">, number: number, replace: (field: Field) => Buffer) => {
    const fields = fieldsOf(read, message.content, message.end);
    return Buffer.concat(Array.from(fields, (field) => (field.number === number ? replace(field) : copy(field))));
  };
  const rawData = (data: Field) => {
    const length = data.end - data.content;
    return length < MIN_BYTES ? copy(data) : externalData({ location, offset: `${data.content}`, length: `${length}` });
  };
  const initializer = (tensor: Field) => messageField(GRAPH_INITIALIZER, rewrite(tensor, TENSOR_RAW_DATA, rawData));
  const graph = (field: Field) => messageField(MODEL_GRAPH, rewrite(field, GRAPH_INITIALIZER, initializer));
  try {
    return rewrite({ content: 0, end: fstatSync(descriptor).size }, MODEL_GRAPH, graph);
  } finally {
    closeSync(descriptor);
  }
}

function externalData(entries: Record<string, string>): Buffer {
  const encoded = Object.entries(entries).map(([key, value]) =>
    messageField(TENSOR_EXTERNAL_DATA, messageField(ENTRY_KEY, key), messageField(ENTRY_VALUE, value)),
  );
  return Buffer.concat([...encoded, integerField(TENSOR_DATA_LOCATION, EXTERNAL)]);
}
