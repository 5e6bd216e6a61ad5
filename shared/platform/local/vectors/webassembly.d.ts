/** What the vector kernel uses of WebAssembly; the types of Node leave it out and those of browsers bring too much else. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number; maximum: number });
    /** Another one after each `grow`. */
    readonly buffer: ArrayBuffer;
    /** By so many pages of 64 KiB; throws a RangeError beyond the maximum. */
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
