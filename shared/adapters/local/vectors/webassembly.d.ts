/** The part of WebAssembly that the vector kernel uses; Node's types lack it and browsers' types include too much. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number; maximum: number });
    /** A new buffer after each `grow`. */
    readonly buffer: ArrayBuffer;
    /** Grows by this many pages of 64 KiB; throws RangeError beyond the maximum. */
    grow(pages: number): number;
  }

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Record<string, unknown>;
  }
}
