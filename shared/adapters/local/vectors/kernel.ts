/** kernel.wat compiled; at 290 bytes not worth a build step. */
export const KERNEL_BASE64 =
  "AGFzbQEAAAABCgFgBn9/fX9/fwACEwEEcG9vbAZtZW1vcnkCAQGAgAQDAgEABw8BC2RvdFByb2R1Y3RzAAAK4QEB3gECA38DeyAAIAFqIQgCQANAIARFDQEgAygCACEGIAAhB/0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAAAAAAAAAAIQsDQCAG/QAEECEJIAogB/0ABAAgCf2HAf26Af2uASEKIAsgB/0ABBAgCf2IAf26Af2uASELIAZBEGohBiAHQSBqIQcgByAISQ0ACyAKIAv9rgEhCiAFIAIgAygCACoCAJQgCv0bACAK/RsBaiAK/RsCIAr9GwNqarKUOAIAIANBBGohAyAFQQRqIQUgBEEBayEEDAALCws=";

/** Numbers per step of the kernel; rows are padded to a multiple of it. */
export const KERNEL_STEP = 16;

/** Bytes before the numbers of a row; the first four are its scale. */
export const ROW_HEADER_BYTES = 16;

/** out[i] = unit * scale * (int16 query . int8 row at addresses[i]); `query`, `addresses`, `out` are byte addresses. */
export type DotProducts = (
  query: number,
  queryBytes: number,
  unit: number,
  addresses: number,
  count: number,
  out: number,
) => void;

export function instantiateKernel(memory: WebAssembly.Memory): DotProducts {
  const module = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, "base64"));
  return new WebAssembly.Instance(module, { pool: { memory } }).exports.dotProducts as DotProducts;
}
