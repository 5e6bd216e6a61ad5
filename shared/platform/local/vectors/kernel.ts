/** kernel.wat compiled; 366 bytes, too few to be worth a build step. */
export const KERNEL_BASE64 =
  "AGFzbQEAAAABCQFgBX9/f39/AAITAQRwb29sBm1lbW9yeQIBAYCABAMCAQAHDwELZG90UHJvZHVjdHMAAAquAgGrAgIDfwR7IAAgAWohBwJAA0AgA0UNASACKAIAIQUgACEG/QwAAAAAAAAAAAAAAAAAAAAAIQj9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAAAAAAAAAAIQsDQCAIIAb9AAQAIAX9AAQA/eYB/eQBIQggCSAG/QAEECAF/QAEEP3mAf3kASEJIAogBv0ABCAgBf0ABCD95gH95AEhCiALIAb9AAQwIAX9AAQw/eYB/eQBIQsgBUHAAGohBSAGQcAAaiEGIAYgB0kNAAsgCCAJ/eQBIAogC/3kAf3kASEIIAQgCP0fACAI/R8BkiAI/R8CIAj9HwOSkjgCACACQQRqIQIgBEEEaiEEIANBAWshAwwACwsL";

/** Numbers the kernel takes at a step: rows are padded to a multiple of it. */
export const KERNEL_STEP = 16;

/** out[i] = query . row at addresses[i]; all arguments but `count` are byte addresses or lengths in the kernel's memory. */
export type DotProducts = (query: number, rowBytes: number, addresses: number, count: number, out: number) => void;

export function instantiateKernel(memory: WebAssembly.Memory): DotProducts {
  const module = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, "base64"));
  return dotProductsOf(new WebAssembly.Instance(module, { pool: { memory } }));
}

/** The module exports this one function. */
function dotProductsOf(instance: WebAssembly.Instance): DotProducts {
  return instance.exports.dotProducts as DotProducts;
}
